//! Coverage of each texel by a path, and a soft version of it.

/// Coverage of each texel, 0..1.
#[derive(Clone)]
pub(crate) struct Mask {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cover: Vec<f32>,
}

impl Mask {
    pub(crate) fn at(&self, x: isize, y: isize) -> f32 {
        match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.width && y < self.height => self.cover[y * self.width + x],
            _ => 0.0,
        }
    }

    /// Returns the mask after three box blurs in each direction, which is close to a Gaussian.
    pub(crate) fn blurred(&self, radius: usize) -> Self {
        let mut mask = self.clone();
        let (w, h) = (self.width, self.height);
        for _ in 0..3 {
            for y in 0..h {
                box_blur(&mut mask.cover, y * w, 1, w, radius);
            }
            for x in 0..w {
                box_blur(&mut mask.cover, x, w, h, radius);
            }
        }
        mask
    }

    /// First and last covered row.
    pub(crate) fn rows(&self) -> (usize, usize) {
        let covered =
            |y: &usize| self.cover[y * self.width..(y + 1) * self.width].iter().any(|&c| c > 0.0);
        (
            (0..self.height).find(covered).unwrap_or(0),
            (0..self.height).rev().find(covered).unwrap_or(0),
        )
    }
}

fn box_blur(values: &mut [f32], start: usize, step: usize, count: usize, radius: usize) {
    let line: Vec<f32> = (0..count).map(|i| values[start + i * step]).collect();
    let share = 1.0 / (2 * radius + 1) as f32;
    let mut sum: f32 = line.iter().take(radius).sum();
    for i in 0..count {
        sum += line.get(i + radius).copied().unwrap_or(0.0);
        values[start + i * step] = (sum * share).clamp(0.0, 1.0);
        if i >= radius {
            sum -= line[i - radius];
        }
    }
}
