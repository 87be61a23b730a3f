//! Curves, keys and marks of the current clip, and the view of their panel.

use std::ops::Range;

use pchr::document::{AnimationId, BoneId};
use pchr::scene::{
    ClipSmoothness, Curve, CurveKind, CurveKinds, KeyRow, KeyRows, Mark, MarkKind, Subject,
};
use pchr_tools::text::{smoothness as words, visible};

use crate::viewer::model::Model;
use crate::viewer::settings::CurvesMemory;

/// Height at first, the least and the most, in logical pixels.
pub(crate) const HEIGHT: f32 = 220.0;
pub(crate) const HEIGHTS: std::ops::RangeInclusive<f32> = 120.0..=360.0;

/// Least number of frames across the panel.
const FEWEST: f64 = 4.0;

/// The panel of curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CurvesView {
    /// Height in logical pixels.
    pub height: f32,
    /// Keys of all bones are shown instead of the curves of one.
    pub keys: bool,
    /// Kinds of curves that are shown.
    pub shown: CurveKinds,
    /// Part that is in sight.
    pub zoom: CurvesZoom,
}

/// Part of the curves that is in sight; all unless it says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CurvesZoom {
    frames: Option<[f64; 2]>,
    values: [Option<[f64; 2]>; CurveKind::ALL.len()],
}

impl CurvesView {
    pub(crate) fn new(memory: Option<&CurvesMemory>) -> Self {
        let height = memory.map_or(HEIGHT, |memory| memory.height);
        let of = |memory: &CurvesMemory| {
            let shown = memory.shown.iter();
            let kinds = shown.filter_map(|name| {
                let mut all = CurveKind::ALL.into_iter();
                all.find(|kind| names(*kind).1 == name)
            });
            kinds.fold(CurveKinds::default(), CurveKinds::with)
        };
        let usual = || {
            let place = CurveKinds::default().with(CurveKind::Translation);
            place.with(CurveKind::Rotation)
        };
        Self {
            height: height.clamp(*HEIGHTS.start(), *HEIGHTS.end()),
            keys: false,
            shown: memory.map_or_else(usual, of),
            zoom: CurvesZoom::default(),
        }
    }

    /// Part of it that is remembered.
    pub(crate) fn memory(&self) -> CurvesMemory {
        let shown = CurveKind::ALL.into_iter();
        let shown = shown.filter(|kind| self.shown.has(*kind));
        CurvesMemory {
            height: self.height,
            shown: shown.map(|kind| names(kind).1.to_owned()).collect(),
        }
    }

    /// First and last frame in sight, of a clip that ends with the frame `last`.
    pub(crate) fn frames(&self, last: u16) -> [f64; 2] {
        let last = f64::from(last.max(1));
        let [from, to] = self.zoom.frames.unwrap_or([0.0, last]);
        let length = (to - from).clamp(FEWEST.min(last), last);
        let from = from.clamp(0.0, last - length);
        [from, from + length]
    }

    /// Shows these frames; `None` shows all.
    pub(crate) fn set_frames(&mut self, frames: Option<[f64; 2]>) {
        self.zoom.frames = frames.filter(|[from, to]| from < to && (to - from).is_finite());
    }

    /// The values of a kind in sight; `None` fits them to the curves.
    pub(crate) fn values(&self, kind: CurveKind) -> Option<[f64; 2]> {
        self.zoom.values.get(kind as usize).copied().flatten()
    }

    /// Shows these values of a kind; `None` fits them to the curves.
    pub(crate) fn set_values(&mut self, kind: CurveKind, values: Option<[f64; 2]>) {
        let some = values.filter(|[low, high]| {
            let span = high - low;
            span.is_finite() && span > low.abs().max(high.abs()) * 1e-9 && span > 1e-12
        });
        let kept = values.is_some() && some.is_none();
        if let Some(place) = self.zoom.values.get_mut(kind as usize).filter(|_| !kept) {
            *place = some;
        }
    }

    /// Shows all frames, and fits the values.
    pub(crate) fn fit(&mut self) {
        self.zoom.frames = None;
        self.fit_values();
    }

    /// Fits the values, of other curves.
    pub(crate) fn fit_values(&mut self) {
        self.zoom.values = [None; CurveKind::ALL.len()];
    }

    /// Returns true if only a part is in sight.
    pub(crate) fn is_zoomed(&self) -> bool {
        self.zoom.frames.is_some() || self.zoom.values.iter().any(Option::is_some)
    }
}

/// Name of a kind of curves for people.
pub(crate) fn name_of(kind: CurveKind) -> &'static str {
    names(kind).0
}

/// Name of a kind of curves for people, and in the stored settings.
fn names(kind: CurveKind) -> (&'static str, &'static str) {
    match kind {
        CurveKind::Translation => ("Position", "place"),
        CurveKind::Rotation => ("Rotation", "turn"),
        CurveKind::Scale => ("Scale", "scale"),
        CurveKind::Visible => ("Visible", "visible"),
        CurveKind::Order => ("Draw order", "order"),
    }
}

/// A clip of a model of this session.
type ClipId = (u64, AnimationId);

/// Facts to be found out: of a clip, a bone and a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedTracks<'a> {
    pub animation: Option<AnimationId>,
    /// The bone whose curves are shown.
    pub bone: Option<BoneId>,
    /// Keys of all bones whose names hold this are listed.
    pub rows: Option<&'a str>,
    /// Smoothness of the clip, if its jumps are marked.
    pub smoothness: Option<&'a ClipSmoothness>,
}

/// Facts that were found out.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    clip: Option<ClipId>,
    /// True if jumps are marked.
    jumps: bool,
    /// Remarkable frames of the clip, by frame and kind. Hidden characters are made visible.
    pub marks: Vec<Mark>,
    /// Frames of the marks of each kind in [`MARK_KINDS`], ascending.
    pub mark_frames: [Vec<u16>; MARK_KINDS.len()],
    curves_of: Option<(ClipId, BoneId)>,
    /// Curves of the selected bone; empty while they are not shown.
    pub curves: Vec<Curve>,
    /// A number that changes whenever the curves change.
    pub revision: u64,
    keys_of: Option<ClipId>,
    /// Keys of all bones, listed or not.
    pub keys: KeyRows,
    filter: String,
    /// Indices of the rows that the filter leaves.
    listed: Vec<usize>,
}

impl Tracks {
    /// Computes missing values; returns true if the clip changed.
    pub(crate) fn update(&mut self, model: Option<&Model>, wanted: WantedTracks<'_>) -> bool {
        let clip = model.and_then(|model| Some((model.serial(), wanted.animation?)));
        let other = self.clip != clip;
        let jumps = wanted.smoothness.is_some();
        if other || self.jumps != jumps {
            (self.clip, self.jumps) = (clip, jumps);
            self.mark(model, wanted.smoothness);
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
        let keys_of = clip.filter(|_| wanted.rows.is_some());
        let filter = wanted.rows.unwrap_or_default();
        if self.keys_of != keys_of || self.filter != filter {
            if self.keys_of != keys_of {
                self.keys_of = keys_of;
                self.keys = keys_of.zip(model).map_or_else(KeyRows::default, rows_in_tree);
            }
            filter.clone_into(&mut self.filter);
            self.list(model);
        }
        other
    }

    fn mark(&mut self, model: Option<&Model>, smoothness: Option<&ClipSmoothness>) {
        self.marks.clear();
        if let Some(((_, clip), model)) = self.clip.zip(model) {
            let subject = model.subject();
            self.marks = subject.marks(clip);
            self.marks.extend(smoothness.into_iter().flat_map(|it| jumps(subject, clip, it)));
        }
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
        let all = self.keys.rows.iter().enumerate();
        let listed = all.filter(|(_, row)| holds(row)).map(|(index, _)| index);
        self.listed = listed.collect();
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

    /// The bones with keys that the filter leaves, as they stand in the tree.
    pub(crate) fn rows(&self, places: Range<usize>) -> impl Iterator<Item = &KeyRow> {
        let listed = self.listed.get(places).unwrap_or_default();
        let rows = &self.keys.rows;
        listed.iter().filter_map(|index| rows.get(*index))
    }

    /// Number of those.
    pub(crate) fn row_count(&self) -> usize {
        self.listed.len()
    }

    /// Place of a bone among them.
    pub(crate) fn row_of(&self, bone: BoneId) -> Option<usize> {
        let is = |index: &usize| self.keys.rows.get(*index).is_some_and(|row| row.bone == bone);
        self.listed.iter().position(is)
    }
}

/// The kinds of marks.
pub(crate) const MARK_KINDS: [MarkKind; 4] =
    [MarkKind::Jump, MarkKind::Note, MarkKind::Visible, MarkKind::Order];

/// Marks of the frames that jump, and of the last one if the loop does.
fn jumps(
    subject: &dyn Subject,
    clip: AnimationId,
    smoothness: &ClipSmoothness,
) -> impl Iterator<Item = Mark> {
    let mark = |frame, text| Mark { frame, kind: MarkKind::Jump, text };
    let pops = smoothness.pops.iter();
    let pops = pops.map(move |pop| mark(pop.frame, words::pop(subject, pop)));
    let last = subject.frame_count(clip).saturating_sub(1);
    let end = smoothness.loop_jump().and_then(|_| words::end(subject, clip, smoothness));
    pops.chain(end.map(move |text| mark(last, format!("Loop {text}"))))
}

/// All rows in the order of the tree.
fn rows_in_tree(((_, clip), model): (ClipId, &Model)) -> KeyRows {
    let mut rows = model.subject().key_rows(clip);
    rows.rows.sort_by_key(|row| model.row_of(row.bone));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_shown_again_within_limits() {
        let mut view = CurvesView::new(None);
        view.height = 300.0;
        view.shown = view.shown.toggled(CurveKind::Rotation).with(CurveKind::Order);
        assert_eq!(CurvesView::new(Some(&view.memory())), view);
        let odd = CurvesMemory { height: 9000.0, shown: vec!["future".into()] };
        let odd = CurvesView::new(Some(&odd));
        assert_eq!((odd.height, odd.shown.is_empty()), (360.0, true));
    }

    #[test]
    fn frames_in_sight_are_frames_that_there_are() {
        let mut view = CurvesView::new(None);
        assert_eq!(view.frames(0), [0.0, 1.0]);
        assert_eq!(view.frames(100), [0.0, 100.0]);
        view.set_frames(Some([-50.0, 20.0]));
        assert_eq!(view.frames(100), [0.0, 70.0]);
        view.set_frames(Some([90.0, 120.0]));
        assert_eq!(view.frames(100), [70.0, 100.0]);
        view.set_frames(Some([10.0, 10.5]));
        assert_eq!(view.frames(100), [10.0, 14.0]);
        assert_eq!(view.frames(2), [0.0, 2.0]);
        view.set_frames(Some([f64::NAN, 1.0]));
        assert_eq!(view.frames(100), [0.0, 100.0]);
    }

    #[test]
    fn values_are_never_shown_closer_than_numbers_tell_them_apart() {
        let mut view = CurvesView::new(None);
        view.set_values(CurveKind::Scale, Some([1.0, 2.0]));
        view.set_values(CurveKind::Scale, Some([1.0, 1.0]));
        assert_eq!(view.values(CurveKind::Scale), Some([1.0, 2.0]));
        assert!(view.is_zoomed());
        view.fit();
        assert_eq!(view.values(CurveKind::Scale), None);
    }
}
