//! Containers: binary files and texts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use pchr::bytes::{Limit, WriteError, Writer};

use super::record::Root;

/// Magic of a binary file.
pub(super) const MAGIC: [u8; 4] = *b"glTF";

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
    pub(super) fn file(self, mut root: Root, data: &[u8]) -> Result<Vec<u8>, WriteError> {
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
                let chunks = if data.is_empty() {
                    0
                } else {
                    padded.saturating_add(8)
                };
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
fn json(root: &Root) -> Result<Vec<u8>, WriteError> {
    serde_json::to_vec(root).map_err(|_| WriteError {
        path: "document".into(),
        found: 0,
        limit: Limit::AtMost(0),
    })
}
