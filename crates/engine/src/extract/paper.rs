//! A PDF whose pages are pictures, and nothing else (ISO 32000-1, 7.5): a file of a few objects, each page a JPEG over its
//! whole size. It holds no text, no fonts, no attachments and no metadata.

use image::RgbImage;
use image::codecs::jpeg::JpegEncoder;

/// How good the pictures are, of 100: what is printed small stays readable.
const QUALITY: u8 = 85;
/// Objects of a page: itself, what is drawn on it, and its picture.
const OF_PAGE: usize = 3;
/// The catalogue and the tree of pages come first.
const FIRST: usize = 3;

/// A PDF under way.
pub(crate) struct Paper {
    bytes: Vec<u8>,
    /// Where the objects of the pages begin, from the third on.
    places: Vec<usize>,
}

impl Paper {
    /// One without pages.
    pub(crate) fn new() -> Self {
        // The second line tells programs that bytes follow.
        Self { bytes: b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec(), places: Vec::new() }
    }

    /// Adds a page of that width and height in points.
    ///
    /// # Errors
    /// The encoder's, as of a picture without pixels.
    pub(crate) fn add(&mut self, picture: &RgbImage, [width, height]: [f64; 2]) -> image::ImageResult<()> {
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, QUALITY).encode_image(picture)?;
        let page = FIRST + self.places.len();
        let drawn = format!("q {width:.3} 0 0 {height:.3} 0 0 cm /P Do Q");
        self.object(&format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3} {height:.3}] /Contents {} 0 R \
             /Resources << /XObject << /P {} 0 R >> >> >>",
            page + 1,
            page + 2
        ));
        self.stream("", drawn.as_bytes());
        let (columns, rows) = picture.dimensions();
        let about = format!(
            "/Type /XObject /Subtype /Image /Width {columns} /Height {rows} /ColorSpace /DeviceRGB \
             /BitsPerComponent 8 /Filter /DCTDecode "
        );
        self.stream(&about, &jpeg);
        Ok(())
    }

    /// How many bytes it has by now.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The whole file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let pages: Vec<String> =
            (0..self.places.len()).step_by(OF_PAGE).map(|at| format!("{} 0 R", FIRST + at)).collect();
        let of_pages = std::mem::take(&mut self.places);
        self.numbered(1, "<< /Type /Catalog /Pages 2 0 R >>");
        self.numbered(2, &format!("<< /Type /Pages /Count {} /Kids [{}] >>", pages.len(), pages.join(" ")));
        let places: Vec<usize> = self.places.iter().copied().chain(of_pages).collect();
        let (table, count) = (self.bytes.len(), places.len() + 1);
        let mut end = format!("xref\n0 {count}\n0000000000 65535 f \n");
        places.iter().for_each(|at| end += &format!("{at:010} 00000 n \n"));
        end += &format!("trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n");
        self.bytes.extend_from_slice(end.as_bytes());
        self.bytes
    }

    fn object(&mut self, says: &str) {
        self.numbered(FIRST + self.places.len(), says);
    }

    fn numbered(&mut self, number: usize, says: &str) {
        self.places.push(self.bytes.len());
        self.bytes.extend_from_slice(format!("{number} 0 obj\n{says}\nendobj\n").as_bytes());
    }

    fn stream(&mut self, about: &str, bytes: &[u8]) {
        let number = FIRST + self.places.len();
        self.places.push(self.bytes.len());
        let head = format!("{number} 0 obj\n<< {about}/Length {} >>\nstream\n", bytes.len());
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(bytes);
        self.bytes.extend_from_slice(b"\nendstream\nendobj\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn each_object_stands_where_the_table_says() {
        let mut paper = Paper::new();
        for shade in [0, 255] {
            paper.add(&RgbImage::from_pixel(20, 30, Rgb([shade; 3])), [200.0, 300.5]).unwrap();
        }
        let bytes = paper.finish();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("/Count 2 /Kids [3 0 R 6 0 R]") && text.contains("/MediaBox [0 0 200.000 300.500]"));
        let at = |text: &str| text.trim().parse::<usize>().unwrap();
        let table = at(text.rsplit("startxref\n").next().unwrap().lines().next().unwrap());
        let end = std::str::from_utf8(&bytes[table..]).unwrap();
        let places: Vec<usize> =
            end.lines().skip(3).take_while(|line| line.ends_with("n ")).map(|line| at(&line[..10])).collect();
        assert_eq!(places.len(), 8);
        for (number, place) in places.into_iter().enumerate() {
            assert!(bytes[place..].starts_with(format!("{} 0 obj\n", number + 1).as_bytes()), "{number}");
        }
        assert!(Paper::new().add(&RgbImage::new(0, 0), [1.0, 1.0]).is_err());
    }
}
