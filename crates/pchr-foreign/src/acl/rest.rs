//! Values that hold for a whole clip.

use pchr::finding::{Finding, Findings};

use super::AclRule;
use super::chunk::{Chunk, floats};
use super::header::{Header, TracksHeader};
use super::transform::{Part, PerPart, RotationFormat, Transform};
use super::types::Stored;

/// Bytes of the constant samples of a part.
pub(super) fn constant_size(header: &Header, part: Part, count: u32) -> u64 {
    let size = match (part, header.formats.rotation) {
        (Part::Rotation, RotationFormat::Full) => 16,
        _ => 12,
    };
    u64::from(count).saturating_mul(size)
}

/// A pose with all that does not move: defaults and constant samples.
pub(super) fn read(
    chunk: Chunk<'_>,
    header: &Header,
    tracks: &TracksHeader,
    stored: &PerPart<Stored>,
    found: &mut Findings,
) -> Result<Box<[Transform]>, Finding> {
    let rest = Transform {
        rotation: [0.0, 0.0, 0.0, 1.0],
        translation: [0.0; 3],
        scale: [header.default_scale; 3],
    };
    let mut pose = vec![rest; usize::from(header.track_count)];
    let mut at = tracks.constants;
    for part in Part::ALL {
        let constant = &stored.get(part).constant;
        let size = constant_size(header, part, *tracks.constant.get(part));
        let what = || format!("{} constant {}", constant.len(), part.plural());
        let bytes = chunk.part(at, size, "constants", what)?;
        warn_of_wild(chunk, at, bytes, "constants", part, found);
        at = at.saturating_add(size);
        let values: Vec<f32> = floats(bytes).collect();
        let mut set = |place: usize, value: Value| {
            let track = constant.get(place).copied().map(usize::from);
            if let Some(transform) = track.and_then(|track| pose.get_mut(track)) {
                match (part, value) {
                    (Part::Rotation, Value::Four(value)) => transform.rotation = value,
                    (Part::Rotation, Value::Three(xyz)) => transform.rotation = with_w(xyz),
                    (Part::Translation, Value::Three(value)) => transform.translation = value,
                    (Part::Scale, Value::Three(value)) => transform.scale = value,
                    (_, Value::Four(_)) => {}
                }
            }
        };
        match (part, header.formats.rotation) {
            (Part::Rotation, RotationFormat::Full) => {
                let values = values.as_chunks().0.iter().enumerate();
                values.for_each(|(place, value)| set(place, Value::Four(*value)));
            }
            (Part::Rotation, _) => {
                let values = (0..constant.len()).zip(by_component::<3>(&values));
                values.for_each(|(place, value)| set(place, Value::Three(value)));
            }
            _ => {
                let values = values.as_chunks().0.iter().enumerate();
                values.for_each(|(place, value)| set(place, Value::Three(*value)));
            }
        }
    }
    Ok(pose.into())
}

enum Value {
    Three([f32; 3]),
    Four([f32; 4]),
}

/// A rotation whose `w` was dropped; in the order of operations of ACL.
fn with_w([x, y, z]: [f32; 3]) -> [f32; 4] {
    let square = ((1.0 - x * x) - y * y) - z * z;
    [x, y, z, square.abs().sqrt()]
}

/// Values in groups of four, the last one smaller, that are stored component by component.
pub(super) fn by_component<const N: usize>(values: &[f32]) -> impl Iterator<Item = [f32; N]> {
    values.chunks(N.saturating_mul(4)).flat_map(|group| {
        let lanes = group.len().checked_div(N).unwrap_or(0);
        (0..lanes).map(move |lane| {
            let mut components = group.iter().skip(lane).step_by(lanes);
            std::array::from_fn(|_| components.next().copied().unwrap_or_default())
        })
    })
}

/// Warns of the first number that is not finite.
pub(super) fn warn_of_wild(
    chunk: Chunk<'_>,
    at: u64,
    bytes: &[u8],
    path: &str,
    part: Part,
    found: &mut Findings,
) {
    if let Some(place) = floats(bytes).position(|value| !value.is_finite()) {
        let at = at.saturating_add((place as u64).saturating_mul(4));
        let message = format!("one of the {} contains NaN or infinity", part.plural());
        found.push(chunk.finding(AclRule::NotFinite, at, path, &message));
    }
}
