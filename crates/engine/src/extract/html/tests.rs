use super::*;

fn check(html: &str, expected: &str) {
    assert_eq!(read(html.as_bytes()).text, expected, "{html}");
}

fn check_headings(html: &str, expected: &[(u8, &str, &str)]) {
    let text = read(html.as_bytes());
    let line = |at: usize| text.text[at..].lines().next().unwrap_or_default();
    let found: Vec<_> = text.headings.iter().map(|h| (h.level, h.text.as_str(), line(h.at))).collect();
    assert_eq!(found, expected, "{html}");
}

#[test]
fn visible_text_is_kept_and_the_rest_is_not() {
    check("", "");
    check("plain words", "plain words");
    check("<p>One\n  two</p><p>three<p>four", "One two\n\nthree\n\nfour");
    check("a<b>b</b>c <i> d </i>e<br>f<br><br>g", "abc d e\nf\n\ng");
    check("<div>one<div>two</div></div>three", "one\ntwo\nthree");
    check("a<script>if (1 < 2) alert('</p>')</script>b<style>p{}</style>c", "abc");
    check("a<!-- no --><!--> b <!-- > -- --!>c<!doctype x><?php echo ?>d", "a b cd");
    check("a<template><p>x</p></template>b<noscript>x</noscript>c<svg><title>x</title></svg>d", "abcd");
    check("<p>a<p hidden>b<b>c</b><p>d", "a\n\nd");
    check("<div hidden>a<div>b</div>c</div>d", "d");
    check("<ul><li>a<li hidden>b<li>c</ul>d", "- a\n- c\n\nd");
    check("<div><span style='Display : none'>a</div>b", "b");
    check("<p style=\"color:red\">a</p><img alt='a cat'><img src=x>", "a\n\na cat");
    check("<a href=\"x>y\">link</a> <a title='a&gt;b'>two</a>", "link two");
    check("1 < 2 & 3 > 2 </> <3", "1 < 2 & 3 > 2 <3");
    check("<textarea>a<b>c</textarea>", "a<b>c");
    check("<pre>\n  fn main() {\n\n  }\n</pre>after", "  fn main() {\n\n  }\n\nafter");
    check("cut off <a href=", "cut off");
    check("<p>a</p\n><p>b", "a\n\nb");
}

#[test]
fn references_are_replaced() {
    check("&lt;b&gt; &amp;amp; &quot;&apos;&nbsp;x", "<b> &amp; \"' x");
    check("Gr&ouml;&szlig;e &#8364;&#x20AC;&#X20ac &euro; &hellip;", "Größe €€€ € …");
    check(
        "&#150; &#0; &#x110000; &#; &unknown; AT&T &ampx &copy2024",
        "– \u{FFFD} \u{FFFD} &#; &unknown; AT&T &x ©2024",
    );
    check("&NotEqualTilde; &CounterClockwiseContourIntegral;", "≂̸ ∳");
    check("&lt;script&gt;", "<script>");
}

#[test]
fn lists_are_lines() {
    check("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>after", "- a\n- b\n  - c\n\nafter");
    check("<ol start=3><li>a<li><p>b</p><p>c</p></ol>", "3. a\n4. b\nc");
    check("<dl><dt>term<dd>meaning</dl>", "term\nmeaning");
}

#[test]
fn tables_are_lines_of_fields() {
    check(
        "<table><tr><th>Name<th>Age</tr>\n<tr><td> Anna </td> <td><p>31</p><p>years</p></td></tr></table>x",
        "Name\tAge\nAnna\t31 years\n\nx",
    );
    check("<table><tr><td>a<td><td>c<td></tr><tr><td></td><td>b</td></tr></table>", "a\t\tc\n\tb");
    check("<table><tr><td><h1>Part</h1><p>one</p></td><td><p>two</p></td></tr></table>", "Part\n\none\n\ntwo");
    check("<table><tr><td><table><tr><td>a<td>b</table><td>c</table>", "a\tb\n\nc");
    check("<td>stray<td>cells", "stray\ncells");
}

#[test]
fn headings_and_title() {
    check_headings(
        "<title> The\npage </title><h1>One <i>of</i>\n it</h1><p>a</p><h3>Three</h3>b<h2></h2>",
        &[(0, "The page", "The page"), (1, "One of it", "One of it"), (3, "Three", "Three")],
    );
    check_headings("<title>Same</title><h1>Same</h1>", &[(1, "Same", "Same")]);
    check_headings("<h1>Open<p>text<h2>Next", &[(1, "Open", "Open"), (2, "Next", "Next")]);
    check_headings("<ul><li><h2>In a list</h2></ul>", &[(2, "In a list", "- In a list")]);
    check("<title>T &amp; t</title><body>x", "T & t\n\nx");
}

#[test]
fn the_page_says_its_language_and_encoding() {
    assert_eq!(read(b"<html lang='de-CH'><p>x").language.as_deref(), Some("de-CH"));
    let bytes = [b"<meta charset=\"iso-8859-2\"><p>".as_slice(), &[0xB1, 0xE6, 0xEA]].concat();
    assert_eq!(read(&bytes).text, "ąćę");
    let bytes = b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'><p>\xEF\xF0\xE8\xE2\xE5\xF2";
    assert_eq!(read(bytes).text, "привет");
}

#[test]
fn hostile_pages_are_read_in_time() {
    for tag in ["div", "table><tr><td", "ul><li", "b", "font size=1", "div hidden", "h1", "pre", "svg", "a", "p"] {
        let deep = format!("{}x{}", format!("<{tag}>").repeat(10_000), "</div>".repeat(5_000));
        assert!(read(deep.as_bytes()).text.len() < 400_000, "{tag}");
    }
    // Unclosed formatting, reopened in each paragraph, makes trees explode.
    let formats: String = (0..500).map(|n| format!("<font size={n}>")).collect();
    assert_eq!(read((formats + &"<p>x".repeat(50_000)).as_bytes()).text.matches('x').count(), 50_000);
    for part in ["<", "</", "<!--", "<a ", "<a b='", "&", "&#", "&#x", "<script>", "</script", "<title>", "\0"] {
        let _ = read(part.repeat(50_000).as_bytes());
    }
}
