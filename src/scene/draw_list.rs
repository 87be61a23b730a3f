//! Meshes back to front, as a frame and the viewer's wishes have them.

use super::owner::owners;
use crate::document::{BoneId, Document, Frame, ImageId, MeshId};
use crate::pose::Pose;

/// What the viewer wants otherwise than the file: one entry a mesh; missing entries change nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewOptions {
    /// By mesh index.
    pub meshes: Vec<MeshView>,
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

    /// A number that changes whenever the list does, within one [`Scene`].
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

/// Draw order of one mesh in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    visible: bool,
    z_order: f64,
}

/// Builds the draw list of a document, frame by frame. Sorts only when order or visibility changed.
#[derive(Clone, Debug)]
pub struct Scene {
    owners: Vec<Option<BoneId>>,
    images: Vec<ImageId>,
    keys: Vec<Key>,
    list: DrawList,
}

impl Scene {
    /// Finds the owners; the list is empty until the first [`Self::build`].
    #[must_use]
    pub fn new(document: &Document) -> Self {
        let images: Vec<ImageId> = document.meshes().map(|mesh| mesh.image()).collect();
        let draws = Vec::with_capacity(images.len());
        Self {
            owners: owners(document),
            keys: vec![
                Key {
                    visible: false,
                    z_order: 0.0
                };
                images.len()
            ],
            images,
            list: DrawList { draws, revision: 0 },
        }
    }

    /// The bone that each mesh follows in order and visibility, by mesh index.
    #[must_use]
    pub fn owners(&self) -> &[Option<BoneId>] {
        &self.owners
    }

    /// The list as it was built last.
    #[must_use]
    pub fn list(&self) -> &DrawList {
        &self.list
    }

    /// Draw order of a mesh as it was built last; fractions come from [`MeshView::z_order`].
    #[must_use]
    pub fn z_order(&self, mesh: MeshId) -> Option<f64> {
        self.keys.get(mesh.index()).map(|key| key.z_order)
    }

    /// Whether a mesh is drawn, as it was built last.
    #[must_use]
    pub fn visible(&self, mesh: MeshId) -> bool {
        self.keys.get(mesh.index()).is_some_and(|key| key.visible)
    }

    /// The draw list of a pose. `document` is the one that the scene was made for.
    pub fn build(&mut self, document: &Document, pose: &Pose, view: &ViewOptions) -> &DrawList {
        let frame = pose
            .at()
            .and_then(|at| document.animation(at.animation)?.frame(at.frame));
        let mut changed = self.list.revision == 0;
        for (i, (key, owner)) in self.keys.iter_mut().zip(&self.owners).enumerate() {
            let mut now = authored(frame, *owner);
            if let Some(view) = view.meshes.get(i) {
                now.visible = view.visible.unwrap_or(now.visible);
                now.z_order = view.z_order.unwrap_or(now.z_order);
            }
            changed |= now != *key;
            *key = now;
        }
        if changed {
            self.sort();
        }
        &self.list
    }

    fn sort(&mut self) {
        let list = &mut self.list;
        list.revision = list.revision.wrapping_add(1);
        list.draws.clear();
        let visible = (0..=u16::MAX)
            .zip(&self.images)
            .zip(&self.keys)
            .filter(|(_, key)| key.visible);
        list.draws.extend(visible.map(|((id, image), _)| Draw {
            mesh: MeshId(id),
            image: *image,
        }));
        let z_order = |draw: &Draw| {
            self.keys
                .get(draw.mesh.index())
                .map_or(0.0, |key| key.z_order)
        };
        // Unstable sorting does not allocate; the mesh index makes the order total.
        list.draws
            .sort_unstable_by(|a, b| z_order(a).total_cmp(&z_order(b)).then(a.mesh.cmp(&b.mesh)));
    }
}

/// A mesh without an owner, or a document without frames, is visible at 0.
fn authored(frame: Option<Frame<'_>>, owner: Option<BoneId>) -> Key {
    match owner.and_then(|owner| frame?.transform(owner)) {
        Some(transform) => Key {
            visible: transform.visible(),
            z_order: transform.z_order.into(),
        },
        None => Key {
            visible: true,
            z_order: 0.0,
        },
    }
}
