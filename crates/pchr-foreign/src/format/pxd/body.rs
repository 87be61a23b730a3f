//! Tracks with keys, written.

use pchr::bytes::Writer;

use super::keys::FORMAT;
use super::unwritable::{Unwritable, single};
use crate::motion::{Keys, Motion, Track};

/// Records of tracks, and the columns behind all of them.
pub(super) struct Body {
    pub(super) records: Writer,
    pub(super) data: Writer,
    /// Offset of the columns.
    pub(super) data_at: usize,
    pub(super) pointers: Vec<u64>,
}

impl Body {
    pub(super) fn track(
        &mut self,
        motion: &Motion,
        track: Option<&Track>,
        path: &dyn Fn() -> String,
    ) -> Result<(), Unwritable> {
        self.channel(track.and_then(|track| motion.translation(track)), path)?;
        self.channel(track.and_then(|track| motion.rotation(track)), path)?;
        self.channel(track.and_then(|track| motion.scale(track)), path)
    }

    fn channel<const N: usize>(
        &mut self,
        keys: Option<Keys<'_, N>>,
        path: &dyn Fn() -> String,
    ) -> Result<(), Unwritable> {
        let Some(keys) = keys.filter(|keys| !keys.is_empty()) else {
            self.records.bytes(&[0; 0x18]);
            return Ok(());
        };
        self.records.u64(keys.len() as u64);
        self.column();
        for key in keys.iter() {
            let frame = u16::try_from(key.frame).map_err(|_| {
                Unwritable::limit(format!("{}: frame", path()), key.frame.into(), 0xffff)
            })?;
            self.data.u16(frame);
        }
        let end = self.data_at.saturating_add(self.data.len());
        let place = end.next_multiple_of(16).saturating_sub(self.data_at);
        self.data.zeros_to(place);
        self.column();
        let (packed, format) = keys.packed();
        if format == FORMAT {
            for key in packed.chunks_exact(FORMAT.stride(N)) {
                self.data.bytes(key.get(2..).unwrap_or_default());
                self.data
                    .bytes([0; 16].get(N.saturating_mul(4)..).unwrap_or_default());
            }
            return Ok(());
        }
        for key in keys.iter() {
            for value in key.value {
                self.data.f32(single(value));
            }
            self.data
                .bytes([0; 16].get(N.saturating_mul(4)..).unwrap_or_default());
        }
        Ok(())
    }

    /// Writes a pointer to the end of the columns.
    fn column(&mut self) {
        self.pointers.push(self.records.len() as u64);
        let place = self.data_at.saturating_add(self.data.len());
        self.records.u64(place as u64);
    }
}
