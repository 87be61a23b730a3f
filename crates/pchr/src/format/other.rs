//! Starts of texts, and unsupported file formats by their first bytes, so that messages can name them.

/// Returns the name of an unsupported file format, if the first bytes identify it.
pub fn name(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() {
        return Some("an empty file");
    }
    let binary = BINARY.iter().find(|(start, _)| bytes.starts_with(start));
    binary.map(|(_, name)| *name).or_else(|| text(bytes))
}

/// First bytes.
const BINARY: &[(&[u8], &str)] = &[
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
    (b"{\0", UTF_16),
    (b"\0{", UTF_16),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file, such as WebP"),
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"PK\x03\x04", "a zip file; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file; unpack it first"),
    (b"\xfd7zXZ\0", "an xz file; unpack it first"),
    (b"BZh", "a bzip2 file; unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip file; unpack it first"),
    (b"%PDF", "a PDF document"),
    (b"glTF", "a binary glTF model"),
    (b"BINA", "a BINA container, such as PXD"),
    (b"SEAnim", "a 3D motion (SEAnim)"),
];

const UTF_16: &str = "UTF-16 text; save it as UTF-8";

/// Recognises a text by its first characters, after white space.
fn text(bytes: &[u8]) -> Option<&'static str> {
    let bytes = start(bytes);
    if bytes.is_empty() {
        return Some("an empty text file");
    }
    if is_libgdx(bytes) {
        return Some("a libGDX or Spine atlas; export it as JSON or PCT");
    }
    let mut start = bytes.get(..16.min(bytes.len())).unwrap_or_default().to_vec();
    start.make_ascii_lowercase();
    TEXT.iter().find(|(first, _)| start.starts_with(first)).map(|(_, name)| *name)
}

/// Returns true if the first line names an image, and the second its size.
fn is_libgdx(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n');
    let image = lines.next().unwrap_or_default().trim_ascii_end();
    let size = lines.next().unwrap_or_default();
    image.to_ascii_lowercase().ends_with(b".png") && size.trim_ascii_start().starts_with(b"size:")
}

/// First characters, in lower case.
const TEXT: &[(&[u8], &str)] = &[
    (b"//", COMMENT),
    (b"/*", COMMENT),
    (b"# view of ", SESSION),
    (b"file = ", SESSION),
    (b"# stage, saved b", SESSION),
    (b"[[character]]", SESSION),
    (b"#", COMMENT),
    (b"[", "a JSON array; a character is a JSON object"),
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<svg", "an SVG image"),
    (b"<?xml", "an XML file"),
];

const SESSION: &str =
    "a view saved by pchr-view, NAME.pchr-view.toml: the window, capture and suites show it";

const COMMENT: &str = "text that starts with a comment, which JSON does not allow";

/// Returns the text after a UTF-8 byte order mark.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Returns the text after a byte order mark and white space.
pub fn start(bytes: &[u8]) -> &[u8] {
    without_mark(bytes).trim_ascii_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_first_bytes() {
        for (bytes, wanted) in [
            (&b""[..], Some("empty")),
            (b" \n", Some("empty")),
            (b"\xff\xfe{\0", Some("UTF-16")),
            (b"{\0\"\0", Some("UTF-16")),
            (b"\0{\0\"", Some("UTF-16")),
            (b"// made by hand\n{}", Some("comment")),
            (b"\xef\xbb\xbf /* */ {}", Some("comment")),
            (b"# View of a.pchr, saved by pchr-view\n", Some("a view")),
            (b"# Stage, saved by pchr-view\n", Some("a view")),
            (b"[[character]]\nfile = \"a.pchr\"\n", Some("a view")),
            (b" [1]", Some("array")),
            (b"\nhero.png\nsize: 64,64\n", Some("libGDX")),
            (b"hero.png\nidle\n", None),
            (b"<!DOCTYPE HTML><html>", Some("HTML")),
            (b"\x1f\x8b\x08", Some("gzip")),
            (b"PK\x03\x04", Some("zip")),
            (b"\x89PNG\r\n", Some("PNG")),
            (b"pchr", None),
            (b"\0\0\0\0", None),
        ] {
            let name = name(bytes);
            assert_eq!(name.is_some(), wanted.is_some(), "{bytes:?}: {name:?}");
            assert!(name.unwrap_or_default().contains(wanted.unwrap_or_default()), "{bytes:?}");
        }
    }
}
