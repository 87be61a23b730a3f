//! Frames that are drawn with the model of another subject.

use super::{DrawList, Geometry};
use crate::pose::Pose;

/// A frame that cannot be of a model's subject: nothing is drawn. The numbers of meshes and bones are compared, and
/// [`super::Geometry::fingerprint`] if both have one, so that a frame is drawn with equal meshes only. Images may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrongSubject {
    /// The draw list is of a subject with another number of meshes.
    #[error("the frame is of a subject with {of_frame} meshes, but the model has {of_model}")]
    Meshes {
        /// Meshes of the frame's subject.
        of_frame: usize,
        /// Meshes of the model.
        of_model: usize,
    },
    /// The pose is of a subject with another number of bones.
    #[error("the pose has {of_frame} bones, but the model has {of_model}")]
    Bones {
        /// Bones of the pose.
        of_frame: usize,
        /// Bones of the model.
        of_model: usize,
    },
    /// The draw list is of a subject with other meshes.
    #[error("the frame is of another subject: its meshes are not those of the model")]
    Geometry,
    /// The instance was made for another model.
    #[error("the instance was made for another model")]
    Model,
}

impl WrongSubject {
    /// Checks that a frame can be of a subject with such `facts`. A list that was never filled, and a pose that shows vertices as
    /// stored, are of any.
    pub(crate) fn check(list: &DrawList, pose: &Pose, facts: GeometryFacts) -> Result<(), Self> {
        let GeometryFacts { meshes, bones, fingerprint } = facts;
        let (of_frame, of_model) = (list.mesh_count(), meshes);
        if list.revision() > 0 && of_frame != of_model {
            return Err(Self::Meshes { of_frame, of_model });
        }
        let (of_frame, of_model) = (pose.world_from_bind().len(), bones);
        if pose.is_skinned() && of_frame != of_model {
            return Err(Self::Bones { of_frame, of_model });
        }
        match (list.fingerprint(), fingerprint) {
            (Some(of_frame), Some(of_model)) if list.revision() > 0 && of_frame != of_model => {
                Err(Self::Geometry)
            }
            _ => Ok(()),
        }
    }
}

/// Facts about the subject of a model, which frames are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeometryFacts {
    pub(crate) meshes: usize,
    /// Matrices in the palette.
    pub(crate) bones: usize,
    pub(crate) fingerprint: Option<u64>,
}

impl GeometryFacts {
    pub(crate) fn of(geometry: &dyn Geometry) -> Self {
        Self {
            meshes: geometry.mesh_count(),
            bones: geometry.palette_len(),
            fingerprint: geometry.fingerprint(),
        }
    }
}
