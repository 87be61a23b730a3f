//! Characters as DragonBones 5.5 JSON: a skeleton, and an atlas for each image.
//!
//! ```text
//! Document ──rig──► bones, slots, skin ──┬─► hero_ske.json
//!          ──clips──► timelines ─────────┘   hero_tex.json, hero_tex.png (of several images: hero_tex_0.json …)
//! ```
//!
//! y points down: places and rotations change their sign. The setup pose is the bind pose, its draw order that of the slots. Each mesh is a
//! slot of its owner, and weighted. Keys are held and end where a value changes; every clip has a draw order, which would stay that of the
//! clip before. Bones inherit all of their parent's transform, as by default.
//!
//! Limits are those of DragonBones' runtime 5.7, which numbers values with 16 bits.
#![deny(clippy::arithmetic_side_effects)]

mod record;
mod rig;

use std::borrow::Cow;
use std::io;

use serde_json::json;

use pchr::document::{Animation, AnimationId, BoneTransform, Document, FPS_WHEN_ZERO};
use pchr::finding::quoted;
use pchr::format::Losses;
use pchr::format::json::{self as pchr_json, Dialect, image_file};
use pchr::image::{EncodeError, png_size};
use pchr::playback::FrameAt;
use pchr::pose::{BindChoice, BindPose, LocalPose, default_animation};

use self::record::{
    BoneShift, BoneStretch, BoneTimeline, BoneTurn, DragonBonesArmature, DragonBonesClip, HeldKey,
    Number, OrderTimeline, Shown, SkeletonText, Skin, SlotOrder, SlotTimeline, single,
};
use self::rig::{Rig, unique, within_half_a_turn, y_down};

/// Form of the files.
const VERSION: &str = "5.5";

/// A character's files.
#[derive(Debug)]
pub struct DragonBonesFiles<'a> {
    /// The skeleton: bones, meshes and animations.
    pub skeleton: Vec<u8>,
    /// Name and content of the files beside it: of each image an atlas and its picture, which the atlas names.
    pub beside: Vec<(String, Cow<'a, [u8]>)>,
    /// Content that the files do not hold.
    pub losses: Losses,
}

/// Reason why a character cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DragonBonesUnwritable {
    /// The runtime has no numbers for the vertices.
    #[error(
        "meshes[{mesh}]: {} has {vertices} vertices, and {floats} numbers come before its weights; DragonBones' runtime reads at most 32767 vertices and 65535 numbers",
        quoted(name)
    )]
    Mesh {
        /// Index of the mesh.
        mesh: u16,
        /// Its name.
        name: String,
        /// Number of its vertices.
        vertices: usize,
        /// Numbers of the meshes behind it and of its vertices.
        floats: usize,
    },
    /// The runtime has no numbers for the keys of an animation.
    #[error(
        "animations[{animation}].frames[{frame}]: up to here, the keys of {} have more than 65536 numbers, which is all that DragonBones' runtime reads; split the animation",
        quoted(name)
    )]
    Changes {
        /// Index of the animation.
        animation: u16,
        /// Its name.
        name: String,
        /// The first frame that is too much.
        frame: u16,
    },
    /// The text could not be written.
    #[error(transparent)]
    Text(#[from] io::Error),
    /// An image's pixels could not be encoded.
    #[error("the image cannot be encoded: {0}")]
    Image(#[from] EncodeError),
}

/// Writes a character under a name, with which the names of all its files begin.
///
/// # Errors
/// [`DragonBonesUnwritable`] if there is more than DragonBones' runtime reads.
pub fn write<'a>(
    document: &'a Document,
    name: &str,
) -> Result<DragonBonesFiles<'a>, DragonBonesUnwritable> {
    // Neither has a place for raw pixels, unknown flags, and numbers that are not finite.
    let paths = vec![String::new(); document.images().len()];
    let mut losses = pchr_json::write(document, Dialect::Pachario, &paths, &mut io::sink())?;
    let pictures = document.images().map(|image| Ok((image_file(&image)?, image)));
    let pictures: Vec<_> = pictures.collect::<Result<_, EncodeError>>()?;
    let sizes = pictures.iter().map(|(file, image)| {
        png_size(file).unwrap_or([image.width(), image.height()].map(u32::from))
    });
    let bind = BindPose::new(document, BindChoice::Auto);
    let rig = Rig::new(document, &bind, sizes, &mut losses);
    let names =
        unique(document.animations().map(|it| it.name()), ["animations", "animation"], &mut losses);
    let clips = document.animation_ids().zip(document.animations()).zip(&names);
    let first = default_animation(document, &bind).and_then(|id| names.get(id.index()));
    let frame_rate = match document.fps() {
        0 => FPS_WHEN_ZERO,
        fps => fps,
    };
    let armature = DragonBonesArmature {
        kind: "Armature",
        frame_rate,
        name,
        aabb: rig.bounds(),
        bone: rig.bones(),
        slot: rig.slots(),
        skin: [Skin { name: "", slot: rig.skin()? }],
        animation: clips
            .map(|((id, animation), name)| rig.clip(id, &animation, name))
            .collect::<Result<_, _>>()?,
        default_actions: first.map(|name| json!({"gotoAndPlay": name})).into_iter().collect(),
    };
    let skeleton = SkeletonText {
        frame_rate,
        name,
        version: VERSION,
        compatible_version: VERSION,
        armature: [armature],
    };
    let skeleton = serde_json::to_vec(&skeleton).map_err(io::Error::from)?;
    let several = pictures.len() > 1;
    let mut beside = Vec::new();
    for (index, ((picture, _), (image, [width, height]))) in
        pictures.into_iter().zip(&rig.images).enumerate()
    {
        let stem = if several { format!("{name}_tex_{index}") } else { format!("{name}_tex") };
        let [width, height] = [*width, *height];
        let atlas = json!({
            "name": name, "imagePath": format!("{stem}.png"), "width": width, "height": height,
            "SubTexture": [{"name": image, "x": 0, "y": 0, "width": width, "height": height}],
        });
        beside.push((format!("{stem}.png"), picture));
        beside.push((format!("{stem}.json"), atlas.to_string().into_bytes().into()));
    }
    Ok(DragonBonesFiles { skeleton, beside, losses })
}

/// The runtime numbers the integers of a clip's keys with 16 bits. Its floats, two for each key of a bone, are fewer.
const MOST_INTEGERS: usize = 65_536;

#[derive(Debug)]
struct HeldKeys<T>(Vec<HeldKey<T>>);

impl<T: Clone + PartialEq> HeldKeys<T> {
    /// Adds the value of the next frame, and returns true if it is a new key.
    fn push(&mut self, value: T) -> bool {
        match self.0.last_mut() {
            Some(last) if last.value == value => {
                last.duration = last.duration.saturating_add(1);
                false
            }
            _ => {
                self.0.push(HeldKey { duration: 1, value });
                true
            }
        }
    }

    /// Adds a value like [`Self::push`], and returns the number of keys that the file has more: none while all values are `still`.
    fn push_beside(&mut self, value: T, still: &T) -> usize {
        let was_still = self.is_still(still);
        match self.push(value) {
            false => 0,
            true if was_still => self.0.len(),
            true => usize::from(!self.is_still(still)),
        }
    }

    fn is_still(&self, still: &T) -> bool {
        matches!(self.0.as_slice(), [only] if only.value == *still)
    }

    /// Returns the keys, or none if all values are `still`.
    fn moving(&self, still: &T) -> Vec<HeldKey<T>> {
        if self.is_still(still) { Vec::new() } else { self.0.clone() }
    }
}

/// Timelines of a bone, and of the visibility of its meshes.
struct TrackedBone {
    /// Numbers of the bone in the setup pose.
    rest: [f64; 5],
    setup: Shown,
    /// Number of its meshes.
    owned: usize,
    shift: HeldKeys<BoneShift>,
    turn: HeldKeys<BoneTurn>,
    stretch: HeldKeys<BoneStretch>,
    shown: HeldKeys<Shown>,
}

const UNCHANGED: BoneStretch = BoneStretch { x: Number(1.0), y: Number(1.0) };

impl TrackedBone {
    /// Adds a frame, and returns the number of integers that the runtime needs for it.
    fn push(&mut self, transform: &BoneTransform) -> usize {
        let ([x, y, turn, wide, high], [x0, y0, turn0, wide0, high0]) =
            (y_down(transform), self.rest);
        let shift = BoneShift { x: single(x - x0), y: single(y - y0) };
        let turn = BoneTurn { rotate: single(within_half_a_turn(turn - turn0)), clockwise: 0 };
        let stretch = BoneStretch { x: single(wide / wide0), y: single(high / high0) };
        let shown = self.shown.push_beside(Shown::of(transform.visible()), &self.setup);
        let keys = [
            self.shift.push_beside(shift, &BoneShift::default()),
            self.turn.push_beside(turn, &BoneTurn::default()),
            self.stretch.push_beside(stretch, &UNCHANGED),
            shown.saturating_mul(self.owned),
        ];
        keys.into_iter().fold(0, usize::saturating_add).saturating_mul(2)
    }

    fn timeline<'a>(&self, name: &'a str) -> Option<BoneTimeline<'a>> {
        let mut turns = self.turn.moving(&BoneTurn::default());
        let next: Vec<f32> = turns.iter().skip(1).map(|key| key.value.rotate.0).collect();
        for (HeldKey { value, .. }, next) in turns.iter_mut().zip(next) {
            let by = next - value.rotate.0;
            // Without a direction, the runtime takes the shorter way, a whole turn away from here.
            value.clockwise = match by {
                ..-180.0 => -1,
                ..=180.0 => 0,
                _ => 1,
            };
        }
        let timeline = BoneTimeline {
            name,
            translate_frame: self.shift.moving(&BoneShift::default()),
            rotate_frame: turns,
            scale_frame: self.stretch.moving(&UNCHANGED),
        };
        let BoneTimeline { translate_frame, rotate_frame, scale_frame, .. } = &timeline;
        let is_still =
            translate_frame.is_empty() && rotate_frame.is_empty() && scale_frame.is_empty();
        (!is_still).then_some(timeline)
    }
}

impl Rig<'_> {
    fn clip<'s>(
        &'s self,
        id: AnimationId,
        animation: &Animation<'_>,
        name: &'s str,
    ) -> Result<DragonBonesClip<'s>, DragonBonesUnwritable> {
        let mut tracks = self.tracks();
        let (mut orders, mut z_orders) = (HeldKeys(Vec::new()), None);
        let (mut pose, mut integers) = (LocalPose::default(), 0_usize);
        for frame in 0..animation.frame_count() {
            pose.sample(self.document, FrameAt::exact(id, frame));
            let z: Vec<i16> = pose.transforms().iter().map(|it| it.z_order).collect();
            match orders.0.last_mut() {
                Some(key) if z_orders.as_ref() == Some(&z) => {
                    key.duration = key.duration.saturating_add(1);
                }
                _ => {
                    let moved = self.moved(pose.transforms());
                    let slots = if moved.is_empty() { 0 } else { self.order.len() };
                    if orders.push(SlotOrder { z_order: moved }) {
                        integers = integers.saturating_add(slots).saturating_add(2);
                    }
                }
            }
            z_orders = Some(z);
            for (track, transform) in tracks.iter_mut().zip(pose.transforms()) {
                integers = integers.saturating_add(track.push(transform));
            }
            if integers > MOST_INTEGERS {
                let (animation, name) = (id.0, animation.name().to_owned());
                return Err(DragonBonesUnwritable::Changes { animation, name, frame });
            }
        }
        let bones = tracks.iter().zip(&self.bones);
        let slots = self.owners.iter().zip(&self.meshes).filter_map(|(owner, name)| {
            let TrackedBone { shown, setup, .. } = tracks.get((*owner)?.index())?;
            let display_frame = shown.moving(setup);
            (!display_frame.is_empty()).then_some(SlotTimeline { name, display_frame })
        });
        Ok(DragonBonesClip {
            name,
            duration: animation.frame_count(),
            play_times: u8::from(!animation.looping()),
            frame: [],
            z_order: (!orders.0.is_empty()).then_some(OrderTimeline { frame: orders.0 }),
            bone: bones.filter_map(|(track, name)| track.timeline(name)).collect(),
            slot: slots.collect(),
        })
    }

    fn tracks(&self) -> Vec<TrackedBone> {
        let track = |(setup, rest): (&BoneTransform, &[f64; 5])| TrackedBone {
            rest: *rest,
            setup: Shown::of(setup.visible()),
            owned: 0,
            shift: HeldKeys(Vec::new()),
            turn: HeldKeys(Vec::new()),
            stretch: HeldKeys(Vec::new()),
            shown: HeldKeys(Vec::new()),
        };
        let mut tracks: Vec<TrackedBone> = self.setup.iter().zip(&self.rest).map(track).collect();
        for owner in self.owners.iter().flatten() {
            if let Some(track) = tracks.get_mut(owner.index()) {
                track.owned = track.owned.saturating_add(1);
            }
        }
        tracks
    }

    /// Returns the index of each slot that is elsewhere in the order of a pose than in that of the setup, and how far it moves.
    fn moved(&self, pose: &[BoneTransform]) -> Vec<i32> {
        let mut places = vec![0; self.order.len()];
        for (place, mesh) in (0_i32..).zip(self.order_in(pose)) {
            if let Some(of_mesh) = places.get_mut(usize::from(mesh)) {
                *of_mesh = place;
            }
        }
        let slots = (0_i32..).zip(&self.order).filter_map(|(slot, mesh)| {
            let by = places.get(usize::from(*mesh))?.saturating_sub(slot);
            (by != 0).then_some([slot, by])
        });
        slots.flatten().collect()
    }
}
