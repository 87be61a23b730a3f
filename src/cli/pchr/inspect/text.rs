//! The report for people: what matters on top, tables below.

use std::fmt::Write as _;

use super::report::Report;
use super::tables::Tables;
use super::words;
use crate::document::FileFormat;

/// The whole text. `all` shows long tables whole.
pub(super) fn text(report: &Report<'_>, source: FileFormat, all: bool) -> String {
    let mut out = String::new();
    heading(report, source, &mut out);
    for (label, value) in summary(report) {
        let _ = writeln!(out, "  {label:<12}{value}");
    }
    findings(report, &mut out);
    Tables {
        report,
        all,
        out: &mut out,
    }
    .write();
    out
}

fn heading(report: &Report<'_>, source: FileFormat, out: &mut String) {
    let file = words::line(report.file);
    let format = source.name();
    let size = words::exact_bytes(report.size);
    let _ = if source == FileFormat::Pchr {
        writeln!(out, "{file}: {format}, {size}\n")
    } else {
        writeln!(out, "{file}: {format}; packed to PCHR v1 it takes {size}\n")
    };
}

fn summary(report: &Report<'_>) -> Vec<(&'static str, String)> {
    let totals = &report.totals;
    let mut lines = vec![
        ("header", header(report)),
        ("contents", contents(report)),
        (
            "geometry",
            format!(
                "{}, {}; bones a vertex: {}",
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
        let default = words::animation(animation);
        lines.push((
            "default",
            format!("{default} is shown where none is asked for"),
        ));
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
    let fps = words::count(header.fps, "frame a second", "frames a second");
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
    let pose = match (bind.animation, bind.frame) {
        (Some(animation), Some(frame)) => {
            format!("frame {frame} of {}", words::animation(animation))
        }
        _ => "none".into(),
    };
    let degenerate = match bind.degenerate_bones.len() {
        0 => String::new(),
        count => format!(
            "; {} no inverse in it",
            words::count(count, "bone has", "bones have")
        ),
    };
    format!("{pose}: {}{degenerate}", bind.reason)
}

fn findings(report: &Report<'_>, out: &mut String) {
    let findings = &report.findings;
    if findings.is_empty() {
        let _ = writeln!(out, "  {:<12}nothing", "findings");
        return;
    }
    let _ = writeln!(out, "\nFindings");
    for finding in findings {
        let (rule, id) = (finding.name, finding.id);
        let offset = finding.offset;
        let place = match (finding.line, finding.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column} (byte {offset})"),
            _ => format!("byte {offset} ({offset:#x})"),
        };
        let more = match finding.count.saturating_sub(1) {
            0 => String::new(),
            more => format!(" (and {} more)", words::number(more)),
        };
        let what = format!(
            "{id} {rule}: {} at {place}: {}",
            finding.path, finding.message
        );
        let _ = writeln!(out, "  {}: {}{more}", finding.severity, words::line(&what));
    }
}
