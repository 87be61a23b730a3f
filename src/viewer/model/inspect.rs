//! Queries of the panels: the tree of bones, and the parts under a point.

use pchr::document::{BoneId, BoneTransform};
use pchr::image::Pixels;
use pchr::overlay::{Flagged, flagged};
use pchr::scene::{Camera2d, Geometry, Pick, PickJob, PickScratch, Subject};

use super::Model;

/// The tree of bones.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Bones with their depths, parents before children.
    order: Vec<(BoneId, u16)>,
    /// True for a bone with children, by bone index.
    parents: Vec<bool>,
}

impl Tree {
    pub(super) fn new(subject: &dyn Subject) -> Self {
        let count = subject.bone_count();
        let mut children: Vec<Vec<BoneId>> = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for (i, bone) in (0..=u16::MAX).zip(subject.bones()) {
            match bone.parent().and_then(|at| children.get_mut(at.index())) {
                Some(siblings) => siblings.push(BoneId(i)),
                None => roots.push(BoneId(i)),
            }
        }
        let mut order = Vec::with_capacity(count);
        let mut open: Vec<(BoneId, u16)> = roots.into_iter().rev().map(|root| (root, 0)).collect();
        while let Some((bone, depth)) = open.pop() {
            order.push((bone, depth));
            let below = children.get(bone.index()).into_iter().flatten().rev();
            open.extend(below.map(|child| (*child, depth.saturating_add(1))));
        }
        Self {
            order,
            parents: children.iter().map(|below| !below.is_empty()).collect(),
        }
    }
}

impl Model {
    /// Returns all bones with their depths, parents before children.
    pub(crate) fn tree(&self) -> &[(BoneId, u16)] {
        &self.tree.order
    }

    /// Returns true if the bone has children.
    pub(crate) fn has_children(&self, bone: BoneId) -> bool {
        self.tree.parents.get(bone.index()).is_some_and(|is| *is)
    }

    /// Returns the meshes under a point of the picture, topmost first.
    pub(crate) fn picks(&self, at: [f64; 2], camera: Camera2d, size: [u32; 2]) -> Vec<Pick> {
        let images: Vec<&Pixels> = self.pixels().collect();
        let job = PickJob {
            geometry: self.subject(),
            frame: &self.frame,
            images: &images,
            camera: &camera,
            size,
        };
        job.all(at, &mut PickScratch::default()).collect()
    }

    /// Returns the four bones of the picked vertex with their weights, the strongest first.
    pub(crate) fn influences(&self, pick: &Pick) -> Vec<(BoneId, f32)> {
        let mesh = self.subject().mesh(pick.mesh);
        let vertex = mesh.and_then(|mesh| mesh.vertices().nth(pick.vertex.into()));
        let mut influences: Vec<(BoneId, f32)> = vertex
            .into_iter()
            .flat_map(|vertex| vertex.bone_ids.into_iter().zip(vertex.bone_weights))
            .map(|(bone, weight)| (BoneId(bone), weight))
            .collect();
        influences.sort_by(|a, b| b.1.total_cmp(&a.1));
        influences
    }

    /// Returns the weight of a bone at the picked vertex.
    pub(crate) fn weight_at(&self, pick: &Pick, bone: BoneId) -> f32 {
        let influences = self.influences(pick).into_iter();
        let of_bone = influences.filter(|(of, weight)| *of == bone && *weight > 0.0);
        of_bone.map(|(_, weight)| weight).sum()
    }

    /// Returns the local transform of a bone in the frame on screen, blended if frames are.
    pub(crate) fn local(&self, bone: BoneId) -> Option<BoneTransform> {
        self.subject.local(bone, self.frame.at()?)
    }

    /// Returns the vertices with odd weights. Counts them on the first call.
    pub(crate) fn flagged(&self) -> Flagged {
        let geometry: &dyn Geometry = self.subject();
        *self
            .flagged
            .get_or_init(|| flagged(geometry, geometry.mesh_ids()))
    }

    /// Returns the size of all images in bytes, without their smaller copies.
    pub(crate) fn image_bytes(&self) -> u64 {
        self.pixels().map(|pixels| pixels.rgba.len() as u64).sum()
    }

    fn pixels(&self) -> impl Iterator<Item = &Pixels> {
        self.images.iter().map(|levels| levels.base())
    }
}
