//! The camera of a picture, for content of any kind.

use super::{Camera2d, OrbitCamera};
use crate::pose::Affine;

/// Placement of the world in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// Camera of a flat world.
    Flat(Camera2d),
    /// Camera of a world in which bones move in space.
    Orbit(OrbitCamera),
}

impl Default for Camera {
    fn default() -> Self {
        Self::Flat(Camera2d::default())
    }
}

impl From<Camera2d> for Camera {
    fn from(camera: Camera2d) -> Self {
        Self::Flat(camera)
    }
}

impl From<OrbitCamera> for Camera {
    fn from(camera: OrbitCamera) -> Self {
        Self::Orbit(camera)
    }
}

impl Camera {
    /// Returns the camera that meshes are drawn with.
    #[must_use]
    pub fn flat(&self) -> Camera2d {
        match self {
            Self::Flat(camera) => *camera,
            Self::Orbit(_) => Camera2d::default(),
        }
    }

    /// Returns the camera of a world in which bones move in space.
    #[must_use]
    pub fn orbit(&self) -> Option<OrbitCamera> {
        match self {
            Self::Flat(_) => None,
            Self::Orbit(camera) => Some(*camera),
        }
    }

    /// Returns the map from the plane of the meshes to the picture.
    #[must_use]
    pub fn screen_from_world(&self, size: [u32; 2]) -> Affine {
        self.flat().screen_from_world(size)
    }

    /// Returns the screen pixels per unit along X and Y of the world, or of the view in space: negative where the axis points left or up.
    #[must_use]
    pub fn scale(&self) -> [f64; 2] {
        match self {
            Self::Flat(camera) => camera.scale(),
            Self::Orbit(camera) => camera.scale(),
        }
    }

    /// Returns the screen pixels per unit of the world.
    #[must_use]
    pub fn zoom(&self) -> f64 {
        match self {
            Self::Flat(camera) => camera.zoom,
            Self::Orbit(camera) => camera.zoom,
        }
    }
}
