//! Meshes back to front, as a frame and the viewer's wishes have them.

use crate::document::{ImageId, MeshId};

/// What the viewer wants otherwise than the file: one entry a mesh; missing entries change nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewOptions {
    /// By mesh index.
    pub meshes: Vec<MeshView>,
    /// True if the movement of a whole model is left out.
    pub in_place: bool,
}

/// What the viewer wants otherwise for one mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshView {
    /// Shown or not, whatever the frame says.
    pub visible: Option<bool>,
    /// Draw order instead of the owner's `zOrder`; fractions lie between.
    pub z_order: Option<f64>,
}

/// One mesh to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    /// The mesh.
    pub mesh: MeshId,
    /// The image that it is drawn from.
    pub image: ImageId,
}

/// Meshes in the order in which they are drawn: ascending `(zOrder, mesh index)`, visible ones only.
#[derive(Clone, Debug, Default)]
pub struct DrawList {
    draws: Vec<Draw>,
    revision: u64,
}

impl DrawList {
    /// The meshes, back to front.
    #[must_use]
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// A number that changes whenever the list does, within one [`super::Frame`].
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Sorts anew; `order` has one entry a mesh.
    pub(super) fn sort(
        &mut self,
        order: &[MeshOrder],
        image_of: impl Fn(MeshId) -> Option<ImageId>,
    ) {
        self.revision = self.revision.wrapping_add(1);
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
    /// Meshes with more lie in front; of equal ones the later mesh does. Fractions come from [`MeshView::z_order`].
    pub z_order: f64,
}

impl Default for MeshOrder {
    /// Drawn, at 0.
    fn default() -> Self {
        Self {
            visible: true,
            z_order: 0.0,
        }
    }
}
