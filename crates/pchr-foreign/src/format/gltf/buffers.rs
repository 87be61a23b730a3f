//! Data of buffers, each read on first use.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use pchr::finding::{counted, quoted, there_are};
use pchr::format::Sidecars;

use super::record::{Buffer, Root, View};
use super::rule::GltfRule;
use super::source::Notes;

/// Maximum number of bytes read of all buffers: 1 GiB.
const MOST_BYTES: u64 = 1 << 30;

/// Returns true for an extension that compresses keys with everything else.
pub(super) fn is_compression(extension: &str) -> bool {
    ["EXT_meshopt_compression", "KHR_meshopt_compression"].contains(&extension)
}

/// Buffers of a file.
pub(super) struct Buffers<'f> {
    root: &'f Root,
    binary: Option<&'f [u8]>,
    files: &'f mut dyn Sidecars,
    loaded: Vec<Option<Cow<'f, [u8]>>>,
    left: u64,
}

impl<'f> Buffers<'f> {
    pub(super) fn new(
        root: &'f Root,
        binary: Option<&'f [u8]>,
        files: &'f mut dyn Sidecars,
    ) -> Self {
        Self {
            root,
            binary,
            files,
            loaded: vec![None; root.buffers.len()],
            left: MOST_BYTES,
        }
    }

    /// Returns the bytes of a view, and its stride. `None` comes with a finding.
    pub(super) fn view(
        &mut self,
        index: u32,
        user: &dyn Fn() -> String,
        notes: &mut Notes<'_>,
    ) -> Option<(&[u8], Option<u64>)> {
        let Some(view) = self.root.buffer_views.get(index as usize) else {
            let count = self.root.buffer_views.len();
            let message = || {
                format!(
                    "{index}, but {}",
                    there_are(count, "buffer view", "buffer views")
                )
            };
            notes.add(GltfRule::Index, user, message);
            return None;
        };
        let path = || format!("bufferViews[{index}]");
        let View {
            buffer,
            byte_offset,
            byte_length,
            byte_stride,
        } = *view;
        let data = self.load(buffer, &path, notes)?;
        let range = usize::try_from(byte_offset)
            .ok()
            .zip(usize::try_from(byte_length).ok());
        let bytes = range.and_then(|(start, length)| data.get(start..)?.get(..length));
        if bytes.is_none() {
            let have = data.len();
            let message = || {
                let bytes = counted(byte_length, "byte", "bytes");
                format!("{bytes} from byte {byte_offset}, but the buffer has {have}")
            };
            notes.add(GltfRule::AccessorRange, path, message);
        }
        bytes.map(|bytes| (bytes, byte_stride))
    }

    /// Returns the declared bytes of a buffer.
    fn load(
        &mut self,
        index: u32,
        user: &dyn Fn() -> String,
        notes: &mut Notes<'_>,
    ) -> Option<&[u8]> {
        let root = self.root;
        let at = index as usize;
        let Some(buffer) = root.buffers.get(at) else {
            let count = root.buffers.len();
            let message = || format!("{index}, but {}", there_are(count, "buffer", "buffers"));
            notes.add(GltfRule::Index, || format!("{}.buffer", user()), message);
            return None;
        };
        let length = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
        if self.loaded.get(at).is_some_and(Option::is_none) {
            match self.data(index, buffer) {
                Ok(data) if data.len() < length => {
                    let message = || format!("{length} bytes declared, but {} present", data.len());
                    let path = || format!("buffers[{index}].byteLength");
                    notes.add(GltfRule::Buffer, path, message);
                    return None;
                }
                Ok(data) => {
                    if let Some(loaded) = self.loaded.get_mut(at) {
                        *loaded = Some(data);
                    }
                }
                Err((rule, message)) => {
                    let path = || match buffer.uri {
                        Some(_) => format!("buffers[{index}].uri"),
                        None => format!("buffers[{index}]"),
                    };
                    notes.add(rule, path, || message);
                    return None;
                }
            }
        }
        let data = self.loaded.get(at)?.as_ref()?;
        data.get(..length)
    }

    /// Describes a buffer without data.
    fn no_data(&self) -> String {
        let names = &self.root.extensions_required;
        match names.iter().find(|name| is_compression(name)) {
            Some(name) => format!(
                "no data: it is compressed with {name}, which this program does not read; write the file without it, as gltfpack does without -c and -cc"
            ),
            None => "no data; an unknown extension may hold it".into(),
        }
    }

    fn data(&mut self, index: u32, buffer: &Buffer) -> Result<Cow<'f, [u8]>, (GltfRule, String)> {
        let Some(uri) = &buffer.uri else {
            return match self.binary {
                Some(binary) if index == 0 => Ok(binary.into()),
                _ => Err((GltfRule::Buffer, self.no_data())),
            };
        };
        let left = self.left.checked_sub(buffer.byte_length);
        let Some(left) = left else {
            let message = format!(
                "{} bytes, expected at most {MOST_BYTES} in all buffers",
                buffer.byte_length
            );
            return Err((GltfRule::Limit, message));
        };
        self.left = left;
        let (scheme, rest) = uri.split_once(':').unwrap_or(("", uri));
        if scheme.eq_ignore_ascii_case("data") {
            return data_of(rest).map_err(|message| (GltfRule::Buffer, message));
        }
        let is_file = scheme.eq_ignore_ascii_case("file");
        if !is_file && uri.contains("://") {
            let message = format!(
                "{}: web addresses are not fetched; save the file beside this one",
                quoted(uri)
            );
            return Err((GltfRule::Buffer, message));
        }
        let path = if is_file {
            path_of(rest)
        } else {
            Some(uri.as_str())
        };
        let Some(path) = path else {
            let message = format!(
                "{}: a file of another machine; save it beside this one",
                quoted(uri)
            );
            return Err((GltfRule::Buffer, message));
        };
        let path = percent_decoded(path);
        let path = String::from_utf8_lossy(&path);
        let read = self.files.read(&path);
        let data = read.map_err(|error| {
            let message = format!("{}: {error}", quoted(&path));
            (GltfRule::Buffer, message)
        })?;
        Ok(data.into())
    }
}

/// Returns the path in a URI, after `file:`; `None` for a file of another machine.
fn path_of(uri: &str) -> Option<&str> {
    let Some(rest) = uri.strip_prefix("//") else {
        return Some(uri);
    };
    let (machine, path) = rest.split_at(rest.find('/')?);
    if !machine.is_empty() && !machine.eq_ignore_ascii_case("localhost") {
        return None;
    }
    // Drives of Windows follow a slash.
    match path.as_bytes() {
        [_, drive, b':', ..] if drive.is_ascii_alphabetic() => path.get(1..),
        _ => Some(path),
    }
}

/// Returns the data in a URI, after `data:`. Base64 may be broken into lines.
fn data_of<'f>(uri: &str) -> Result<Cow<'f, [u8]>, String> {
    let Some((head, data)) = uri.split_once(',') else {
        return Err("a data URI without a comma".into());
    };
    if !head.to_ascii_lowercase().ends_with(";base64") {
        return Ok(percent_decoded(data).into());
    }
    let mut data = percent_decoded(data);
    data.retain(|byte| !byte.is_ascii_whitespace());
    let end = data.iter().rposition(|byte| *byte != b'=');
    data.truncate(end.map_or(0, |last| last.saturating_add(1)));
    let decoded = STANDARD_NO_PAD.decode(data);
    decoded
        .map(Cow::Owned)
        .map_err(|error| format!("base64: {error}"))
}

/// Decodes `%20` and other escapes of a URI.
fn percent_decoded(uri: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.first_chunk::<2>();
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let text = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let decoded = text.and_then(|text| u8::from_str_radix(text, 16).ok());
        match decoded {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}
