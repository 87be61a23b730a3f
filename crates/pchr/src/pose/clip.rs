//! Records of a moment of one animation, decoded eight bones at a time.

use fearless_simd::f32x8;
use fearless_simd::prelude::*;

use super::lanes::{LANES, Lanes};
use super::sample::{TransformRecord, Transforms};
use crate::document::Document;
use crate::playback::FrameAt;

/// Records of a moment of one animation.
#[derive(Clone, Copy)]
pub(super) struct SampledClip<'a> {
    pub(super) records: &'a [TransformRecord],
    /// Records that they are blended towards, and by how much.
    pub(super) next: Option<(&'a [TransformRecord], f32)>,
}

impl<'a> SampledClip<'a> {
    #[inline(always)]
    pub(super) fn new(document: &'a Document, at: FrameAt) -> Option<Self> {
        let animation = document.animation(at.animation)?;
        let records = |frame| animation.frame(frame).map(|frame| frame.records());
        let next = if at.blend > 0.0 { records(at.next) } else { None };
        Some(Self { records: records(at.frame)?, next: next.map(|next| (next, at.blend)) })
    }

    /// Returns the transforms of the bones from `first`.
    #[inline(always)]
    pub(super) fn fields<L: Lanes>(
        &self,
        lanes: L,
        first: usize,
        finite: bool,
    ) -> Option<Transforms<L::Simd>> {
        let here = read(lanes, self.records, first, finite)?;
        let Some((next, blend)) = self.next else {
            return Some(here);
        };
        let next = read(lanes, next, first, finite)?;
        Some(here.blended(&next, f32x8::splat(lanes.simd(), blend)))
    }
}

/// Returns the transforms of eight records from `first`; past the end, of the last one again.
#[inline(always)]
pub(super) fn read<L: Lanes>(
    lanes: L,
    records: &[TransformRecord],
    first: usize,
    finite: bool,
) -> Option<Transforms<L::Simd>> {
    let eight = match records.get(first..).and_then(<[_]>::first_chunk::<LANES>) {
        Some(eight) => eight.each_ref(),
        None => less_than_eight(records, first)?,
    };
    let fields = Transforms::read(lanes, eight);
    Some(if finite { fields } else { fields.neutralised() })
}

#[cold]
#[inline(never)]
fn less_than_eight(records: &[TransformRecord], first: usize) -> Option<[&TransformRecord; LANES]> {
    let last = records.last()?;
    Some(std::array::from_fn(|lane| records.get(first.saturating_add(lane)).unwrap_or(last)))
}
