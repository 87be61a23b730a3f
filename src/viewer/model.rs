//! The document on show, posed: what the panels list and the renderer draws.

mod inspect;

use std::cell::OnceCell;
use std::sync::Arc;

use self::inspect::Tree;
use super::load::{Loaded, LoadedImage};
use super::measure;
use crate::document::{AnimationId, BoneId, Document, Finding, MeshId};
use crate::image::Levels;
use crate::overlay::Flagged;
use crate::pose::{BindChoice, BindPose, FrameAt, Pose, PoseJob, default_animation};
use crate::scene::{Bounds, Draw, MeshView, Scene, ViewOptions};

/// A loaded document and the frame of it that is on screen.
#[derive(Debug)]
pub(crate) struct Model {
    loaded: Arc<Loaded>,
    serial: u64,
    /// Those that came later stand in their places.
    images: Vec<Arc<Levels>>,
    pending: usize,
    late_findings: Vec<Finding>,
    bind_choice: BindChoice,
    bind: BindPose,
    pose: Pose,
    scene: Scene,
    rows: Vec<MeshId>,
    rows_revision: u64,
    tree: Tree,
    flagged: OnceCell<Flagged>,
}

impl Model {
    /// `serial` tells the models of a session apart.
    pub(crate) fn new(loaded: Arc<Loaded>, serial: u64, bind_choice: BindChoice) -> Self {
        let bind = match bind_choice {
            BindChoice::Auto => loaded.bind.clone(),
            chosen => BindPose::new(&loaded.document, chosen),
        };
        Self {
            serial,
            images: loaded.images.clone(),
            pending: loaded.pending,
            late_findings: Vec::new(),
            bind_choice,
            bind,
            pose: Pose::default(),
            scene: loaded.scene.clone(),
            rows: loaded.document.mesh_ids().collect(),
            rows_revision: 0,
            tree: Tree::new(&loaded.document),
            flagged: OnceCell::new(),
            loaded,
        }
    }

    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    pub(crate) fn loaded(&self) -> &Arc<Loaded> {
        &self.loaded
    }

    /// One an image; transparent as long as it is not decoded.
    pub(crate) fn images(&self) -> &[Arc<Levels>] {
        &self.images
    }

    /// How many images are not decoded yet.
    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// An image was decoded that the first picture did not need.
    pub(crate) fn set_image(&mut self, late: LoadedImage) {
        if let Some(place) = self.images.get_mut(late.image.index()) {
            *place = late.levels;
            self.pending = self.pending.saturating_sub(1);
            self.late_findings.extend(late.findings);
        }
    }

    pub(crate) fn document(&self) -> &Document {
        &self.loaded.document
    }

    pub(crate) fn bind(&self) -> &BindPose {
        &self.bind
    }

    pub(crate) fn bind_choice(&self) -> BindChoice {
        self.bind_choice
    }

    pub(crate) fn set_bind(&mut self, choice: BindChoice) {
        self.bind_choice = choice;
        self.bind = BindPose::new(&self.loaded.document, choice);
    }

    pub(crate) fn pose(&self) -> &Pose {
        &self.pose
    }

    pub(crate) fn scene(&self) -> &Scene {
        &self.scene
    }

    /// All meshes, topmost first, as the frame on screen and the overrides have them.
    pub(crate) fn rows(&self) -> &[MeshId] {
        &self.rows
    }

    /// What is odd about the file, short of an error that keeps it from being shown.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let warnings = self.loaded.document.warnings().iter();
        let images = self.loaded.image_findings.iter();
        images.chain(&self.late_findings).chain(warnings)
    }

    /// How many of those are about images.
    pub(crate) fn image_finding_count(&self) -> usize {
        let early = self.loaded.image_findings.len();
        early.saturating_add(self.late_findings.len())
    }

    /// The animation that is shown when nothing else is asked for.
    pub(crate) fn default_animation(&self) -> Option<AnimationId> {
        default_animation(&self.loaded.document, &self.bind)
    }

    /// The animation called `text`, or with that index.
    pub(crate) fn find_animation(&self, text: &str) -> Option<AnimationId> {
        measure::find_animation(self.document(), text)
    }

    /// Poses the frame and orders its meshes.
    pub(crate) fn show(&mut self, at: Option<FrameAt>, view: &ViewOptions) {
        let Self {
            loaded,
            bind,
            pose,
            scene,
            rows,
            rows_revision,
            ..
        } = self;
        let document = loaded.document.as_ref();
        PoseJob { document, bind, at }.run(pose);
        scene.build(document, pose, view);
        if *rows_revision != scene.list().revision() {
            *rows_revision = scene.list().revision();
            let z_order = |mesh: &MeshId| scene.z_order(*mesh).unwrap_or(0.0);
            rows.sort_unstable_by(|a, b| z_order(b).total_cmp(&z_order(a)).then(b.cmp(a)));
        }
    }

    /// What the frames of `animation` cover; the stored pose without one.
    pub(crate) fn bounds(
        &self,
        animation: Option<AnimationId>,
        view: &ViewOptions,
    ) -> Option<Bounds> {
        let plain = view.meshes.iter().all(|mesh| *mesh == MeshView::default());
        if plain && self.bind_choice == BindChoice::Auto && animation == self.loaded.measured {
            return self.loaded.bounds; // measured while it was loaded
        }
        let scene = self.loaded.scene.clone();
        measure::bounds(self.document(), &self.bind, scene, view, animation)
    }

    /// The bone that decides about a mesh.
    pub(crate) fn owner(&self, mesh: MeshId) -> Option<BoneId> {
        self.scene.owners().get(mesh.index()).copied().flatten()
    }

    /// Whether the file itself shows a mesh in the frame on screen, and at which draw order.
    pub(crate) fn authored(&self, mesh: MeshId) -> (bool, i16) {
        let frame = self
            .pose
            .at()
            .and_then(|at| self.document().animation(at.animation)?.frame(at.frame));
        let transform = self.owner(mesh).and_then(|owner| frame?.transform(owner));
        transform.map_or((true, 0), |transform| {
            (transform.visible(), transform.z_order)
        })
    }

    /// Meshes that are drawn, back to front.
    pub(crate) fn draws(&self) -> &[Draw] {
        self.scene.list().draws()
    }
}
