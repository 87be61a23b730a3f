//! 3D motions: told, and not yet shown.

use std::borrow::Cow;

use super::{Opener, Opening};
use crate::bytes::Budget;
use crate::finding::{Finding, Findings, Invalid, Rule, RuleText, Severity};
use crate::format::gltf::looks_like_gltf;
use crate::format::pxd::{self, PxdKind};
use crate::format::{Sidecars, looks_like_a_motion};

/// Says of a motion that it cannot be shown. Endings have no part in it: no folder and no dialog offers such files.
pub const MOTIONS: Opener = Opener {
    name: "3D motions",
    endings: &[],
    is_in: |_| false,
    recognises: |bytes| looks_like_a_motion(bytes) || pxd::is_bina(bytes) || looks_like_gltf(bytes),
    open,
};

/// The rule that a file breaks if it is known and cannot be shown.
const NOT_SHOWN: Rule = Rule::new(&RuleText {
    id: "FILE-E002",
    name: "not-shown",
    severity: Severity::Error,
    about: "A file that is shown has something to see.",
    example: "file: a 3D motion, which cannot be shown yet; pchr inspect, validate and convert read it",
    advice: "Read it with another program, as the message says.",
});

fn open(bytes: Cow<'static, [u8]>, _: &mut dyn Sidecars, _: &Budget) -> Opening {
    let mut findings = Findings::default();
    let message = match PxdKind::of(&bytes) {
        _ if looks_like_a_motion(&bytes) => SEANIM,
        _ if looks_like_gltf(&bytes) => GLTF,
        Some(PxdKind::Skeleton) => SKELETON,
        Some(PxdKind::Animation) => ANIMATION,
        None => CONTAINER,
    };
    findings.push(Finding::new(NOT_SHOWN, 0, "file", message));
    Err((Invalid(findings), bytes))
}

const SEANIM: &str =
    "a 3D motion, which cannot be shown yet; pchr inspect, validate, pose and convert read it";
const GLTF: &str = "a glTF file, which cannot be shown yet; pchr inspect, validate, pose and convert read its skeleton and motions";
const ANIMATION: &str = "a 3D motion (PXD), which cannot be shown yet; pchr inspect, validate, pose and convert read it";
const SKELETON: &str = "a 3D skeleton (PXD), which cannot be shown yet; pchr inspect, validate, pose and convert read it";
const CONTAINER: &str =
    "a BINA container, which cannot be shown; pchr validate tells what is wrong with it";
