use arbitrary::{Result, Unstructured};
use pchr::compare::{Difference, Ignored, MaxOutliers, Pair, Region, Tolerance};
use pchr::image::Pixels;

use super::super::document::texels;

/// Compares two pictures, and parses tolerances.
pub fn comparison(data: &[u8]) {
    let _ = compare(&mut Unstructured::new(data));
}

fn compare(u: &mut Unstructured<'_>) -> Result<()> {
    limit(u)?;
    let tolerance: u8 = u.arbitrary()?;
    let size = [u.int_in_range(0..=24_u32)?, u.int_in_range(0..=24_u32)?];
    let expected = pixels(u, size)?;
    let actual = match u.int_in_range(0..=3)? {
        0 => {
            let size = [u.int_in_range(0..=24)?, u.int_in_range(0..=24)?];
            pixels(u, size)?
        }
        1 => pixels(u, size)?,
        _ => changed(u, &expected)?,
    };
    let measured = Difference::measure(&expected, &actual);
    let same_size = (expected.width, expected.height) == (actual.width, actual.height);
    assert_eq!(measured.is_ok(), same_size);
    let Ok(difference) = measured else {
        assert!(Pair::new(&expected, &actual).is_err());
        return Ok(());
    };
    let equal = expected == actual;
    assert_eq!(difference.differing() == 0, equal);
    assert_eq!(difference.pixels(), u64::from(size[0]) * u64::from(size[1]));
    let counted: u64 = difference.histogram().iter().map(|bucket| bucket.pixels).sum();
    assert_eq!(counted, difference.differing());
    assert_eq!(difference.largest().is_some(), !equal);
    assert_eq!(difference.outliers(largest(&difference)), 0);
    let back = Difference::measure(&actual, &expected).expect("pictures of one size");
    assert_eq!(back.histogram(), difference.histogram(), "the difference is symmetric");
    let at = |of: &Difference| of.largest().map(|largest| largest.at);
    assert_eq!(at(&back), at(&difference));
    let any = Tolerance { channel: 255, max_outliers: MaxOutliers::Pixels(0) };
    let none = Tolerance { channel: 0, ..any };
    assert!(difference.is_within(&any));
    assert_eq!(difference.is_within(&none), equal);
    let pair = Pair::new(&expected, &actual).expect("pictures of one size");
    let flip = pair.mean_flip();
    assert!((0.0..=1.0).contains(&flip), "{flip}");
    assert!(!equal || flip == 0.0);
    let picture = pair.picture(tolerance);
    assert_eq!([picture.width, picture.height], size);
    assert_eq!(picture.rgba.len(), expected.rgba.len());
    ignore(u, [&expected, &actual], &difference)
}

/// Compares the pictures with some pixels ignored.
fn ignore(
    u: &mut Unstructured<'_>,
    [expected, actual]: [&Pixels; 2],
    whole: &Difference,
) -> Result<()> {
    let text: String = u.arbitrary::<&str>()?.chars().take(20).collect();
    if let Ok(region) = text.parse::<Region>() {
        assert_eq!(region.to_string().parse(), Ok(region));
    }
    let size = [expected.width, expected.height];
    let region = Region {
        x: u.int_in_range(0..=24)?,
        y: u.int_in_range(0..=24)?,
        width: u.int_in_range(1..=24)?,
        height: u.int_in_range(1..=24)?,
    };
    let mask = Some(actual).filter(|_| u.ratio(1, 2).unwrap_or_default());
    let Ok(Some(ignored)) = Ignored::new(size, &[region], mask) else { return Ok(()) };
    let pair = Pair::ignoring(expected, actual, &ignored).expect("pictures of one size");
    let difference = pair.difference();
    assert_eq!(difference.ignored(), ignored.count());
    assert_eq!(difference.pixels() + ignored.count(), whole.pixels());
    assert!(difference.pixels() > 0 && difference.differing() <= whole.differing());
    assert!(largest(&difference) <= largest(whole));
    assert!((0.0..=1.0).contains(&pair.mean_flip()));
    Ok(())
}

fn limit(u: &mut Unstructured<'_>) -> Result<()> {
    let text: String = u.arbitrary::<&str>()?.chars().take(12).collect();
    if let Ok(most) = text.parse::<MaxOutliers>() {
        let again: MaxOutliers = most.to_string().parse().expect("what was written is read");
        for pixels in [0, 1, 1000, u64::MAX] {
            assert_eq!(most.of(pixels), again.of(pixels));
            assert!(matches!(most, MaxOutliers::Pixels(_)) || most.of(pixels) <= pixels);
        }
    }
    Ok(())
}

fn pixels(u: &mut Unstructured<'_>, [width, height]: [u32; 2]) -> Result<Pixels> {
    Ok(Pixels { width, height, rgba: texels(u, width as usize * height as usize)?.concat() })
}

fn changed(u: &mut Unstructured<'_>, of: &Pixels) -> Result<Pixels> {
    let mut pixels = of.clone();
    for _ in 0..u.int_in_range(0..=4)? {
        if !pixels.rgba.is_empty() {
            let at = u.choose_index(pixels.rgba.len())?;
            pixels.rgba[at] = u.arbitrary()?;
        }
    }
    Ok(pixels)
}

fn largest(of: &Difference) -> u8 {
    of.largest().map_or(0, |largest| largest.difference)
}
