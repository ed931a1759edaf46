use super::*;
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, GrayImage, ImageEncoder, ImageFormat, Luma, Rgb, RgbaImage};

const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// Two wide, one high: red, then blue.
fn two() -> RgbImage {
    RgbImage::from_fn(2, 1, |x, _| Rgb(if x == 0 { RED } else { BLUE }))
}

fn written(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A TIFF structure with fields of type ASCII and SHORT, as EXIF has it: tags of the picture, and those
/// of the folder that tag 0x8769 leads to.
fn exif(orientation: u16, texts: &[(u16, &str)]) -> Vec<u8> {
    let field = |tag: u16, kind: u16, count: u32, value: u32| {
        [tag.to_le_bytes().as_slice(), &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let inner_at = 8 + 2 + 2 * 12 + 4;
    let mut data_at = inner_at + 2 + texts.len() as u32 * 12 + 4;
    let mut inner = (texts.len() as u16).to_le_bytes().to_vec();
    let mut data = Vec::new();
    for (tag, text) in texts {
        inner.extend(field(*tag, 2, text.len() as u32 + 1, data_at));
        data.extend(text.bytes().chain([0]));
        data_at += text.len() as u32 + 1;
    }
    inner.extend([0; 4]);
    [
        b"II*\0\x08\0\0\0\x02\0".as_slice(),
        &field(0x0112, 3, 1, u32::from(orientation)),
        &field(0x8769, 4, 1, inner_at),
        &[0; 4],
        &inner,
        &data,
    ]
    .concat()
}

/// A JPEG of `two()`, each pixel eight wide and high, with EXIF.
fn photo(exif: Vec<u8>) -> Vec<u8> {
    let large = image::imageops::resize(&two(), 32, 16, FilterType::Nearest);
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
    encoder.set_exif_metadata(exif).unwrap();
    encoder.encode(&large, 32, 16, ExtendedColorType::Rgb8).unwrap();
    bytes
}

fn check(bytes: &[u8], expected: &RgbImage) {
    assert_eq!(&decode_upright(bytes).unwrap(), expected);
}

#[test]
fn every_format_is_decoded() {
    let picture = DynamicImage::from(two());
    for format in [ImageFormat::Png, ImageFormat::Tiff, ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::WebP] {
        check(&written(&picture, format), &two());
    }
    let photo = decode_upright(&photo(exif(1, &[]))).unwrap();
    assert_eq!(photo.dimensions(), (32, 16));
    assert!(photo.get_pixel(4, 8)[0] > 200 && photo.get_pixel(28, 8)[2] > 200);
}

#[test]
fn every_kind_of_pixel_becomes_rgb() {
    let grey = GrayImage::from_fn(2, 1, |x, _| Luma([x as u8 * 100]));
    let expected = RgbImage::from_fn(2, 1, |x, _| Rgb([x as u8 * 100; 3]));
    check(&written(&grey.clone().into(), ImageFormat::Png), &expected);
    let deep = DynamicImage::from(DynamicImage::from(two()).into_rgb16());
    check(&written(&deep, ImageFormat::Png), &two());
    check(&written(&deep, ImageFormat::Tiff), &two());
    let clear = RgbaImage::from_fn(3, 1, |x, _| image::Rgba([255, 0, 0, [0, 128, 255][x as usize]]));
    let on_white = RgbImage::from_fn(3, 1, |x, _| Rgb([255, [255, 127, 0][x as usize], [255, 127, 0][x as usize]]));
    check(&written(&clear.clone().into(), ImageFormat::Png), &on_white);
    check(&written(&clear.into(), ImageFormat::WebP), &on_white);
    check(&cmyk([0, 255, 255, 0]), &RgbImage::from_pixel(1, 1, Rgb(RED)));
    check(&cmyk([0, 0, 0, 255]), &RgbImage::from_pixel(1, 1, Rgb([0; 3])));
}

/// A TIFF of one CMYK pixel, as printers' programs write it.
fn cmyk(pixel: [u8; 4]) -> Vec<u8> {
    let tags: [(u16, u16, u32, u32); 9] = [
        (256, 3, 1, 1),
        (257, 3, 1, 1),
        (258, 3, 4, 126), // four depths of 8 bits, behind the tags
        (259, 3, 1, 1),
        (262, 3, 1, 5), // CMYK
        (273, 4, 1, 122),
        (277, 3, 1, 4),
        (278, 3, 1, 1),
        (279, 4, 1, 4),
    ];
    let mut tiff = b"II*\0\x08\0\0\0\x09\0".to_vec();
    for (tag, kind, count, value) in tags {
        tiff.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        tiff.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    tiff.extend([0; 4]);
    tiff.extend(pixel);
    tiff.extend([8, 0].repeat(4));
    tiff
}

#[test]
fn orientation_is_obeyed() {
    // Where the red half is, by EXIF orientation: left, right, right, left, top, top, bottom, bottom.
    let spots = [(4, 8), (28, 8), (28, 8), (4, 8), (8, 4), (8, 4), (8, 28), (8, 28)];
    for (orientation, (x, y)) in (1..=8).zip(spots) {
        let picture = decode_upright(&photo(exif(orientation, &[]))).unwrap();
        let upright = if orientation < 5 { (32, 16) } else { (16, 32) };
        assert_eq!(picture.dimensions(), upright, "{orientation}");
        assert!(picture.get_pixel(x, y)[0] > 200, "{orientation}");
    }
    assert_eq!(decode_upright(&photo(exif(99, &[]))).unwrap().dimensions(), (32, 16));
}

#[test]
fn damaged_and_huge_pictures_are_refused() {
    assert!(matches!(decode_upright(b""), Err(ProviderError::Unsupported(_) | ProviderError::Corrupt(_))));
    assert!(matches!(decode_upright(b"words"), Err(ProviderError::Unsupported(_) | ProviderError::Corrupt(_))));
    for format in [ImageFormat::Png, ImageFormat::Tiff, ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::WebP] {
        let whole = written(&two().into(), format);
        for length in 8..whole.len() - 1 {
            // Some decoders make do with less than all; none may panic.
            let _ = decode_upright(&whole[..length]);
        }
        assert!(decode_upright(&whole[..whole.len() / 3]).is_err(), "{format:?}");
    }
    let mut huge = written(&two().into(), ImageFormat::Bmp);
    huge[18..22].copy_from_slice(&60_000u32.to_le_bytes());
    huge[22..26].copy_from_slice(&60_000u32.to_le_bytes());
    assert!(matches!(decode_upright(&huge), Err(ProviderError::Unsupported(_))));
}

#[test]
fn thumbnails_fit_and_are_never_enlarged() {
    for (width, height, max, expected) in [
        (1000, 500, 320, (320, 160)),
        (3000, 10, 320, (320, 2)),
        (10_000, 1, 320, (320, 1)),
        (300, 400, 320, (240, 320)),
        (20, 10, 320, (20, 10)),
        (20, 10, 0, (1, 1)),
    ] {
        let small = decode_upright(&thumbnail(&RgbImage::new(width, height), max)).unwrap();
        assert_eq!(small.dimensions(), expected, "{width} × {height}");
    }
}

#[test]
fn png_keeps_every_pixel() {
    check(&to_png(&two()), &two());
}

#[test]
fn the_time_of_a_photo_is_read() {
    let time = |texts: &[(u16, &str)]| captured_at(&photo(exif(1, texts)));
    assert_eq!(time(&[(0x9003, "2024:02:29 12:34:56")]), Some(1_709_210_096_000));
    assert_eq!(time(&[(0x9003, "1969:12:31 23:59:59")]), Some(-1000));
    assert_eq!(time(&[(0x9003, "2000:03:01 00:00:00")]), Some(951_868_800_000));
    assert_eq!(time(&[(0x9003, "2024:02:29 12:34:56"), (0x9011, "+02:00")]), Some(1_709_202_896_000));
    assert_eq!(time(&[(0x9003, "2024:02:29 12:34:56"), (0x9011, "nonsense")]), Some(1_709_210_096_000));
    assert_eq!(time(&[(0x9003, "0000:00:00 00:00:00")]), None);
    assert_eq!(time(&[(0x9003, "    :  :     :  :  ")]), None);
    assert_eq!(time(&[]), None);
    assert_eq!(captured_at(b"words"), None);
}

#[test]
fn heic_is_read() {
    let picture = RgbImage::from_fn(64, 48, |x, _| Rgb(if x < 32 { RED } else { BLUE }));
    let options = heifer::EncodeOptions { quality: 95, max_threads: 1 };
    let bytes = heifer::encode_rgb8(64, 48, picture.as_raw(), &options).unwrap();
    let read = decode_upright(&bytes).unwrap();
    assert_eq!(read.dimensions(), (64, 48));
    let near = |x: u32, wanted: [u8; 3]| read.get_pixel(x, 24).0.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) < 24);
    assert!(near(8, RED) && near(56, BLUE));
    for cut in [12, 40, bytes.len() / 2, bytes.len() - 1] {
        assert!(decode_upright(&bytes[..cut]).is_err(), "cut to {cut} bytes");
    }
}
