//! Actions of the group [`Action::Parts`](super::Action::Parts).

use pchr::document::{BoneId, MeshId};

use crate::viewer::order::Direction;
use crate::viewer::tab::Tab;

/// Showing, ordering and choosing meshes and bones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PartAction {
    /// Always shows or always hides a mesh, or follows the frame.
    ShowMesh(MeshId, Option<bool>),
    /// Shows this mesh alone; a second time restores the others.
    Solo(MeshId),
    /// Shows or hides all meshes whatever the frame says.
    ShowAll(bool),
    /// Lets a mesh change places with its neighbour in the draw order.
    MoveMesh(MeshId, Direction),
    /// Gives a mesh a place in the draw order: 0 is topmost.
    PlaceMesh(MeshId, usize),
    /// Gives a mesh back to the file.
    ResetMesh(MeshId),
    /// Gives all meshes back to the file.
    ResetMeshes,
    /// Hides or shows the selected mesh.
    ToggleChosen,
    /// Shows the selected mesh alone, or what was shown before.
    SoloChosen,
    /// Hides the meshes that a bone moves most, or gives them back to the file; true also for the bones below it.
    HideBone(BoneId, bool),
    /// The same for the selected bone.
    HideChosenBone(bool),
    /// Chooses a mesh, or none.
    ChooseMesh(Option<MeshId>),
    /// Chooses a bone, or none.
    ChooseBone(Option<BoneId>),
    /// Chooses the topmost item under a point of the picture, in screen pixels.
    Pick([f64; 2]),
    /// Chooses the topmost part under a point of the picture, in screen pixels, unless what is chosen lies there, too.
    PickTop([f64; 2]),
    /// Chooses the bone at a point of the picture, or within this many screen pixels of it.
    PickBone([f64; 2], f64),
    /// Shows the trail of the vertex nearest to the clicked point, or that of the bone again.
    TraceVertex,
    /// Chooses nothing.
    ChooseNothing,
    /// Folds the bones below a bone away, or shows them.
    Fold(BoneId),
    /// Folds the sprites of a folder away, or shows them.
    FoldFolder(Box<str>),
    /// The pointer is over the list of meshes, or no longer: there rows keep their places.
    PointAtMeshes(bool),
    /// Only parts whose name holds this are listed.
    Filter(Tab, String),
}

impl PartAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::ShowMesh(_, Some(false)) => "Hide",
            Self::ShowMesh(..) => "Show",
            Self::Solo(_) => "Isolate",
            Self::ShowAll(true) => "Show all meshes",
            Self::ShowAll(false) => "Hide all meshes",
            Self::MoveMesh(_, Direction::Up) => "Move up",
            Self::MoveMesh(_, Direction::Down) => "Move down",
            Self::PlaceMesh(..) => "Move in the draw order",
            Self::ResetMesh(_) => "Reset",
            Self::ResetMeshes => "Reset all meshes",
            Self::ToggleChosen => "Hide or show the selected mesh",
            Self::SoloChosen => "Isolate the selected mesh",
            Self::HideBone(_, false) => "Hide or show a bone",
            Self::HideBone(_, true) => "Hide or show a bone and those below",
            Self::HideChosenBone(false) => "Hide or show the selected bone",
            Self::HideChosenBone(true) => "Hide or show the selected bone and those below",
            Self::ChooseMesh(_) => "Select a mesh",
            Self::ChooseBone(_) => "Select a bone",
            Self::Pick(_) | Self::PickTop(_) | Self::PickBone(..) => {
                "Select what is under the pointer"
            }
            Self::TraceVertex => "Trail of the clicked vertex",
            Self::ChooseNothing => "Clear selection",
            Self::Fold(_) | Self::FoldFolder(_) => "Fold",
            Self::PointAtMeshes(_) => "Point at the list of meshes",
            Self::Filter(..) => "Filter",
        }
    }
}
