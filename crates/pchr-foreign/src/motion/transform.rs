//! Conventions that the numbers of a file's transforms follow.

pub use pchr::scene::{Transform, Unit, UpAxis};

/// Axes, unit and chain of scales that a file's transforms mean. The default applies to a file that states none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    /// The axis that points up.
    pub up: UpAxis,
    /// Unit of translations.
    pub unit: Unit,
    /// Effect of a bone's scale on its children.
    pub parent_scale: ParentScale,
}

impl Conventions {
    /// Conventions of PXD.
    pub const PXD: Self = Self {
        up: UpAxis::Y,
        unit: Unit::Metres,
        parent_scale: ParentScale::Separate,
    };

    /// Conventions of glTF.
    pub const GLTF: Self = Self {
        up: UpAxis::Y,
        unit: Unit::Metres,
        parent_scale: ParentScale::Inherited,
    };
}

/// Effect of a bone's scale on its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParentScale {
    /// It is part of the matrices down the chain: children move and grow with it, as in glTF.
    #[default]
    Inherited,
    /// It moves no child: rotation and translation come from the unscaled chain. The scale of a bone is the product of all scales up
    /// its chain, number by number, in the bone's own axes; as in PXD.
    Separate,
}
