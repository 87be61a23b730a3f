//! `pchr inspect` of a PXD file: an animation or a skeleton.

mod clip;
mod report;

pub(super) use self::report::report;
pub(in crate::cli::pchr) use self::report::schema;

use self::clip::{ClipReport, PartReport, StorageCount};
use self::report::{AnimationReport, Report, SkeletonReport, TrackReport};
use super::motion::report::KeysReport;
use super::motion::stated_frames;
use super::page::{Page, Table};
use super::words::{self, ByteRange, bytes, count, name, number, or_none, reference, share, when};
use crate::text::visible;

impl super::Report for Report<'_> {
    fn describe(&self, page: &mut Page) {
        let size = words::exact_bytes(self.size);
        page.title(self.file, format!("{}, {size}", self.format_name));
        let version = visible(self.container.version);
        let pointers = count(self.container.pointers, "pointer", "pointers");
        page.fact("container", format!("BINA {version}, {pointers}"));
        if let Some(animation) = &self.animation {
            animation_facts(animation, page);
        }
        if let Some(skeleton) = &self.skeleton {
            skeleton_facts(skeleton, page);
        }
        tables(self, page);
    }
}

fn skeleton_facts(skeleton: &SkeletonReport<'_>, page: &mut Page) {
    let bones = count(skeleton.bones.len(), "bone", "bones");
    let roots = count(skeleton.roots.len(), "root", "roots");
    let levels = count(skeleton.levels, "level", "levels");
    let order = "; some parents come after their children";
    let order = when(!skeleton.parents_first, order);
    page.fact("contents", format!("{bones} ({roots}, {levels}){order}"));
}

fn animation_facts(animation: &AnimationReport<'_>, page: &mut Page) {
    let reference = match animation.additive {
        true => "additive",
        false => "replaces the rest pose",
    };
    let storage = match animation.compressed {
        true => "compressed with ACL",
        false => "uncompressed",
    };
    page.fact("header", format!("{reference}, {storage}"));

    let frames = count(animation.frames, "frame", "frames");
    let stated = stated_frames(animation.frame_count, animation.frames);
    let (secs, rate) = (words::seconds(animation.seconds), animation.frame_rate);
    let duration = match animation.duration {
        None => " (the header states no duration)".into(),
        Some(secs) if (f64::from(secs) - animation.seconds).abs() < 1e-3 => String::new(),
        Some(secs) => format!(" (the header states {secs} s)"),
    };
    let playing = format!("{frames}{stated}, {secs}, {rate} frames per second{duration}");
    page.fact("playing", playing);

    let tracks = count(animation.tracks, "track", "tracks");
    let root = when(animation.root_motion, ", root motion");
    page.fact("contents", tracks + &root);
    if let Some(keys) = &animation.keys {
        let translation = number(keys.translation_keys);
        let (rotation, scale) = (number(keys.rotation_keys), number(keys.scale_keys));
        let keys = format!("{translation} translation, {rotation} rotation, {scale} scale");
        page.fact("keys", keys);
    }
    for clip in animation.clips.iter().flatten() {
        clip_facts(clip, page);
    }
}

fn clip_facts(clip: &ClipReport<'_>, page: &mut Page) {
    let (version, formats) = (clip.version, &clip.formats);
    let named = clip.name.as_ref();
    let named = named.map_or(String::new(), |it| format!(" {}", name(it)));
    let contents = [
        count(clip.track_count, "track", "tracks"),
        count(clip.samples, "sample", "samples"),
        count(clip.segments.len(), "segment", "segments"),
    ];
    let contents = contents.join(", ");
    let (rotation, translation) = (formats.rotation, formats.translation);
    let scale = match formats.scale {
        Some(format) => format!("scale {format}"),
        None => format!("no scale ({} instead)", clip.default_scale),
    };
    let formats = format!("rotation {rotation}, translation {translation}, {scale}");
    let head = format!("ACL version {version}{named}: {contents}; {formats}");
    page.fact(clip.part, head);

    let stored = [
        ("rotation", clip.rotation),
        ("translation", clip.translation),
        ("scale", clip.scale),
    ];
    let stored = stored.map(|(name, count)| format!("{name} {}", storage(count)));
    page.fact("", stored.join("; "));

    let (size, raw) = (clip.bytes.length, clip.raw_bytes);
    let (part, size, raw) = (share(size, raw), bytes(size), bytes(raw));
    page.fact(
        "",
        format!("{size}, {part} of the {raw} that raw samples take"),
    );
}

fn storage(count: StorageCount) -> String {
    let parts = [
        (count.animated, "animated"),
        (count.constant, "constant"),
        (count.default, "default"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = parts
        .map(|(count, what)| format!("{} {what}", number(*count)))
        .collect();
    parts.join(", ")
}

fn tables(report: &Report<'_>, page: &mut Page) {
    let range = words::ranges(report.size);
    let clips = report.animation.iter();
    let clips = clips.flat_map(|animation| animation.clips.iter().flatten());
    let mut sections = Vec::new();
    for section in &report.sections {
        sections.push((section.name.to_owned(), section.bytes));
        if section.name == "payload" {
            let clips = clips.clone();
            sections.extend(clips.map(|clip| (format!("  {} clip", clip.part), clip.bytes)));
        }
    }
    Table::new("Sections", &sections)
        .left("section", |(name, _)| name)
        .left("bytes", |(_, it)| range(*it))
        .right("size", |(_, it)| bytes(it.length))
        .right("share", |(_, it)| share(it.length, report.size))
        .write(page);
    for clip in clips {
        let some = |it: ByteRange| or_none((it.length > 0).then(|| range(it)));
        Table::new(&format!("Segments, {}", clip.part), &clip.segments)
            .numbered()
            .left("samples", |it| {
                let end = it.start.saturating_add(it.samples);
                format!("{}..{end}", it.start)
            })
            .right("bits per pose", |it| number(it.pose_bits))
            .left("bit rates", |it| some(it.formats))
            .left("ranges", |it| some(it.ranges))
            .left("poses", |it| some(it.poses))
            .write(page);
        let title = format!("Tracks, {} (bits per number, over all segments)", clip.part);
        Table::new(&title, &clip.tracks)
            .numbered()
            .left("rotation", |it| part(it.rotation))
            .left("translation", |it| part(it.translation))
            .left("scale", |it| part(it.scale))
            .left("name", |it| {
                it.name.as_ref().map(|it| name(it)).unwrap_or_default()
            })
            .write(page);
    }
    if let Some(keys) = report.animation.as_ref().and_then(|it| it.keys.as_ref()) {
        tracks("Tracks (keys: frames)", &keys.tracks, page);
        tracks("Root motion (keys: frames)", keys.root.as_slice(), page);
    }
    if let Some(skeleton) = &report.skeleton {
        Table::new("Bones", &skeleton.bones)
            .numbered()
            .left("bone", |it| name(&it.name))
            .left("parent", |it| {
                reference(it.parent, &skeleton.bones, |it| &it.name)
            })
            .left("translation", |it| numbers(&it.rest.translation))
            .left("rotation (x y z w)", |it| numbers(&it.rest.rotation))
            .left("scale", |it| numbers(&it.rest.scale))
            .left("byte", |it| format!("{:#x}", it.offset))
            .write(page);
    }
}

fn tracks(title: &str, tracks: &[TrackReport], page: &mut Page) {
    Table::new(title, tracks)
        .numbered()
        .left("translation", |it| keys(it.translation))
        .left("rotation", |it| keys(it.rotation))
        .left("scale", |it| keys(it.scale))
        .left("byte", |it| format!("{:#x}", it.offset))
        .left("", |it| when(!it.sorted, "not sorted"))
        .write(page);
}

/// `animated 7..=12`.
fn part(part: PartReport) -> String {
    match part.bits {
        Some(bits) if bits.min == bits.max => format!("{} {}", part.storage, bits.min),
        Some(bits) => format!("{} {}..={}", part.storage, bits.min, bits.max),
        None => part.storage.into(),
    }
}

/// `12: 0..=44`.
fn keys(keys: Option<KeysReport>) -> String {
    or_none(keys.map(|keys| {
        let count = number(keys.keys);
        match (keys.first_frame, keys.last_frame) {
            (Some(first), Some(last)) => format!("{count}: {first}..={last}"),
            _ => count,
        }
    }))
}

/// Numbers to four places; those that are not finite as "?".
fn numbers(numbers: &[Option<f32>]) -> String {
    let text = |number: &Option<f32>| match number {
        Some(number) if number.abs() < 5e-5 => "0".into(),
        Some(number) if number.abs() < 1e6 => {
            let text = format!("{number:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Some(number) => format!("{number:.2e}"),
        None => "?".into(),
    };
    let all: Vec<String> = numbers.iter().map(text).collect();
    all.join(" ")
}
