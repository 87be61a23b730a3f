//! `pchr inspect` of a motion.

pub(super) mod report;

pub(super) use self::report::report;
pub(in crate::cli::pchr) use self::report::schema;

use self::report::{KeysReport, Report, TypeReport};
use super::page::{Page, Table};
use super::words::{self, bytes, count, name, number, or_none, share, when};

impl super::Report for Report<'_> {
    fn describe(&self, page: &mut Page) {
        facts(self, page);
        tables(self, page);
    }
}

fn facts(report: &Report<'_>, page: &mut Page) {
    let (header, totals) = (&report.header, &report.totals);
    let bytes = |number: usize| count(number, "byte", "bytes");
    let size = words::exact_bytes(report.size);
    page.title(report.file, format!("{}, {size}", report.format_name));

    let (version, size) = (header.version, bytes(header.header_size.into()));
    let reference = type_name(header.animation_type);
    let ends = if header.looped { "loop" } else { "once" };
    let rate = match header.frame_rate {
        Some(rate) => format!("{rate} frames per second"),
        None => "no frame rate".into(),
    };
    let plays = format!(" (plays at {})", header.playback_rate);
    let plays = when(header.frame_rate != Some(header.playback_rate), plays);
    let text = format!("version {version}, {size}; {reference}, {ends}, {rate}{plays}");
    page.fact("header", text);

    let frames = count(totals.frames, "frame", "frames");
    let stated = stated_frames(header.frame_count, totals.frames);
    let seconds = words::seconds(totals.seconds);
    page.fact("playing", format!("{frames}{stated}, {seconds}"));

    let cosmetic = format!(" ({} cosmetic)", number(totals.cosmetic));
    let cosmetic = when(totals.cosmetic > 0, cosmetic);
    let mut contents = vec![
        count(totals.tracks, "bone", "bones") + &cosmetic,
        count(totals.modifiers, "modifier", "modifiers"),
        count(totals.notes, "note", "notes"),
    ];
    let custom = report.custom_bytes;
    contents.extend(custom.map(|size| format!("a custom block of {}", bytes(size))));
    page.fact("contents", contents.join(", "));

    let keys = [
        ("translation", totals.translation_keys),
        ("rotation", totals.rotation_keys),
        ("scale", totals.scale_keys),
    ];
    let keys = keys
        .iter()
        .filter(|(name, _)| header.channels.contains(name));
    let keys: Vec<_> = keys
        .map(|(name, keys)| format!("{} {name}", number(*keys)))
        .collect();
    match keys.is_empty() {
        true => page.fact("keys", "no channel is stored"),
        false => page.fact("keys", keys.join(", ")),
    }

    let (frames, bones) = (
        bytes(header.frame_index_bytes),
        bytes(header.bone_index_bytes),
    );
    let flags = header.flags.map(|flags| format!("{flags:#04x}")).join(" ");
    let precision = header.precision;
    let stored = format!(
        "{precision} precision, frames in {frames}, bone indices in {bones}; flags {flags}"
    );
    page.fact("stored", stored);
}

/// Number of frames in the header, if another is played.
pub(super) fn stated_frames(stated: u32, played: u32) -> String {
    let text = format!(" (the header states {})", number(stated));
    when(stated != played, text)
}

fn type_name(animation_type: TypeReport) -> String {
    match animation_type.name {
        "unknown" => format!("unknown type {}", animation_type.code),
        name => name.into(),
    }
}

fn tables(report: &Report<'_>, page: &mut Page) {
    // The file or, for a mirror, the SEAnim file that it describes.
    let last = report.sections.last().map(|it| it.bytes);
    let size = last.map_or(0, |last| last.offset.saturating_add(last.length));
    let range = words::ranges(size);
    let title = match report.format {
        "seanim" => "Sections",
        _ => "Sections (bytes as they would be written to SEAnim)",
    };
    Table::new(title, &report.sections)
        .left("section", |it| it.name)
        .right("count", |it| it.count.map(number).unwrap_or_default())
        .left("bytes", |it| range(it.bytes))
        .right("size", |it| bytes(it.bytes.length))
        .right("share", |it| share(it.bytes.length, size))
        .write(page);
    let keys = |keys: Option<KeysReport>| or_none(keys.map(|it| number(it.keys)));
    Table::new("Tracks", &report.tracks)
        .numbered()
        .left("bone", |it| name(&it.name))
        .left("type", |it| type_name(it.animation_type))
        .right("translation", |it| keys(it.translation))
        .right("rotation", |it| keys(it.rotation))
        .right("scale", |it| keys(it.scale))
        .left("frames", |it| {
            let frames = it.first_frame.zip(it.last_frame);
            or_none(frames.map(|(first, last)| format!("{first}..={last}")))
        })
        .left("bytes", |it| or_none(it.bytes.map(&range)))
        .left("", |it| {
            let remarks = [
                it.cosmetic.then_some("cosmetic"),
                it.modified.then_some("modified"),
                (!it.sorted).then_some("not sorted"),
            ];
            remarks.into_iter().flatten().collect::<Vec<_>>().join(", ")
        })
        .write(page);
    let bone = |track: u32| or_none(report.tracks.get(track as usize).map(|it| name(&it.name)));
    Table::new("Modifiers", &report.modifiers)
        .right("#", |it| it.track)
        .left("bone", |it| bone(it.track))
        .left("type", |it| type_name(it.animation_type))
        .left("byte", |it| format!("{:#x}", it.offset))
        .write(page);
    Table::new("Notes, by frame", &report.notes)
        .right("frame", |it| it.frame)
        .right("seconds", |it| format!("{:.2}", it.seconds))
        .left("note", |it| name(&it.name))
        .left("byte", |it| format!("{:#x}", it.offset))
        .write(page);
}
