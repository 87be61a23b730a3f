//! Names for files that are no PNG, so that messages can say what to do.

/// First bytes.
const STARTS: &[(&[u8], &str)] = &[
    (b"\xff\xd8\xff", "a JPEG image; save it as PNG"),
    (b"GIF8", "a GIF image; save it as PNG"),
    (b"BM", "a BMP image; save it as PNG"),
    (b"II*\0", "a TIFF image; save it as PNG"),
    (b"MM\0*", "a TIFF image; save it as PNG"),
    (b"8BPS", "a Photoshop document; export it as PNG"),
    (b"DDS ", "a DDS texture; export it as PNG"),
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"PK\x03\x04", "a zip file; unpack it first"),
    (b"%PDF", "a PDF document; export it as PNG"),
    (
        b"<<<<<<<",
        "a merge conflict; choose one side with `git checkout --ours` or `--theirs`",
    ),
    (b"\xabKTX ", "a KTX texture; export it as PNG"),
    (
        b"version https://git-lfs.github.com/spec/v1",
        "a Git LFS pointer; fetch the image with `git lfs pull`",
    ),
    (b"\x89PNG\r\n\x1a\n\0\0\0\x04CgBI", CGBI),
    (b"\x89PNG\r\n\x1a\n\0\0\0\x08CgBI", CGBI),
    (b"\x89PNG\r\n\x1a\n", ""),
    (
        b"\x89PNG",
        "a damaged one: its line ends were changed; copy it as binary, in Git with `*.png binary` in .gitattributes",
    ),
    (
        b"\xef\xbf\xbdPNG",
        "a damaged one: it was saved as text; copy it as binary",
    ),
];

const CGBI: &str = "a variant for Apple devices (CgBI); use the original, or restore it with `pngcrush -revert-iphone-optimizations`";

/// First characters of texts, after white space, in lower case.
const TEXTS: &[(&[u8], &str)] = &[
    (b"<!doctype html", "an HTML page; download the image itself"),
    (b"<html", "an HTML page; download the image itself"),
    (b"<svg", "an SVG image; export it as PNG"),
    (b"<?xml", "an XML file, such as SVG; export it as PNG"),
    (b"{", "a JSON file; name the image"),
];

/// Returns the format of a file that is no PNG, and the way out.
pub(super) fn name(file: &[u8]) -> Option<&'static str> {
    if file.is_empty() {
        return Some("an empty file; save it again as PNG");
    }
    if let Some((_, name)) = STARTS.iter().find(|(start, _)| file.starts_with(start)) {
        return Some(*name).filter(|name| !name.is_empty());
    }
    let kind = file.get(8..12).unwrap_or_default();
    match (file.get(..4), file.get(4..8)) {
        (Some(b"RIFF"), _) if kind == b"WEBP" => return Some("a WebP image; save it as PNG"),
        (_, Some(b"ftyp")) if kind == b"avif" || kind == b"heic" => {
            return Some("an AVIF or HEIC image; save it as PNG");
        }
        _ => {}
    }
    if file.ends_with(b"TRUEVISION-XFILE.\0") {
        return Some("a TGA image; save it as PNG");
    }
    let mut start = file.trim_ascii_start();
    start = start.get(..16).unwrap_or(start);
    let is = |text: &[u8]| {
        start
            .get(..text.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(text))
    };
    TEXTS
        .iter()
        .find(|(text, _)| is(text))
        .map(|(_, name)| *name)
}
