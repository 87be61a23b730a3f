//! Actions that do something to one kind of content and nothing to another.

use super::{Action, CameraAction, FileAction, PartAction, PlaybackAction};
use crate::viewer::action::LookAction;
use crate::viewer::kind::Kind;
use crate::viewer::switch::Switch;
use crate::viewer::tab::Tab;
use crate::viewer::target::Target;

impl Action {
    /// Returns whether it does anything to what is open.
    pub(crate) fn concerns(&self, kind: Kind) -> bool {
        match kind {
            Kind::Character => !self.is_of_space(),
            Kind::Atlas => !self.is_of_space() && !self.is_of_plane_bones(),
            Kind::Motion => !self.is_of_the_plane(),
        }
    }

    /// Returns true for what needs bones that move in space.
    fn is_of_space(&self) -> bool {
        match self {
            Self::Toggle(switch) => matches!(
                switch,
                Switch::Axes | Switch::Path | Switch::InPlace | Switch::Perspective | Switch::ZUp
            ),
            Self::Camera(action) => matches!(
                action,
                CameraAction::Turn(_)
                    | CameraAction::TurnBy(_)
                    | CameraAction::Face(_)
                    | CameraAction::Center(..)
            ),
            Self::Looking(action) => action.goes_to(Tab::Motions),
            Self::Files(FileAction::ChooseSkeleton) => true,
            _ => false,
        }
    }

    /// Returns true for what needs bones, or the list of meshes, of a subject that may have neither.
    fn is_of_plane_bones(&self) -> bool {
        matches!(
            self,
            Self::Playback(PlaybackAction::Bind(_) | PlaybackAction::BindHere)
                | Self::Toggle(
                    Switch::Bones
                        | Switch::Trail
                        | Switch::Weights
                        | Switch::Curves
                        | Switch::LiveOrder
                        | Switch::Follow
                )
                | Self::Parts(
                    PartAction::HideBone(..)
                        | PartAction::HideChosenBone(_)
                        | PartAction::TraceVertex
                )
        ) || matches!(self, Self::Looking(action) if action.goes_to(Tab::Bones))
            || matches!(
                self,
                Self::Looking(
                    LookAction::Fade(_) | LookAction::WalkFade(_) | LookAction::CycleFadeCurve
                )
            )
    }

    /// Returns true for what needs meshes, or a plane that they lie in.
    fn is_of_the_plane(&self) -> bool {
        match self {
            Self::Toggle(switch) => matches!(
                switch,
                Switch::Bones
                    | Switch::Wireframe
                    | Switch::Bounds
                    | Switch::Order
                    | Switch::LiveOrder
                    | Switch::Weights
                    | Switch::Atlas
                    | Switch::Nearest
                    | Switch::Ruler
                    | Switch::YDown
            ),
            Self::Camera(action) => *action == CameraAction::ActualSize,
            Self::Playback(action) => {
                matches!(action, PlaybackAction::Bind(_) | PlaybackAction::BindHere)
            }
            Self::Parts(action) => matches!(
                action,
                PartAction::ToggleChosen
                    | PartAction::SoloChosen
                    | PartAction::HideBone(..)
                    | PartAction::HideChosenBone(_)
                    | PartAction::TraceVertex
                    | PartAction::ShowAll(_)
                    | PartAction::ResetMeshes
            ),
            Self::Ruler(_) => true,
            Self::Looking(action) => {
                action.goes_to(Tab::Meshes) || *action == LookAction::GoTo(Target::Animations)
            }
            _ => false,
        }
    }
}
