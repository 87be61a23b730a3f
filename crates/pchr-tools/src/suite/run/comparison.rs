//! A picture and the file of its baseline.

use parking_lot::{Mutex, MutexGuard};

use pchr::bytes::Budget;
use pchr::compare::{Difference, DifferenceReport, Ignored, Pair, SizesDiffer, Tolerance};
use pchr::image::{DEFAULT_BUDGET, Pixels, decode_straight, png_size};

use crate::files::Reading;
use crate::run::Disk;
use crate::run::disk::Role;
use crate::text::words::count;

/// Outcome of a comparison.
pub(crate) enum ComparedBaseline {
    Same,
    Within(Difference),
    Beyond(Difference, Pixels),
    /// Another size. Only one of these is in memory at a time, since it may be large.
    OtherSize(Pixels, MutexGuard<'static, ()>),
    Missing,
    Unreadable(String),
}

pub(crate) fn pair<'a>(
    expected: &'a Pixels,
    actual: &'a Pixels,
    ignored: Option<&'a Ignored>,
) -> Result<Pair<'a>, SizesDiffer> {
    match ignored {
        Some(ignored) => Pair::ignoring(expected, actual, ignored),
        None => Pair::new(expected, actual),
    }
}

pub(crate) fn compare(
    disk: &Disk,
    baseline: Reading<'_>,
    actual: &Pixels,
    ignored: Option<&Ignored>,
    tolerance: Tolerance,
) -> ComparedBaseline {
    static ONE: Mutex<()> = Mutex::new(());
    let png = match disk.read(baseline, Role::Baseline) {
        Err(error) if error.is_missing() => return ComparedBaseline::Missing,
        Err(error) => return ComparedBaseline::Unreadable(error.to_string()),
        Ok(png) => png,
    };
    let has_size = |size| size == [actual.width, actual.height];
    let other = (!png_size(&png).is_ok_and(has_size)).then(|| ONE.lock());
    let expected = match decode_straight(&png, &budget(actual)) {
        Ok(expected) => expected,
        Err(error) => return ComparedBaseline::Unreadable(error.to_string()),
    };
    if let Some(one) = other {
        return ComparedBaseline::OtherSize(expected, one);
    }
    if expected == *actual {
        return ComparedBaseline::Same;
    }
    let difference = pair(&expected, actual, ignored).map(|pair| pair.difference());
    match difference {
        Err(error) => ComparedBaseline::Unreadable(error.to_string()), // its header had the size
        Ok(difference) if difference.differing() == 0 => ComparedBaseline::Same,
        Ok(difference) if difference.is_within(&tolerance) => ComparedBaseline::Within(difference),
        Ok(difference) => ComparedBaseline::Beyond(difference, expected),
    }
}

/// Returns the memory budget for a baseline: the picture's own size, which the same program wrote, or the default for other sizes.
fn budget(actual: &Pixels) -> Budget {
    Budget::new(DEFAULT_BUDGET.max(actual.rgba.len() as u64))
}

/// Formats the figures in one line.
pub(crate) fn in_words(figures: &DifferenceReport) -> String {
    let DifferenceReport {
        pixels,
        ignored,
        tolerance,
        outliers,
        ..
    } = figures;
    #[expect(clippy::cast_precision_loss, reason = "a share in words")]
    let percent = *outliers as f64 * 100.0 / (*pixels).max(1) as f64;
    let share = if percent < 0.01 {
        "<0.01".to_owned()
    } else {
        format!("{percent:.2}")
    };
    let by = match tolerance {
        0 => "differ".to_owned(),
        tolerance => format!("differ by more than {tolerance}"),
    };
    let allowed = match figures.allowed_outliers {
        0 => String::new(),
        most => format!(" (at most {most} allowed)"),
    };
    let largest = figures.largest.map(|largest| {
        let [x, y] = largest.at;
        match largest.is_hidden() {
            true => format!("; only colours hidden by alpha, first at {x},{y}"),
            false => format!("; largest difference {} at {x},{y}", largest.difference),
        }
    });
    let alpha = if figures.alpha_only {
        "; only alpha differs"
    } else {
        ""
    };
    let flip = figures.mean_flip;
    let flip = flip.map(|flip| format!("; mean FLIP {flip:.4}"));
    let ignored = match ignored {
        0 => String::new(),
        some => format!("; {} ignored", count(*some, "pixel", "pixels")),
    };
    let [largest, flip] = [largest, flip].map(Option::unwrap_or_default);
    format!(
        "{outliers} of {pixels} pixels ({share} %) {by}{allowed}{largest}{alpha}{flip}{ignored}"
    )
}
