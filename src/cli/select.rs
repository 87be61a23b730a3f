//! What of a document is meant: animations, meshes and the bind pose, by the names that were typed.
//!
//! What is not there is an error that lists what there is; nothing is skipped in silence.

use globset::GlobBuilder;

use super::failure::Failure;
use crate::document::{AnimationId, Document};
use crate::pose::BindChoice;
use crate::scene::{MeshView, ViewOptions};

/// Names that an error lists before it only counts.
const LISTED: usize = 40;

/// An animation by its name, else by its index.
pub(super) fn animation(document: &Document, wanted: &str) -> Result<AnimationId, Failure> {
    let by_name = document
        .animation_ids()
        .zip(document.animations())
        .find(|(_, a)| a.name() == wanted);
    if let Some((id, _)) = by_name {
        return Ok(id);
    }
    let by_index = wanted
        .parse()
        .ok()
        .map(AnimationId)
        .filter(|id| document.animation(*id).is_some());
    by_index.ok_or_else(|| {
        let names = document.animations().map(|animation| animation.name());
        Failure::Usage(format!(
            "there is no animation {wanted:?}; {}",
            list("animations", names)
        ))
    })
}

/// `ANIMATION`, `ANIMATION:FRAME` or `none`.
pub(super) fn bind(document: &Document, wanted: Option<&str>) -> Result<BindChoice, Failure> {
    let Some(wanted) = wanted else {
        return Ok(BindChoice::Auto);
    };
    if wanted == "none" {
        return Ok(BindChoice::None);
    }
    let (id, frame) = match (animation(document, wanted), wanted.rsplit_once(':')) {
        (Ok(id), _) => (id, 0),
        (Err(_), Some((name, frame))) if frame.bytes().all(|byte| byte.is_ascii_digit()) => {
            let id = animation(document, name)?;
            (id, frame.parse().unwrap_or(u16::MAX))
        }
        (Err(failure), _) => return Err(failure),
    };
    let count = document
        .animation(id)
        .map_or(0, |animation| animation.frame_count());
    if frame >= count {
        return Err(Failure::Usage(format!(
            "--bind {wanted}: frame {frame} is not there, the animation has {count} frames"
        )));
    }
    Ok(BindChoice::Frame(id, frame))
}

/// Which meshes are shown.
pub(super) fn meshes(
    document: &Document,
    hide: &[String],
    only: &[String],
) -> Result<ViewOptions, Failure> {
    let mut view = ViewOptions::default();
    if hide.is_empty() && only.is_empty() {
        return Ok(view);
    }
    let hidden = matching(document, hide)?;
    let shown = matching(document, only)?;
    view.meshes = hidden
        .iter()
        .zip(&shown)
        .map(|(hidden, shown)| {
            let leave_out = *hidden || (!only.is_empty() && !shown);
            MeshView {
                visible: leave_out.then_some(false),
                z_order: None,
            }
        })
        .collect();
    Ok(view)
}

/// For each mesh, whether one of the patterns is its name or matches it. Each pattern has to match some mesh.
fn matching(document: &Document, patterns: &[String]) -> Result<Vec<bool>, Failure> {
    let mut matched = vec![false; document.meshes().len()];
    for pattern in patterns {
        let exact = document.meshes().any(|mesh| mesh.name() == pattern);
        let glob = GlobBuilder::new(pattern)
            .build()
            .map(|glob| glob.compile_matcher());
        let matches = |name: &str| {
            if exact {
                name == pattern
            } else {
                glob.as_ref().is_ok_and(|glob| glob.is_match(name))
            }
        };
        let mut any = false;
        for (matched, mesh) in matched.iter_mut().zip(document.meshes()) {
            if matches(mesh.name()) {
                *matched = true;
                any = true;
            }
        }
        if !any {
            let names = document.meshes().map(|mesh| mesh.name());
            return Err(Failure::Usage(format!(
                "no mesh matches {pattern:?}; {}",
                list("meshes", names)
            )));
        }
    }
    Ok(matched)
}

fn list<'a>(what: &str, names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    if count == 0 {
        return format!("there are no {what}");
    }
    let names: Vec<String> = names.take(LISTED).map(|name| format!("{name:?}")).collect();
    let more = if count > LISTED {
        format!(" and {} more", count - LISTED)
    } else {
        String::new()
    };
    format!("there are {}{more}", names.join(", "))
}
