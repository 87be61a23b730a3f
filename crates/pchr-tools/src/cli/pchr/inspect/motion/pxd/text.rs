//! The report for people: what matters on top, tables below.

mod tables;

use self::tables::Tables;
use super::clip::{ClipReport, StorageCount};
use super::report::{AnimationReport, Report, SkeletonReport};
use crate::cli::pchr::findings::Fold;
use crate::cli::pchr::inspect::text::{Detail, page, title};
use crate::cli::pchr::inspect::words;
use crate::text::visible;

type Line = (&'static str, String);

/// The whole text.
pub(super) fn text(report: &Report<'_>, folds: &[Fold], detail: Detail) -> String {
    let container = format!(
        "BINA {}, {}",
        visible(report.container.version),
        words::count(report.container.pointers, "pointer", "pointers"),
    );
    let mut lines = vec![("container", container)];
    if let Some(animation) = &report.animation {
        lines.extend(of_animation(animation));
    }
    lines.extend(report.skeleton.iter().map(of_skeleton));
    let title = title(report.file, report.format_name, report.size);
    page(&title, lines, folds, detail, |out, all| {
        Tables { report, all, out }.write();
    })
}

fn of_skeleton(skeleton: &SkeletonReport<'_>) -> Line {
    let order = match skeleton.parents_first {
        true => "",
        false => "; some parents come after their children",
    };
    let contents = format!(
        "{} ({}, {}){order}",
        words::count(skeleton.bones.len(), "bone", "bones"),
        words::count(skeleton.roots.len(), "root", "roots"),
        words::count(skeleton.levels, "level", "levels"),
    );
    ("contents", contents)
}

fn of_animation(animation: &AnimationReport<'_>) -> Vec<Line> {
    let reference = match animation.additive {
        true => "additive",
        false => "replaces the rest pose",
    };
    let storage = match animation.compressed {
        true => "compressed with ACL",
        false => "uncompressed",
    };
    let frames = words::count(animation.frames, "frame", "frames");
    let stated = match animation.frame_count == animation.frames {
        true => String::new(),
        false => format!(
            " (the header states {})",
            words::number(animation.frame_count)
        ),
    };
    let root = match animation.root_motion {
        true => ", root motion",
        false => "",
    };
    let tracks = words::count(animation.tracks, "track", "tracks");
    let playing = format!(
        "{frames}{stated}, {}, {} frames per second{}",
        words::seconds(animation.seconds),
        animation.frame_rate,
        stated_duration(animation),
    );
    let mut lines = vec![
        ("header", format!("{reference}, {storage}")),
        ("playing", playing),
        ("contents", format!("{tracks}{root}")),
    ];
    if let Some(keys) = &animation.keys {
        let counts = format!(
            "{} translation, {} rotation, {} scale",
            words::number(keys.translation_keys),
            words::number(keys.rotation_keys),
            words::number(keys.scale_keys),
        );
        lines.push(("keys", counts));
    }
    for clip in animation.clips.iter().flatten() {
        lines.extend(of_clip(clip));
    }
    lines
}

/// The duration in the header, if another is played.
fn stated_duration(animation: &AnimationReport<'_>) -> String {
    let Some(secs) = animation.duration else {
        return " (the header states no duration)".into();
    };
    let off = (f64::from(secs) - animation.seconds).abs();
    match off < 1e-3 {
        true => String::new(),
        false => format!(" (the header states {secs} s)"),
    }
}

fn of_clip(clip: &ClipReport<'_>) -> Vec<Line> {
    let formats = &clip.formats;
    let scale = match formats.scale {
        Some(format) => format!("scale {format}"),
        None => format!("no scale ({} instead)", clip.default_scale),
    };
    let name = clip.name.as_ref();
    let name = name.map_or(String::new(), |name| format!(" {}", words::name(name)));
    let head = format!(
        "ACL version {}{name}: {}, {}, {}; rotation {}, translation {}, {scale}",
        clip.version,
        words::count(clip.track_count, "track", "tracks"),
        words::count(clip.samples, "sample", "samples"),
        words::count(clip.segments.len(), "segment", "segments"),
        formats.rotation,
        formats.translation,
    );
    let size = format!(
        "{}, {} of the {} that raw samples take",
        words::bytes(clip.bytes.length),
        words::share(clip.bytes.length, clip.raw_bytes),
        words::bytes(clip.raw_bytes),
    );
    let stored = [
        ("rotation", clip.rotation),
        ("translation", clip.translation),
        ("scale", clip.scale),
    ];
    let stored = stored.map(|(name, count)| format!("{name} {}", of_storage(count)));
    vec![(clip.part, head), ("", stored.join("; ")), ("", size)]
}

fn of_storage(count: StorageCount) -> String {
    let parts = [
        (count.animated, "animated"),
        (count.constant, "constant"),
        (count.default, "default"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = parts
        .map(|(count, what)| format!("{} {what}", words::number(count)))
        .collect();
    parts.join(", ")
}
