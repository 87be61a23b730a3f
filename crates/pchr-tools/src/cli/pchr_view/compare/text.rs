//! Text for people: the differences, in one paragraph per pair, and a summary line.

use std::fmt::{self, Write as _};
use std::path::Path;

use pchr::compare::{BUCKETS, Difference, Largest};
use pchr::finding::quoted;

use super::pairs::{ComparedPair, MeasuredPair, PairVerdict, alike};
use super::{CompareArgs, Outcomes, PairOutcome};
use crate::run::input;
use crate::run::messages::Messages;
use crate::text::visible;
use crate::text::words::{count, number, share};
use crate::view::CameraReport;
use crate::view::cameras::{PictureView, ViewMoment};

/// Less is written as less than this.
const LEAST_FLIP: f64 = 1e-6;

pub(super) fn write(
    out: &mut String,
    args: &CompareArgs,
    outcomes: &Outcomes,
    messages: &Messages,
) -> fmt::Result {
    for PairOutcome { pair, found } in &outcomes.of_pairs {
        let Ok(compared) = found else {
            continue; // said on stderr
        };
        match compared.verdict(&args.allowed()) {
            PairVerdict::Same | PairVerdict::Within if messages.quiet => {}
            PairVerdict::Same if messages.verbose || !outcomes.of_folders => {
                let ignored = compared.difference.as_ref().map_or(0, |it| it.difference.ignored());
                let but = match ignored {
                    0 => String::new(),
                    some => format!(" ({} ignored)", count(some, "pixel", "pixels")),
                };
                writeln!(out, "{}: the same{but}", visible(&pair.name))?;
            }
            PairVerdict::Same => {}
            PairVerdict::Within | PairVerdict::Differs => {
                match &compared.difference {
                    Some(MeasuredPair { difference, .. }) => {
                        let sentence = sentence(args, difference);
                        writeln!(out, "{}: {sentence}", visible(&pair.name))?;
                    }
                    None => writeln!(out, "{}", sizes(pair, compared))?,
                }
                views(out, compared)?;
                compared.difference.iter().try_for_each(|it| details(out, args, it))?;
            }
        }
    }
    let folders = [&args.expected, &args.actual];
    let [only_expected, only_actual] = &outcomes.alone;
    let alone = [(only_expected, only_actual), (only_actual, only_expected)];
    for (folder, (alone, others)) in folders.into_iter().zip(alone) {
        for path in alone {
            let alike = alike(path, others).map(|other| {
                format!(" (the other folder has {}, whose case or accents differ)", shown(other))
            });
            let (folder, path) = (shown(folder), shown(path));
            writeln!(out, "only in {folder}: {path}{}", alike.unwrap_or_default())?;
        }
    }
    if let Some(hint) = hint(args, outcomes) {
        writeln!(out, "{hint}")?;
    }
    if outcomes.of_folders && !messages.quiet {
        writeln!(out, "{}", summary(args, outcomes))?;
    }
    Ok(())
}

/// Describes the difference of two pictures of the same size in a sentence.
fn sentence(args: &CompareArgs, difference: &Difference) -> String {
    let CompareArgs { tolerance, max_outliers, .. } = args;
    let (pixels, differing) = (difference.pixels(), difference.differing());
    let outliers = difference.outliers(*tolerance);
    let of = |some: u64| {
        let (share, pixels) = (share(some, pixels), count(pixels, "pixel", "pixels"));
        format!("{} of {pixels} ({share})", number(some))
    };
    let verb = |some: u64| differ(usize::try_from(some).unwrap_or(usize::MAX));
    if outliers == 0 {
        let (of, verb) = (of(differing), verb(differing));
        return format!("within the tolerance: {of} {verb}, none by more than {tolerance}");
    }
    let (some, by) = (of(outliers), verb(outliers));
    let by = match tolerance {
        0 => by.to_owned(),
        _ => format!("{by} by more than {tolerance}"),
    };
    let at_all = if differing == outliers {
        String::new()
    } else {
        format!(", {} by any amount ({})", number(differing), share(differing, pixels))
    };
    let sentence = format!("{some} {by}{at_all}");
    match (difference.is_within(&args.allowed()), max_outliers.of(pixels)) {
        (true, _) => format!("within the tolerance: {sentence}; at most {max_outliers} allowed"),
        (false, 0) => sentence,
        (false, allowed) => format!("{sentence}; at most {} allowed", number(allowed)),
    }
}

/// Describes the sizes of two pictures.
fn sizes(pair: &super::pairs::PicturePair, compared: &ComparedPair) -> String {
    let [[a, b], [c, d]] = compared.sizes;
    let [expected, actual] = [&pair.expected, &pair.actual].map(|path| input::name(path));
    format!("{} is {a}x{b}, {} {c}x{d}", visible(&expected), visible(&actual))
}

/// Says how the views of two pictures differ.
fn views(out: &mut String, compared: &ComparedPair) -> fmt::Result {
    if let Some([expected, actual]) = compared.cameras() {
        let parts = [expected, actual].map(CameraReport::parts);
        let [expected, actual] = &parts;
        let differing = expected.iter().zip(actual).filter(|(a, b)| a != b);
        let differing = differing.map(|((name, a), (_, b))| format!("{name} {a} against {b}"));
        let differing = differing.collect::<Vec<_>>().join(", ");
        let differing = match differing.as_str() {
            "" => "one is flat, one in space",
            some => some,
        };
        writeln!(out, "  the cameras differ: {differing}")?;
    }
    if let Some(views) = compared.moments() {
        let [expected, actual] = views.map(moment);
        writeln!(out, "  the moments differ: {expected} against {actual}")?;
    }
    Ok(())
}

fn moment(view: &PictureView) -> String {
    let one = |at: &ViewMoment| {
        let ViewMoment { animation, frame, time } = at;
        format!("{} frame {frame} ({time} s)", quoted(animation))
    };
    let at = view.at.as_ref().map_or("the stored pose".to_owned(), one);
    match (&view.mix, view.amount) {
        (Some(mix), Some(amount)) => format!("{at} mixed with {amount} of {}", one(mix)),
        _ => at,
    }
}

/// Advice for pictures of different cameras.
fn hint(args: &CompareArgs, outcomes: &Outcomes) -> Option<String> {
    let differs = |it: &ComparedPair| it.verdict(&args.allowed()) != PairVerdict::Same;
    let is_other = |it: &ComparedPair| differs(it) && it.cameras().is_some();
    let other = outcomes.of_pairs.iter().find(|of| of.found.as_ref().is_ok_and(is_other))?;
    let of = shown(&other.pair.expected);
    Some(format!(
        "hint: capture both with the same camera: --camera-of {of}, or the same --center and --zoom"
    ))
}

fn details(out: &mut String, args: &CompareArgs, measured: &MeasuredPair) -> fmt::Result {
    let difference = &measured.difference;
    if difference.alpha_only() {
        writeln!(out, "  only alpha differs: every stored colour is the same")?;
    }
    if let Some(largest) = difference.largest() {
        let Largest { difference, at: [x, y], channel, .. } = largest;
        let (expected, actual) = (hex(largest.expected), hex(largest.actual));
        let what = match largest.is_hidden() {
            true => "only colours hidden by alpha differ: first".to_owned(),
            false => format!("largest difference: {difference} in {channel}"),
        };
        writeln!(out, "  {what} at {x},{y} ({expected}, {actual})")?;
    }
    let flip = measured.mean_flip;
    if flip > 0.0 && flip < LEAST_FLIP {
        writeln!(out, "  mean FLIP error: <{LEAST_FLIP:.6}")?;
    } else {
        writeln!(out, "  mean FLIP error: {flip:.6}")?;
    }
    if difference.ignored() > 0 {
        writeln!(out, "  ignored: {}", count(difference.ignored(), "pixel", "pixels"))?;
    }
    histogram(out, args, difference)
}

/// Pixels by size of difference, if there are any. No line mixes differences within and beyond the tolerance.
fn histogram(out: &mut String, args: &CompareArgs, difference: &Difference) -> fmt::Result {
    let tolerance = args.tolerance;
    let split = BUCKETS.iter().flat_map(|bucket| {
        let (from, to) = (*bucket.start(), *bucket.end());
        if (from..to).contains(&tolerance) {
            [Some((from, tolerance)), Some((tolerance.saturating_add(1), to))]
        } else {
            [Some((from, to)), None]
        }
    });
    let rows = split.flatten().filter_map(|(from, to)| {
        let more = difference.outliers(from.saturating_sub(1));
        let pixels = more.saturating_sub(difference.outliers(to));
        let bounds = if from == to { from.to_string() } else { format!("{from}-{to}") };
        let share = share(pixels, difference.pixels());
        (pixels > 0).then(|| (bounds, number(pixels), share, from > tolerance))
    });
    let rows: Vec<_> = rows.collect();
    let width = rows.iter().map(|(_, pixels, ..)| pixels.len());
    let width = width.fold("pixels".len(), usize::max);
    writeln!(out, "  difference  {:>width$}   share", "pixels")?;
    for (bounds, pixels, share, outliers) in rows {
        let note = if outliers { "  outliers" } else { "" };
        writeln!(out, "  {bounds:>10}  {pixels:>width$}  {share:>6}{note}")?;
    }
    Ok(())
}

/// Number of pairs of each kind.
fn summary(args: &CompareArgs, outcomes: &Outcomes) -> String {
    let counts = outcomes.counts;
    let mut parts = Vec::new();
    let mut part = |some: usize, text: &str| {
        if some > 0 {
            parts.push(format!("{} {text}", number(some)));
        }
    };
    part(counts.same, "the same");
    part(counts.within, "within the tolerance");
    part(counts.differs, differ(counts.differs));
    part(counts.unreadable, "unreadable");
    let folders = [&args.expected, &args.actual];
    for (folder, alone) in folders.into_iter().zip(&outcomes.alone) {
        part(alone.len(), &format!("only in {}", shown(folder)));
    }
    let found = outcomes.of_pairs.iter().filter_map(|of| of.found.as_ref().ok());
    let ignored = found.filter_map(|compared| compared.difference.as_ref());
    let ignored: u64 = ignored.map(|measured| measured.difference.ignored()).sum();
    if ignored > 0 {
        parts.push(format!("{} ignored", count(ignored, "pixel", "pixels")));
    }
    let total = count(outcomes.of_pairs.len(), "pair", "pairs");
    format!("{total}: {}", parts.join(", "))
}

/// Returns the reason for the failure in a line: the rest is in the report.
pub(super) fn failure(args: &CompareArgs, outcomes: &Outcomes) -> String {
    if let (false, [PairOutcome { pair, found: Ok(found) }]) =
        (outcomes.of_folders, &outcomes.of_pairs[..])
    {
        return match &found.difference {
            Some(MeasuredPair { difference, .. }) => {
                let outliers = count(difference.outliers(args.tolerance), "pixel", "pixels");
                format!("{} differ: {outliers} by more than {}", pair.name, args.tolerance)
            }
            None => format!("{} differ in size", pair.name),
        };
    }
    let mut parts = Vec::new();
    let (total, counts) = (outcomes.of_pairs.len(), outcomes.counts);
    if counts.unreadable > 0 {
        let some = number(counts.unreadable);
        parts.push(format!("{some} of {} could not be compared", count(total, "pair", "pairs")));
    }
    if counts.differs > 0 {
        let (some, differ) = (number(counts.differs), differ(counts.differs));
        parts.push(format!("{some} of {} {differ}", count(total, "pair", "pairs")));
    }
    match outcomes.alone.iter().map(Vec::len).sum() {
        0_usize => {}
        1 => parts.push("1 picture is missing from the other folder".into()),
        alone => {
            parts.push(format!("{} pictures are missing from the other folder", number(alone)))
        }
    }
    parts.join(", ")
}

fn differ(some: usize) -> &'static str {
    if some == 1 { "differs" } else { "differ" }
}

/// `#RRGGBBAA`.
fn hex([r, g, b, a]: [u8; 4]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}{a:02x}")
}

fn shown(path: &Path) -> String {
    visible(&path.display().to_string()).into_owned()
}
