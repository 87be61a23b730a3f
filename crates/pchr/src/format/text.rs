//! Starts of texts.

/// Returns the text after a UTF-8 byte order mark.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Returns the text after a byte order mark and white space.
pub fn start(bytes: &[u8]) -> &[u8] {
    without_mark(bytes).trim_ascii_start()
}
