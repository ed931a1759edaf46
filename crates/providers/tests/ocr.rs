//! Words in pictures, by the real Tesseract.

mod common;

use std::process::Command;

use common::{error_rate, fixture, program, providers, shared};
use image::RgbImage;
use um_engine::provider::{Cancel, ProviderError, WordPage};

const TEXT: &str = "The boiler is serviced every March.\nAnna keeps the spare key in the blue tin.\nTrain 4711 leaves for the lake at nine.";

fn tesseract() -> Option<()> {
    program("tesseract", "--version")
}

fn picture(path: &std::path::Path) -> RgbImage {
    image::open(path).unwrap().into_rgb8()
}

fn read(picture: &RgbImage) -> WordPage {
    providers().ocr.read(picture, "eng", &Cancel::default()).unwrap()
}

fn text(page: &WordPage) -> String {
    let lines = page.words.chunk_by(|a, b| a.line == b.line);
    let lines = lines.map(|line| line.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

fn letters(text: &str) -> Vec<char> {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect()
}

#[test]
fn words_come_with_boxes_around_their_ink() {
    let Some(()) = tesseract() else { return };
    let picture = picture(&fixture("clear.png"));
    let page = read(&picture);
    assert_eq!(text(&page), TEXT);
    assert_eq!((page.width, page.height), (1100.0, 220.0));
    for word in &page.words {
        let [x, y, w, h] = word.bbox.map(|side| side as u32);
        let dark = (x..x + w)
            .flat_map(|x| (y..y + h).map(move |y| (x, y)))
            .filter(|(x, y)| picture.get_pixel(*x, *y)[0] < 128);
        assert!(dark.count() > 20, "{word:?}");
        assert!(word.confidence > 0.5, "{word:?}");
    }
}

#[test]
fn small_text_is_enlarged_and_its_boxes_come_back() {
    let Some(()) = tesseract() else { return };
    let page = read(&picture(&fixture("small.png")));
    let rate = error_rate(&letters(TEXT), &letters(&text(&page)));
    assert!(rate < 0.05, "{rate}: {}", text(&page));
    assert_eq!((page.width, page.height), (330.0, 70.0));
    assert!(page.words.iter().all(|word| word.bbox[0] + word.bbox[2] <= 330.0 && word.bbox[3] < 20.0));
}

#[test]
fn pictures_without_words_have_none() {
    let Some(()) = tesseract() else { return };
    assert_eq!(read(&picture(&fixture("blank.png"))).words, []);
    for (width, height) in [(0, 0), (1, 1), (3, 2000)] {
        assert_eq!(read(&RgbImage::from_pixel(width, height, image::Rgb([255; 3]))).words, [], "{width} x {height}");
    }
}

#[test]
fn a_language_that_is_not_there_says_how_to_get_it() {
    let Some(()) = tesseract() else { return };
    let read = providers().ocr.read(&picture(&fixture("small.png")), "tlh", &Cancel::default());
    assert!(matches!(read, Err(ProviderError::ToolMissing { hint, .. }) if hint.contains("tesseract-ocr-tlh")));
}

#[test]
fn version_and_languages_are_told() {
    let Some(()) = tesseract() else { return };
    let id = providers().ocr.model_id();
    assert!(id.starts_with(|c: char| c.is_ascii_digit()) && id.contains("eng"), "{id}");
}

#[test]
fn a_cancelled_reading_stops() {
    let Some(()) = tesseract() else { return };
    let cancel = Cancel::default();
    cancel.cancel();
    let read = providers().ocr.read(&picture(&fixture("small.png")), "eng", &cancel);
    assert_eq!(read, Err(ProviderError::Cancelled));
}

/// What the command itself reads in a picture's file.
fn by_command(path: &std::path::Path) -> String {
    let output = Command::new("tesseract").arg(path).arg("stdout").env("OMP_THREAD_LIMIT", "1").output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text of a receipt: the columns after the eight numbers of each line's box.
fn receipt(csv: &str) -> String {
    csv.lines().filter_map(|line| line.splitn(9, ',').nth(8)).collect::<Vec<_>>().join("\n")
}

/// The real data: on each page no worse than the command, on all receipts together neither.
#[test]
fn real_pages_are_read_no_worse_than_by_the_command() {
    let (Some(()), Some(folder)) = (tesseract(), shared("ocr")) else {
        return;
    };
    let rates = |path: &std::path::Path, expected: &str| {
        let expected = letters(expected);
        let started = std::time::Instant::now();
        let ours = error_rate(&expected, &letters(&text(&read(&picture(path)))));
        let seconds = started.elapsed().as_secs_f32();
        let theirs = error_rate(&expected, &letters(&by_command(path)));
        println!(
            "{:<20} ours {ours:.4}, the command {theirs:.4}, {seconds:.1} s",
            path.file_name().unwrap().to_string_lossy()
        );
        (ours, theirs)
    };
    for (name, expected) in [("8087_054.3B.tif", "8087_054.3B.txt"), ("polar-bears.png", "polar-bears.expected.txt")] {
        let (ours, theirs) = rates(&folder.join(name), &std::fs::read_to_string(folder.join(expected)).unwrap());
        assert!(ours <= theirs + 1e-9, "{name}");
    }
    let mut sums = (0.0, 0.0);
    for number in 0..10 {
        let path = folder.join(format!("receipts/{number:03}.jpg"));
        let csv = std::fs::read(path.with_extension("csv")).unwrap();
        let (ours, theirs) = rates(&path, &receipt(&String::from_utf8_lossy(&csv)));
        sums = (sums.0 + ours, sums.1 + theirs);
    }
    println!("receipts: ours {:.4}, the command {:.4}", sums.0 / 10.0, sums.1 / 10.0);
    assert!(sums.0 <= sums.1);
}
