//! Texts without personal data: nothing is found in them, and next to nothing that is only a guess.

use um_pii::{Kind, Rules, find};

const TEXTS: &[&str] = &[
    // Invoices and orders.
    "Invoice No. 2024-00417, dated 03.05.2024, due within 30 days.",
    "Subtotal 1,249.00 EUR, VAT 19 % 237.31 EUR, total 1,486.31 EUR",
    "Order 4711-0815-22 contains 3 x M6 screws, 12 x washers and 1 bracket.",
    "Item 100200300400, quantity 12, unit price 4.99, discount 10 %",
    "Please quote reference 88-1024-7731 on all payments.",
    "Tracking: 1Z999AA10123456784 (two parcels, 3.4 kg)",
    "The licence renews on 2025-01-31 for another 12 months.",
    "ISBN 978-3-16-148410-0, 3rd edition, 412 pages",
    // Code and configuration.
    "let total = items.iter().map(|item| item.price * item.count).sum::<u64>();",
    "if (user.isActive && !user.isBlocked) { return next(); }",
    "SELECT id, name FROM accounts WHERE created_at > '2024-01-01' LIMIT 50;",
    "cargo build --release --target x86_64-unknown-linux-musl",
    "const API_KEY = process.env.API_KEY;",
    "password: ${DB_PASSWORD}",
    "token = os.environ[\"SERVICE_TOKEN\"]",
    "The password is required and must have at least 12 characters.",
    "git clone git@git.example.org:tools/parser.git",
    "version 1.2.3.4 replaces 1.2.3.3; run apt upgrade",
    "assert_eq!(parse(\"12:34:56\"), Ok(Time { hours: 12, minutes: 34, seconds: 56 }));",
    "commit 94a60c7f0d3e5b1a2c4d6e8f9a0b1c2d3e4f5a6b",
    "uuid 0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b",
    "background-color: #1a2b3c; margin: 0 12px 24px;",
    "use std::collections::HashMap; use std::fs::File;",
    "impl Iterator for Tokens { type Item = Token; }",
    // Logs.
    "2024-05-03T12:04:55.120Z INFO worker started in 35 ms, 4 threads",
    "127.0.0.1 - - \"GET /index.html HTTP/1.1\" 200 5120",
    "ERROR 0x80070005 at offset 1048576, retrying in 30 s",
    "listening on 0.0.0.0, port 8080",
    "mem 12345678 kB, swap 0 kB, load 0.52 0.48 0.45",
    // Chat.
    "ok see you at 7, bring the blue folder please",
    "Can you take a look at this? It fails on the second try.",
    "lol that was 10000 times better than last year",
    "Thanks, that works now. Will merge after lunch.",
    "Happy New Year everybody!",
    "Will the meeting be in May or in June?",
    "I just turned 3.5 pages of notes into a slide.",
    // Recipes.
    "Mix 250 g flour with 2 eggs and 100 ml milk, rest for 20 minutes.",
    "Bake at 180 °C for 35 to 40 minutes, then turn 90 degrees.",
    "Olive oil, rosemary and a pinch of salt; serve with Caesar salad.",
    "Add 3/4 cup brown sugar and 1 1/2 teaspoons baking soda.",
    // Sports.
    "The home team won 3-1 after leading 2-0 at half time.",
    "6-4, 3-6, 7-6 (7-5) in three hours and 12 minutes",
    "100 m in 9.81 s, a new record, ahead of 9.89 and 9.91",
    "Final standings: 1. Tigers 54, 2. Lions 51, 3. Bears 49",
    // Law and papers.
    "Article 6 (1) (b) applies accordingly; see Section 12.3.4 and Annex II.",
    "The parties agree that this Agreement shall be governed by the law of the seller's country.",
    "Pursuant to § 433 (2) the buyer is obliged to pay the purchase price.",
    "Notwithstanding anything to the contrary, Clause 14 survives termination.",
    "Table 3 shows means of 12.5 (SD 3.2) and 14.1 (SD 2.9), p < 0.001.",
    "The river is 340 km long and drains 12 500 square kilometres.",
    "Population grew from 1 200 000 in 1990 to 1 450 000 in 2010.",
    // Everyday.
    "The train leaves at 14:05 from platform 9 and arrives at 16:48.",
    "Room 204 is free on Tuesday from 10 to 12.",
    "Chapter 5: The Art of Doing Nothing",
    "Table of Contents\nIntroduction\nMaterials and Methods\nResults",
    "Terms and Conditions\nPrivacy Policy\nCookie Settings",
    "To Do\n- Buy milk\n- Water the plants\n- Call the garage",
    "Dear Sir or Madam,\nplease find attached our offer.\nKind regards",
    "Der Zug fährt um 12.30 Uhr und kostet 29,90 Euro.",
    "La réunion est reportée au 12 juin à 14 h 30.",
    "La receta lleva 200 g de arroz y 2 tomates.",
];

#[test]
fn ordinary_texts_have_no_findings() {
    let mut wrong = Vec::new();
    for text in TEXTS {
        let findings = find(text, &Rules::default());
        wrong.extend(findings.iter().map(|one| format!("{} {:?} in {text:?}", one.detector, one.span.slice(text))));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Guesses of names and numbers, which nobody sees who does not ask for them, are few as well.
#[test]
fn ordinary_texts_have_few_guesses() {
    let mut guesses = Vec::new();
    for text in TEXTS {
        let findings = find(text, &Rules::everything());
        let said = findings.iter().filter(|one| !matches!(one.kind, Kind::Date | Kind::Url | Kind::Nationality));
        guesses.extend(said.map(|one| format!("{} {:?} in {text:?}", one.detector, one.span.slice(text))));
    }
    assert!(guesses.len() <= TEXTS.len() / 10, "{guesses:#?}");
}
