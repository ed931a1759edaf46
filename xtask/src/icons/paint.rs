//! A square picture that rounded rectangles are painted on. Lengths are fractions of its side.

/// A colour with its opacity, each from 0 to 1.
#[derive(Clone, Copy)]
pub struct Colour {
    channels: [f32; 3],
    opacity: f32,
}

impl Colour {
    /// From the digits 0xRRGGBB.
    pub const fn rgb(digits: u32) -> Colour {
        Colour {
            channels: [
                ((digits >> 16) & 0xff) as f32 / 255.0,
                ((digits >> 8) & 0xff) as f32 / 255.0,
                (digits & 0xff) as f32 / 255.0,
            ],
            opacity: 1.0,
        }
    }

    /// The same with an opacity.
    pub fn faded(self, opacity: f32) -> Colour {
        Colour { opacity, ..self }
    }
}

/// A rectangle with round corners.
#[derive(Clone, Copy)]
pub struct Rounded {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
    radius: f32,
}

impl Rounded {
    /// From its upper left corner, its sizes and the radius of its corners.
    pub const fn new(left: f32, top: f32, width: f32, height: f32, radius: f32) -> Rounded {
        Rounded { left, top, width, height, radius }
    }

    /// A disc around a point.
    pub const fn disc(x: f32, y: f32, radius: f32) -> Rounded {
        Rounded::new(x - radius, y - radius, 2.0 * radius, 2.0 * radius, radius)
    }

    /// How far a point lies outside, as a fraction of the side; negative inside.
    fn distance(&self, x: f32, y: f32) -> f32 {
        let inset = |at: f32, start: f32, length: f32| (at - (start + length / 2.0)).abs() - length / 2.0 + self.radius;
        let (dx, dy) = (inset(x, self.left, self.width), inset(y, self.top, self.height));
        dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0) - self.radius
    }
}

/// The picture: straight RGBA, from 0 to 1, row by row.
pub struct Canvas {
    size: usize,
    pixels: Vec<[f32; 4]>,
}

impl Canvas {
    /// A picture in which nothing is painted yet.
    pub fn new(size: usize) -> Canvas {
        Canvas { size, pixels: vec![[0.0; 4]; size * size] }
    }

    /// Pixels along each side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Paints a shape over what is there; its edge is smooth over one pixel.
    pub fn fill(&mut self, shape: Rounded, colour: Colour) {
        let side = self.size as f32;
        for (index, pixel) in self.pixels.iter_mut().enumerate() {
            let x = ((index % self.size) as f32 + 0.5) / side;
            let y = ((index / self.size) as f32 + 0.5) / side;
            let cover = (0.5 - shape.distance(x, y) * side).clamp(0.0, 1.0) * colour.opacity;
            blend(pixel, colour.channels, cover);
        }
    }

    /// The picture as bytes: red, green, blue, opacity, row by row.
    pub fn rgba(&self) -> Vec<u8> {
        self.pixels.iter().flatten().map(|value| (value * 255.0).round() as u8).collect()
    }
}

/// Porter and Duff's "over", with straight alpha.
fn blend(pixel: &mut [f32; 4], colour: [f32; 3], cover: f32) {
    let opacity = cover + pixel[3] * (1.0 - cover);
    if opacity <= 0.0 {
        return;
    }
    for (channel, new) in pixel.iter_mut().zip(colour) {
        *channel = (new * cover + *channel * (opacity - cover)) / opacity;
    }
    pixel[3] = opacity;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_covers_its_inside_only() {
        let mut canvas = Canvas::new(8);
        canvas.fill(Rounded::new(0.25, 0.25, 0.5, 0.5, 0.0), Colour::rgb(0xFF0000));
        let rgba = canvas.rgba();
        let at = |x: usize, y: usize| &rgba[(y * 8 + x) * 4..][..4];
        assert_eq!(at(4, 4), [255, 0, 0, 255]);
        assert_eq!(at(0, 0), [0, 0, 0, 0]);
        assert_eq!(at(1, 4)[3], 0);
        assert_eq!(at(2, 4)[3], 255);
    }

    #[test]
    fn half_a_cover_mixes() {
        let mut canvas = Canvas::new(1);
        canvas.fill(Rounded::new(-1.0, -1.0, 3.0, 3.0, 0.0), Colour::rgb(0x000000));
        canvas.fill(Rounded::new(-1.0, -1.0, 3.0, 3.0, 0.0), Colour::rgb(0xFFFFFF).faded(0.5));
        assert_eq!(canvas.rgba(), [128, 128, 128, 255]);
    }
}
