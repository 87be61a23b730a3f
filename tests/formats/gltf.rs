//! Tests of glTF: skeletons and motions survive writing and reading, files of other programs are read by the rules, and
//! Khronos' validator accepts the output.

pub(crate) mod characters;
mod curves;
mod faults;
mod files;
mod foreign;
mod made;
mod scales;
mod validator;

use pchr::finding::{Findings, Invalid, Severity};
use pchr::format::{Losses, NoSidecars};
use pchr_foreign::format::gltf::{self, Container, GltfClip, GltfFile, GltfUnwritable};
use pchr_foreign::motion::{
    AdditiveRotation, Binding, Bone, BoneKeys, Dialect, Key, LocalKeys, Moment, Motion, Poser,
    Skeleton, Transform,
};
use serde_json::Value;

fn read(file: &[u8]) -> GltfFile {
    gltf::read(file, &mut NoSidecars).unwrap_or_else(|Invalid(found)| panic!("{:?}", said(&found)))
}

fn said(found: &Findings) -> Vec<String> {
    found.iter().map(ToString::to_string).collect()
}

fn lost(losses: &Losses) -> Vec<String> {
    losses.iter().map(|loss| format!("{} {} ({})", loss.count, loss.what, loss.first)).collect()
}

/// Keys of a motion bound to a skeleton.
fn keys(skeleton: &Skeleton, motion: &Motion) -> LocalKeys {
    let binding = Binding::new(motion, skeleton);
    LocalKeys::new(motion, skeleton, &binding, AdditiveRotation::OnRest).unwrap()
}

/// Keys of a motion on a skeleton, on frames.
fn framed(skeleton: &Skeleton, motion: &Motion) -> LocalKeys {
    let mut keys = keys(skeleton, motion);
    assert_eq!(keys.on_frames(motion.frames_per_second(), Dialect::Seanim).unwrap(), []);
    keys
}

/// Writes named motions to a file.
fn try_write(
    skeleton: &Skeleton,
    motions: &[(&str, &Motion)],
    container: Container,
) -> Result<(Vec<u8>, Losses), GltfUnwritable> {
    let keys: Vec<LocalKeys> = motions.iter().map(|(_, it)| keys(skeleton, it)).collect();
    let clips = motions.iter().zip(&keys);
    let clips: Vec<GltfClip<'_>> =
        clips.map(|((name, motion), keys)| GltfClip { name, motion, keys, frames: None }).collect();
    gltf::write(skeleton, &clips, container)
}

/// Writes named motions to a binary file, and returns it with its losses.
fn write(skeleton: &Skeleton, motions: &[(&str, &Motion)]) -> (Vec<u8>, Vec<String>) {
    let (file, losses) = try_write(skeleton, motions, Container::Binary).unwrap();
    (file, lost(&losses))
}

fn bone(name: &str, parent: Option<u32>, translation: [f64; 3]) -> Bone {
    let rest = Transform { translation, ..Transform::IDENTITY };
    Bone { name: name.into(), parent, rest, offset: 0 }
}

/// Rotation about an axis.
fn turn(axis: usize, degrees: f64) -> [f64; 4] {
    let half = degrees.to_radians() / 2.0;
    let mut rotation = [0.0, 0.0, 0.0, half.cos()];
    rotation[axis] = half.sin();
    rotation.map(|number| f64::from(number as f32))
}

/// Keys rounded to single precision, as bits.
fn singles<const N: usize>(keys: &[Key<N>]) -> Vec<(u32, [u32; N])> {
    keys.iter().map(|key| (key.frame, key.value.map(|it| (it as f32).to_bits()))).collect()
}

fn is_same(a: &BoneKeys, b: &BoneKeys) -> bool {
    singles(&a.translation) == singles(&b.translation)
        && singles(&a.rotation) == singles(&b.rotation)
        && singles(&a.scale) == singles(&b.scale)
}

/// Checks that everything meaningful in a motion comes back.
fn assert_same(name: &str, skeleton: &Skeleton, motion: &Motion, file: &GltfFile, clip: usize) {
    let back = &file.clips[clip].motion;
    let (before, after) = (framed(skeleton, motion), framed(&file.skeleton, back));
    assert_eq!(before.bones.len(), after.bones.len(), "{name}");
    for (bone, (a, b)) in before.bones.iter().zip(&after.bones).enumerate() {
        assert!(is_same(a, b), "{name}: bone {bone}\n{a:?}\n{b:?}");
    }
    match (&before.root, &after.root) {
        (Some(a), Some(b)) => assert!(is_same(a, b), "{name}: root\n{a:?}\n{b:?}"),
        (a, b) => assert!(a.is_none() && b.is_none(), "{name}: root"),
    }
    assert_eq!(back.rate, motion.frames_per_second(), "{name}");
    assert_eq!(back.frames(), motion.frames(), "{name}");
    assert_eq!(back.looped, motion.looped, "{name}");
    let notes = |motion: &Motion| -> Vec<_> {
        motion.notes.iter().map(|note| (note.frame, note.name.clone())).collect()
    };
    assert_eq!(notes(back), notes(motion), "{name}");
}

/// Largest distance between bones, and largest angle between their rotations, of two motions at every `step` frames.
fn distance(a: (&Skeleton, &Motion), b: (&Skeleton, &Motion), step: f32) -> (f64, f64) {
    let (binding, other) = (Binding::new(a.1, a.0), Binding::new(b.1, b.0));
    let mut one = Poser::new(a.1, a.0, &binding, AdditiveRotation::OnRest);
    let mut two = Poser::new(b.1, b.0, &other, AdditiveRotation::OnRest);
    let (mut place, mut angle) = (0.0_f64, 0.0_f64);
    let last = (a.1.frames() - 1) as f32;
    for index in 0..=((last / step) as u32).min(200) {
        let moment = Moment::Seconds(index as f32 * step / a.1.frames_per_second());
        one.pose(moment);
        two.pose(moment);
        for (a, b) in one.worlds().zip(two.worlds()) {
            let [a_at, b_at] = [a, b].map(|it| glam::DVec3::from(it.translation));
            place = place.max(a_at.distance(b_at) / a_at.abs().max_element().max(1.0));
            let [a, b] = [a, b].map(|it| glam::DQuat::from_array(it.rotation));
            angle = angle.max(1.0 - a.dot(b).abs());
        }
    }
    (place, angle)
}

/// JSON of a binary file.
fn json_of(file: &[u8]) -> Value {
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&file[20..20 + length]).unwrap()
}

/// Builds a binary file.
fn binary(json: &Value, data: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let padded = data.len().next_multiple_of(4);
    let chunk = if data.is_empty() { 0 } else { 8 + padded };
    let mut file = b"glTF".to_vec();
    for number in [2, (20 + text.len() + chunk) as u32, text.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(text);
    if !data.is_empty() {
        file.extend((padded as u32).to_le_bytes());
        file.extend(b"BIN\0");
        file.extend(data);
        file.resize(file.len() + padded - data.len(), 0);
    }
    file
}

/// Returns the findings of a file, with true if it has errors.
fn findings(file: &[u8]) -> (bool, Vec<String>) {
    match gltf::read(file, &mut NoSidecars) {
        Ok(file) => {
            assert_eq!(file.warnings.total(Severity::Error), 0);
            (false, said(&file.warnings))
        }
        Err(Invalid(found)) => {
            assert!(found.first_error().is_some());
            (true, said(&found))
        }
    }
}
