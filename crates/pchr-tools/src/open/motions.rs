//! 3D motions and skeletons: SEAnim, PXD and glTF.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use pchr::bytes::Budget;
use pchr::finding::{Finding, Findings, Invalid};
use pchr::format::Sidecars;
use pchr_foreign::armature::{Armature, ArmatureParts};

use super::companions::{OpenedRig, is_rig};
use super::{Opened, Opener, Opening};

/// Opens SEAnim and its JSON mirror, PXD skeletons and animations, and glTF.
pub const MOTIONS: Opener = Opener {
    name: "3D motions",
    endings: &["seanim", "pxd", "glb", "gltf"],
    is_in,
    recognises: is_rig,
    open,
};

/// In folders motions are found by their extensions; skeletons are found with their motions.
fn is_in(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let endings = [".seanim", ".seanim.json", ".anm.pxd", ".glb", ".gltf"];
    endings.iter().any(|ending| name.ends_with(ending))
}

fn open(bytes: Cow<'static, [u8]>, sidecars: &mut dyn Sidecars, _: &Budget) -> Opening {
    let name = sidecars.name();
    let rig = OpenedRig::read(&bytes, &name, sidecars).and_then(|mut rig| {
        let found = rig.find_skeleton(sidecars);
        match found.and_then(|()| rig.find_motions(sidecars)) {
            Ok(()) => Ok(rig),
            Err(finding) => Err(Invalid(alone(finding))),
        }
    });
    match rig {
        Ok(rig) => {
            let armature = Armature::new(ArmatureParts {
                skeleton: rig.skeleton,
                motions: rig.motions,
                format: rig.format,
                bytes: bytes.len() as u64,
                warnings: rig.warnings,
            });
            Ok(Opened::new(Arc::new(armature)))
        }
        Err(invalid) => Err((invalid, bytes)),
    }
}

/// A finding that is the only one.
pub(super) fn alone(finding: Finding) -> Findings {
    let mut findings = Findings::default();
    findings.push(finding);
    findings
}
