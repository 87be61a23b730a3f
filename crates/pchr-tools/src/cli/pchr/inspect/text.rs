//! The report for people: what matters on top, tables below.

use std::fmt::Write as _;

use pchr::document::FileFormat;

use super::report::Report;
use super::tables::Tables;
use super::words;
use crate::cli::pchr::findings::Fold;
use crate::run::messages::Messages;
use crate::text::visible;

/// Amount of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The most important facts, without tables.
    Summary,
    /// Tables, too; long ones end early.
    Usual,
    /// Everything.
    Full,
}

impl Detail {
    pub(super) fn of(messages: &Messages, all: bool) -> Self {
        match (messages.is_quiet(), all || messages.is_verbose()) {
            (true, _) => Self::Summary,
            (false, false) => Self::Usual,
            (false, true) => Self::Full,
        }
    }
}

/// The text of a report: a title, a line for each fact, findings, and tables where they are wanted. `tables` gets true if long ones
/// are shown whole.
pub(super) fn page<'l>(
    title: &str,
    facts: impl IntoIterator<Item = (&'l str, String)>,
    folds: &[Fold],
    detail: Detail,
    tables: impl FnOnce(&mut String, bool),
) -> String {
    let mut out = format!("{title}\n\n");
    for (label, value) in facts {
        let _ = writeln!(out, "  {label:<12}{value}");
    }
    findings(folds, &mut out);
    if detail != Detail::Summary {
        tables(&mut out, detail == Detail::Full);
    }
    out
}

/// The usual title.
pub(super) fn title(file: &str, format: &str, size: u64) -> String {
    let (file, size) = (visible(file), words::exact_bytes(size));
    format!("{file}: {format}, {size}")
}

/// The whole text.
pub(super) fn text(
    report: &Report<'_>,
    folds: &[Fold],
    source: FileFormat,
    detail: Detail,
) -> String {
    let title = match source {
        FileFormat::Pchr => title(report.file, source.name(), report.size),
        _ => {
            let (file, format) = (visible(report.file), source.name());
            let size = words::exact_bytes(report.size);
            format!("{file}: {format}; packed to PCHR v1 it takes {size}")
        }
    };
    page(&title, summary(report), folds, detail, |out, all| {
        Tables { report, all, out }.write();
    })
}

fn summary(report: &Report<'_>) -> Vec<(&'static str, String)> {
    let totals = &report.totals;
    let mut lines = vec![
        ("header", header(report)),
        ("contents", contents(report)),
        (
            "geometry",
            format!(
                "{}, {}; bones per vertex: {}",
                words::count(totals.vertices, "vertex", "vertices"),
                words::count(totals.triangles, "triangle", "triangles"),
                words::influences(totals.vertices_by_influences),
            ),
        ),
        (
            "playing",
            format!(
                "{}, {} in all",
                words::count(totals.frames, "frame", "frames"),
                words::seconds(totals.seconds)
            ),
        ),
        (
            "memory",
            format!(
                "{} as textures, {} of vertices and indices",
                words::bytes(totals.texture_bytes),
                words::bytes(totals.geometry_bytes)
            ),
        ),
        ("bounds", bounds(report)),
        ("bind pose", bind_pose(report)),
    ];
    if let Some(animation) = report.default_animation {
        let default = words::animation(report, animation);
        lines.push(("default", format!("{default} is shown by default")));
    }
    lines
}

fn header(report: &Report<'_>) -> String {
    let header = &report.header;
    let plays = if header.fps == 0 {
        format!(" (plays at {})", header.playback_fps)
    } else {
        String::new()
    };
    let fps = words::count(header.fps, "frame per second", "frames per second");
    format!(
        "version {}, {fps}{plays}, flags {:#06x}",
        header.version, header.flags
    )
}

fn contents(report: &Report<'_>) -> String {
    let totals = &report.totals;
    let shape = if totals.bones > 0 {
        format!(
            " ({}, {})",
            words::count(totals.root_bones, "root", "roots"),
            words::count(totals.bone_levels, "level", "levels")
        )
    } else {
        String::new()
    };
    format!(
        "{}, {}{shape}, {}, {}",
        words::count(totals.images, "image", "images"),
        words::count(totals.bones, "bone", "bones"),
        words::count(totals.meshes, "mesh", "meshes"),
        words::count(totals.animations, "animation", "animations"),
    )
}

fn bounds(report: &Report<'_>) -> String {
    let of = if report.totals.frames > 0 {
        "over all frames"
    } else {
        "as stored"
    };
    match report.bounds.map(words::bounds) {
        Some([x, y, size]) => format!("{size} px, x {x}, y {y}, {of}"),
        None => format!("nothing is drawn, {of}"),
    }
}

fn bind_pose(report: &Report<'_>) -> String {
    let bind = &report.bind_pose;
    let pose = match (bind.animation_index, bind.frame) {
        (Some(animation), Some(frame)) => {
            format!("frame {frame} of {}", words::animation(report, animation))
        }
        _ => "none".into(),
    };
    let degenerate = match bind.degenerate_bones.len() {
        0 => String::new(),
        count => format!(
            "; {} no inverse in this pose",
            words::count(count, "bone has", "bones have")
        ),
    };
    format!("{pose}: {}{degenerate}", bind.reason)
}

pub(super) fn findings(folds: &[Fold], out: &mut String) {
    if folds.is_empty() {
        let _ = writeln!(out, "  {:<12}nothing", "findings");
        return;
    }
    let _ = writeln!(out, "\nFindings");
    for fold in folds {
        let more = match fold.more() {
            0 => String::new(),
            more => format!(" (and {} more)", words::number(more)),
        };
        let (severity, what) = (fold.rule.severity().name(), fold.first.to_string());
        let _ = writeln!(out, "  {severity}: {}{more}", visible(&what));
    }
}
