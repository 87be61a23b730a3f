//! Tests of the view: size, fit, camera and Y direction.
