//! Keys at times in seconds, as glTF has them.

use std::sync::Arc;

use super::Channel;

/// Course of the values between two keys, as in appendix C of glTF 2.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the earlier key.
    Step,
    /// A line; for rotations the shorter arc, at even speed.
    #[default]
    Linear,
    /// A cubic spline, by the tangents of both keys; rotations are normalised.
    CubicSpline,
}

impl Interpolation {
    /// Returns the values per key: three for a spline, whose tangents lie around the value.
    #[must_use]
    pub const fn values_per_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}

/// Keys of a channel at times in seconds. There is one key at least. Before the first and after the last the value is constant.
#[derive(Clone, Debug)]
pub struct TimedKeys<const N: usize> {
    times: Arc<[f32]>,
    values: Arc<[[f32; N]]>,
    interpolation: Interpolation,
}

impl<const N: usize> TimedKeys<N> {
    /// Creates keys from times in seconds, and [as many values](Interpolation::values_per_key) for each: the value; for a spline
    /// the tangent in, the value, and the tangent out. `None` if there are no times, they are not finite or do not ascend, or the
    /// number of values is another.
    #[must_use]
    pub fn new(
        times: Arc<[f32]>,
        values: impl Into<Arc<[[f32; N]]>>,
        interpolation: Interpolation,
    ) -> Option<Self> {
        let values = values.into();
        let is_sound = times.iter().all(|time| time.is_finite())
            && times.is_sorted_by(|a, b| a < b)
            && !times.is_empty();
        let expected = times.len().checked_mul(interpolation.values_per_key())?;
        (is_sound && values.len() == expected).then_some(Self {
            times,
            values,
            interpolation,
        })
    }

    /// Returns the times of the keys in seconds, ascending.
    #[must_use]
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Returns the [values](TimedKeys::new) of all keys.
    #[must_use]
    pub fn values(&self) -> &[[f32; N]] {
        &self.values
    }

    /// Returns the course of the values between keys.
    #[must_use]
    pub const fn interpolation(&self) -> Interpolation {
        self.interpolation
    }
}

/// Bit for bit.
impl<const N: usize> PartialEq for TimedKeys<N> {
    fn eq(&self, other: &Self) -> bool {
        let bits = |keys: &Self| {
            let numbers = keys.times.iter().chain(keys.values.as_flattened());
            numbers.map(|number| number.to_bits()).collect::<Vec<u32>>()
        };
        self.interpolation == other.interpolation && bits(self) == bits(other)
    }
}

/// Keys of a bone at times in seconds: its local transform, which replaces rest. A channel without keys is at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimedTrack {
    /// Translations.
    pub translation: Option<TimedKeys<3>>,
    /// Rotations, as quaternions `x y z w`.
    pub rotation: Option<TimedKeys<4>>,
    /// Scales.
    pub scale: Option<TimedKeys<3>>,
}

impl TimedTrack {
    /// Returns the times of the keys of a channel, in seconds; empty without keys.
    #[must_use]
    pub fn times(&self, channel: Channel) -> &[f32] {
        let times = match channel {
            Channel::Translation => self.translation.as_ref().map(TimedKeys::times),
            Channel::Rotation => self.rotation.as_ref().map(TimedKeys::times),
            Channel::Scale => self.scale.as_ref().map(TimedKeys::times),
        };
        times.unwrap_or_default()
    }

    /// Returns true if no channel has keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.last_secs().is_none()
    }

    /// Returns the time of the last key in seconds; `None` without keys.
    #[must_use]
    pub fn last_secs(&self) -> Option<f32> {
        let channels = [Channel::Translation, Channel::Rotation, Channel::Scale];
        let lasts = channels.into_iter().filter_map(|it| self.times(it).last());
        lasts.copied().max_by(f32::total_cmp)
    }
}
