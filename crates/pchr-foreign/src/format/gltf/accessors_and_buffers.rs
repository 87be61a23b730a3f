//! Numbers of accessors, packed in any way, and the buffers that they lie in.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use pchr::finding::{Words, counted, quoted};
use pchr::format::Sidecars;

use super::GltfRule;
use super::container_and_extensions::{Notes, is_compression};
use super::record::{Buffer, BufferView, FLOAT, GltfRoot, Shape, SparseIndices, SparseValues};
use crate::format::json_text::hex_byte;
use crate::motion::number_of;

/// Maximum number of keys of a file, and of times of its inputs.
const MOST_KEYS: u64 = 1 << 24;

/// Maximum number of elements of an accessor without a view, all 0.
const MOST_WITHOUT_DATA: usize = 1 << 20;

/// Returns the bytes of a number of a component type, if keys may have it. 5125, whole numbers of 32 bits, is none.
const fn component_size(code: u32) -> Option<usize> {
    match code {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        FLOAT => Some(4),
        _ => None,
    }
}

/// Returns the number in the bytes of a component type. Integers are fractions of their largest value.
fn number(code: u32, bytes: &[u8]) -> f64 {
    match (code, bytes) {
        (5120, [a]) => (f64::from(i8::from_le_bytes([*a])) / 127.0).max(-1.0),
        (5121, [a]) => f64::from(*a) / 255.0,
        (5122, [a, b]) => (f64::from(i16::from_le_bytes([*a, *b])) / 32767.0).max(-1.0),
        (5123, [a, b]) => f64::from(u16::from_le_bytes([*a, *b])) / 65535.0,
        (_, [a, b, c, d]) => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
        _ => 0.0,
    }
}

pub(super) struct Accessors<'f> {
    root: &'f GltfRoot,
    binary: Option<&'f [u8]>,
    files: &'f mut dyn Sidecars,
    /// Data of the buffers that were needed so far.
    loaded: Vec<Option<Cow<'f, [u8]>>>,
    /// Bytes that may still be read of all buffers.
    left: u64,
    /// Keys that the file may still have.
    room: u64,
}

impl<'f> Accessors<'f> {
    pub(super) fn new(
        root: &'f GltfRoot,
        binary: Option<&'f [u8]>,
        files: &'f mut dyn Sidecars,
    ) -> Self {
        let loaded = vec![None; root.buffers.len()];
        Self { root, binary, files, loaded, left: MOST_BYTES, room: MOST_KEYS }
    }

    /// Takes room for keys. `None` comes with a finding.
    pub(super) fn take_room(
        &mut self,
        count: u64,
        path: impl Words,
        notes: &mut Notes<'_>,
    ) -> Option<()> {
        let left = self.room;
        let after = left.checked_sub(count);
        self.room = after.unwrap_or(left);
        if after.is_none() {
            let message = || {
                let keys = counted(count, "key", "keys");
                format!("{keys}, expected at most {left} more (a file may have {MOST_KEYS})")
            };
            notes.add(GltfRule::Limit, path, message);
        }
        after.map(|_| ())
    }

    /// Returns the elements of an accessor, which findings call `user`: times, translations or scales, or rotations, by their numbers.
    /// `None` comes with a finding.
    pub(super) fn read<const N: usize>(
        &mut self,
        index: u32,
        user: &dyn Fn() -> String,
        notes: &mut Notes<'_>,
    ) -> Option<Vec<[f64; N]>> {
        let root = self.root;
        let Some(accessor) = root.accessors.get(index as usize) else {
            let count = root.accessors.len();
            notes.add_index(index, count, ["accessor", "accessors"], user);
            return None;
        };
        let path = || format!("accessors[{index}]");
        let (wanted_shape, wanted) = match N {
            1 => (Shape::Scalar, "SCALAR of floats for times"),
            3 => (Shape::Vec3, "VEC3 of floats for translations or scales"),
            _ => (Shape::Vec4, "VEC4 of floats or normalized integers for rotations"),
        };
        let is_part = N == 4 && accessor.normalized;
        let code = accessor.component_type;
        let component = component_size(code)
            .filter(|_| accessor.shape == wanted_shape && (code == FLOAT || is_part));
        let Some(component) = component else {
            let message = || {
                let normalized = if accessor.normalized { ", normalized" } else { "" };
                let shape = format!("{:?}", accessor.shape).to_uppercase();
                format!("{shape} of component type {code}{normalized}, expected {wanted}")
            };
            notes.add(GltfRule::AccessorType, path, message);
            return None;
        };
        self.take_room(accessor.count, path, notes)?;
        let count = usize::try_from(accessor.count).ok()?;
        let size = component.saturating_mul(N);
        let mut values = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset;
                let packed = PackedElements { view, offset, size, is_strided: true };
                self.elements(packed, code, count, &path, notes)?
            }
            None if count > MOST_WITHOUT_DATA => {
                let message = || {
                    format!("{count} elements without data, expected at most {MOST_WITHOUT_DATA}")
                };
                notes.add(GltfRule::Limit, path, message);
                return None;
            }
            None => vec![[0.0; N]; count],
        };
        if let Some(sparse) = &accessor.sparse {
            let path = || format!("accessors[{index}].sparse");
            self.take_room(sparse.count, path, notes)?;
            let count = usize::try_from(sparse.count).ok()?;
            let SparseValues { buffer_view: view, byte_offset: offset } = sparse.values;
            let packed = PackedElements { view, offset, size, is_strided: false };
            let instead = self.elements::<N>(packed, code, count, &path, notes)?;
            let indices = self.indices(&sparse.indices, count, &path, notes)?;
            for (index, instead) in indices.into_iter().zip(instead) {
                let Some(value) = values.get_mut(index) else {
                    let message = || format!("element {index}, but there are {}", values.len());
                    notes.add(GltfRule::AccessorRange, path, message);
                    return None;
                };
                *value = instead;
            }
        }
        Some(values)
    }

    fn elements<const N: usize>(
        &mut self,
        packed: PackedElements,
        code: u32,
        count: usize,
        path: &dyn Fn() -> String,
        notes: &mut Notes<'_>,
    ) -> Option<Vec<[f64; N]>> {
        let component = component_size(code)?;
        let elements = self.packed(packed, count, ["element ends", "elements end"], path, notes)?;
        let element = |bytes: &[u8]| {
            let mut value = [0.0; N];
            for (value, bytes) in value.iter_mut().zip(bytes.chunks_exact(component)) {
                *value = number(code, bytes);
            }
            value
        };
        Some(elements.map(element).collect())
    }

    fn indices(
        &mut self,
        indices: &SparseIndices,
        count: usize,
        path: &dyn Fn() -> String,
        notes: &mut Notes<'_>,
    ) -> Option<Vec<usize>> {
        let path = || format!("{}.indices", path());
        let size = match indices.component_type {
            5121 => 1,
            5123 => 2,
            5125 => 4,
            code => {
                let message =
                    || format!("indices of component type {code}, expected 5121, 5123 or 5125");
                notes.add(GltfRule::AccessorType, path, message);
                return None;
            }
        };
        let SparseIndices { buffer_view: view, byte_offset: offset, .. } = *indices;
        let packed = PackedElements { view, offset, size, is_strided: false };
        let indices = self.packed(packed, count, ["index ends", "indices end"], &path, notes)?;
        Some(indices.map(|bytes| number_of(bytes) as usize).collect())
    }

    /// Returns the bytes of each element, with padding behind them. `one` and `many` say in words that they end.
    fn packed(
        &mut self,
        packed: PackedElements,
        count: usize,
        [one, many]: [&str; 2],
        path: &dyn Fn() -> String,
        notes: &mut Notes<'_>,
    ) -> Option<impl Iterator<Item = &[u8]>> {
        let PackedElements { view, offset, size, is_strided } = packed;
        let (bytes, stride) = self.view(view, &|| format!("{}.bufferView", path()), notes)?;
        let stride = stride.filter(|_| is_strided);
        let stride = stride.map_or(size, |stride| usize::try_from(stride).unwrap_or(usize::MAX));
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = match count.checked_sub(1) {
            Some(last) => last.saturating_mul(stride).saturating_add(size),
            None => 0,
        };
        let end = end.saturating_add(offset);
        if stride < size || end > bytes.len() {
            let have = bytes.len();
            let message = || match stride < size {
                true => format!(
                    "a stride of {stride}, expected at least {size}, the size of an element in bytes"
                ),
                false => {
                    let elements = counted(count, one, many);
                    let have = counted(have, "byte", "bytes");
                    format!("{elements} at byte {end}, but the view has {have}")
                }
            };
            notes.add(GltfRule::AccessorRange, path, message);
            return None;
        }
        let bytes = bytes.get(offset..).unwrap_or_default();
        // The last element may end without padding.
        Some(bytes.chunks(stride.max(1)).take(count))
    }
}

#[derive(Clone, Copy, Debug)]
struct PackedElements {
    view: u32,
    offset: u64,
    size: usize,
    /// The stride of the view counts.
    is_strided: bool,
}

/// Maximum number of bytes read of all buffers: 1 GiB.
const MOST_BYTES: u64 = 1 << 30;

impl<'f> Accessors<'f> {
    /// Returns the bytes of a view, and its stride. `None` comes with a finding.
    fn view(
        &mut self,
        index: u32,
        user: &dyn Fn() -> String,
        notes: &mut Notes<'_>,
    ) -> Option<(&[u8], Option<u64>)> {
        let Some(view) = self.root.buffer_views.get(index as usize) else {
            let count = self.root.buffer_views.len();
            notes.add_index(index, count, ["buffer view", "buffer views"], user);
            return None;
        };
        let path = || format!("bufferViews[{index}]");
        let BufferView { buffer, byte_offset, byte_length, byte_stride, .. } = *view;
        let data = self.load(buffer, &path, notes)?;
        let range = usize::try_from(byte_offset).ok().zip(usize::try_from(byte_length).ok());
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
            let path = || format!("{}.buffer", user());
            notes.add_index(index, root.buffers.len(), ["buffer", "buffers"], path);
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
        let path = if is_file { path_of(rest) } else { Some(uri.as_str()) };
        let Some(path) = path else {
            let message =
                format!("{}: a file of another machine; save it beside this one", quoted(uri));
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
    let Some(rest) = uri.strip_prefix("//") else { return Some(uri) };
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
    decoded.map(Cow::Owned).map_err(|error| format!("base64: {error}"))
}

/// Decodes `%20` and other escapes of a URI.
fn percent_decoded(uri: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.first_chunk::<2>().filter(|_| *first == b'%');
        let decoded = digits.and_then(hex_byte);
        bytes.push(decoded.unwrap_or(*first));
        let used = if decoded.is_some() { 2 } else { 0 };
        rest = after.get(used..).unwrap_or_default();
    }
    bytes
}
