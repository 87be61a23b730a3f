//! Limits of a window's size, whether requested or remembered.

use winit::event_loop::ActiveEventLoop;

/// Initial width and height of the window, in logical pixels.
const FIRST: [u32; 2] = [1180, 760];
/// Below this the panels do not fit.
const LEAST: [u32; 2] = [700, 420];
/// Screen pixels on each side, if the window system names no display; any adapter draws that many.
const ASSUMED: [u32; 2] = [4096, 4096];
/// Maximum number of screen pixels on each side of a window: adapters draw no more, and X11 allows at most twice as many.
const MOST: u32 = 16_384;

/// The displays together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Screen {
    /// Screen pixels.
    pub size: [u32; 2],
    /// Screen pixels per logical pixel.
    pub scale: f64,
}

impl Screen {
    /// The rectangle around all displays, with the largest of their scales.
    pub(crate) fn of(event_loop: &ActiveEventLoop) -> Self {
        let mut scale = f64::MIN_POSITIVE;
        let (mut min, mut max) = ([i64::MAX; 2], [i64::MIN; 2]);
        for monitor in event_loop.available_monitors() {
            scale = scale.max(monitor.scale_factor());
            let (from, size) = (monitor.position(), monitor.size());
            let sides = [(from.x, size.width), (from.y, size.height)];
            for ((min, max), (from, length)) in min.iter_mut().zip(&mut max).zip(sides) {
                let from = i64::from(from);
                *min = from.min(*min);
                *max = from.saturating_add(length.into()).max(*max);
            }
        }
        let side = |(min, max): (i64, i64)| u32::try_from(max.saturating_sub(min)).unwrap_or(0);
        let [x, y] = min.into_iter().zip(max).map(side).collect::<Vec<_>>()[..] else {
            return Self::assumed();
        };
        if x == 0 || y == 0 {
            return Self::assumed();
        }
        Self {
            size: [x, y],
            scale,
        }
    }

    fn assumed() -> Self {
        Self {
            size: ASSUMED,
            scale: 1.0,
        }
    }

    /// Size of the window and the least that it may get, in logical pixels.
    pub(crate) fn window(&self, wanted: Option<[u32; 2]>) -> ([u32; 2], [u32; 2]) {
        let within = |wanted: [u32; 2]| {
            let most = self.size.map(|side| {
                let most = f64::from(side.min(MOST)) / self.scale;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it saturates"
                )]
                let most = most as u32;
                most.max(1)
            });
            let [width, height] = wanted;
            let [most_width, most_height] = most;
            [width.clamp(1, most_width), height.clamp(1, most_height)]
        };
        (within(wanted.unwrap_or(FIRST)), within(LEAST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_is_larger_than_the_displays() {
        let screen = |width, height, scale| Screen {
            size: [width, height],
            scale,
        };
        let full_hd = screen(1920, 1080, 1.0);
        assert_eq!(full_hd.window(None), (FIRST, LEAST));
        assert_eq!(full_hd.window(Some([800, 500])), ([800, 500], LEAST));
        assert_eq!(full_hd.window(Some([u32::MAX; 2])).0, [1920, 1080]);
        assert_eq!(full_hd.window(Some([0, 9])).0, [1, 9]);
        let twice = screen(1920, 1080, 2.0);
        assert_eq!(twice.window(Some([32_768, 200])).0, [960, 200]);
        // Displays that are smaller than the panels, and scales that nobody has.
        assert_eq!(screen(640, 400, 1.0).window(None), ([640, 400], [640, 400]));
        assert_eq!(screen(640, 400, 1e9).window(None), ([1, 1], [1, 1]));
        let tiny = screen(u32::MAX, u32::MAX, f64::MIN_POSITIVE);
        assert_eq!(tiny.window(None), (FIRST, LEAST));
        assert_eq!(
            screen(u32::MAX, 9, 1.0).window(Some([u32::MAX; 2])).0,
            [MOST, 9]
        );
    }
}
