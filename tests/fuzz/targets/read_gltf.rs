use pchr::finding::Invalid;
use pchr::format::{SidecarError, Sidecars};
use pchr_foreign::format::gltf::{self, Container, GltfClip, GltfFile};
use pchr_foreign::motion::{AdditiveRotation, Binding, LocalKeys, Moment, Poser, RootMotion};

use super::{accepted, refused};

/// Reads arbitrary bytes as glTF, poses and writes the result, and checks that it is the same when read again.
pub fn read_gltf(data: &[u8]) {
    let is_gltf = gltf::looks_like_gltf(data);
    match gltf::read(data, &mut Zeros) {
        Err(Invalid(found)) => refused(&found, data),
        Ok(file) => {
            assert!(is_gltf);
            accepted(&file.warnings, data);
            play(&file);
            // A number may be too large, or a frame too late, for single precision.
            if let Some(written) = write(&file) {
                let again = gltf::read(&written, &mut Zeros).expect("it was written");
                assert_eq!(again.clips.len(), file.clips.len());
                assert_eq!(again.skeleton.bones().len(), file.skeleton.bones().len());
                assert!(again.losses.is_empty());
                assert!(write(&again).as_ref() == Some(&written));
            }
        }
    }
}

/// Sidecar files made of zeros.
struct Zeros;

impl Sidecars for Zeros {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        Ok(vec![0; path.len() * 16])
    }
}

fn keys(file: &GltfFile) -> Vec<LocalKeys> {
    let clips = file.clips.iter().map(|clip| {
        let binding = Binding::new(&clip.motion, &file.skeleton);
        assert_eq!(binding.unmatched(&clip.motion).count(), 0);
        LocalKeys::new(&clip.motion, &file.skeleton, &binding, AdditiveRotation::OnRest)
    });
    clips.map(|keys| keys.expect("there are keys")).collect()
}

fn write(file: &GltfFile) -> Option<Vec<u8>> {
    let keys = keys(file);
    let clips = file.clips.iter().zip(&keys);
    let clips: Vec<GltfClip<'_>> = clips
        .map(|(clip, keys)| GltfClip { name: &clip.name, motion: &clip.motion, keys, frames: None })
        .collect();
    gltf::write(&file.skeleton, &clips, Container::Binary).ok().map(|(bytes, _)| bytes)
}

fn play(file: &GltfFile) {
    for clip in file.clips.iter().take(8) {
        let motion = &clip.motion;
        let frames = motion.frames();
        assert!(frames > 0 && motion.rate > 0.0 && motion.rate.is_finite());
        for track in motion.tracks().iter().chain(motion.root().and_then(RootMotion::keys)) {
            let lists = [motion.translation(track), motion.scale(track)];
            assert!(lists.iter().flatten().all(|keys| keys.is_sorted()));
            assert!(motion.rotation(track).is_none_or(|keys| keys.is_sorted()));
        }
        let binding = Binding::new(motion, &file.skeleton);
        let mut poser = Poser::new(motion, &file.skeleton, &binding, AdditiveRotation::OnRest);
        for frame in [0, frames / 2, frames - 1] {
            poser.pose(Moment::Frame(frame));
            assert_eq!(poser.worlds().len(), file.skeleton.bones().len());
        }
    }
}
