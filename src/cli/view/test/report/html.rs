//! The report as a page: one file that holds its pictures, and needs no network, no server and no other file.
//!
//! The page is written by hand and never changes: the report lies in it as JSON, the pictures lie behind it as text, and
//! its scripts make elements of both when they are looked at. Names out of the report never become markup: in the JSON no
//! `<` is left, and the scripts set text alone.

use std::io::{self, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use serde::Serialize as _;
use serde_json::ser::{Formatter, Serializer};

use super::model::{Pictures, Report, Summary};

/// The page, with names in double braces where the rest belongs.
const PAGE: &str = include_str!("page/page.html");
/// How it looks.
const STYLE: &str = include_str!("page/page.css");
/// What it does: the parts share one scope.
const SCRIPT: &str = concat!(
    include_str!("page/report.js"),
    include_str!("page/list.js"),
    include_str!("page/stage.js"),
    include_str!("page/pixel.js"),
    include_str!("page/frame.js"),
    include_str!("page/page.js"),
);

/// SHA-256 of [`STYLE`] in base64. A browser takes no other style; `tests/report.rs` names the hash where it is not right.
const STYLE_HASH: &str = "S9aqAN7YIlPnFa2K87awhrgzXnngiXNNCoxdb0rHN2M=";
/// SHA-256 of [`SCRIPT`] in base64, without which a browser does not run it.
const SCRIPT_HASH: &str = "hr3RBRkhTLEOhhlSRDmpKiBMY26fsximLDX9iGhS+4Y=";

/// Writes the page. `picture` reads a PNG file by its path in the report; one is in memory at a time.
///
/// # Errors
/// Those of `picture`, and of `out`.
pub(super) fn render(
    report: &Report,
    picture: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut parts = PAGE.split("{{");
    out.write_all(parts.next().unwrap_or_default().as_bytes())?;
    for part in parts {
        let (name, text) = part.split_once("}}").unwrap_or((part, ""));
        match name {
            "policy" => policy(out)?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => out.write_all(SCRIPT.as_bytes())?,
            "counts" => counts(&report.summary, out)?,
            "report" => json(report, out)?,
            "pictures" => pictures(report, picture, out)?,
            _ => return Err(io::Error::other(format!("the page asks for {name}"))),
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// What the page may do: nothing but show its own pictures, and use its own style and script.
fn policy(out: &mut dyn Write) -> io::Result<()> {
    write!(
        out,
        "default-src 'none'; img-src data:; style-src 'sha256-{STYLE_HASH}'; script-src 'sha256-{SCRIPT_HASH}'; \
         base-uri 'none'; form-action 'none'"
    )
}

/// For those who may not run scripts.
fn counts(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let Summary {
        cases,
        frames,
        passed,
        failed,
        missing,
        updated,
        skipped,
        errors,
    } = summary;
    write!(
        out,
        "{frames} frames of {cases} cases: {failed} failed, {missing} without a baseline, {errors} errors, \
         {updated} updated, {skipped} skipped, {passed} passed."
    )
}

/// The report, in a way that no text in it can end the element that it stands in.
fn json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    report
        .serialize(&mut Serializer::with_formatter(out, InElement))
        .map_err(io::Error::from)
}

/// JSON without a `<`: it can only be in strings, and there it may be escaped.
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

/// The pictures in the order of the report, each in an element of its own that the browser does not look into.
fn pictures(
    report: &Report,
    picture: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let frames = report.cases.iter().flat_map(|case| &case.frames);
    let paths = frames
        .filter_map(|frame| frame.pictures.as_ref())
        .flat_map(in_order);
    for (i, path) in paths.enumerate() {
        write!(out, "<script type=\"text/plain\" id=\"picture-{i}\">")?;
        let bytes = picture(path)?;
        let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
        encoder.write_all(&bytes)?;
        encoder.finish()?;
        drop(encoder);
        out.write_all(b"</script>\n")?;
    }
    Ok(())
}

/// The pictures of a frame in the order in which `report.js` counts them.
fn in_order(pictures: &Pictures) -> impl Iterator<Item = &str> {
    let Pictures {
        expected,
        actual,
        difference,
    } = pictures;
    [
        expected.as_deref(),
        Some(actual.as_str()),
        difference.as_deref(),
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::cli::view::test::report::{CaseReport, FrameReport, Status};

    /// A frame with pictures a, b, c, of a case whose names end every element that there is.
    fn hostile() -> Report {
        let picture = |name: &str| format!("pictures/{name}.png");
        let frame = FrameReport {
            name: "</script><script>alert(1)</script>".to_owned(),
            animation: None,
            frame: None,
            status: Status::Failed,
            message: "<!--".to_owned(),
            command: None,
            difference: None,
            pictures: Some(Pictures {
                expected: Some(picture("a")),
                actual: picture("b"),
                difference: Some(picture("c")),
            }),
        };
        let case = CaseReport {
            name: "{{pictures}} \"<\" \u{2028}".to_owned(),
            file: "a.pchr".to_owned(),
            drawn_by: None,
            notes: Vec::new(),
            error: None,
            frames: vec![frame],
        };
        Report::new("suite.toml".to_owned(), None, None, 3, vec![case])
    }

    fn page(report: &Report) -> String {
        let mut page = Vec::new();
        let mut picture = |path: &str| Ok(path.as_bytes().to_vec());
        render(report, &mut picture, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn the_report_comes_back_out_of_the_page() {
        let report = hostile();
        let page = page(&report);
        let (_, rest) = page.split_once("id=\"report\">").unwrap();
        let (json, _) = rest.split_once("</script>").unwrap();
        assert!(!json.contains('<'));
        assert_eq!(serde_json::from_str::<Report>(json).unwrap(), report);
    }

    #[test]
    fn pictures_lie_behind_the_page_in_order() {
        let page = page(&hostile());
        let (_, pictures) = page.split_once("picture-0\">").unwrap();
        let encoded = "cGljdHVyZXMvYS5wbmc=</script>\n\
             <script type=\"text/plain\" id=\"picture-1\">cGljdHVyZXMvYi5wbmc=</script>\n\
             <script type=\"text/plain\" id=\"picture-2\">cGljdHVyZXMvYy5wbmc=</script>\n</body>\n</html>\n";
        assert_eq!(pictures, encoded);
    }

    #[test]
    fn a_picture_that_cannot_be_read_fails() {
        let mut picture = |_: &str| Err(io::ErrorKind::NotFound.into());
        let error = render(&hostile(), &mut picture, &mut io::sink()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
