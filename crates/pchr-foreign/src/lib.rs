//! Content of other programs, for the library `pchr`: texture atlases and 3D motions, their formats, and each as a
//! [`Subject`](pchr::scene::Subject) that plays and draws as a character does.
//!
//! ```text
//! bytes ──format::read_atlas──► atlas::Atlas ──► sheet::Sheet ──────┐
//!                                                                   ├─► pchr::scene::Frame
//! bytes ──format::read_motion──► motion::Motion ─► armature ────────┤
//!                                       └────────► plane (on a character)
//! ```
#![forbid(unsafe_code)]

pub mod acl;
pub mod armature;
pub mod atlas;
pub mod format;
pub mod motion;
pub mod packing;
pub mod plane;
pub mod sheet;
