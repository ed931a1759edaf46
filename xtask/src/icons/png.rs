//! PNG (third edition): 8-bit RGBA, one data chunk, each row as it is. And the icon file that Windows wants, which
//! may hold a PNG.

use super::paint::Canvas;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Eight bits a channel, RGBA, and the only methods that there are.
const FORMAT: [u8; 5] = [8, 6, 0, 0, 0];

/// The picture as a PNG file.
pub fn encode(canvas: &Canvas) -> Vec<u8> {
    let side = canvas.size() as u32;
    let header = [side.to_be_bytes().as_slice(), &side.to_be_bytes(), &FORMAT].concat();
    // Every row starts with the number of its filter: none.
    let rows = canvas.rgba();
    let rows: Vec<u8> = rows.chunks(canvas.size() * 4).flat_map(|row| [&[0], row].concat()).collect();
    let data = miniz_oxide::deflate::compress_to_vec_zlib(&rows, 9);
    let mut file = SIGNATURE.to_vec();
    for (kind, content) in [(b"IHDR", header.as_slice()), (b"IDAT", &data), (b"IEND", &[])] {
        file.extend((content.len() as u32).to_be_bytes());
        let checked = [kind.as_slice(), content].concat();
        file.extend(&checked);
        file.extend(crc(&checked).to_be_bytes());
    }
    file
}

/// A Windows icon of one picture, 256 pixels wide.
pub fn ico(canvas: &Canvas) -> Vec<u8> {
    let png = encode(canvas);
    // Reserved, kind 1, one picture; then its entry: 0 for 256, no palette, one plane, 32 bits, length, offset.
    let mut file = vec![0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 32, 0];
    file.extend((png.len() as u32).to_le_bytes());
    file.extend(22u32.to_le_bytes());
    file.extend(png);
    file
}

/// CRC-32 as PNG's annex D has it, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| {
        if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 }
    };
    let one = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc));
    !bytes.iter().fold(u32::MAX, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_crc_32_comes_out() {
        assert_eq!(crc(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_file_has_its_chunks() {
        let file = encode(&Canvas::new(2));
        assert!(file.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x02\0\0\0\x02\x08\x06"));
        assert!(file.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
    }
}
