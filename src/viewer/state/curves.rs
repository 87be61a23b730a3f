//! Curves, keys and marks of the current clip.

use pchr::scene::Subject;

use super::{Request, State};
use crate::viewer::action::CurvesAction;
use crate::viewer::curves::CurvesView;
use crate::viewer::switch::Switch;
use crate::viewer::tracks::{Tracks, Wanted};

impl State {
    /// View of the curves.
    pub(crate) fn curves_view(&self) -> &CurvesView {
        &self.curves
    }

    /// Marks, curves and keys of the current clip.
    pub(crate) fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// Returns true if curves are shown: an atlas has none.
    pub(crate) fn shows_curves(&self) -> bool {
        let has_bones = |subject: &dyn Subject| subject.bone_count() > 0;
        let model = self.model.as_ref();
        self.is_on(Switch::Curves)
            && self.is_on(Switch::Panels)
            && model.is_some_and(|it| has_bones(it.subject()) || it.loaded().sprites.is_none())
    }

    pub(super) fn on_curves(&mut self, action: &CurvesAction) {
        match action {
            CurvesAction::Height(height) => {
                self.curves.height = *height;
                self.requests.push(Request::Remember);
            }
            CurvesAction::Keys(keys) => self.curves.keys = *keys,
            CurvesAction::Show(kind) => {
                self.curves.shown = self.curves.shown.toggled(*kind);
                self.requests.push(Request::Remember);
            }
            CurvesAction::Frames(frames) => self.curves.set_frames(*frames),
            CurvesAction::Values(kind, values) => self.curves.set_values(*kind, *values),
            CurvesAction::Fit => self.curves.fit(),
        }
    }

    /// Computes the curves for a new clip or bone; otherwise only compares.
    pub(super) fn update_tracks(&mut self) {
        let shown = self.shows_curves();
        let wanted = Wanted {
            animation: self.player.clip.animation,
            bone: self.parts.bone.filter(|_| shown && !self.curves.keys),
            rows: Some(self.looking.bone_filter.as_str()).filter(|_| shown && self.curves.keys),
        };
        let before = self.tracks.revision();
        if self.tracks.update(self.model.as_ref(), wanted) {
            self.curves.fit();
            if let Some(zoom) = self.curves_kept.take() {
                self.curves.set_zoom(zoom);
            }
        } else if self.tracks.revision() != before {
            self.curves.fit_values();
        }
    }
}
