//! Formats of atlases and 3D motions.
#![deny(clippy::arithmetic_side_effects)]

pub mod adapt;
pub mod atlas_json;
mod atlases;
pub mod gltf;
mod motions;
pub mod pct;
pub mod pxd;
mod raw_places;
mod reframed;
pub mod seanim;
pub mod seanim_json;

use pchr::document::PchrRule;
use pchr::finding::Rule;

use self::atlas_json::AtlasJsonRule;
use self::gltf::GltfRule;
use self::pxd::PxdRule;
use crate::acl::AclRule;
use crate::atlas::PctRule;
use crate::motion::{ArmatureRule, PlaneRule, SeanimRule};

pub use atlases::{AtlasFormat, AtlasText, looks_like_an_atlas, read_atlas};
pub use motions::{MotionFile, MotionFormat, looks_like_a_motion, read_motion};
pub(crate) use reframed::list_reframed;

/// Returns the rules of all formats, grouped by format: errors first, sorted by id.
pub fn rules() -> impl Iterator<Item = Rule> + Clone {
    let pchr = PchrRule::ALL.iter().map(|rule| rule.rule());
    let atlases = PctRule::ALL.iter().map(|rule| rule.rule());
    let atlases = atlases.chain(AtlasJsonRule::ALL.iter().map(|rule| rule.rule()));
    let motions = SeanimRule::ALL.iter().map(|rule| rule.rule());
    let motions = motions.chain(PxdRule::ALL.iter().map(|rule| rule.rule()));
    let motions = motions.chain(AclRule::ALL.iter().map(|rule| rule.rule()));
    let motions = motions.chain(GltfRule::ALL.iter().map(|rule| rule.rule()));
    let shown = PlaneRule::ALL.iter().map(|rule| rule.rule());
    let shown = shown.chain(ArmatureRule::ALL.iter().map(|rule| rule.rule()));
    pchr.chain(atlases).chain(motions).chain(shown)
}
