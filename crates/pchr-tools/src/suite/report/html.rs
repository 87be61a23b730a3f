//! The report as a page: one file with its pictures, which needs no network, server or other file.
//!
//! Browsers do not open pages of any size, so there is a limit. Frames whose pictures exceed it link to the files instead.
//!
//! The page itself is constant. It contains the report as JSON, followed by the pictures as text, and its scripts turn both into
//! elements when they are viewed. Names from the report never become markup: the JSON contains no `<`, and the scripts set text
//! only.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use serde::Serialize as _;
use serde_json::ser::{Formatter, Serializer};
use sha2::{Digest as _, Sha256};

use pchr::finding::counted;

use super::{FramePictures, Status, SuiteReport};
use crate::run::output::Inside;

/// The page, with placeholders in double braces.
const PAGE: &str = include_str!("page/page.html");
/// Style sheet of the page.
const STYLE: &str = include_str!("page/page.css");
/// Script of the page. The parts share one scope.
const SCRIPT: &str = concat!(
    include_str!("page/cases_in_order.js"),
    include_str!("page/rows_and_filter.js"),
    include_str!("page/stage.js"),
    include_str!("page/pixel.js"),
    include_str!("page/frame.js"),
    include_str!("page/page.js"),
);

/// Maximum number of bytes of PNG in a page: 64 MB, which are 85 MB of text. Browsers open that in seconds.
pub(crate) const BUDGET: u64 = 64_000_000;

/// Writes the page of a report whose pictures are in `folder`, with at most `budget` bytes of them. Part of one picture is in memory
/// at a time.
pub(crate) fn render(
    report: &SuiteReport,
    folder: Inside<'_>,
    budget: u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let frames = choose(report, folder, budget)?;
    let mut parts = PAGE.split("{{");
    out.write_all(parts.next().unwrap_or_default().as_bytes())?;
    for part in parts {
        let (name, text) = part.split_once("}}").unwrap_or((part, ""));
        match name {
            "policy" => policy(out)?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => out.write_all(SCRIPT.as_bytes())?,
            "counts" => counts(report, out)?,
            "report" => json(report, out)?,
            "held" => held(&frames, out)?,
            "pictures" => pictures(&frames, folder, out)?,
            _ => return Err(io::Error::other(format!("the page asks for {name}"))),
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Writes the content security policy: the page may only show its own pictures, and use its own style and script.
fn policy(out: &mut dyn Write) -> io::Result<()> {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    write!(
        out,
        "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT),
    )
}

/// Writes the counts for browsers without scripts.
fn counts(report: &SuiteReport, out: &mut dyn Write) -> io::Result<()> {
    if !report.has_run() {
        return write!(out, "The suite could not be run.");
    }
    let sum = report.summary;
    write!(
        out,
        "{} of {}: {} failed, {} without a baseline, {}, {}, {} removed, {} updated, {} skipped, {} passed.",
        counted(sum.frames, "frame", "frames"),
        counted(sum.cases, "case", "cases"),
        sum.failed,
        sum.missing,
        counted(sum.errors, "error", "errors"),
        counted(sum.unused, "unused baseline", "unused baselines"),
        sum.removed,
        sum.updated,
        sum.skipped,
        sum.passed,
    )
}

/// Writes the report so that no text in it can end its element.
fn json(report: &SuiteReport, out: &mut dyn Write) -> io::Result<()> {
    report.serialize(&mut Serializer::with_formatter(out, InElement)).map_err(io::Error::from)
}

/// Escapes `<` in JSON. It can only occur in strings, which allow the escape.
struct InElement;

impl Formatter for InElement {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for (i, text) in fragment.split('<').enumerate() {
            if i > 0 {
                out.write_all(b"\\u003c")?;
            }
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

struct Pictured<'a> {
    pictures: &'a FramePictures,
    /// True if the page contains all of them.
    held: bool,
}

/// Returns the frames with pictures in list order. Each is put in the page if it fits into the rest of the budget.
fn choose<'a>(
    report: &'a SuiteReport,
    folder: Inside<'_>,
    mut budget: u64,
) -> io::Result<Vec<Pictured<'a>>> {
    let size = |path| folder.len(path);
    let choose = |pictures: &'a FramePictures| {
        let sizes = pictures.paths().map(size);
        let left = budget.checked_sub(sizes.sum::<io::Result<u64>>()?);
        budget = left.unwrap_or(budget);
        let held = left.is_some();
        Ok(Pictured { pictures, held })
    };
    listed(report).map(choose).collect()
}

/// Returns the pictures of all frames in the order of `cases_in_order.js`: worst first, by case and by frame.
fn listed(report: &SuiteReport) -> impl Iterator<Item = &FramePictures> {
    let mut cases: Vec<_> = report.cases.iter().collect();
    cases.sort_by_key(|case| {
        let error = case.error.as_ref().map(|_| Status::Error);
        case.frames.iter().map(|frame| frame.status).chain(error).map(rank).min().unwrap_or(u8::MAX)
    });
    cases.into_iter().flat_map(|case| {
        let mut frames: Vec<_> = case.frames.iter().collect();
        frames.sort_by_key(|frame| rank(frame.status));
        frames.into_iter().filter_map(|frame| frame.pictures.as_ref())
    })
}

/// Returns the index of a status in `STATUSES` of `cases_in_order.js`.
fn rank(status: Status) -> u8 {
    match status {
        Status::Failed => 0,
        Status::Missing => 1,
        Status::Error => 2,
        Status::Unused => 3,
        Status::Updated => 4,
        Status::Removed => 5,
        Status::Skipped => 6,
        Status::Passed => 7,
    }
}

/// Writes a digit for each frame with pictures, from which the page knows at its start which ones it contains.
fn held(frames: &[Pictured<'_>], out: &mut dyn Write) -> io::Result<()> {
    let digits = frames.iter().map(|frame| u8::from(frame.held) + b'0');
    out.write_all(&digits.collect::<Vec<_>>())
}

/// Writes the pictures of the page, each in its own element that the browser does not parse.
fn pictures(frames: &[Pictured<'_>], folder: Inside<'_>, out: &mut dyn Write) -> io::Result<()> {
    let held = frames.iter().filter(|frame| frame.held);
    // `cases_in_order.js` counts them in the same order.
    let paths = held.flat_map(|frame| frame.pictures.paths());
    for (i, path) in paths.enumerate() {
        write!(out, "<script type=\"text/plain\" id=\"picture-{i}\">")?;
        let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
        io::copy(&mut folder.open(path)?, &mut encoder)?;
        encoder.finish()?;
        drop(encoder);
        out.write_all(b"</script>\n")?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::suite::report::{CaseReport, FrameResult};

    /// Returns a frame whose pictures are `NAME.expected.png`, `NAME.actual.png` and `NAME.difference.png`.
    fn frame(name: &str, status: Status) -> FrameResult {
        let picture = |kind: &str| format!("pictures/{name}.{kind}.png");
        let [expected, difference] = ["expected", "difference"].map(|kind| Some(picture(kind)));
        FrameResult {
            pictures: Some(FramePictures { expected, actual: picture("actual"), difference }),
            ..FrameResult::new(name.to_owned(), status, String::new())
        }
    }

    fn report(cases: Vec<(&str, Vec<FrameResult>)>) -> SuiteReport {
        let case = |(name, frames): (&str, _)| CaseReport {
            name: name.to_owned(),
            file: "a.pchr".to_owned(),
            frames,
            ..CaseReport::default()
        };
        let cases = cases.into_iter().map(case).collect();
        SuiteReport::new("suite.toml".to_owned(), None, None, 3, cases)
    }

    /// Returns a report with names that end every kind of element.
    fn hostile() -> SuiteReport {
        let mut frame = frame("a", Status::Failed);
        frame.name = "</script><script>alert(1)</script>".to_owned();
        frame.message = "<!--".to_owned();
        report(vec![("{{pictures}} \"<\" \u{2028}", vec![frame])])
    }

    /// Returns a folder in which each picture of a report has `size` bytes: its path, repeated.
    fn folder(report: &SuiteReport, size: impl Fn(&str) -> usize) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("pictures")).unwrap();
        for path in listed(report).flat_map(FramePictures::paths) {
            let bytes: Vec<u8> = path.bytes().cycle().take(size(path)).collect();
            fs::write(folder.path().join(path), bytes).unwrap();
        }
        folder
    }

    fn page(report: &SuiteReport, folder: &TempDir, budget: u64) -> String {
        let mut page = Vec::new();
        render(report, Inside(folder.path()), budget, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    /// Returns the page's digits of contained pictures, and the pictures that it contains.
    fn held(page: &str) -> (&str, Vec<Vec<u8>>) {
        let (_, rest) = page.split_once("data-held=\"").unwrap();
        let (digits, rest) = rest.split_once('"').unwrap();
        let pictures = rest.split("<script type=\"text/plain\" id=\"picture-").skip(1);
        let decode = |(i, element): (usize, &str)| {
            let (text, _) = element.split_once("</script>").unwrap();
            STANDARD.decode(text.strip_prefix(&format!("{i}\">")).unwrap()).unwrap()
        };
        (digits, pictures.enumerate().map(decode).collect())
    }

    #[test]
    fn the_report_comes_back_out_of_the_page_with_its_pictures_behind_it_in_order() {
        let report = hostile();
        let page = page(&report, &folder(&report, str::len), BUDGET);
        let (_, rest) = page.split_once("id=\"report\"").unwrap();
        let (json, _) = rest.split_once("</script>").unwrap();
        let (_, json) = json.split_once('>').unwrap();
        assert!(!json.contains('<'));
        assert_eq!(serde_json::from_str::<SuiteReport>(json).unwrap(), report);
        let (_, pictures) = page.split_once("picture-0\">").unwrap();
        let encoded = "cGljdHVyZXMvYS5leHBlY3RlZC5wbmc=</script>\n\
             <script type=\"text/plain\" id=\"picture-1\">cGljdHVyZXMvYS5hY3R1YWwucG5n</script>\n\
             <script type=\"text/plain\" id=\"picture-2\">cGljdHVyZXMvYS5kaWZmZXJlbmNlLnBuZw==</script>\n</body>\n</html>\n";
        assert_eq!(pictures, encoded);
    }

    #[test]
    fn a_page_holds_what_fits_and_failures_first() {
        let mut report = report(vec![
            ("a", vec![frame("a0", Status::Missing)]),
            ("b", vec![frame("b0", Status::Missing), frame("b1", Status::Failed)]),
            ("c", vec![frame("c0", Status::Updated)]),
            ("d", vec![frame("d0", Status::Failed)]),
        ]);
        report.cases[2].error = Some("no such animation".to_owned());
        let order = ["b1", "b0", "d0", "a0", "c0"];
        // All have 300 bytes of pictures, but d0 has 3,000.
        let size = |path: &str| if path.contains("d0") { 1000 } else { 100 };
        let folder = folder(&report, size);
        let budgets = [0, 299, 300, 599, 600, 900, 1200, 3599, 3600, 4199, 4200];
        let held_of = "00000 00000 10000 10000 11000 11010 11011 11011 11100 11110 11111";
        for (budget, digits) in budgets.into_iter().zip(held_of.split(' ')) {
            let page = page(&report, &folder, budget);
            let (said, pictures) = held(&page);
            assert_eq!(said, digits, "{budget}");
            let names = order.iter().zip(digits.chars()).filter(|(_, held)| *held == '1');
            let wanted: Vec<_> = names
                .flat_map(|(name, _)| {
                    ["expected", "actual", "difference"]
                        .map(|kind| format!("pictures/{name}.{kind}.png"))
                })
                .map(|path| fs::read(folder.path().join(path)).unwrap())
                .collect();
            assert!(pictures == wanted, "{budget}");
            assert!(pictures.iter().map(Vec::len).sum::<usize>() as u64 <= budget);
            // The report names the files of all.
            for name in order {
                assert!(page.contains(&format!("pictures/{name}.actual.png")));
            }
        }
    }

    #[test]
    fn a_picture_that_cannot_be_read_fails() {
        let folder = tempfile::tempdir().unwrap();
        for budget in [0, BUDGET] {
            let error = render(&hostile(), Inside(folder.path()), budget, &mut io::sink());
            assert_eq!(error.unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }
}
