//! An animation of a character as a motion, and what has no place in it.

use pchr::document::{AnimationId, BoneId, BoneTransform, Document};
use pchr::format::Losses;
use pchr::pose::playback_fps;

use super::skeleton::{CONVENTIONS, finite, spelled, transform};
use crate::motion::{BoneKeys, Channels, Motion, Precision};

/// An animation as a motion: absolute, double precision, a track for each bone by name, at the rate at which the character plays.
/// Every frame has the same numbers bit for bit, turns after rounding to 32 bits; a key in the midst of equal ones is not stored. Returns
/// what is not carried over, too: visibility and draw order of bones, rotations beyond ±180 degrees, and flags that the format leaves
/// open; `None` if the document has no such animation. The name stays with the caller, whose file has it.
#[must_use]
pub fn motion_of(document: &Document, animation: AnimationId) -> Option<(Motion, Losses)> {
    let source = document.animation(animation)?;
    let channels = Channels {
        translation: true,
        rotation: true,
        scale: true,
    };
    let mut motion = Motion::new(channels, Precision::Double);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a rate of 16 bits is exact in 32-bit floats"
    )]
    let rate = playback_fps(document) as f32;
    motion.rate = rate;
    motion.frame_count = source.frame_count().into();
    motion.looped = source.looping();
    motion.conventions = CONVENTIONS;
    let mut losses = Losses::default();
    if source.flags() > 1 {
        let path = || format!("animations[{}].flags", animation.0);
        losses.add_many("animations with unknown flags", 1, path);
    }
    for (id, bone) in (0..=u16::MAX).map(BoneId).zip(document.bones()) {
        let frames = (0..source.frame_count()).map_while(|frame| source.frame(frame));
        let records = frames.filter_map(|frame| frame.transform(id));
        let mut course = Course::default();
        for (frame, record) in (0..).zip(records) {
            course.push(frame, record);
        }
        course.keys.finish();
        for (what, first, count) in course.losses() {
            let path = || format!("animations[{}].frames[{first}][{}]", animation.0, id.0);
            losses.add_many(what, count, path);
        }
        let name = spelled(bone.name());
        if name != bone.name() {
            let path = || format!("bones[{}].name", id.0);
            losses.add_many("names of bones with a NUL, which becomes U+2400", 1, path);
        }
        // Frames and counts have 16 bits, and all channels are stored.
        motion
            .add_track(name.as_ref(), 0, (&course.keys).into())
            .ok()?;
    }
    Some((motion, losses))
}

/// Keys of a bone in order, and values that they cannot hold.
#[derive(Debug, Default)]
struct Course {
    keys: BoneKeys,
    odd: SeenBones,
    turned: SeenBones,
    hidden: SeenBones,
    ordered: SeenBones,
    unknown: SeenBones,
}

/// The first frame that has something, and the number of frames that do.
#[derive(Clone, Copy, Debug, Default)]
struct SeenBones {
    first: u16,
    count: u64,
}

impl SeenBones {
    fn see(&mut self, has: bool, frame: u16) {
        if has {
            if self.count == 0 {
                self.first = frame;
            }
            self.count = self.count.saturating_add(1);
        }
    }
}

impl Course {
    fn push(&mut self, frame: u16, record: BoneTransform) {
        let (record, is_odd) = finite(record);
        self.odd.see(is_odd, frame);
        self.turned.see(record.rotation.abs() > 180.0, frame);
        self.hidden.see(!record.visible(), frame);
        self.ordered.see(record.z_order != 0, frame);
        self.unknown.see(record.flags > 1, frame);
        self.keys.append(frame.into(), &transform(&record));
    }

    /// Kinds of losses, with their first frame, and the number of transforms or 1 for the bone.
    fn losses(&self) -> impl Iterator<Item = (&'static str, u16, u64)> {
        let of_bone = |seen: SeenBones| (seen.first, seen.count.min(1));
        let odd = (self.odd.first, self.odd.count);
        let all = [
            ("transforms that are not finite", odd),
            (
                "bones with rotations beyond ±180 degrees",
                of_bone(self.turned),
            ),
            ("hidden bones", of_bone(self.hidden)),
            ("bones with a draw order", of_bone(self.ordered)),
            ("bones with unknown flags", of_bone(self.unknown)),
        ];
        let lost = all.into_iter().filter(|(_, (_, count))| *count > 0);
        lost.map(|(what, (first, count))| (what, first, count))
    }
}
