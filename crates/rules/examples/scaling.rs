//! How long reading takes for texts of 10 and 100 kilobytes, in prose, talk, forms and noise. Ten times the text should
//! take about ten times as long.

use std::time::Instant;
use um_rules::{Context, claims, classify};

const SHAPES: &[(&str, &str)] = &[
    ("prose", "Ana Ruiz, who works at Acme Corp since 2019, lives in Porto and speaks French, Dutch and Greek. "),
    ("one sentence", "and Ana Ruiz of the team of the house of my sister in the city "),
    ("talk", "Ana: I moved to Porto last May and my sister Bea loves it!\n"),
    ("pairs", "Owner: Kim Nguyen\n"),
    ("receipt", "TOTAL RM 33.90\nCASH RM 50.00\nCHANGE RM 16.10\n"),
    ("brackets", "((([[[\"'my sister Ana "),
    ("commas", "Ana, Bo, Cy, "),
    ("apostrophes", "Ana's sister's Bo's "),
    ("marks", "?!.,;:…--''\"\""),
    ("letters", "a"),
    ("digits", "12/13/14 10:00 "),
    ("breaks", "\n\n \r\n"),
];

fn main() {
    for (name, part) in SHAPES {
        let seconds = |size: usize| {
            let text = part.repeat(size / part.len());
            let begun = Instant::now();
            let found = claims(&text, &Context { title: Some("notes"), ..Context::default() }).len();
            std::hint::black_box(classify(&text));
            (begun.elapsed().as_secs_f64(), found)
        };
        let ((small, few), (large, many)) = (seconds(10_000), seconds(100_000));
        println!(
            "{name:>13}: 10 KB {:8.1} ms, {few} claims; 100 KB {:8.1} ms, {many} claims; {:.1} times as long",
            small * 1e3,
            large * 1e3,
            large / small
        );
    }
}
