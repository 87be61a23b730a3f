//! A subject at a moment, ready to be drawn: its pose, and its meshes back to front.

use super::spatial::SpatialPose;
use super::subject::Subject;
use crate::document::{BoneTransform, ImageId, MeshId};
#[cfg(feature = "png")]
use crate::image::Tint;
use crate::pose::{FrameAt, LocalPose, Mix, Pose};

/// Pose and draw list of a subject at a moment. Reuses its memory, and sorts only if order or visibility changed.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pose: Pose,
    spatial: SpatialPose,
    in_place: bool,
    authored: Vec<MeshOrder>,
    shown: Vec<MeshOrder>,
    list: DrawList,
}

impl Frame {
    /// Creates a frame for a moment of `subject`, with the changes of `view`.
    #[must_use]
    pub fn new(subject: &dyn Subject, at: Option<FrameAt>, view: &ViewOptions) -> Self {
        let mut frame = Self::default();
        frame.fill(subject, at, view);
        frame
    }

    /// Fills it for a moment of `subject`, with the changes of `view`. A moment that does not exist counts as `None`: vertices as
    /// stored, and every mesh.
    pub fn fill(&mut self, subject: &dyn Subject, at: Option<FrameAt>, view: &ViewOptions) {
        self.fill_mixed(subject, at, view.mix, view);
    }

    /// Fills it for a cross-fade from a moment of `subject`, instead of that of `view`.
    pub fn fill_mixed(
        &mut self,
        subject: &dyn Subject,
        at: Option<FrameAt>,
        mix: Option<Mix>,
        view: &ViewOptions,
    ) {
        let mixed = at.zip(mix);
        match mixed {
            Some((at, mix)) => subject.mixed(at, mix, &mut self.pose),
            None => subject.pose(at, &mut self.pose),
        }
        match (subject.spatial(), mixed) {
            (Some(spatial), Some((at, mix))) => {
                spatial.mixed(at, mix, view.in_place, &mut self.spatial);
            }
            (Some(spatial), None) => spatial.pose(at, view.in_place, &mut self.spatial),
            (None, _) => self.spatial.clear(),
        }
        {
            self.in_place = view.in_place;
        }
        subject.order(self.pose.at(), &mut self.authored);
        self.arrange(subject, view);
    }

    /// Fills it for a pose that the caller made of local transforms, which also determine the order and visibility of meshes.
    /// Returns false, and shows the vertices as stored, if `subject` has no bind pose, if that is
    /// [`BindSource::Absent`](crate::pose::BindSource::Absent), or if `locals` has another number of bones, such as those of another
    /// character or of a frame that does not exist. `view.mix` is ignored: blend with
    /// [`LocalPose::blend_towards`](crate::pose::LocalPose::blend_towards), then override bones.
    pub fn fill_with(
        &mut self,
        subject: &dyn Subject,
        locals: &LocalPose,
        view: &ViewOptions,
    ) -> bool {
        self.spatial.clear();
        let bind = subject.bind();
        let bones = locals.transforms().len();
        match bind.filter(|bind| bind.bone_from_bind().len() == bones) {
            Some(bind) => self.pose.set_locals(bind, locals),
            None => self.pose.set_stored(None),
        }
        let geometry: &dyn super::Geometry = subject;
        self.authored.clear();
        self.authored.extend(geometry.mesh_ids().map(|mesh| {
            let owner = subject.owner(mesh).and_then(|owner| locals.get(owner));
            owner.map_or_else(MeshOrder::default, MeshOrder::of_owner)
        }));
        self.arrange(subject, view);
        self.pose.is_skinned()
    }

    /// Sorts the meshes, if order or visibility changed.
    fn arrange(&mut self, subject: &dyn Subject, view: &ViewOptions) {
        self.list.set_fingerprint(subject.fingerprint());
        let mut changed = self.list.revision() == 0 || self.shown.len() != self.authored.len();
        self.shown.resize(self.authored.len(), MeshOrder::default());
        for (i, (shown, authored)) in self.shown.iter_mut().zip(&self.authored).enumerate() {
            let mut now = *authored;
            if let Some(view) = view.meshes.get(i) {
                now.visible = view.visible.unwrap_or(now.visible);
                now.z_order = view.z_order.unwrap_or(now.z_order);
            }
            changed |= now != *shown;
            *shown = now;
        }
        if changed {
            let image_of = |mesh| (subject as &dyn super::Geometry).image_of(mesh);
            self.list.sort(&self.shown, image_of);
        }
    }

    /// Returns the moment; `None` if there is none: after [`Self::fill`] without a moment that exists, and after [`Self::fill_with`].
    /// [`Pose::is_skinned`] says whether the vertices are moved or shown as stored.
    #[must_use]
    pub fn at(&self) -> Option<FrameAt> {
        self.pose.at()
    }

    /// Returns the palette and the bones' transforms.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns the pose of bones in space; empty if the subject has none that move in space.
    #[must_use]
    pub fn spatial(&self) -> &SpatialPose {
        &self.spatial
    }

    /// Returns true if [`Self::spatial`] leaves out the movement of the whole model.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.in_place
    }

    /// Returns the meshes in draw order.
    #[must_use]
    pub fn list(&self) -> &DrawList {
        &self.list
    }

    /// Returns the drawn meshes, back to front.
    #[must_use]
    pub fn draws(&self) -> &[Draw] {
        self.list.draws()
    }

    /// Returns the order and visibility of a mesh as shown; `None` if there is no such mesh.
    #[must_use]
    pub fn shown(&self, mesh: MeshId) -> Option<MeshOrder> {
        self.shown.get(mesh.index()).copied()
    }

    /// Returns the order and visibility of a mesh as authored; `None` if there is no such mesh.
    #[must_use]
    pub fn authored(&self, mesh: MeshId) -> Option<MeshOrder> {
        self.authored.get(mesh.index()).copied()
    }
}

/// Changes that a program makes to a subject as it is shown: meshes that it hides or reorders, and a cross-fade. By default none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewOptions {
    /// Changes per mesh, by mesh index. Missing entries change nothing.
    pub meshes: Vec<MeshView>,
    /// True to leave out the movement of the whole model.
    pub in_place: bool,
    /// Cross-fade from the moment that is shown to another.
    pub mix: Option<Mix>,
}

impl ViewOptions {
    /// Returns the changes to a mesh, to be made.
    ///
    /// ```
    /// # use pchr::{document::MeshId, scene::ViewOptions};
    /// # let hat = MeshId(3);
    /// let mut view = ViewOptions::default();
    /// view.mesh_mut(hat).visible = Some(false);
    /// ```
    pub fn mesh_mut(&mut self, mesh: MeshId) -> &mut MeshView {
        let index = mesh.index();
        if self.meshes.len() <= index {
            self.meshes.resize(index + 1, MeshView::default());
        }
        #[expect(clippy::indexing_slicing, reason = "it has that many")]
        &mut self.meshes[index]
    }
}

/// Changes that a program makes to one mesh; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshView {
    /// Overrides the visibility that the frame states.
    pub visible: Option<bool>,
    /// Overrides the owner's `zOrder`. Fractions lie between whole orders.
    pub z_order: Option<f64>,
}

/// One mesh to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    /// The mesh.
    pub mesh: MeshId,
    /// Image with its texels.
    pub image: ImageId,
}

/// Visible meshes in draw order: ascending `(zOrder, mesh index)`.
#[derive(Clone, Debug, Default)]
pub struct DrawList {
    draws: Vec<Draw>,
    meshes: usize,
    /// Fingerprint of its subject's meshes, if known.
    fingerprint: Option<u64>,
    revision: u64,
}

impl DrawList {
    /// Returns the meshes, back to front.
    #[must_use]
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// Returns a number that changes whenever the list does, within one [`super::Frame`].
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the number of meshes of its subject, visible or not.
    #[must_use]
    pub fn mesh_count(&self) -> usize {
        self.meshes
    }

    /// Returns the [fingerprint](super::Geometry::fingerprint) of its subject, if known.
    #[must_use]
    pub fn fingerprint(&self) -> Option<u64> {
        self.fingerprint
    }

    /// Notes the subject that it is filled for.
    pub(super) fn set_fingerprint(&mut self, fingerprint: Option<u64>) {
        self.fingerprint = fingerprint;
    }

    /// Sorts the list again; `order` has one entry per mesh.
    pub(super) fn sort(
        &mut self,
        order: &[MeshOrder],
        image_of: impl Fn(MeshId) -> Option<ImageId>,
    ) {
        self.revision = self.revision.wrapping_add(1);
        self.meshes = order.len();
        self.draws.clear();
        self.draws.reserve(order.len()); // so that showing more meshes later allocates nothing
        let meshes = (0..=u16::MAX).map(MeshId).zip(order);
        let visible = meshes.filter(|(_, order)| order.visible);
        self.draws.extend(visible.filter_map(|(mesh, _)| {
            let image = image_of(mesh)?;
            Some(Draw { mesh, image })
        }));
        let z_order = |draw: &Draw| {
            order
                .get(draw.mesh.index())
                .map_or(0.0, |order| order.z_order)
        };
        // Unstable sorting does not allocate; the mesh index makes the order total.
        self.draws
            .sort_unstable_by(|a, b| z_order(a).total_cmp(&z_order(b)).then(a.mesh.cmp(&b.mesh)));
    }
}

/// Draw order and visibility of one mesh at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshOrder {
    /// False for a mesh that is not drawn.
    pub visible: bool,
    /// Draw order: higher values lie in front, and of equal ones the later mesh does. Fractions come from [`MeshView::z_order`].
    pub z_order: f64,
}

impl MeshOrder {
    /// Returns order and visibility that a bone's transform states for its meshes.
    #[must_use]
    pub fn of_owner(transform: &BoneTransform) -> Self {
        Self {
            visible: transform.visible(),
            z_order: transform.z_order.into(),
        }
    }
}

impl Default for MeshOrder {
    /// Returns a visible mesh with draw order 0.
    fn default() -> Self {
        Self {
            visible: true,
            z_order: 0.0,
        }
    }
}

/// A whole frame that lies under the current one: drawn as a layer of its own, which is tinted and laid down as one, so that no
/// part of it shows through another.
#[cfg(feature = "png")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ghost {
    /// Its moment.
    pub at: FrameAt,
    /// Colour and opacity of the layer.
    pub tint: Tint,
}
