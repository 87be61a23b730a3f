//! Meshes in draw order, back to front, with the viewer's changes.

use crate::document::{BoneTransform, ImageId, MeshId};
use crate::pose::Mix;

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
