//! All frames of a subject's animations, posed once: palettes and draw lists for crowds.

use std::collections::HashMap;

use super::subject::{DrawList, MeshOrder, MeshView, Subject};
use crate::document::AnimationId;
use crate::playback::FrameAt;
use crate::pose::{Affine, IDENTITY, Palettes, Pose};

/// Palette and draw list of every frame of every animation of a subject. May be made on any thread.
///
/// A palette takes 32 bytes a bone. Playing from it costs no arithmetic, however many figures there are, and shows whole frames only.
#[derive(Clone, Debug, Default)]
pub struct Bake {
    bones: usize,
    matrices: Vec<Affine>,
    /// First palette of each animation.
    starts: Vec<usize>,
    lists: Vec<DrawList>,
    /// Number of the list of each palette.
    list_of: Vec<usize>,
    skinned: bool,
}

/// Bytes of a mebibyte.
const MIB: f64 = 1_048_576.0;

/// A bake that would take more memory than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{frames} posed frames of {bones} bones take {:.1} MiB, more than {:.1} MiB",
    *bytes as f64 / MIB,
    *most as f64 / MIB
)]
pub struct TooLarge {
    /// Frames of all animations.
    pub frames: usize,
    /// Matrices of a frame.
    pub bones: usize,
    /// Bytes of all palettes.
    pub bytes: usize,
    /// The limit.
    pub most: usize,
}

impl Bake {
    /// Limit for most programs: 64 MiB, which fit in one texture of any device. A character of 100 bones may have 20,000 frames.
    pub const MOST_BYTES: usize = 64 << 20;

    /// Checks that the palettes of all frames of a subject take at most `most_bytes`.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn check(subject: &dyn Subject, most_bytes: usize) -> Result<(), TooLarge> {
        let bones = subject.palette_len();
        let frames = frame_count(subject);
        let bytes = frames.saturating_mul(bones).saturating_mul(size_of::<Affine>());
        match bytes > most_bytes {
            true => Err(TooLarge { frames, bones, bytes, most: most_bytes }),
            false => Ok(()),
        }
    }

    /// Poses all frames, with changes to meshes, by mesh index; missing entries change nothing.
    ///
    /// # Errors
    /// [`TooLarge`], before anything is posed, if the palettes take more than `most_bytes`.
    pub fn new(
        subject: &dyn Subject,
        changes: &[MeshView],
        most_bytes: usize,
    ) -> Result<Self, TooLarge> {
        Self::check(subject, most_bytes)?;
        let bones = subject.palette_len();
        let mut bake = Self { bones, skinned: true, ..Self::default() };
        bake.matrices.reserve_exact(frame_count(subject) * bones);
        let mut palettes = Palettes::default();
        let mut is_empty = true;
        for id in subject.animation_ids() {
            let moments: Vec<_> = subject.moments(id).flatten().collect();
            is_empty &= moments.is_empty();
            if subject.palettes(&moments, &mut palettes) {
                bake.matrices.extend_from_slice(palettes.matrices());
            } else {
                moments.iter().for_each(|at| bake.pose(subject, Some(*at)));
            }
        }
        if is_empty {
            bake.pose(subject, None);
        }
        bake.set_changes(subject, changes);
        Ok(bake)
    }

    /// Takes other changes to meshes of the same subject. Palettes stay; draw lists become those of the changes.
    pub fn set_changes(&mut self, subject: &dyn Subject, changes: &[MeshView]) {
        self.starts.clear();
        self.lists.clear();
        self.list_of.clear();
        let mut known = HashMap::new();
        let (mut order, mut number) = (Vec::new(), 0);
        let mut last: Option<Vec<MeshOrder>> = None;
        let mut number_at = |at: Option<FrameAt>| {
            order.clear();
            subject.order(at, &mut order);
            // Most frames have the order of the frame before.
            if last.as_ref() != Some(&order) {
                last = Some(order.clone());
                for (order, change) in order.iter_mut().zip(changes) {
                    *order = change.of(*order);
                }
                let mut list = DrawList::default();
                list.set_fingerprint(subject.fingerprint());
                list.sort(&order, |mesh| (subject as &dyn super::Geometry).image_of(mesh));
                number = *known.entry(list.draws().to_vec()).or_insert_with(|| {
                    self.lists.push(list);
                    self.lists.len() - 1
                });
            }
            number
        };
        for id in subject.animation_ids() {
            self.starts.push(self.list_of.len());
            self.list_of.extend(subject.moments(id).map(&mut number_at));
        }
        if self.list_of.is_empty() {
            self.list_of.push(number_at(None));
        }
    }

    fn pose(&mut self, subject: &dyn Subject, at: Option<FrameAt>) {
        let mut pose = Pose::default();
        subject.pose(at, &mut pose);
        self.skinned &= pose.is_skinned();
        let end = self.matrices.len() + self.bones;
        self.matrices.extend(pose.world_from_bind().iter().take(self.bones));
        self.matrices.resize(end, IDENTITY);
    }

    /// Returns the number of palettes; one at least.
    #[must_use]
    pub fn count(&self) -> usize {
        self.list_of.len()
    }

    /// Returns the palette of a frame; `None` if there is no such frame.
    #[must_use]
    pub fn palette(&self, animation: AnimationId, frame: u16) -> Option<u32> {
        let start = *self.starts.get(usize::from(animation.0))?;
        let end = self.starts.get(usize::from(animation.0) + 1).copied().unwrap_or(self.count());
        let palette = start + usize::from(frame);
        if palette < end { u32::try_from(palette).ok() } else { None }
    }

    /// Returns `world_from_bind` of each bone, palette by palette.
    #[must_use]
    pub fn matrices(&self) -> &[Affine] {
        &self.matrices
    }

    /// Returns the number of matrices of a palette.
    #[must_use]
    pub fn bones(&self) -> usize {
        self.bones
    }

    /// Returns the draw lists that differ.
    #[must_use]
    pub fn lists(&self) -> &[DrawList] {
        &self.lists
    }

    /// Returns the number of the draw list of each palette.
    #[must_use]
    pub fn list_of(&self) -> &[usize] {
        &self.list_of
    }

    /// Returns the palette of a moment, which counts as a whole frame; the first one for a moment that does not exist.
    #[must_use]
    pub fn palette_at(&self, at: Option<FrameAt>) -> u32 {
        at.and_then(|at| self.palette(at.animation, at.frame)).unwrap_or(0)
    }

    /// Returns false if vertices are shown as stored, regardless of the palettes.
    #[must_use]
    pub fn is_skinned(&self) -> bool {
        self.skinned
    }
}

fn frame_count(subject: &dyn Subject) -> usize {
    let counts = subject.animation_ids().map(|id| usize::from(subject.distinct_frames(id)));
    counts.sum::<usize>().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::scene::{Frame, ViewOptions};

    #[test]
    fn a_bake_has_the_palette_and_order_of_each_frame() {
        let bytes = include_bytes!("../../../../assets/sample.pchr").as_slice();
        let sample = Character::from(crate::format::read(bytes).unwrap());
        let bake = Bake::new(&sample, &[], Bake::MOST_BYTES).unwrap();
        let subject: &dyn Subject = &sample;
        let mut frame = Frame::default();
        let mut seen = 0;
        for at in subject.animation_ids().flat_map(|id| subject.moments(id)).flatten() {
            frame.fill(&sample, Some(at), &ViewOptions::default());
            let palette = bake.palette(at.animation, at.frame).unwrap() as usize;
            let matrices = bake.matrices().chunks(bake.bones()).nth(palette).unwrap();
            assert_eq!(matrices, frame.pose().world_from_bind());
            assert_eq!(bake.lists()[bake.list_of()[palette]].draws(), frame.draws());
            seen += 1;
        }
        assert_eq!(bake.count(), seen);
        assert!(bake.lists().len() < seen);
        // Other changes to meshes give the lists of a bake with them, and no changes those of before.
        let draws =
            |bake: &Bake| bake.lists().iter().map(|it| it.draws().to_vec()).collect::<Vec<_>>();
        let hidden = [MeshView { visible: Some(false), ..MeshView::default() }];
        let mut changed = bake.clone();
        changed.set_changes(&sample, &hidden);
        assert_ne!(draws(&changed), draws(&bake));
        let expected = Bake::new(&sample, &hidden, Bake::MOST_BYTES).unwrap();
        assert_eq!(draws(&changed), draws(&expected));
        changed.set_changes(&sample, &[]);
        assert_eq!((draws(&changed), changed.list_of()), (draws(&bake), bake.list_of()));
        assert_eq!(bake.palette(AnimationId(0), u16::MAX), None);
        let error = Bake::new(&sample, &[], 1000).unwrap_err();
        assert_eq!((error.frames, error.most), (seen, 1000));
    }
}
