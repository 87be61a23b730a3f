//! Binds tracks to the bones of a skeleton.

use pchr::finding::quoted;
use pchr::format::Losses;

use super::Unadaptable;
use crate::motion::{Binding, Motion, Skeleton};

/// Finds the bones of a motion, and lists the tracks that find none.
///
/// # Errors
/// [`Unadaptable::NoBone`] if there are tracks, and none finds a bone.
pub fn bind(
    motion: &Motion,
    skeleton: &Skeleton,
    losses: &mut Losses,
) -> Result<Binding, Unadaptable> {
    let binding = Binding::new(motion, skeleton);
    let tracks = motion.tracks();
    let finds = (0..tracks.len()).any(|track| binding.bone(track).is_some());
    if let (false, Some(first), None) = (finds, tracks.first(), binding.root(motion)) {
        return Err(Unadaptable::NoBone {
            tracks: tracks.len(),
            first: match first.target.name() {
                Some(name) => quoted(&name.text()).to_string(),
                None => "#0".to_owned(),
            },
        });
    }
    for track in binding.unmatched(motion) {
        losses.add("tracks without a bone in the skeleton", || {
            match tracks.get(track).and_then(|track| track.target.name()) {
                Some(name) => format!("tracks[{track}], {}", quoted(&name.text())),
                None => format!("tracks[{track}]"),
            }
        });
    }
    Ok(binding)
}
