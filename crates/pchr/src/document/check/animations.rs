//! Animations, their transforms, and where the file ends.

use glam::Vec4;

use super::{Check, name_end};
use crate::document::records::AnimationEntry;
use crate::document::{BoneTransform, PchrRule, TRANSFORM_SIZE};
use crate::finding::{Findings, counted};

impl Check<'_> {
    pub(super) fn animations(&self, findings: &mut Findings) {
        let animations = &self.directory.animations;
        if animations.is_empty() {
            let at = u64::from(self.directory.end).saturating_sub(2);
            let message = || "no animations; nothing plays".into();
            findings.add(PchrRule::AnimationsNone, at, || "animationCount".into(), message);
        }
        self.names("animations", animations.len(), |i| animations.get(i).map(|a| a.name), findings);
        for (i, animation) in animations.iter().enumerate() {
            let fields_at = name_end(animation.name);
            if animation.flags & !1 != 0 {
                let message = || {
                    format!(
                        "{:#04x} sets unknown bits; only bit 0 (looping) is known",
                        animation.flags
                    )
                };
                findings.add(
                    PchrRule::AnimationFlags,
                    fields_at,
                    || format!("animations[{i}].flags"),
                    message,
                );
            }
            if animation.frame_count == 0 {
                let message = || "no frames; it cannot be played".into();
                let at = fields_at.saturating_add(1);
                findings.add(
                    PchrRule::AnimationEmpty,
                    at,
                    || format!("animations[{i}].frameCount"),
                    message,
                );
            }
            let count =
                usize::from(animation.frame_count).saturating_mul(self.directory.bones.len());
            let records: &[[u8; TRANSFORM_SIZE]] =
                self.slice(animation.frames_at, count.saturating_mul(TRANSFORM_SIZE)).as_chunks().0;
            if !sweep_transforms(records) {
                self.transforms(i, animation, records, findings);
            }
        }
        let (end, len) = (u64::from(self.directory.end), self.bytes.len() as u64);
        if end < len {
            let message = || {
                let bytes = counted(len.saturating_sub(end), "byte follows", "bytes follow");
                format!("{bytes} the last animation")
            };
            findings.add(PchrRule::TrailingBytes, end, || "end of file".into(), message);
        }
    }

    /// Walks the transforms of an animation a second time, on the cold path.
    #[cold]
    fn transforms(
        &self,
        i: usize,
        animation: &AnimationEntry,
        records: &[[u8; TRANSFORM_SIZE]],
        findings: &mut Findings,
    ) {
        let bone_count = self.directory.bones.len();
        for (r, record) in records.iter().enumerate() {
            let start = u64::from(animation.frames_at)
                .saturating_add(r.saturating_mul(TRANSFORM_SIZE) as u64);
            let at = |field: u64| start.saturating_add(field);
            let path = |field: &str| {
                let (frame, bone) = (r.checked_div(bone_count), r.checked_rem(bone_count));
                format!(
                    "animations[{i}].frames[{}][{}].{field}",
                    frame.unwrap_or(0),
                    bone.unwrap_or(0)
                )
            };
            let t = BoneTransform::from_record(record);
            let fields = [
                (t.x, "x", 0),
                (t.y, "y", 4),
                (t.rotation, "rotation", 8),
                (t.scale_x, "scaleX", 12),
                (t.scale_y, "scaleY", 16),
            ];
            for (value, name, field) in fields {
                if !value.is_finite() {
                    let neutral = if field < 12 { 0 } else { 1 };
                    let message = || format!("{value} is not finite; read as {neutral}");
                    findings.add(PchrRule::TransformNotFinite, at(field), || path(name), message);
                }
            }
            if t.flags & !1 != 0 {
                let message =
                    || format!("{:#04x} sets unknown bits; only bit 0 (visible) is known", t.flags);
                findings.add(PchrRule::TransformFlags, at(20), || path("flags"), message);
            }
        }
    }
}

/// Returns true if no transform can have a finding. Sums are finite if all terms are. They may also overflow, so false proves
/// nothing.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "sums of floats overflow to infinity, which is looked for"
)]
fn sweep_transforms(records: &[[u8; TRANSFORM_SIZE]]) -> bool {
    let (mut sum_x, mut sum) = (Vec4::ZERO, Vec4::ZERO);
    let mut flags = 0;
    let mut take = |records: &[[u8; TRANSFORM_SIZE]; 4]| {
        let [a, b, c, d] = records;
        let four = |r| Vec4::new(float(r, 4), float(r, 8), float(r, 12), float(r, 16));
        sum += (four(a) + four(b)) + (four(c) + four(d));
        sum_x += Vec4::new(float(a, 0), float(b, 0), float(c, 0), float(d, 0));
        let flag = |r: &[u8; TRANSFORM_SIZE]| r.get(20).copied().unwrap_or_default();
        // Masked here, so that the four are joined before they join the others: a shorter chain.
        flags |= (flag(a) | flag(b) | flag(c) | flag(d)) & !1;
    };
    let (blocks, rest) = records.as_chunks();
    for block in blocks {
        take(block);
    }
    for record in rest {
        take(&[*record; 4]);
    }
    sum_x.is_finite() && sum.is_finite() && flags == 0
}

/// Returns the number at a byte of a record.
#[inline(always)]
fn float(record: &[u8], at: usize) -> f32 {
    let bytes = record.get(at..).and_then(<[u8]>::first_chunk);
    bytes.copied().map_or(0.0, f32::from_le_bytes)
}
