//! Accessors and their bytes, and the file that they become.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use pchr::bytes::{Limit, WriteError, Writer};
use pchr::finding::counted;

use super::record::{Accessor, Buffer, BufferView, FLOAT, GltfRoot, MAGIC, Shape};
use crate::motion::TooManySamples;

/// Code of 16-bit numbers without a sign.
const SHORT: u32 = 5123;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum BufferPart {
    /// Bind matrices.
    Bind,
    /// Times and values.
    Keys,
    /// Vertices of meshes, attribute by attribute.
    Positions,
    TextureCoordinates,
    Joints,
    Weights,
    /// Vertices of triangles.
    Indices,
    /// An image, in a view of its own.
    Image,
}

impl BufferPart {
    /// Returns the bytes from one vertex to the next, and the use of the bytes on a graphics card.
    const fn vertices(self) -> (Option<u64>, Option<u32>) {
        let (vertices, indices) = (Some(34962), Some(34963));
        match self {
            Self::Positions => (Some(12), vertices),
            Self::TextureCoordinates | Self::Joints => (Some(8), vertices),
            Self::Weights => (Some(16), vertices),
            Self::Indices => (None, indices),
            Self::Bind | Self::Keys | Self::Image => (None, None),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct AccessorPacker {
    /// Bytes of each view.
    views: Vec<(BufferPart, Vec<u8>)>,
    accessors: Vec<Accessor>,
    known: HashMap<(BufferPart, usize, Vec<u8>), u32>,
}

impl AccessorPacker {
    /// Adds elements and returns their accessor. Those of times and of positions have their minimum and maximum.
    pub(super) fn add<const N: usize>(
        &mut self,
        part: BufferPart,
        shape: Shape,
        elements: &[[f32; N]],
    ) -> u32 {
        let bytes = elements.as_flattened().iter().flat_map(|it| it.to_le_bytes()).collect();
        let has_range = shape == Shape::Scalar || part == BufferPart::Positions;
        let at = |element: &[f32; N], index: usize| element.get(index).copied().unwrap_or_default();
        let range = |pick: fn(f32, f32) -> f32| {
            let elements = elements.iter().copied();
            let most = elements.reduce(|a, b| std::array::from_fn(|i| pick(at(&a, i), at(&b, i))));
            most.filter(|_| has_range).map(|most| most.map(f64::from).to_vec())
        };
        let accessor = Accessor {
            component_type: FLOAT,
            count: elements.len() as u64,
            shape,
            min: range(f32::min),
            max: range(f32::max),
            ..Accessor::default()
        };
        self.add_bytes::<N>(part, bytes, accessor)
    }

    /// Adds whole numbers and returns their accessor.
    pub(super) fn add_shorts<const N: usize>(
        &mut self,
        part: BufferPart,
        shape: Shape,
        elements: &[[u16; N]],
    ) -> u32 {
        let bytes = elements.as_flattened().iter().flat_map(|it| it.to_le_bytes()).collect();
        let count = elements.len() as u64;
        let accessor = Accessor { component_type: SHORT, count, shape, ..Accessor::default() };
        self.add_bytes::<N>(part, bytes, accessor)
    }

    fn add_bytes<const N: usize>(
        &mut self,
        part: BufferPart,
        bytes: Vec<u8>,
        accessor: Accessor,
    ) -> u32 {
        let index = u32::try_from(self.accessors.len()).unwrap_or(u32::MAX);
        let place = self.views.iter().position(|(of, _)| *of == part);
        let place = place.unwrap_or_else(|| self.add_view(part, Vec::new()));
        let Some((_, stored)) = self.views.get_mut(place) else { return index };
        let offset = stored.len();
        stored.extend_from_slice(&bytes);
        let known = *self.known.entry((part, N, bytes)).or_insert(index);
        if known != index {
            stored.truncate(offset);
            return known;
        }
        self.accessors.push(Accessor {
            buffer_view: u32::try_from(place).ok(),
            byte_offset: offset as u64,
            ..accessor
        });
        index
    }

    fn add_view(&mut self, part: BufferPart, bytes: Vec<u8>) -> usize {
        self.views.push((part, bytes));
        self.views.len().saturating_sub(1)
    }

    pub(super) fn add_image(&mut self, bytes: Vec<u8>) -> u32 {
        u32::try_from(self.add_view(BufferPart::Image, bytes)).unwrap_or(u32::MAX)
    }

    /// Adds accessors, views and a buffer to a file, and returns the buffer's bytes.
    pub(super) fn finish(self, root: &mut GltfRoot) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        for (part, view) in self.views {
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            let (byte_stride, target) = part.vertices();
            root.buffer_views.push(BufferView {
                byte_offset: bytes.len() as u64,
                byte_length: view.len() as u64,
                byte_stride,
                target,
                ..BufferView::default()
            });
            bytes.extend(view);
        }
        root.accessors.extend(self.accessors);
        let length = bytes.len() as u64;
        if length > u64::from(u32::MAX) {
            return Err(WriteError {
                path: "buffers[0]".into(),
                found: length,
                limit: Limit::AtMost(u32::MAX.into()),
            });
        }
        if length > 0 {
            root.buffers.push(Buffer { uri: None, byte_length: length });
        }
        Ok(bytes)
    }
}

/// A container of glTF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Container {
    /// One binary file, `.glb`.
    #[default]
    Binary,
    /// Text, `.gltf`. This program writes the buffer into it.
    Text,
}

impl Container {
    /// Returns the file of a record and the bytes of its buffer.
    pub(super) fn file(self, mut root: GltfRoot, data: &[u8]) -> Result<Vec<u8>, WriteError> {
        match self {
            Self::Text => {
                if let Some(buffer) = root.buffers.first_mut() {
                    let data = STANDARD.encode(data);
                    buffer.uri = Some(format!("data:application/octet-stream;base64,{data}"));
                }
                let mut text = json(&root)?;
                text.push(b'\n');
                Ok(text)
            }
            Self::Binary => {
                let mut text = json(&root)?;
                text.resize(text.len().next_multiple_of(4), b' ');
                let padded = data.len().next_multiple_of(4);
                let chunks = if data.is_empty() { 0 } else { padded.saturating_add(8) };
                let length = text.len().saturating_add(chunks).saturating_add(20);
                let file = || "file".to_owned();
                let mut w = Writer::new();
                w.bytes(&MAGIC);
                w.u32(2);
                w.count32(length, file)?;
                w.count32(text.len(), file)?;
                w.bytes(b"JSON");
                w.bytes(&text);
                if !data.is_empty() {
                    w.count32(padded, file)?;
                    w.bytes(b"BIN\0");
                    w.bytes(data);
                    w.zeros_to(length);
                }
                Ok(w.finish())
            }
        }
    }
}

/// Returns the text of a record. Its numbers are finite, and writing to memory cannot fail.
fn json(root: &GltfRoot) -> Result<Vec<u8>, WriteError> {
    serde_json::to_vec(root).map_err(|_| WriteError {
        path: "document".into(),
        found: 0,
        limit: Limit::AtMost(0),
    })
}

/// Content that glTF cannot hold.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GltfUnwritable {
    /// A number that is not finite in single precision.
    #[error("{path}: bone {bone:?}{}: not a finite number", at_frame(*.frame))]
    NotFinite {
        /// The value, like `animations[0].bones[3].rotation`.
        path: String,
        /// Name of the bone.
        bone: String,
        /// Frame of the key; `None` at rest.
        frame: Option<u32>,
    },
    /// A frame that seconds in single precision cannot distinguish from others.
    #[error(
        "{path}: frame {frame} at {rate} per second is too late for a time in single precision"
    )]
    Time {
        /// The clip, like `animations[0]`.
        path: String,
        /// The frame.
        frame: u32,
        /// Frames per second.
        rate: f32,
    },
    /// Keys for more or fewer bones than the skeleton has.
    #[error("{path}: keys of {}, expected {expected} as in the skeleton", counted(.found, "bone", "bones"))]
    Bones {
        /// The clip, like `animations[0]`.
        path: String,
        /// Number of bones with keys.
        found: usize,
        /// Number of bones.
        expected: usize,
    },
    /// A motion that has to be sampled and is too long.
    #[error(transparent)]
    Samples(#[from] TooManySamples),
    /// More bytes or elements than a file counts.
    #[error(transparent)]
    Limit(#[from] WriteError),
}

fn at_frame(frame: Option<u32>) -> String {
    frame.map_or_else(|| " at rest".into(), |frame| format!(" at frame {frame}"))
}
