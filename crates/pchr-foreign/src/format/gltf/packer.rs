//! Accessors and their bytes; equal ones are stored once.

use std::collections::HashMap;

use pchr::bytes::{Limit, WriteError};

use super::record::{Accessor, Buffer, Root, Shape, View};

/// Code of single-precision numbers.
const FLOAT: u32 = 5126;

/// Part of the buffer for an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// Bind matrices.
    Bind,
    /// Times and values.
    Keys,
}

/// Accessors to write.
#[derive(Debug, Default)]
pub(super) struct Packer {
    bind: Vec<u8>,
    keys: Vec<u8>,
    accessors: Vec<(Part, Accessor)>,
    known: HashMap<(Part, Vec<u8>), u32>,
}

impl Packer {
    /// Adds elements and returns their accessor. The accessor of times has their minimum and maximum.
    pub(super) fn add<const N: usize>(
        &mut self,
        part: Part,
        shape: Shape,
        elements: &[[f32; N]],
    ) -> u32 {
        let numbers = elements.as_flattened();
        let mut bytes = Vec::with_capacity(numbers.len().saturating_mul(4).saturating_add(1));
        for number in numbers {
            bytes.extend(number.to_le_bytes());
        }
        let stored = match part {
            Part::Bind => &mut self.bind,
            Part::Keys => &mut self.keys,
        };
        let offset = stored.len();
        stored.extend_from_slice(&bytes);
        bytes.push(N.try_into().unwrap_or(u8::MAX));
        let index = u32::try_from(self.accessors.len()).unwrap_or(u32::MAX);
        let known = *self.known.entry((part, bytes)).or_insert(index);
        if known != index {
            stored.truncate(offset);
            return known;
        }
        let is_times = shape == Shape::Scalar;
        let range = |number: Option<&f32>| Some([f64::from(*number?)]).filter(|_| is_times);
        self.accessors.push((
            part,
            Accessor {
                byte_offset: offset as u64,
                component_type: FLOAT,
                count: elements.len() as u64,
                shape,
                min: range(numbers.first()),
                max: range(numbers.last()),
                ..Accessor::default()
            },
        ));
        index
    }

    /// Adds accessors, views and a buffer to a file, and returns the buffer's bytes.
    pub(super) fn finish(self, root: &mut Root) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        let mut views = [None; 2];
        let parts = [self.bind, self.keys];
        for (part, view) in parts.into_iter().zip(&mut views) {
            if part.is_empty() {
                continue;
            }
            *view = u32::try_from(root.buffer_views.len()).ok();
            root.buffer_views.push(View {
                byte_offset: bytes.len() as u64,
                byte_length: part.len() as u64,
                ..View::default()
            });
            bytes.extend(part);
        }
        let [bind, keys] = views;
        root.accessors
            .extend(self.accessors.into_iter().map(|(part, accessor)| Accessor {
                buffer_view: match part {
                    Part::Bind => bind,
                    Part::Keys => keys,
                },
                ..accessor
            }));
        let length = bytes.len() as u64;
        if length > u64::from(u32::MAX) {
            return Err(WriteError {
                path: "buffers[0]".into(),
                found: length,
                limit: Limit::AtMost(u32::MAX.into()),
            });
        }
        if length > 0 {
            root.buffers.push(Buffer {
                uri: None,
                byte_length: length,
            });
        }
        Ok(bytes)
    }
}
