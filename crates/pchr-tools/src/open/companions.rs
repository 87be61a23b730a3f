//! Skeletons and motions of other files.

use std::path::Path;
use std::sync::Arc;

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
use crate::files::motion_name;

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
