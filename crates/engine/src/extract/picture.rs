//! Pictures: decoded upright, made small, written as PNG; when they were taken.

use super::dates::epoch_ms;
use crate::provider::{ProviderError, ProviderResult};
use exif::{In, Tag};
use heifer::FileTypeResult;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, Limits, RgbImage};
use std::io::Cursor;
use um_model::EpochMs;

/// Pictures with more pixels than this are not decoded.
pub const MAX_PIXELS: u64 = 100_000_000;
/// No decoder may ask for more memory than this, in bytes: enough for [`MAX_PIXELS`] in RGBA.
const MAX_ALLOC: u64 = 512 * 1024 * 1024;

/// Decodes a PNG, JPEG, WebP, TIFF, BMP, GIF or HEIC picture (of an animation, the first frame) and turns
/// it upright as its EXIF orientation (or, in HEIC, the container) says. What is transparent shows white, 16 bits become 8, grey and CMYK
/// become RGB.
///
/// # Errors
/// `Corrupt` when the bytes are no such picture or are damaged, `Unsupported` when it is too large or of a
/// kind that the decoder does not know.
pub fn decode_upright(bytes: &[u8]) -> ProviderResult<RgbImage> {
    if matches!(heifer::check_file_type(bytes), FileTypeResult::Supported | FileTypeResult::MayBe) {
        return decode_heic(bytes);
    }
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let reader = reader.map_err(|error| ProviderError::Corrupt(error.to_string()))?;
    let mut decoder = reader.into_decoder().map_err(refusal)?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_ALLOC);
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_ALLOC {
        return Err(too_large(width, height));
    }
    if width == 0 || height == 0 {
        return Err(ProviderError::Corrupt("the picture has no pixels".into()));
    }
    limits.reserve(decoder.total_bytes()).map_err(refusal)?;
    decoder.set_limits(limits).map_err(refusal)?;
    // A broken orientation is no reason to refuse the picture.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(refusal)?;
    picture.apply_orientation(orientation);
    Ok(opaque(picture))
}

/// HEIC: the decoder is pure, safe Rust, keeps to the limit of pixels, and turns the picture upright itself.
fn decode_heic(bytes: &[u8]) -> ProviderResult<RgbImage> {
    let options = heifer::Options { max_threads: 1, max_pixels: MAX_PIXELS };
    let picture = heifer::decode_rgba8(bytes, &options).map_err(|error| match error {
        heifer::Error::Unsupported(what) => ProviderError::Unsupported(format!("The picture cannot be read: {what}")),
        error => ProviderError::Corrupt(error.to_string()),
    })?;
    let rgba = image::RgbaImage::from_raw(picture.width, picture.height, picture.data)
        .ok_or_else(|| ProviderError::Corrupt("the picture has too few pixels".into()))?;
    Ok(opaque(DynamicImage::ImageRgba8(rgba)))
}

fn too_large(width: u32, height: u32) -> ProviderError {
    ProviderError::Unsupported(format!(
        "The picture is {width} × {height} pixels; more than 100 megapixels are not read. Make it smaller."
    ))
}

/// What a decoder's error means to the person whose picture it is.
fn refusal(error: ImageError) -> ProviderError {
    match error {
        ImageError::Unsupported(error) => ProviderError::Unsupported(format!("The picture cannot be read: {error}")),
        ImageError::Limits(_) => ProviderError::Unsupported(
            "The picture needs more memory than is allowed for one picture. Make it smaller.".into(),
        ),
        error => ProviderError::Corrupt(error.to_string()),
    }
}

/// Puts a picture on white.
fn opaque(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let picture = picture.into_rgba8();
    let (width, height) = picture.dimensions();
    let on_white = |value: u8, alpha: u8| {
        let (value, alpha) = (u32::from(value), u32::from(alpha));
        ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    RgbImage::from_fn(width, height, |x, y| {
        let [r, g, b, alpha] = picture.get_pixel(x, y).0;
        image::Rgb([on_white(r, alpha), on_white(g, alpha), on_white(b, alpha)])
    })
}

/// A small JPEG of a picture, neither wider nor higher than `max` pixels; never enlarged.
pub fn thumbnail(picture: &RgbImage, max: u32) -> Vec<u8> {
    let (width, height) = picture.dimensions();
    let longest = width.max(height).max(1);
    let max = max.clamp(1, longest);
    let scaled = |side: u32| ((u64::from(side) * u64::from(max)).div_ceil(u64::from(longest)) as u32).max(1);
    let small = if longest > max * 4 {
        // A box filter first, as the smooth one is slow on large pictures.
        let rough = image::imageops::thumbnail(picture, scaled(width) * 2, scaled(height) * 2);
        image::imageops::resize(&rough, scaled(width), scaled(height), FilterType::Triangle)
    } else if longest > max {
        image::imageops::resize(picture, scaled(width), scaled(height), FilterType::Triangle)
    } else {
        picture.clone()
    };
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, 82)
        .encode_image(&small)
        .expect("writing to memory does not fail, and a side below 65,536 fits JPEG");
    jpeg
}

/// A picture as PNG.
pub fn to_png(picture: &RgbImage) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).expect("writing to memory does not fail");
    png.into_inner()
}

/// When a picture was taken (EXIF `DateTimeOriginal`). Cameras write their local time; where they say its
/// offset (`OffsetTimeOriginal`) it is taken off, else the time counts as UTC.
pub fn captured_at(bytes: &[u8]) -> Option<EpochMs> {
    let exif = exif::Reader::new().read_from_container(&mut Cursor::new(bytes)).ok()?;
    let ascii = |tag: Tag| match &exif.get_field(tag, In::PRIMARY)?.value {
        exif::Value::Ascii(lines) => lines.first().cloned(),
        _ => None,
    };
    let mut time = exif::DateTime::from_ascii(&ascii(Tag::DateTimeOriginal)?).ok()?;
    if let Some(offset) = ascii(Tag::OffsetTimeOriginal) {
        // An offset that cannot be read is left out, as if it were not said.
        let _ = time.parse_offset(&offset);
    }
    let day = [time.year.into(), time.month.into(), time.day.into()];
    epoch_ms(day, [time.hour.into(), time.minute.into(), time.second.into()], time.offset.unwrap_or(0).into())
}

#[cfg(test)]
mod tests;
