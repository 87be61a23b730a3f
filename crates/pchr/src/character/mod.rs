//! A character as a subject: a document, the pose that its vertices are stored in, and what depends on the file alone.

mod bone_curves;
mod bounds;

use std::sync::{Arc, OnceLock};

use crate::document::{
    AnimationId, Bone, BoneId, BoneTransform, Document, Image, ImageFault, ImageId, Images, Mesh,
    MeshId,
};
use crate::finding::{Finding, Findings};
use crate::pose::{
    BindChoice, BindPose, BindSource, FrameAt, Mix, Palettes, Pose, PoseJob, blended,
    default_animation,
};
use crate::scene::{
    Bounds, Clip, Curve, FileFacts, Geometry, KeyRows, Mark, MeshOrder, PlainSweep, Skinned,
    Subject, Sweep, ViewOptions,
};

pub use bounds::BoundsSweep;

/// A document that is posed from a bind pose. Clones share the document and everything derived from it.
#[derive(Clone, Debug)]
pub struct Character {
    document: Arc<Document>,
    bind: Arc<BindPose>,
    owners: Arc<OnceLock<Vec<Option<BoneId>>>>,
    first: Option<AnimationId>,
    /// Warnings of the document and others, if there are others.
    warnings: Option<Arc<Findings>>,
}

impl Character {
    /// A character with the bind pose that `choice` means.
    #[must_use]
    pub fn new(document: impl Into<Arc<Document>>, choice: BindChoice) -> Self {
        let document = document.into();
        Self {
            bind: Arc::new(BindPose::new(&document, choice)),
            document,
            owners: Arc::default(),
            first: None,
            warnings: None,
        }
    }

    /// Returns the same character with more warnings, about additions to its document. They come first.
    #[must_use]
    pub fn with_warnings(self, more: Findings) -> Self {
        let mut warnings = more;
        warnings.extend(self.document.warnings().clone());
        Self { warnings: Some(Arc::new(warnings)), ..self }
    }

    /// The same, with this animation to be shown first.
    #[must_use]
    pub fn with_first(self, first: Option<AnimationId>) -> Self {
        Self { first, ..self }
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// The pose that its vertices are stored in.
    #[must_use]
    pub fn bind(&self) -> &BindPose {
        &self.bind
    }

    /// The same with another bind pose.
    #[must_use]
    pub fn with_bind(&self, choice: BindChoice) -> Self {
        Self { bind: Arc::new(BindPose::new(&self.document, choice)), ..self.clone() }
    }

    /// The bone that each mesh follows in order and visibility, by mesh index. Found when it is first asked for.
    #[must_use]
    pub fn owners(&self) -> &[Option<BoneId>] {
        self.owners.get_or_init(|| owners(&self.document))
    }

    /// Returns the moment at which a frame of an animation is shown; `None` if there is no such animation.
    #[must_use]
    pub fn moment(&self, animation: &str, frame: u16) -> Option<FrameAt> {
        let animation = self.document.animation_named(animation)?;
        Some(FrameAt::exact(animation, frame))
    }

    /// Returns the bounds of what is drawn at a moment, or in the bind pose; `None` if nothing is.
    #[must_use]
    pub fn bounds(&self, at: Option<FrameAt>) -> Option<Bounds> {
        self.sweep(&ViewOptions::default()).over(&mut std::iter::once(at))
    }

    fn job(&self, at: Option<FrameAt>, mix: Option<Mix>) -> PoseJob<'_> {
        PoseJob { document: &self.document, bind: &self.bind, at, mix }
    }
}

/// A character with the bind pose that its document names, or is assumed to have.
impl From<Document> for Character {
    fn from(document: Document) -> Self {
        Self::new(document, BindChoice::Auto)
    }
}

impl Geometry for Document {
    fn mesh_count(&self) -> usize {
        self.meshes().len()
    }

    fn mesh(&self, id: MeshId) -> Option<Mesh<'_>> {
        self.mesh(id)
    }

    fn palette_len(&self) -> usize {
        self.bones().len()
    }

    fn fingerprint(&self) -> Option<u64> {
        Some(self.fingerprint())
    }
}

impl Images for Character {
    fn image_count(&self) -> usize {
        self.document.image_count()
    }

    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        self.document.image(id)
    }

    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding {
        self.document.image_finding(id, fault, message)
    }
}

impl Geometry for Character {
    fn mesh_count(&self) -> usize {
        self.document.mesh_count()
    }

    fn mesh(&self, id: MeshId) -> Option<Mesh<'_>> {
        self.document.mesh(id)
    }

    fn palette_len(&self) -> usize {
        self.document.palette_len()
    }

    fn fingerprint(&self) -> Option<u64> {
        Some(self.document.fingerprint())
    }
}

impl Subject for Character {
    fn bone_count(&self) -> usize {
        self.document.bones().len()
    }

    fn bone(&self, id: BoneId) -> Option<Bone<'_>> {
        self.document.bone(id)
    }

    fn owner(&self, mesh: MeshId) -> Option<BoneId> {
        self.owners().get(mesh.index()).copied().flatten()
    }

    fn pose(&self, at: Option<FrameAt>, pose: &mut Pose) {
        self.job(at, None).run(pose);
    }

    fn mixed(&self, at: FrameAt, mix: Mix, pose: &mut Pose) {
        self.job(Some(at), Some(mix)).run(pose);
    }

    fn palettes(&self, moments: &[FrameAt], palettes: &mut Palettes) -> bool {
        palettes.fill(&self.document, &self.bind, moments);
        self.bind.source() != BindSource::Absent
    }

    fn can_mix(&self) -> bool {
        true
    }

    /// A mesh follows its owner; one without is drawn at 0, and so are all without a frame.
    fn order(&self, at: Option<FrameAt>, order: &mut Vec<MeshOrder>) {
        let frame = at.and_then(|at| self.document.animation(at.animation)?.frame(at.frame));
        let of_owner = |owner: &Option<BoneId>| {
            let transform = owner.and_then(|owner| frame?.transform(owner));
            transform.map_or_else(MeshOrder::default, |transform| MeshOrder::of_owner(&transform))
        };
        order.extend(self.owners().iter().map(of_owner));
    }

    fn animation_count(&self) -> usize {
        self.document.animations().len()
    }

    fn animation(&self, id: AnimationId) -> Option<Clip<'_>> {
        let animation = self.document.animation(id)?;
        Some(Clip { name: animation.name(), timeline: animation.timeline() })
    }

    fn default_animation(&self) -> Option<AnimationId> {
        let first = self.first;
        first.or_else(|| default_animation(&self.document, &self.bind))
    }

    /// Without bones all frames are alike: they take no bytes, so a small file may announce a billion.
    fn distinct_frames(&self, id: AnimationId) -> u16 {
        let frames = self.document.animation(id).map_or(0, |a| a.frame_count());
        match self.bone_count() {
            0 => frames.min(1),
            _ => frames,
        }
    }

    fn sweep<'a>(&'a self, view: &'a ViewOptions) -> Box<dyn Sweep + 'a> {
        match view.mix {
            None => Box::new(BoundsSweep::new(self, view)),
            // Turns of a cross-fade reach farther than both of its moments.
            Some(_) => Box::new(PlainSweep::new(self, view)),
        }
    }

    fn file(&self) -> FileFacts<'_> {
        let fps = self.document.fps();
        FileFacts {
            format: self.document.source().name(),
            bytes: self.document.bytes().len() as u64,
            fps: (fps > 0).then_some(fps.into()),
        }
    }

    fn warnings(&self) -> &Findings {
        let warnings = self.warnings.as_deref();
        warnings.unwrap_or_else(|| self.document.warnings())
    }

    fn local(&self, bone: BoneId, at: FrameAt) -> Option<BoneTransform> {
        let animation = self.document.animation(at.animation)?;
        let here = animation.frame(at.frame)?.transform(bone)?;
        let next = animation.frame(at.next)?.transform(bone)?;
        Some(blended(&here, &next, at.blend))
    }

    fn curves(&self, bone: BoneId, animation: AnimationId) -> Vec<Curve> {
        let animation = self.document.animation(animation);
        animation.map(|it| bone_curves::curves(it, bone)).unwrap_or_default()
    }

    fn key_rows(&self, animation: AnimationId) -> KeyRows {
        self.document.animation(animation).map(bone_curves::rows).unwrap_or_default()
    }

    fn marks(&self, animation: AnimationId) -> Vec<Mark> {
        let animation = self.document.animation(animation);
        let marks = animation.map(|it| bone_curves::marks(&self.document, it, self.owners()));
        marks.unwrap_or_default()
    }

    fn skinned(&self) -> Option<&dyn Skinned> {
        Some(self)
    }
}

impl Skinned for Character {
    fn bind(&self) -> &BindPose {
        &self.bind
    }

    fn with_bind(&self, choice: BindChoice) -> Arc<dyn Subject> {
        Arc::new(Self::with_bind(self, choice))
    }

    fn bind_warnings(&self) -> Findings {
        let mut findings = Findings::default();
        self.bind.report(&self.document, &mut findings);
        findings
    }
}

/// The owner of each mesh: the bone with the largest sum of its weights (ties: the lowest index); `None` for a mesh
/// without any positive weight.
#[must_use]
pub fn owners(document: &Document) -> Vec<Option<BoneId>> {
    let mut sums = vec![0.0_f64; document.bones().len()];
    let mut touched = Vec::new();
    let mut owners = Vec::with_capacity(document.meshes().len());
    for mesh in document.meshes() {
        for vertex in mesh.vertices() {
            for (weight, id) in vertex.bone_weights.into_iter().zip(vertex.bone_ids) {
                if weight > 0.0
                    && let Some(sum) = sums.get_mut(usize::from(id))
                {
                    if *sum == 0.0 {
                        touched.push(id);
                    }
                    *sum += f64::from(weight);
                }
            }
        }
        let mut best: Option<(f64, u16)> = None;
        for id in touched.drain(..) {
            let sum = sums.get_mut(usize::from(id)).map(std::mem::take).unwrap_or_default();
            if best.is_none_or(|(most, owner)| sum > most || (sum == most && id < owner)) {
                best = Some((sum, id));
            }
        }
        owners.push(best.map(|(_, id)| BoneId(id)));
    }
    owners
}
