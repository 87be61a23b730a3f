//! Lists movements that keys on frames follow only in part.

use pchr::format::{Losses, MovementError};

use crate::motion::{Channel, Interpolation, Reframed};

/// Lists channels whose keys at times became keys on frames.
pub(crate) fn list_reframed(channels: &[Reframed], losses: &mut Losses) {
    for channel in channels {
        let what = match channel.interpolation {
            Interpolation::Step => "channels with steps, each of which takes one frame",
            Interpolation::Linear => "channels with keys between frames, sampled on each frame",
            Interpolation::CubicSpline => "channels of cubic splines, sampled on each frame",
        };
        let (error, none) = (channel.error, MovementError::default());
        let (word, error) = match channel.channel {
            Channel::Translation => (
                "translation",
                MovementError {
                    units: error,
                    ..none
                },
            ),
            Channel::Rotation => (
                "rotation",
                MovementError {
                    degrees: error,
                    ..none
                },
            ),
            Channel::Scale => (
                "scale",
                MovementError {
                    scale: error,
                    ..none
                },
            ),
        };
        losses.add_movement(what, error, || match channel.bone {
            Some(bone) => format!("bones[{bone}].{word}"),
            None => format!("root.{word}"),
        });
    }
}
