//! The document on show, posed: what the panels list and the renderer draws.

mod inspect;

use std::cell::OnceCell;
use std::sync::Arc;

use self::inspect::Tree;
use super::load::Loaded;
use crate::document::{AnimationId, BoneId, Document, Finding, MeshId};
use crate::overlay::Flagged;
use crate::pose::playback::default_animation;
use crate::pose::{BindChoice, BindPose, FrameAt, Pose, PoseJob};
use crate::scene::{Bounds, BoundsJob, Draw, Scene, ViewOptions};

/// Vertices that a fit looks at before it begins to skip frames, so that it never takes noticeably long.
const FIT_WORK: usize = 4_000_000;

/// A loaded document and the frame of it that is on screen.
#[derive(Debug)]
pub(crate) struct Model {
    loaded: Arc<Loaded>,
    serial: u64,
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
        let bind = BindPose::new(&loaded.document, bind_choice);
        Self {
            serial,
            bind_choice,
            bind,
            pose: Pose::default(),
            scene: Scene::new(&loaded.document),
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

    pub(crate) fn loaded(&self) -> &Loaded {
        &self.loaded
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
        self.loaded.image_findings.iter().chain(warnings)
    }

    /// The animation that is shown when nothing else is asked for.
    pub(crate) fn default_animation(&self) -> Option<AnimationId> {
        default_animation(&self.loaded.document, &self.bind)
    }

    /// The animation called `text`, or with that index.
    pub(crate) fn find_animation(&self, text: &str) -> Option<AnimationId> {
        let document = self.document();
        let named = document
            .animation_ids()
            .zip(document.animations())
            .find(|(_, a)| a.name() == text);
        named.map(|(id, _)| id).or_else(|| {
            let id = AnimationId(text.trim().parse().ok()?);
            document.animation(id).map(|_| id)
        })
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
        let document = &loaded.document;
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
        let document = self.document();
        let job = BoundsJob {
            document,
            bind: &self.bind,
            view,
        };
        let playable = animation.and_then(|id| Some((id, document.animation(id)?.frame_count())));
        let Some((id, count)) = playable.filter(|(_, count)| *count > 0) else {
            return job.run([None]);
        };
        let vertices: usize = document.meshes().map(|mesh| mesh.vertex_count()).sum();
        let stride = (vertices * usize::from(count))
            .div_ceil(FIT_WORK)
            .clamp(1, usize::from(count));
        job.run(
            (0..count)
                .step_by(stride)
                .map(|frame| Some(FrameAt::exact(id, frame))),
        )
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
