//! Looks for words as somebody would who has the disk: in every byte of a folder's files, and in what is compressed in
//! them. Knows nothing of the product; written anew, so that what the product misreads is not missed here too.
//!
//! What a lossy picture or sound keeps of a word is not seen.

use std::path::Path;

/// Nothing is opened further than to so many bytes: a byte that looks like the begin of a stream may be none.
const MOST: usize = 64 << 20;
/// Archives within archives are opened so deep.
const DEEPEST: usize = 4;

/// Every place where a word stands in the files below a folder, as UTF-8 or UTF-16, whatever its case: as it lies there, in
/// members of archives, in streams of PDFs, also such as are written in letters, in gzip and in the pixels of PNGs; in rows of SQLite's files as a whole, which
/// lie on pages far apart. Also the files that are named by it.
pub fn traces(folder: &Path, word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let wide = |bytes: fn(u16) -> [u8; 2]| word.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let mut found = Vec::new();
    let forms = [word.clone().into_bytes(), wide(u16::to_le_bytes), wide(u16::to_be_bytes)];
    for (place, bytes) in files(folder) {
        if place.rsplit('/').next().is_some_and(|name| name.to_lowercase().contains(&word)) {
            found.push(format!("the name of {place}"));
        }
        each_layer(&bytes, &place, 0, &mut |place, bytes| {
            let bytes = bytes.to_ascii_lowercase();
            for at in forms.iter().flat_map(|form| positions(&bytes, form)) {
                let around = &bytes[at.saturating_sub(60)..(at + 100).min(bytes.len())];
                found.push(format!("{place} at {at}: {:?}", String::from_utf8_lossy(around)));
            }
        });
    }
    found
}

/// Stretches of a file that may stand in no other by chance, some hundred of them.
pub fn stretches(file: &[u8]) -> Vec<&[u8]> {
    let varied = |stretch: &&[u8]| stretch.iter().collect::<std::collections::BTreeSet<_>>().len() >= 16;
    file.chunks_exact(40).step_by(file.len() / 8_000 + 1).filter(varied).collect()
}

/// The files below a folder that hold some bytes as they are, with the bytes.
pub fn files_with<'a>(folder: &Path, wanted: &[&'a [u8]]) -> Vec<(String, &'a [u8])> {
    let files = files(folder);
    let all = files.iter().flat_map(|(place, file)| wanted.iter().map(move |bytes| (place, file, *bytes)));
    let found = all.filter(|(_, file, bytes)| !positions(file, bytes).is_empty());
    found.map(|(place, _, bytes)| (place.clone(), bytes)).collect()
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap() {
                kind if kind.is_dir() => open.push(entry.path()),
                kind if kind.is_file() => {
                    found.push((entry.path().display().to_string(), std::fs::read(entry.path()).unwrap()));
                }
                _ => {}
            }
        }
    }
    found
}

/// Where some bytes stand in others. Searches for the first that is not zero, of which there are many.
fn positions(bytes: &[u8], wanted: &[u8]) -> Vec<usize> {
    let skip = wanted.iter().position(|byte| *byte != 0).unwrap_or_default();
    let mut found = Vec::new();
    let mut from = skip;
    while let Some(at) = bytes.get(from..).and_then(|rest| rest.iter().position(|byte| *byte == wanted[skip])) {
        if bytes[from + at - skip..].starts_with(wanted) {
            found.push(from + at - skip);
        }
        from += at + 1;
    }
    found
}

/// Shows some bytes, and all that is in them: each row of a database that goes over several pages, and what each stream
/// holds.
fn each_layer(bytes: &[u8], place: &str, depth: usize, show: &mut dyn FnMut(&str, &[u8])) {
    show(place, bytes);
    if depth == DEEPEST {
        return;
    }
    if bytes.starts_with(b"SQLite format 3\0") {
        for (page, row) in long_rows(bytes) {
            each_layer(&row, &format!("{place} > row on page {page}"), depth, show);
        }
    }
    for at in 0..bytes.len() {
        let rest = &bytes[at..];
        let (kind, stream) = match rest {
            [b'P', b'K', 3, 4, ..] => ("zip", zip_member(rest)),
            [0x1f, 0x8b, 8, ..] => ("gzip", gzip(rest)),
            [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => ("zlib", inflate(&rest[2..])),
            [b's', b't', b'r', b'e', b'a', b'm', b'\r' | b'\n', ..] => ("base 85", base_85(&rest[6..])),
            [0x89, b'P', b'N', b'G', ..] => ("png", pixels(rest).unwrap_or_default()),
            _ => continue,
        };
        if !stream.is_empty() {
            each_layer(&stream, &format!("{place} > {kind} at {at}"), depth + 1, show);
        }
    }
}

/// What a member of an archive holds, from its own head on; one that is not compressed is seen as it is.
fn zip_member(bytes: &[u8]) -> Vec<u8> {
    let number = |at: usize| bytes.get(at..at + 2).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    let begin = 30 + number(26) + number(28);
    if number(8) == 8 { bytes.get(begin..).map(inflate).unwrap_or_default() } else { Vec::new() }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let flags = bytes.get(3).copied().unwrap_or_default();
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + bytes.get(at..at + 2).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += bytes.get(at..).unwrap_or_default().iter().take_while(|byte| **byte != 0).count() + 1;
        }
    }
    at += usize::from(flags & 2);
    bytes.get(at..).map(inflate).unwrap_or_default()
}

/// What a PDF's stream holds that is written in letters (ASCII85); nothing where it is written otherwise.
fn base_85(text: &[u8]) -> Vec<u8> {
    let (mut out, mut five) = (Vec::new(), Vec::new());
    for byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        match byte {
            b'z' if five.is_empty() => out.extend([0; 4]),
            b'!'..=b'u' => five.push(byte - b'!'),
            b'~' => {
                let known = five.len().saturating_sub(1);
                five.resize(5, 84);
                out.extend(&four(&five)[..known]);
                return out;
            }
            _ => break,
        }
        if five.len() == 5 {
            out.extend(four(&five));
            five.clear();
        }
    }
    Vec::new()
}

/// The bytes that five digits to the base 85 stand for.
fn four(five: &[u8]) -> [u8; 4] {
    five.iter().fold(0u32, |number, digit| number.wrapping_mul(85).wrapping_add(u32::from(*digit))).to_be_bytes()
}

/// The bytes of a PNG's pixels, row after row, as they are before they are filtered.
fn pixels(bytes: &[u8]) -> Option<Vec<u8>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let (width, depth, colour) = (number(16)?, usize::from(*bytes.get(24)?), *bytes.get(25)?);
    let samples = [1, 0, 3, 1, 2, 0, 4].get(usize::from(colour)).copied().unwrap_or_default();
    let wide = (width.checked_mul(samples * depth)?).div_ceil(8);
    let (near, mut at, mut packed) = ((samples * depth).div_ceil(8), 8, Vec::new());
    while let Some(length) = number(at) {
        let body = bytes.get(at + 8..at + 8 + length);
        match bytes.get(at + 4..at + 8)? {
            b"IDAT" => packed.extend_from_slice(body?),
            b"IEND" => break,
            _ => {}
        }
        at += 12 + length;
    }
    let filtered = inflate(packed.get(2..)?);
    let mut before = vec![0; wide];
    let mut all = Vec::new();
    for row in filtered.chunks_exact(wide.max(1) + 1) {
        let mut now = row[1..].to_vec();
        for x in 0..now.len() {
            let (left, corner) = if x < near { (0, 0) } else { (now[x - near], before[x - near]) };
            let add = match row[0] {
                1 => left,
                2 => before[x],
                3 => ((u16::from(left) + u16::from(before[x])) / 2) as u8,
                4 => nearest(left, before[x], corner),
                _ => 0,
            };
            now[x] = now[x].wrapping_add(add);
        }
        all.extend_from_slice(&now);
        before = now;
    }
    Some(all)
}

/// The one of three that is nearest to what they foretell (Paeth).
fn nearest(left: u8, above: u8, corner: u8) -> u8 {
    let foretold = i16::from(left) + i16::from(above) - i16::from(corner);
    let far = |byte: u8| (foretold - i16::from(byte)).abs();
    if far(left) <= far(above) && far(left) <= far(corner) {
        left
    } else if far(above) <= far(corner) {
        above
    } else {
        corner
    }
}

/// The rows of an SQLite file that are too long for their page, put together, each with the page that it begins on.
fn long_rows(file: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let size = match u16::from_be_bytes([file[16], file[17]]) {
        1 => 65_536,
        size => usize::from(size),
    };
    let usable = size - usize::from(file[20]);
    let mut rows = Vec::new();
    for (number, page) in file.chunks_exact(size).enumerate() {
        let head = if number == 0 { 100 } else { 0 };
        let of_index = (usable - 12) * 64 / 255 - 23;
        // Where the list of cells begins, how far a cell's length stands in it, and what of a row fits at most.
        let (cells, inset, most) = match page[head] {
            13 => (head + 8, 0, usable - 35),
            10 => (head + 8, 0, of_index),
            2 => (head + 12, 4, of_index),
            _ => continue,
        };
        let two = |at: usize| page.get(at..at + 2).map_or(0, |two| usize::from(u16::from_be_bytes([two[0], two[1]])));
        for cell in 0..two(head + 3) {
            let begin = two(cells + 2 * cell) + inset;
            // A table's row has its number behind its length.
            let length = variable(page, begin);
            let body =
                length.and_then(|(_, end)| if page[head] == 13 { variable(page, end).map(|n| n.1) } else { Some(end) });
            let row = length.zip(body).filter(|((length, _), _)| *length > most).and_then(|((length, _), body)| {
                let least = (usable - 12) * 32 / 255 - 23;
                let fits = least + (length - least) % (usable - 4);
                let here = if fits <= most { fits } else { least };
                joined(file, page.get(body..body + here + 4)?, length, (size, usable))
            });
            rows.extend(row.map(|row| (number + 1, row)));
        }
    }
    rows
}

/// A row of a length, of which a page holds the begin and the number of the page where it goes on.
fn joined(file: &[u8], here: &[u8], length: usize, (size, usable): (usize, usize)) -> Option<Vec<u8>> {
    let (begin, mut next) = here.split_at(here.len() - 4);
    let mut row = begin.to_vec();
    while row.len() < length {
        let number = u32::from_be_bytes(next.try_into().ok()?) as usize;
        let page = file.get(number.checked_sub(1)?.checked_mul(size)?..)?.get(..usable)?;
        next = &page[..4];
        row.extend_from_slice(&page[4..usable.min(4 + length - row.len())]);
    }
    Some(row)
}

/// A number of variable length, and where it ends.
fn variable(bytes: &[u8], begin: usize) -> Option<(usize, usize)> {
    let mut number = 0usize;
    for at in begin..begin + 9 {
        let byte = *bytes.get(at)?;
        number = number.checked_mul(128)? | usize::from(byte & 127);
        if byte < 128 {
            return Some((number, at + 1));
        }
    }
    None
}

/// What a deflate stream holds (RFC 1951), as far as it can be read.
pub fn inflate(packed: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bits = Bits { bytes: packed, at: 0 };
    while let Some(is_last) = bits.take(1) {
        let done = match bits.take(2) {
            Some(0) => stored(&mut bits, &mut out),
            Some(1) => {
                let lengths = [vec![8; 144], vec![9; 112], vec![7; 24], vec![8; 8]].concat();
                Codes::of(&lengths).zip(Codes::of(&[5; 30])).and_then(|codes| coded(&mut bits, &codes, &mut out))
            }
            Some(2) => own_codes(&mut bits).and_then(|codes| coded(&mut bits, &codes, &mut out)),
            _ => None,
        };
        if done.is_none() || is_last == 1 || out.len() >= MOST {
            break;
        }
    }
    out
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Option<usize> {
        let mut number = 0;
        for bit in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            number |= usize::from(byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        Some(number)
    }
}

/// Codes by their lengths, the shortest first.
struct Codes {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Codes {
    /// None where there are more codes of a length than it has.
    fn of(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0; 16];
        lengths.iter().for_each(|length| counts[usize::from(*length)] += 1);
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|symbol| lengths[*symbol] > 0).collect();
        symbols.sort_by_key(|symbol| lengths[*symbol]);
        counts[0] = 0;
        let mut free = 1usize;
        for count in &counts[1..] {
            free = (free * 2).checked_sub(*count)?;
        }
        Some(Self { counts, symbols })
    }

    fn next(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in &self.counts[1..] {
            code |= bits.take(1)?;
            if code < first + count {
                return self.symbols.get(index + code - first).copied();
            }
            index += count;
            first = (first + count) * 2;
            code *= 2;
        }
        None
    }
}

fn stored(bits: &mut Bits<'_>, out: &mut Vec<u8>) -> Option<()> {
    bits.at = bits.at.next_multiple_of(8);
    let (length, inverse) = (bits.take(16)?, bits.take(16)?);
    let begin = bits.at / 8;
    out.extend_from_slice(bits.bytes.get(begin..begin + length).filter(|_| length ^ inverse == 0xffff)?);
    bits.at += length * 8;
    Some(())
}

/// The codes that a block brings along: of letters and lengths, and of distances.
fn own_codes(bits: &mut Bits<'_>) -> Option<(Codes, Codes)> {
    let (letters, distances, orders) = (bits.take(5)? + 257, bits.take(5)? + 1, bits.take(4)? + 4);
    let mut lengths = [0; 19];
    for place in &[16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15][..orders] {
        lengths[*place] = bits.take(3)? as u8;
    }
    let codes = Codes::of(&lengths)?;
    let mut lengths: Vec<u8> = Vec::new();
    while lengths.len() < letters + distances {
        let (length, times) = match codes.next(bits)? {
            16 => (*lengths.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length as u8, 1),
        };
        lengths.extend(std::iter::repeat_n(length, times));
    }
    Codes::of(&lengths[..letters]).zip(Codes::of(lengths.get(letters..letters + distances)?))
}

/// A block of letters, and of stretches that stood before.
fn coded(bits: &mut Bits<'_>, (letters, distances): &(Codes, Codes), out: &mut Vec<u8>) -> Option<()> {
    const LENGTHS: [usize; 29] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ];
    const FAR: [usize; 30] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12_289, 16_385, 24_577,
    ];
    while out.len() < MOST {
        match letters.next(bits)? {
            256 => return Some(()),
            letter @ 0..=255 => out.push(letter as u8),
            symbol => {
                let step = symbol - 257;
                let more = if (8..28).contains(&step) { step / 4 - 1 } else { 0 };
                let length = LENGTHS.get(step)? + bits.take(more)?;
                let step = distances.next(bits)?;
                let far = FAR.get(step)? + bits.take((step / 2).saturating_sub(1))?;
                let begin = out.len().checked_sub(far)?;
                (begin..begin + length).for_each(|at| out.push(out[at]));
            }
        }
    }
    None
}
