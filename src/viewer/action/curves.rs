//! Actions of the group [`Action::Curves`](super::Action::Curves).

use pchr::scene::CurveKind;

/// Looking at curves and keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CurvesAction {
    /// The panel has another height, in logical pixels.
    Height(f32),
    /// Shows the keys of all bones, or the curves of the chosen one.
    Keys(bool),
    /// Shows or hides curves of a kind.
    Show(CurveKind),
    /// First and last frame in sight, or all.
    Frames(Option<[f64; 2]>),
    /// Least and largest value of a kind in sight, or all.
    Values(CurveKind, Option<[f64; 2]>),
    /// Shows all frames and all values.
    Fit,
}

impl CurvesAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Height(_) => "Resize the curves",
            Self::Keys(true) => "Keys of all bones",
            Self::Keys(false) => "Curves",
            Self::Show(_) => "Show curves of a kind",
            Self::Frames(_) => "Zoom the frames",
            Self::Values(..) => "Zoom the values",
            Self::Fit => "Fit the curves",
        }
    }
}
