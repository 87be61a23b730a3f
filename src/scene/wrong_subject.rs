//! Frames that are drawn with the model of another subject.

use super::DrawList;
use crate::pose::Pose;

/// A frame that cannot be of a model's subject: nothing is drawn. The numbers of meshes and bones are compared, so a frame of a subject
/// that has as many of both is drawn.
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
    /// The instance was made for another model.
    #[error("the instance was made for another model")]
    Model,
}

impl WrongSubject {
    /// Checks that a frame can be of a subject with so many meshes, and so many matrices in its palette. A list that was never filled,
    /// and a pose that shows vertices as stored, are of any.
    pub(crate) fn check(
        list: &DrawList,
        pose: &Pose,
        meshes: usize,
        bones: usize,
    ) -> Result<(), Self> {
        let (of_frame, of_model) = (list.mesh_count(), meshes);
        if list.revision() > 0 && of_frame != of_model {
            return Err(Self::Meshes { of_frame, of_model });
        }
        let (of_frame, of_model) = (pose.world_from_bind().len(), bones);
        if pose.is_skinned() && of_frame != of_model {
            return Err(Self::Bones { of_frame, of_model });
        }
        Ok(())
    }
}
