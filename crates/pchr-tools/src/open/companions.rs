//! Skeletons and motions of other files: which skeleton lies beside a motion, and reading those that were chosen, found beside a file,
//! or offered.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use pchr::bytes::Budget;
use pchr::finding::{Finding, Findings, Invalid};
use pchr::format::{Companion, NoSidecars, SidecarError, Sidecars};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::armature::{ArmatureMotion, ArmatureParts};
use pchr_foreign::format::gltf::{self, looks_like_gltf};
use pchr_foreign::format::pxd::{self, PxdContent, PxdKind};
use pchr_foreign::format::{looks_like_a_motion, read_motion};
use pchr_foreign::motion::{ArmatureRule, Motion, Skeleton};
use pchr_foreign::plane;

use super::read_character;
use crate::file_name;
use crate::files::motion_name;
use crate::text::{visible, words};

/// File extension of skeletons.
const ENDING: &str = ".skl.pxd";

/// Returns the skeleton in the folder of a motion: the one with the longest name that the motion's name begins with (`hero.skl.pxd`
/// of `hero@walk.anm.pxd`), or the only one. Returns `None` for `-`, which is stdin.
///
/// # Errors
/// Reason why the folder cannot be read.
pub fn skeleton_beside(motion: &Path) -> io::Result<Option<PathBuf>> {
    let name = motion.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut found = skeletons_beside(motion)?;
    let stem = |path: &PathBuf| {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        Some(name.strip_suffix(ENDING)?.to_owned())
    };
    let shared = found.iter().filter_map(|path| Some((stem(path)?, path)));
    let shared = shared.filter(|(stem, _)| name.starts_with(stem));
    if let Some((_, path)) = shared.max_by_key(|(stem, _)| stem.len()) {
        return Ok(Some(path.clone()));
    }
    Ok(match found.len() {
        1 => found.pop(),
        _ => None,
    })
}

/// Returns all skeletons in the folder of a motion, by name.
///
/// # Errors
/// Reason why the folder cannot be read. A folder that does not exist has none.
pub fn skeletons_beside(motion: &Path) -> io::Result<Vec<PathBuf>> {
    if motion.as_os_str() == "-" {
        return Ok(Vec::new());
    }
    let files = match fs::read_dir(file_name::folder(motion)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let names = files.map(|entry| Ok(entry?.file_name()));
    let names: Vec<std::ffi::OsString> = names.collect::<io::Result<_>>()?;
    let is_skeleton =
        |name: &std::ffi::OsString| name.to_string_lossy().to_lowercase().ends_with(ENDING);
    let mut names: Vec<_> = names.into_iter().filter(is_skeleton).collect();
    names.sort_unstable();
    let paths = names.into_iter().map(|name| motion.with_file_name(name));
    Ok(paths.collect())
}

/// Returns a message that several skeletons are beside a motion, and their names, if its own name does not determine one.
pub(crate) fn several_beside(motion: &Path) -> Option<String> {
    if skeleton_beside(motion).ok()?.is_some() {
        return None;
    }
    let found = skeletons_beside(motion).ok()?;
    let names = found.iter().filter_map(|path| path.file_name());
    let names = names.map(|name| visible(&name.to_string_lossy()).into_owned());
    let names = words::listed(names, found.len());
    (found.len() > 1).then(|| {
        format!(
            "several skeletons lie beside the motion, and its name matches none: {names}; choose one with --skeleton FILE"
        )
    })
}

/// Returns true if a file has a skeleton or motions in space, or appears to be meant to.
pub(super) fn is_rig(bytes: &[u8]) -> bool {
    looks_like_a_motion(bytes) || pxd::is_bina(bytes) || looks_like_gltf(bytes)
}

/// Reads the skeleton, the motions, or both, of a file that [`is_rig`]. Its motion gets the name of the file if it has none; an
/// unrecognised file is read as the kind of its extension, else as SEAnim.
pub(super) fn read_rig(
    bytes: &[u8],
    name_of_file: &str,
    sidecars: &mut dyn Sidecars,
) -> Result<ArmatureParts, Invalid> {
    let size = bytes.len() as u64;
    let name = motion_name(Path::new(name_of_file));
    let motion = |motion: Motion, looping| ArmatureMotion {
        name: name.clone(),
        motion: Arc::new(motion),
        own: None,
        looping,
    };
    let ends = |ending| name_of_file.to_lowercase().ends_with(ending);
    let is_pxd = pxd::is_bina(bytes) || ends(".pxd");
    let is_gltf = looks_like_gltf(bytes) || ends(".glb") || ends(".gltf");
    if looks_like_a_motion(bytes) || !(is_pxd || is_gltf) {
        let file = read_motion(bytes.to_vec().into())?;
        let looping = Some(file.motion.looped);
        return Ok(ArmatureParts {
            skeleton: None,
            motions: vec![motion(file.motion, looping)],
            format: file.format.name(),
            bytes: size,
            warnings: file.warnings,
        });
    }
    if !is_pxd {
        let file = gltf::read(bytes, sidecars)?;
        let skeleton = Arc::new(file.skeleton);
        let motions = file.clips.into_iter().map(|clip| ArmatureMotion {
            looping: clip.motion.looped.then_some(true),
            name: clip.name,
            motion: Arc::new(clip.motion),
            own: Some(Arc::clone(&skeleton)),
        });
        return Ok(ArmatureParts {
            motions: motions.collect(),
            skeleton: Some(skeleton),
            format: "glTF 2.0",
            bytes: size,
            warnings: file.warnings,
        });
    }
    // A file that is neither is read as an animation, which reports what is wrong with the container.
    let kind = PxdKind::of(bytes).unwrap_or(PxdKind::Animation);
    let (content, warnings) = pxd::read(bytes, kind)?;
    let (skeleton, motions, format) = match content {
        PxdContent::Skeleton(skeleton) => (Some(Arc::new(skeleton)), Vec::new(), "PXD skeleton"),
        PxdContent::Animation(animation) => (None, vec![motion(*animation, None)], "PXD animation"),
    };
    Ok(ArmatureParts { skeleton, motions, format, bytes: size, warnings })
}

/// Takes the skeleton that was chosen, or that lies beside.
pub(super) fn find_skeleton(
    rig: &mut ArmatureParts,
    sidecars: &mut dyn Sidecars,
) -> Result<(), Finding> {
    if let Some(file) = sidecars.chosen_skeleton().map_err(|it| broken(&it))? {
        rig.skeleton = Some(skeleton(&file)?);
        return Ok(());
    }
    if rig.skeleton.is_some() || rig.motions.is_empty() {
        return Ok(());
    }
    let mut motions = rig.motions.iter().map(|it| &it.motion);
    let numbered = motions.find(|motion| motion.numbers_bones());
    let beside = numbered.map_or(Ok(None), |_| sidecars.skeleton_beside());
    let found = match beside {
        Ok(None) => sidecars.offered_skeleton(numbered.map(|motion| motion.tracks().len())),
        found => found,
    };
    // A broken skeleton that nobody chose must not prevent the motion from being shown.
    let found = found.map_err(|error| broken(&error));
    match found.and_then(|file| file.map(|file| skeleton(&file)).transpose()) {
        Ok(found) => rig.skeleton = found,
        Err(finding) => {
            let message = || {
                let (path, message) = (&finding.path, &finding.message);
                format!("{path}: {message}; the motion is shown without it")
            };
            let path = || "skeleton".into();
            let offset = finding.offset;
            rig.warnings.add(ArmatureRule::Skeleton, offset, path, message);
        }
    }
    Ok(())
}

/// Adds the chosen motions before its own.
pub(super) fn find_motions(
    rig: &mut ArmatureParts,
    sidecars: &mut dyn Sidecars,
) -> Result<(), Finding> {
    let chosen = motions_with_files(sidecars, &mut rig.warnings)?;
    rig.motions.splice(0..0, chosen.into_iter().map(|(_, motion)| motion));
    Ok(())
}

/// The motions that were chosen for a character. Those that number their bones come with the skeleton that was chosen, or that lies
/// beside them.
pub(super) fn named_motions(
    sidecars: &mut dyn Sidecars,
    warnings: &mut Findings,
) -> Result<Vec<ArmatureMotion>, Finding> {
    let mut read = motions_with_files(sidecars, warnings)?;
    if read.is_empty() {
        return Ok(Vec::new());
    }
    let chosen = sidecars.chosen_skeleton().map_err(|it| broken(&it))?;
    let chosen = chosen.map(|file| skeleton(&file)).transpose()?;
    for (file, shown) in &mut read {
        if shown.own.is_some() || !shown.motion.numbers_bones() {
            continue;
        }
        shown.own.clone_from(&chosen);
        if shown.own.is_none() {
            let found = sidecars.skeleton_of_motion(*file).map_err(|it| broken(&it))?;
            shown.own = found.map(|file| skeleton(&file)).transpose()?;
        }
    }
    Ok(read.into_iter().map(|(_, motion)| motion).collect())
}

/// The motions that were chosen, each with the index of its file.
fn motions_with_files(
    sidecars: &mut dyn Sidecars,
    warnings: &mut Findings,
) -> Result<Vec<(usize, ArmatureMotion)>, Finding> {
    let files = sidecars.chosen_motions().map_err(|it| broken(&it))?;
    let mut motions = Vec::with_capacity(files.len());
    for (index, file) in files.into_iter().enumerate() {
        if !is_rig(&file.bytes) {
            return Err(unfit(&file.name, "not a 3D motion; expected .seanim, .anm.pxd or glTF"));
        }
        let read = read_rig(&file.bytes, &file.name, &mut NoSidecars);
        let rig = read.map_err(|invalid| invalid_file(&file.name, &invalid))?;
        if rig.motions.is_empty() {
            return Err(unfit(&file.name, "a skeleton without motions"));
        }
        warnings.extend(rig.warnings);
        motions.extend(rig.motions.into_iter().map(|motion| (index, motion)));
    }
    Ok(motions)
}

/// The skeleton of a file: PXD, glTF, or a character.
pub(super) fn skeleton(file: &Companion) -> Result<Arc<Skeleton>, Finding> {
    let invalid = |invalid: Invalid| invalid_file(&file.name, &invalid);
    let name = file.name.to_lowercase();
    let is_named = [".pxd", ".glb", ".gltf"].iter().any(|ending| name.ends_with(ending));
    let skeleton = if is_named || is_rig(&file.bytes) {
        read_rig(&file.bytes, &file.name, &mut NoSidecars).map_err(invalid)?.skeleton
    } else {
        let bytes = file.bytes.clone().into();
        let read = read_character(bytes, &mut NoSidecars, &Budget::default());
        let (document, _) = read.map_err(|(it, _)| invalid(it))?;
        let bind = BindPose::new(&document, BindChoice::Auto);
        Some(Arc::new(plane::skeleton(&document, &bind)))
    };
    skeleton.filter(|it| !it.bones().is_empty()).ok_or_else(|| {
        let wanted = "not a skeleton; expected .skl.pxd, glTF with bones, or a character";
        unfit(&file.name, wanted)
    })
}

/// The first error of a file, at its place there.
fn invalid_file(name: &str, Invalid(findings): &Invalid) -> Finding {
    match findings.first_error() {
        Some(error) => {
            let path = format!("{name}: {}", error.path);
            Finding::new(ArmatureRule::Companion, error.offset, &path, &error.message)
        }
        None => unfit(name, "cannot be read"),
    }
}

fn broken(error: &SidecarError) -> Finding {
    Finding::new(ArmatureRule::Companion, 0, "file", &error.to_string())
}

pub(super) fn unfit(name: &str, problem: &str) -> Finding {
    Finding::new(ArmatureRule::Companion, 0, name, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_belongs_to_the_skeleton_of_its_name_or_to_the_only_one() {
        let folder = tempfile::tempdir().unwrap();
        let beside = |motion: &str| {
            let found = skeleton_beside(&folder.path().join(motion)).unwrap()?;
            Some(found.file_name()?.to_string_lossy().into_owned())
        };
        let put = |name: &str| fs::write(folder.path().join(name), []).unwrap();
        assert_eq!(beside("hero@walk.anm.pxd"), None);
        put("hero.skl.pxd");
        assert_eq!(beside("other.anm.pxd").unwrap(), "hero.skl.pxd");
        put("hero_big.skl.pxd");
        assert_eq!(beside("hero@walk.anm.pxd").unwrap(), "hero.skl.pxd");
        assert_eq!(beside("HERO_big_run.anm.pxd").unwrap(), "hero_big.skl.pxd");
        assert_eq!(beside("other.anm.pxd"), None);
        assert_eq!(skeleton_beside(Path::new("-")).unwrap(), None);
        // A folder that cannot be listed is not one without skeletons.
        assert!(skeletons_beside(&folder.path().join("hero.skl.pxd/walk.anm.pxd")).is_err());
    }

    #[test]
    fn skeletons_are_listed_where_a_name_tells_none_of_them_apart() {
        let folder = tempfile::tempdir().unwrap();
        let beside = |motion: &str| several_beside(&folder.path().join(motion));
        assert_eq!(beside("walk.anm.pxd"), None);
        for name in ["a.skl.pxd", "b\u{202e}.skl.pxd"] {
            assert_eq!(beside("walk.anm.pxd"), None);
            fs::write(folder.path().join(name), []).unwrap();
        }
        let said = beside("walk.anm.pxd").unwrap();
        assert!(said.contains(": a.skl.pxd; b\\u{202e}.skl.pxd;"), "{said}");
        assert_eq!(beside("a_walk.anm.pxd"), None);
        assert_eq!(several_beside(Path::new("-")), None);
    }
}
