//! Actions of the group [`Action::Ruler`](super::Action::Ruler).

/// Measuring in the plane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RulerAction {
    /// Begins at a point of the picture, in screen pixels.
    From([f64; 2]),
    /// Ends at a point of the picture, in screen pixels; true keeps to multiples of 15°.
    To([f64; 2], bool),
    /// Measures the selected bone from joint to joint, or the selected mesh from corner to corner.
    Chosen,
}

impl RulerAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::From(_) | Self::To(..) => "Measure",
            Self::Chosen => "Measure the selected bone or mesh",
        }
    }
}
