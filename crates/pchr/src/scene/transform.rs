//! Transforms of bones in space, and the conventions that their numbers follow.

/// A transform: scale first, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Translation `x y z`.
    pub translation: [f64; 3],
    /// Rotation as a quaternion `x y z w`; of length 1 in valid files.
    pub rotation: [f64; 4],
    /// Scale `x y z`.
    pub scale: [f64; 3],
}

impl Transform {
    /// The identity transform.
    pub const IDENTITY: Self = Self {
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    };

    /// Returns all numbers: translation, rotation, scale.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + Clone + use<> {
        let numbers = self.translation.into_iter().chain(self.rotation);
        numbers.chain(self.scale)
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The axis that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// Not stated: the skeleton's.
    #[default]
    Unknown,
    /// Y, as in glTF and PXD.
    Y,
    /// Z, as in Blender.
    Z,
}

/// Unit of translations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// That of the scene which a file is brought into.
    #[default]
    Scene,
    /// Metres.
    Metres,
    /// Centimetres.
    Centimetres,
}
