//! Facts about the current clip over all its frames: its marks, the selected bone's curves, and the keys of all bones. Worked out
//! when another clip or bone is chosen, never from frame to frame.

use std::ops::Range;

use pchr::document::{AnimationId, BoneId};
use pchr::scene::{Curve, KeyRow, KeyRows, Mark, MarkKind};
use pchr_tools::text::visible;

use crate::viewer::model::Model;

/// A clip of a model of this session.
type ClipId = (u64, AnimationId);

/// Facts to be found out: of a clip, a bone and a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    pub animation: Option<AnimationId>,
    /// The bone whose curves are shown.
    pub bone: Option<BoneId>,
    /// Keys of all bones whose names hold this are listed.
    pub rows: Option<&'a str>,
}

/// Facts that were found out.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    clip: Option<ClipId>,
    marks: Vec<Mark>,
    mark_frames: [Vec<u16>; 3],
    curves_of: Option<(ClipId, BoneId)>,
    curves: Vec<Curve>,
    rows_of: Option<ClipId>,
    rows: KeyRows,
    filter: String,
    /// Indices of the rows that the filter leaves.
    listed: Vec<usize>,
    revision: u64,
}

impl Tracks {
    /// Computes missing values; returns true if the clip changed.
    pub(crate) fn update(&mut self, model: Option<&Model>, wanted: Wanted<'_>) -> bool {
        let clip = model.and_then(|model| Some((model.serial(), wanted.animation?)));
        let other = self.clip != clip;
        if other {
            self.clip = clip;
            self.mark(model);
        }
        let curves_of = clip.zip(wanted.bone);
        if self.curves_of != curves_of {
            self.curves_of = curves_of;
            let curves = model.zip(curves_of);
            let curves =
                curves.map(|(model, ((_, clip), bone))| model.subject().curves(bone, clip));
            self.curves = curves.unwrap_or_default();
            self.revision = self.revision.wrapping_add(1);
        }
        let rows_of = clip.filter(|_| wanted.rows.is_some());
        let filter = wanted.rows.unwrap_or_default();
        if self.rows_of != rows_of || self.filter != filter {
            if self.rows_of != rows_of {
                self.rows_of = rows_of;
                self.rows = rows_of
                    .zip(model)
                    .map_or_else(KeyRows::default, rows_in_tree);
            }
            filter.clone_into(&mut self.filter);
            self.list(model);
        }
        other
    }

    fn mark(&mut self, model: Option<&Model>) {
        let marks = self.clip.zip(model);
        let marks = marks.map(|((_, clip), model)| model.subject().marks(clip));
        self.marks = marks.unwrap_or_default();
        for mark in &mut self.marks {
            if let std::borrow::Cow::Owned(text) = visible(&mark.text) {
                mark.text = text;
            }
        }
        self.marks.sort_by_key(|mark| (mark.frame, mark.kind));
        for (kind, frames) in MARK_KINDS.into_iter().zip(&mut self.mark_frames) {
            let of_kind = self.marks.iter().filter(|mark| mark.kind == kind);
            frames.clear();
            frames.extend(of_kind.map(|mark| mark.frame));
            frames.dedup();
        }
    }

    fn list(&mut self, model: Option<&Model>) {
        let filter = self.filter.trim().to_lowercase();
        let name = |bone: BoneId| {
            let bone = model.and_then(|model| model.subject().bone(bone));
            bone.map_or("", |bone| bone.name())
        };
        let holds =
            |row: &KeyRow| filter.is_empty() || name(row.bone).to_lowercase().contains(&filter);
        let all = self.rows.rows.iter().enumerate();
        let listed = all.filter(|(_, row)| holds(row)).map(|(index, _)| index);
        self.listed = listed.collect();
    }

    /// Remarkable frames of the clip, by frame and kind. Hidden characters are made visible.
    pub(crate) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Frames of the marks of each kind in [`MARK_KINDS`], ascending.
    pub(crate) fn mark_frames(&self) -> &[Vec<u16>; 3] {
        &self.mark_frames
    }

    /// The marks on a frame.
    pub(crate) fn marks_on(&self, frame: u16) -> &[Mark] {
        let from = self.marks.partition_point(|mark| mark.frame < frame);
        let to = self.marks.partition_point(|mark| mark.frame <= frame);
        self.marks.get(from..to).unwrap_or_default()
    }

    /// The frame of the mark before or after a frame; the other end's if there is none and time wraps around.
    pub(crate) fn mark_beside(&self, frame: u16, after: bool, round: bool) -> Option<u16> {
        let frame_of = |mark: &Mark| mark.frame;
        let [first, last] = [self.marks.first(), self.marks.last()].map(|mark| mark.map(frame_of));
        if after {
            let next = self.marks.partition_point(|mark| mark.frame <= frame);
            let next = self.marks.get(next).map(frame_of);
            next.or(first.filter(|_| round))
        } else {
            let next = self.marks.partition_point(|mark| mark.frame < frame);
            let next = next.checked_sub(1).and_then(|at| self.marks.get(at));
            next.map(frame_of).or(last.filter(|_| round))
        }
    }

    /// Curves of the selected bone; empty while they are not shown.
    pub(crate) fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// The bones with keys that the filter leaves, as they stand in the tree.
    pub(crate) fn rows(&self, places: Range<usize>) -> impl Iterator<Item = &KeyRow> {
        let listed = self.listed.get(places).unwrap_or_default();
        let rows = &self.rows.rows;
        listed.iter().filter_map(|index| rows.get(*index))
    }

    /// Number of those.
    pub(crate) fn row_count(&self) -> usize {
        self.listed.len()
    }

    /// Place of a bone among them.
    pub(crate) fn row_of(&self, bone: BoneId) -> Option<usize> {
        let is = |index: &usize| {
            self.rows
                .rows
                .get(*index)
                .is_some_and(|row| row.bone == bone)
        };
        self.listed.iter().position(is)
    }

    /// Returns true if any bone has keys, listed or not.
    pub(crate) fn has_rows(&self) -> bool {
        !self.rows.rows.is_empty()
    }

    /// The first frame whose keys are not listed, if there were too many.
    pub(crate) fn rows_left_out(&self) -> Option<u16> {
        self.rows.left_out
    }

    /// A number that changes whenever the curves change.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }
}

/// The kinds of marks.
pub(crate) const MARK_KINDS: [MarkKind; 3] = [MarkKind::Note, MarkKind::Visible, MarkKind::Order];

/// All rows in the order of the tree.
fn rows_in_tree(((_, clip), model): (ClipId, &Model)) -> KeyRows {
    let mut rows = model.subject().key_rows(clip);
    let mut places = vec![0_usize; model.subject().bone_count()];
    for (place, (bone, _)) in model.tree().iter().enumerate() {
        if let Some(at) = places.get_mut(bone.index()) {
            *at = place;
        }
    }
    rows.rows
        .sort_by_key(|row| places.get(row.bone.index()).copied());
    rows
}
