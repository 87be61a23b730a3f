//! Few points for many frames: the number of drawn points does not grow with a curve's length.

/// Points of a curve as frame and value, so that its picture is that of all points: at most four for each of `columns` pixels. A
/// value that is not a number breaks the line, and is kept as a break.
pub(super) fn line(values: &[f32], [from, to]: [f64; 2], columns: usize, out: &mut Vec<[f64; 2]>) {
    out.clear();
    let (first, end) = frames_in_sight(values.len(), [from, to]);
    let seen = values.get(first..end).unwrap_or_default();
    let columns = columns.max(1);
    if seen.len() <= columns.saturating_mul(2) {
        out.extend((first..).zip(seen).map(point));
        return;
    }
    let width = seen.len().div_ceil(columns);
    for (column, values) in seen.chunks(width).enumerate() {
        let start = first.saturating_add(column.saturating_mul(width));
        let mut numbers = (start..).zip(values).filter(|(_, value)| value.is_finite());
        let Some(one) = numbers.next() else {
            out.push([start_of(start), f64::NAN]);
            continue;
        };
        let (mut low, mut high, mut last) = (one, one, one);
        for at in numbers {
            if at.1 < low.1 {
                low = at;
            }
            if at.1 > high.1 {
                high = at;
            }
            last = at;
        }
        let mut points = [one, low, high, last];
        points.sort_by_key(|(frame, _)| *frame);
        let mut before = None;
        for at in points {
            if before.replace(at.0) != Some(at.0) {
                out.push(point(at));
            }
        }
    }
}

/// The least and the largest value in sight.
pub(super) fn extent(values: &[f32], frames: [f64; 2]) -> Option<[f64; 2]> {
    let (first, end) = frames_in_sight(values.len(), frames);
    let seen = values.get(first..end).unwrap_or_default();
    let numbers = seen.iter().filter(|value| value.is_finite());
    numbers.fold(None, |extent: Option<[f64; 2]>, value| {
        let value = f64::from(*value);
        let [low, high] = extent.unwrap_or([value; 2]);
        Some([low.min(value), high.max(value)])
    })
}

/// Frames of ascending ones that are far enough apart to be seen separately, and runs of closer frames: the first and the last of
/// each. `gap` frames apart is enough. The work grows with the number of gaps in sight, not with the keys.
pub(super) fn runs<T>(
    keys: &[T],
    frame_of: impl Fn(&T) -> u16,
    [from, to]: [f64; 2],
    gap: f64,
    mut found: impl FnMut([u16; 2]),
) {
    let at = |frame: f64| keys.partition_point(|key| f64::from(frame_of(key)) < frame);
    let (mut next, end) = (at(from - gap), at(to + gap + 1.0));
    if gap <= 1.0 {
        for key in keys.get(next..end).unwrap_or_default() {
            found([frame_of(key); 2]);
        }
        return;
    }
    let mut open: Option<[u16; 2]> = None;
    while let Some(key) = keys.get(next).filter(|_| next < end) {
        let first = frame_of(key);
        // All of the pixels that this one covers.
        let after = at(f64::from(first) + gap).max(next.saturating_add(1));
        let last = keys.get(after.saturating_sub(1)).map_or(first, &frame_of);
        open = Some(match open {
            Some([start, before]) if f64::from(first) - f64::from(before) < gap => [start, last],
            Some(run) => {
                found(run);
                [first, last]
            }
            None => [first, last],
        });
        next = after;
    }
    if let Some(run) = open {
        found(run);
    }
}

/// Indices of the frames in sight, with one more at each side.
fn frames_in_sight(count: usize, [from, to]: [f64; 2]) -> (usize, usize) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates"
    )]
    let index = |frame: f64| frame.max(0.0) as usize;
    let first = index((from - 1.0).floor()).min(count);
    let end = index((to + 1.0).ceil()).saturating_add(1).min(count);
    (first, end.max(first))
}

fn point((frame, value): (usize, &f32)) -> [f64; 2] {
    [start_of(frame), f64::from(*value)]
}

/// A frame as a number on the axis.
fn start_of(frame: usize) -> f64 {
    u32::try_from(frame).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_curve_is_drawn_point_by_point() {
        let mut out = Vec::new();
        line(&[1.0, 2.0, f32::NAN, 4.0], [0.0, 3.0], 100, &mut out);
        assert_eq!(out.len(), 4);
        assert_eq!((out[0], out[3]), ([0.0, 1.0], [3.0, 4.0]));
        assert!(out[2][1].is_nan());
        line(&[], [0.0, 3.0], 100, &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn a_long_curve_keeps_its_peaks_and_has_few_points() {
        let mut values: Vec<f32> = (0..65_535_u16).map(|i| f32::from(i % 7)).collect();
        values[30_000] = 99.0;
        values[40_001] = -99.0;
        let mut out = Vec::new();
        line(&values, [0.0, 65_534.0], 800, &mut out);
        assert!(out.len() <= 3200, "{}", out.len());
        assert!(out.contains(&[30_000.0, 99.0]));
        assert!(out.contains(&[40_001.0, -99.0]));
        assert!(out.is_sorted_by_key(|point| point[0]));
        assert_eq!(extent(&values, [0.0, 65_534.0]), Some([-99.0, 99.0]));
        assert_eq!(extent(&values, [0.0, 100.0]), Some([0.0, 6.0]));
        assert_eq!(extent(&[f32::NAN], [0.0, 1.0]), None);
        line(&values, [29_990.0, 30_010.0], 800, &mut out);
        assert!(out.len() <= 25, "only what is in sight: {}", out.len());
    }

    #[test]
    fn keys_close_together_are_one_run() {
        let of = |keys: &[u16], frames, gap| {
            let mut all = Vec::new();
            runs(keys, |key| *key, frames, gap, |run| all.push(run));
            all
        };
        let keys = [0, 10, 11, 12, 13, 30, 90];
        assert_eq!(
            of(&keys, [0.0, 50.0], 3.0),
            [[0, 0], [10, 13], [30, 30]],
            "90 is out of sight"
        );
        assert_eq!(of(&keys, [0.0, 90.0], 0.1).len(), 7);
        let every: Vec<u16> = (0..=u16::MAX).collect();
        assert_eq!(of(&every, [0.0, 65_535.0], 80.0), [[0, u16::MAX]]);
        assert_eq!(of(&[], [0.0, 9.0], 2.0), [[0; 2]; 0]);
    }
}
