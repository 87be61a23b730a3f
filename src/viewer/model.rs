//! The current subject with its pose: the data that the panels list and the renderer draws.

mod held;
mod inspect;

use std::cell::OnceCell;
use std::sync::Arc;

use pchr::document::{AnimationId, BoneId, MeshId};
use pchr::finding::{Finding, Findings};
use pchr::image::Levels;
use pchr::overlay::Flagged;
use pchr::pose::{BindChoice, FrameAt, Mix, Pose};
use pchr::scene::{
    Bounds, Draw, Frame, Geometry, MeshOrder, MeshView, Subject, ViewOptions, with_bind,
};

use self::held::Held;
use self::inspect::Tree;
use super::kind::Kind;
use super::loaded::{Loaded, LoadedImage};
use super::measure;

/// A loaded subject and the frame of it that is on screen.
#[derive(Debug)]
pub(crate) struct Model {
    loaded: Arc<Loaded>,
    serial: u64,
    /// Images by id, including those that were decoded late.
    images: Vec<Arc<Levels>>,
    pending: usize,
    late_findings: Vec<Finding>,
    bind_choice: BindChoice,
    subject: Arc<dyn Subject>,
    frame: Frame,
    moment: (Option<FrameAt>, Option<Mix>),
    rows: Vec<MeshId>,
    rows_revision: u64,
    tree: Tree,
    flagged: OnceCell<Flagged>,
    held: OnceCell<Held>,
    bind_warnings: Findings,
}

impl Model {
    /// Creates a model. `serial` distinguishes the models of a session.
    pub(crate) fn new(loaded: Arc<Loaded>, serial: u64, bind_choice: BindChoice) -> Self {
        let subject = with_bind(&loaded.opened.subject, bind_choice);
        Self {
            serial,
            images: loaded.images.clone(),
            pending: loaded.pending,
            late_findings: Vec::new(),
            bind_choice,
            rows: (&*subject as &dyn Geometry).mesh_ids().collect(),
            rows_revision: 0,
            tree: Tree::new(&*subject),
            bind_warnings: loaded.opened.bind_warnings(&*subject),
            subject,
            frame: Frame::default(),
            moment: (None, None),
            flagged: OnceCell::new(),
            held: OnceCell::new(),
            loaded,
        }
    }

    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    pub(crate) fn loaded(&self) -> &Arc<Loaded> {
        &self.loaded
    }

    /// Returns the kind of the subject.
    pub(crate) fn kind(&self) -> Kind {
        if self.loaded.sprites.is_some() {
            Kind::Atlas
        } else if self.subject.spatial().is_some() {
            Kind::Motion
        } else {
            Kind::Character
        }
    }

    /// Returns one image per id, transparent until it is decoded.
    pub(crate) fn images(&self) -> &[Arc<Levels>] {
        &self.images
    }

    /// Returns the number of images that are not decoded yet.
    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// Stores an image that the first picture did not need.
    pub(crate) fn set_image(&mut self, late: LoadedImage) {
        if let Some(place) = self.images.get_mut(late.image.index()) {
            *place = late.levels;
            self.pending = self.pending.saturating_sub(1);
            self.late_findings.extend(late.findings);
        }
    }

    /// Returns the current subject, with the chosen bind pose.
    pub(crate) fn subject(&self) -> &dyn Subject {
        &*self.subject
    }

    /// Returns the moment on screen, and the cross-fade from it.
    pub(crate) fn moment(&self) -> (Option<FrameAt>, Option<Mix>) {
        self.moment
    }

    /// Returns the frame on screen.
    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    pub(crate) fn bind_choice(&self) -> BindChoice {
        self.bind_choice
    }

    pub(crate) fn set_bind(&mut self, choice: BindChoice) {
        self.bind_choice = choice;
        self.subject = with_bind(&self.loaded.opened.subject, choice);
        self.bind_warnings = self.loaded.opened.bind_warnings(&*self.subject);
    }

    pub(crate) fn pose(&self) -> &Pose {
        self.frame.pose()
    }

    /// Returns all meshes, topmost first, in the order of the frame on screen with the overrides.
    pub(crate) fn rows(&self) -> &[MeshId] {
        &self.rows
    }

    /// Returns the findings about the file. None of them keeps it from being shown.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let warnings = self.subject.warnings().iter();
        let images = self.loaded.image_findings.iter();
        images.chain(&self.late_findings).chain(warnings)
    }

    /// Returns a warning for each bone without an inverse in the bind pose.
    pub(crate) fn bind_warnings(&self) -> &Findings {
        &self.bind_warnings
    }

    /// Returns the number of findings about images.
    pub(crate) fn image_finding_count(&self) -> usize {
        let early = self.loaded.image_findings.len();
        early.saturating_add(self.late_findings.len())
    }

    /// Returns the animation to show by default.
    pub(crate) fn default_animation(&self) -> Option<AnimationId> {
        self.subject.default_animation()
    }

    /// Poses the frame and orders its meshes.
    pub(crate) fn show(&mut self, at: Option<FrameAt>, mix: Option<Mix>, view: &ViewOptions) {
        self.moment = (at, mix);
        let Self {
            subject,
            frame,
            rows,
            rows_revision,
            ..
        } = self;
        frame.fill_mixed(&**subject, at, mix, view);
        if *rows_revision != frame.list().revision() {
            *rows_revision = frame.list().revision();
            let z_order = |mesh: &MeshId| frame.shown(*mesh).map_or(0.0, |shown| shown.z_order);
            rows.sort_unstable_by(|a, b| z_order(b).total_cmp(&z_order(a)).then(b.cmp(a)));
        }
    }

    /// Returns the bounds of all frames of `animation`, or of the stored pose without one.
    pub(crate) fn bounds(
        &self,
        animation: Option<AnimationId>,
        view: &ViewOptions,
    ) -> Option<Bounds> {
        let plain = view.meshes.iter().all(|mesh| *mesh == MeshView::default());
        if plain && self.bind_choice == BindChoice::Auto && animation == self.loaded.measured {
            return self.loaded.bounds; // measured while it was loaded
        }
        measure::bounds(self.subject(), view, animation)
    }

    /// Returns the bone that controls the order and visibility of a mesh.
    pub(crate) fn owner(&self, mesh: MeshId) -> Option<BoneId> {
        self.subject.owner(mesh)
    }

    /// Returns order and visibility of a mesh in the frame on screen, with the overrides.
    pub(crate) fn shown(&self, mesh: MeshId) -> MeshOrder {
        self.frame.shown(mesh).unwrap_or_default()
    }

    /// Returns order and visibility of a mesh in the frame on screen, as authored in the file.
    pub(crate) fn authored(&self, mesh: MeshId) -> MeshOrder {
        self.frame.authored(mesh).unwrap_or_default()
    }

    /// Returns the drawn meshes, back to front.
    pub(crate) fn draws(&self) -> &[Draw] {
        self.frame.draws()
    }
}
