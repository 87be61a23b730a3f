//! Animations, meshes, bones and the bind pose of a subject, by the names that were typed.
//!
//! A name that is not there is an error that lists what there is; nothing is skipped in silence.

use globset::GlobBuilder;

use super::values::{OverlayItem, ZOrder};
use crate::cli::{Failure, words};
use crate::document::{AnimationId, BoneId, MeshId};
use crate::overlay::OverlayOptions;
use crate::pose::BindChoice;
use crate::scene::{MeshView, Subject, ViewOptions};
use crate::text::there_are;

/// An animation by its name, else by its index, which may follow a `#`.
pub(super) fn animation(subject: &dyn Subject, wanted: &str) -> Result<AnimationId, Failure> {
    let mut ids = subject.animation_ids();
    if let Some(id) = ids.find(|id| subject.animation_name(*id) == wanted) {
        return Ok(id);
    }
    let by_index = wanted
        .strip_prefix('#')
        .unwrap_or(wanted)
        .parse()
        .ok()
        .map(AnimationId)
        .filter(|id| subject.animation(*id).is_some());
    by_index.ok_or_else(|| {
        let names = subject.animation_names();
        Failure::Usage(format!(
            "there is no animation {wanted:?}; {}",
            there_are("animations", wanted, names)
        ))
    })
}

/// `ANIMATION`, `ANIMATION:FRAME` or `none`.
pub(super) fn bind(subject: &dyn Subject, wanted: Option<&str>) -> Result<BindChoice, Failure> {
    let Some(wanted) = wanted else {
        return Ok(BindChoice::Auto);
    };
    if wanted == "none" {
        return Ok(BindChoice::None);
    }
    let (id, frame) = match (animation(subject, wanted), wanted.rsplit_once(':')) {
        (Ok(id), _) => (id, 0),
        (Err(_), Some((name, frame))) if frame.bytes().all(|byte| byte.is_ascii_digit()) => {
            let id = animation(subject, name)?;
            (id, frame.parse().unwrap_or(u16::MAX))
        }
        (Err(failure), _) => return Err(failure),
    };
    let count = subject.frame_count(id);
    if frame >= count {
        return Err(Failure::Usage(format!(
            "--bind {wanted}: frame {frame} is not there, the animation has {}",
            words::count(count, "frame", "frames")
        )));
    }
    Ok(BindChoice::Frame(id, frame))
}

/// What is typed about meshes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wishes<'a> {
    pub(super) hide: &'a [String],
    pub(super) only: &'a [String],
    pub(super) show: &'a [String],
    pub(super) z_order: &'a [ZOrder],
}

/// Which meshes are shown, and in which order.
pub(super) fn meshes(subject: &dyn Subject, wishes: Wishes<'_>) -> Result<ViewOptions, Failure> {
    let mut views = vec![MeshView::default(); subject.mesh_count()];
    let mut for_each = |pattern: &str, change: &dyn Fn(&mut MeshView, bool)| {
        let matched = matching(subject, pattern)?;
        for (view, matched) in views.iter_mut().zip(matched) {
            change(view, matched);
        }
        Ok::<_, Failure>(())
    };
    for (i, pattern) in wishes.only.iter().enumerate() {
        // The first leaves all others out, the next ones take theirs back in.
        for_each(pattern, &|view, matched| {
            if matched {
                view.visible = None;
            } else if i == 0 {
                view.visible = Some(false);
            }
        })?;
    }
    for (patterns, visible) in [(wishes.show, true), (wishes.hide, false)] {
        for pattern in patterns {
            for_each(pattern, &|view, matched| {
                if matched {
                    view.visible = Some(visible);
                }
            })?;
        }
    }
    for ZOrder { mesh, z_order } in wishes.z_order {
        for_each(mesh, &|view, matched| {
            if matched {
                view.z_order = Some(*z_order);
            }
        })?;
    }
    let changed = views.iter().any(|view| *view != MeshView::default());
    Ok(ViewOptions {
        meshes: if changed { views } else { Vec::new() },
    })
}

/// For each mesh, whether a pattern means it: by its name, else by its index behind a `#`, else by matching its name.
/// Some mesh has to be meant.
fn matching(subject: &dyn Subject, pattern: &str) -> Result<Vec<bool>, Failure> {
    let exact: Vec<bool> = subject.mesh_names().map(|name| name == pattern).collect();
    if exact.contains(&true) {
        return Ok(exact);
    }
    if let Some(index) = index(pattern, subject.mesh_count()) {
        return Ok((0..exact.len()).map(|i| i == index).collect());
    }
    let glob = GlobBuilder::new(pattern).build();
    let glob = glob.map(|glob| glob.compile_matcher());
    let matches = |name: &str| glob.as_ref().is_ok_and(|glob| glob.is_match(name));
    let matched: Vec<bool> = subject.mesh_names().map(matches).collect();
    if matched.contains(&true) {
        return Ok(matched);
    }
    let names = subject.mesh_names();
    Err(Failure::Usage(format!(
        "no mesh matches {pattern:?}; {}",
        there_are("meshes", pattern, names)
    )))
}

/// `#INDEX`, if it is below `count`.
fn index(text: &str, count: usize) -> Option<usize> {
    let index = text.strip_prefix('#')?.parse().ok()?;
    (index < count).then_some(index)
}

/// The debug drawings; `None` if none are wanted.
pub(super) fn overlay(
    subject: &dyn Subject,
    items: &[OverlayItem],
    scale: u32,
) -> Result<Option<OverlayOptions>, Failure> {
    let mut options = OverlayOptions {
        scale,
        ..OverlayOptions::default()
    };
    for item in items {
        match item {
            OverlayItem::Layer(layer) => options.set(*layer, true),
            OverlayItem::Weights(bone) => options.weights = Some(self::bone(subject, bone)?),
            OverlayItem::Bone(bone) => options.bone = Some(self::bone(subject, bone)?),
            OverlayItem::Mesh(mesh) => options.mesh = Some(self::mesh(subject, mesh)?),
        }
    }
    Ok(Some(options).filter(|options| !options.is_empty()))
}

/// A bone by its name, else by its index behind a `#`.
fn bone(subject: &dyn Subject, wanted: &str) -> Result<BoneId, Failure> {
    one_of("bone", "bones", wanted, subject.bone_names()).map(BoneId)
}

/// A mesh by its name, else by its index behind a `#`.
fn mesh(subject: &dyn Subject, wanted: &str) -> Result<MeshId, Failure> {
    one_of("mesh", "meshes", wanted, subject.mesh_names()).map(MeshId)
}

fn one_of<'a>(
    what: &str,
    all: &str,
    wanted: &str,
    names: impl ExactSizeIterator<Item = &'a str> + Clone,
) -> Result<u16, Failure> {
    let by_name = names.clone().position(|name| name == wanted);
    let found = by_name.or_else(|| index(wanted, names.len()));
    let id = found.and_then(|index| u16::try_from(index).ok());
    id.ok_or_else(|| {
        Failure::Usage(format!(
            "--overlay: there is no {what} {wanted:?}; {}",
            there_are(all, wanted, names)
        ))
    })
}
