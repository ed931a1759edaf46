//! Words in pictures, by Tesseract 5 as a program.

mod tsv;

use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use image::{DynamicImage, RgbImage, imageops::FilterType};
use um_engine::provider::{Cancel, OcrProvider, PlacedWord, ProviderError, ProviderResult, WordPage};

use crate::Locations;
use crate::process::{Bounds, Tool, run};

const TESSERACT: Tool = Tool {
    name: "Tesseract",
    hint: "Install it with `sudo apt-get install tesseract-ocr tesseract-ocr-eng` (macOS: `brew install tesseract`). What waits for it is then read by itself.",
};

/// How long one picture may take, both passes together.
const TIME: Duration = Duration::from_secs(50);
/// Tesseract's own bound for width and height.
const MOST_SIDE: u32 = 32_000;
/// Above this a picture is not enlarged: memory and time grow with the area.
const MOST_PIXELS: f64 = 40e6;
/// Words lower than this, in pixels, are read again from an enlarged picture. Tesseract is trained on capitals of
/// some 30 pixels, and lower ones lose strokes.
const SMALL_WORD: f64 = 20.0;
/// What enlarging brings small words to.
const GOOD_WORD: f64 = 32.0;
/// Pictures with shorter sides are enlarged until both are as long: Tesseract gives up on less.
const LEAST_SIDE: u32 = 40;

/// Tesseract 5, started once a picture.
#[derive(Debug)]
pub struct Tesseract {
    locations: Arc<Locations>,
    version: OnceLock<String>,
}

impl Tesseract {
    /// Finds the program at these places or on the path, once it is needed.
    pub fn new(locations: Arc<Locations>) -> Tesseract {
        Tesseract { locations, version: OnceLock::new() }
    }

    fn command(&self) -> Command {
        Command::new(self.locations.program("tesseract"))
    }
}

impl OcrProvider for Tesseract {
    fn extractor_id(&self) -> &str {
        "tesseract"
    }

    fn model_id(&self) -> String {
        if let Some(known) = self.version.get() {
            return known.clone();
        }
        match installed_version(&|| self.command()) {
            Ok(version) => self.version.get_or_init(|| version).clone(),
            Err(_) => "not installed".into(),
        }
    }

    fn config(&self) -> String {
        format!("psm=3;small={SMALL_WORD};good={GOOD_WORD};filter=catmull-rom")
    }

    fn read(&self, picture: &RgbImage, languages: &str, cancel: &Cancel) -> ProviderResult<WordPage> {
        let languages = checked_languages(languages)?;
        let started = Instant::now();
        let size = picture.dimensions();
        let first = read_at(self.command(), picture, fitting_scale(size), languages, TIME, cancel)?;
        let Some(scale) = better_scale(&first, size) else {
            return Ok(page(first, size));
        };
        let left = TIME.saturating_sub(started.elapsed());
        match read_at(self.command(), picture, scale, languages, left, cancel) {
            Ok(second) if evidence(&second) > evidence(&first) => Ok(page(second, size)),
            Err(ProviderError::Cancelled) => Err(ProviderError::Cancelled),
            // What the first pass read still stands.
            _ => Ok(page(first, size)),
        }
    }
}

fn page(words: Vec<PlacedWord>, (width, height): (u32, u32)) -> WordPage {
    WordPage { words, width: width.into(), height: height.into() }
}

/// `eng` or `eng+deu`, as Tesseract names languages: never an option, never a path.
fn checked_languages(languages: &str) -> ProviderResult<&str> {
    let languages = if languages.is_empty() { "eng" } else { languages };
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if languages.split('+').all(is_name) {
        return Ok(languages);
    }
    Err(ProviderError::Unsupported(format!(
        "“{languages}” is no list of Tesseract languages: give names as `tesseract --list-langs` shows them, joined by +."
    )))
}

/// 1, but for pictures that Tesseract would refuse as they are.
fn fitting_scale((width, height): (u32, u32)) -> f64 {
    let (short, long) = (f64::from(width.min(height).max(1)), f64::from(width.max(height).max(1)));
    if long > f64::from(MOST_SIDE) {
        f64::from(MOST_SIDE) / long
    } else if short < f64::from(LEAST_SIDE) {
        (f64::from(LEAST_SIDE) / short).min(f64::from(MOST_SIDE) / long)
    } else {
        1.0
    }
}

/// How much to enlarge before reading again, where the words of the first pass are small or there are none.
fn better_scale(words: &[PlacedWord], (width, height): (u32, u32)) -> Option<f64> {
    let (width, height) = (f64::from(width), f64::from(height));
    let room = (MOST_PIXELS / (width * height).max(1.0)).sqrt().min(f64::from(MOST_SIDE) / width.max(height).max(1.0));
    let wanted = match median_height(words) {
        Some(median) if median >= SMALL_WORD => return None,
        Some(median) => (GOOD_WORD / median.max(1.0)).ceil().clamp(2.0, 3.0),
        // Nothing was found in something the size of a screenshot or a label: perhaps it is too small to see.
        None if width * height < 2e6 => 2.0,
        None => return None,
    };
    (room >= wanted).then_some(wanted)
}

fn median_height(words: &[PlacedWord]) -> Option<f64> {
    let legible = words.iter().filter(|word| word.confidence > 0.3 && word.text.chars().any(char::is_alphanumeric));
    let mut heights: Vec<f64> = legible.map(|word| word.bbox[3]).collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied()
}

/// How much was read, weighted by how surely: what the better of two passes has more of.
fn evidence(words: &[PlacedWord]) -> f64 {
    let letters = |word: &PlacedWord| word.text.chars().filter(|c| c.is_alphanumeric()).count() as f64;
    // Below even odds a letter speaks against the reading: specks read as words must not win by their number.
    words.iter().map(|word| letters(word) * (f64::from(word.confidence) - 0.5)).sum()
}

/// One pass over the picture at a scale, with the boxes in pixels of the picture as it is.
fn read_at(
    mut command: Command,
    picture: &RgbImage,
    scale: f64,
    languages: &str,
    time: Duration,
    cancel: &Cancel,
) -> ProviderResult<Vec<PlacedWord>> {
    if picture.width() == 0 || picture.height() == 0 {
        return Ok(Vec::new());
    }
    let input = if scale == 1.0 { portable_pixmap(picture) } else { portable_pixmap(&scaled(picture, scale)) };
    command.args(["stdin", "stdout", "--psm", "3", "-l", languages, "tsv"]);
    // One thread: the engine decides how much runs at once.
    command.env("OMP_THREAD_LIMIT", "1");
    let bounds = Bounds { time, output: 64 << 20 };
    let mut output = Vec::new();
    let ended = run(&TESSERACT, command, &input, &bounds, cancel, &mut |piece| output.extend_from_slice(piece))?;
    if !ended.status.success() {
        return Err(why_it_failed(&ended.complaint, languages));
    }
    let mut words = tsv::words(&String::from_utf8_lossy(&output));
    for word in &mut words {
        word.bbox = back_to_picture(word.bbox, scale, picture.dimensions());
    }
    Ok(words)
}

fn back_to_picture([x, y, w, h]: [f64; 4], scale: f64, (width, height): (u32, u32)) -> [f64; 4] {
    let (left, top) = ((x / scale).clamp(0.0, width.into()), (y / scale).clamp(0.0, height.into()));
    let (right, bottom) = ((x + w) / scale, (y + h) / scale);
    [left, top, right.min(width.into()) - left, bottom.min(height.into()) - top]
}

fn scaled(picture: &RgbImage, scale: f64) -> RgbImage {
    let side = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    // Through `DynamicImage`: its code is compiled in `image`, with that package's optimisation.
    let picture = DynamicImage::ImageRgb8(picture.clone());
    picture.resize_exact(side(picture.width()), side(picture.height()), FilterType::CatmullRom).into_rgb8()
}

/// Netpbm's P6: a header and the samples, so that nothing is compressed only to be unpacked again.
fn portable_pixmap(picture: &RgbImage) -> Vec<u8> {
    let mut pixmap = format!("P6\n{} {}\n255\n", picture.width(), picture.height()).into_bytes();
    pixmap.extend_from_slice(picture.as_raw());
    pixmap
}

fn why_it_failed(complaint: &str, languages: &str) -> ProviderError {
    if complaint.contains("Failed loading language") || complaint.contains("couldn't load any languages") {
        let packages: Vec<String> = languages.split('+').map(|name| format!("tesseract-ocr-{name}")).collect();
        return ProviderError::ToolMissing {
            what: format!("A language of Tesseract ({languages})"),
            hint: format!(
                "Install it with `sudo apt-get install {}`. What waits for it is then read by itself.",
                packages.join(" ")
            ),
        };
    }
    let line = complaint.lines().last().unwrap_or("it said nothing");
    ProviderError::Failed(format!("Tesseract could not read the picture: {line}"))
}

/// `5.3.0 eng`: the program's version and the languages that are installed.
fn installed_version(command: &dyn Fn() -> Command) -> ProviderResult<String> {
    let version = said(command(), &["--version"])?;
    let number = version.lines().next().and_then(|line| line.split_whitespace().nth(1)).unwrap_or("unknown");
    let listed = said(command(), &["--list-langs"])?;
    let mut languages: Vec<&str> =
        listed.lines().skip(1).map(str::trim).filter(|l| !l.is_empty() && *l != "osd").collect();
    languages.sort_unstable();
    Ok(format!("{} {}", number.trim_start_matches('v'), languages.join("+")))
}

fn said(mut command: Command, arguments: &[&str]) -> ProviderResult<String> {
    command.args(arguments);
    let bounds = Bounds { time: Duration::from_secs(10), output: 1 << 20 };
    let mut output = Vec::new();
    let ended =
        run(&TESSERACT, command, b"", &bounds, &Cancel::default(), &mut |piece| output.extend_from_slice(piece))?;
    // Version 4 and older write both to the error stream.
    let text = if output.is_empty() { ended.complaint } else { String::from_utf8_lossy(&output).into_owned() };
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(height: f64, confidence: f32) -> PlacedWord {
        PlacedWord { text: "word".into(), bbox: [0.0, 0.0, 40.0, height], confidence, line: 0, block: 0 }
    }

    #[test]
    fn only_small_words_are_enlarged_and_never_without_bound() {
        assert_eq!(better_scale(&[word(30.0, 0.9)], (1000, 1000)), None);
        assert_eq!(better_scale(&[word(16.0, 0.9)], (1000, 1000)), Some(2.0));
        assert_eq!(better_scale(&[word(5.0, 0.9)], (1000, 1000)), Some(3.0));
        assert_eq!(better_scale(&[word(16.0, 0.9)], (6000, 6000)), None);
        assert_eq!(better_scale(&[], (600, 400)), Some(2.0));
        assert_eq!(better_scale(&[], (3000, 4000)), None);
    }

    #[test]
    fn specks_read_as_words_do_not_outweigh_one_sure_word() {
        let specks = vec![word(9.0, 0.2); 50];
        assert!(evidence(&specks) < evidence(&[word(9.0, 0.9)]));
    }

    #[test]
    fn boxes_come_back_in_pixels_of_the_picture() {
        assert_eq!(back_to_picture([20.0, 40.0, 60.0, 10.0], 2.0, (100, 100)), [10.0, 20.0, 30.0, 5.0]);
        assert_eq!(back_to_picture([180.0, 40.0, 60.0, 10.0], 2.0, (100, 100)), [90.0, 20.0, 10.0, 5.0]);
    }

    #[test]
    fn languages_are_names_and_nothing_else() {
        assert_eq!(checked_languages("").unwrap(), "eng");
        assert!(checked_languages("eng+chi_sim").is_ok());
        for hostile in ["--tessdata-dir", "eng+", "../x", "a b"] {
            assert!(checked_languages(hostile).is_err(), "{hostile}");
        }
    }

    #[test]
    fn sizes_that_tesseract_refuses_are_brought_into_its_bounds() {
        assert_eq!(fitting_scale((800, 600)), 1.0);
        assert_eq!(fitting_scale((100, 10)), 4.0);
        assert_eq!(fitting_scale((64_000, 100)), 0.5);
    }
}
