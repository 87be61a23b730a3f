//! View of the panel of curves: its sheet, the kinds that are shown, and the parts of the axes.

use pchr::scene::{CurveKind, CurveKinds};

use super::settings::CurvesMemory;

/// Height at first, the least and the most, in logical pixels.
pub(crate) const HEIGHT: f32 = 220.0;
pub(crate) const HEIGHTS: std::ops::RangeInclusive<f32> = 120.0..=360.0;

/// Least number of frames across the panel.
const FEWEST: f64 = 4.0;

/// The panel of curves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CurvesView {
    /// Height in logical pixels.
    pub height: f32,
    /// Keys of all bones are shown instead of the curves of one.
    pub keys: bool,
    /// Kinds of curves that are shown.
    pub shown: CurveKinds,
    zoom: CurvesZoom,
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
            let names = memory.shown.iter();
            let kinds = names.filter_map(|name| {
                let mut all = CurveKind::ALL.into_iter();
                all.find(|kind| id_of(*kind) == name)
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

    /// Part that is in sight.
    pub(crate) fn zoom(&self) -> CurvesZoom {
        self.zoom
    }

    /// Shows this part.
    pub(crate) fn set_zoom(&mut self, zoom: CurvesZoom) {
        self.zoom = zoom;
    }

    /// Part of it that is remembered.
    pub(crate) fn memory(&self) -> CurvesMemory {
        let shown = CurveKind::ALL.into_iter();
        let shown = shown.filter(|kind| self.shown.has(*kind));
        CurvesMemory {
            height: self.height,
            shown: shown.map(|kind| id_of(kind).to_owned()).collect(),
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
    match kind {
        CurveKind::Translation => "Position",
        CurveKind::Rotation => "Rotation",
        CurveKind::Scale => "Scale",
        CurveKind::Visible => "Visible",
        CurveKind::Order => "Draw order",
    }
}

/// Name of a kind of curves in the stored settings.
fn id_of(kind: CurveKind) -> &'static str {
    match kind {
        CurveKind::Translation => "place",
        CurveKind::Rotation => "turn",
        CurveKind::Scale => "scale",
        CurveKind::Visible => "visible",
        CurveKind::Order => "order",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_shown_again() {
        let mut view = CurvesView::new(None);
        view.height = 300.0;
        view.shown = view
            .shown
            .toggled(CurveKind::Rotation)
            .with(CurveKind::Order);
        let again = CurvesView::new(Some(&view.memory()));
        assert_eq!(again, view);
        let odd = CurvesMemory {
            height: 9000.0,
            shown: vec!["future".into()],
        };
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
