//! The report for people: what matters on top, tables below.

use super::report::{KeysReport, Report, TypeReport};
use crate::cli::pchr::findings::Fold;
use crate::cli::pchr::inspect::grid::Align::{Left, Right};
use crate::cli::pchr::inspect::grid::{Align, list};
use crate::cli::pchr::inspect::report::ByteRange;
use crate::cli::pchr::inspect::text::{Detail, page, title};
use crate::cli::pchr::inspect::words;

/// Text for an absent value.
const NONE: &str = "-";

/// The whole text.
pub(super) fn text(report: &Report<'_>, folds: &[Fold], detail: Detail) -> String {
    let title = title(report.file, report.format_name, report.size);
    page(&title, summary(report), folds, detail, |out, all| {
        Tables { report, all, out }.write();
    })
}

fn summary(report: &Report<'_>) -> [(&'static str, String); 5] {
    let (header, totals) = (&report.header, &report.totals);
    let rate = match header.frame_rate {
        Some(rate) => format!("{rate} frames per second"),
        None => "no frame rate".into(),
    };
    let plays = match header.frame_rate == Some(header.playback_rate) {
        true => String::new(),
        false => format!(" (plays at {})", header.playback_rate),
    };
    let stated = match header.frame_count == totals.frames {
        true => String::new(),
        false => format!(" (the header states {})", words::number(header.frame_count)),
    };
    let bytes = |count: usize| words::count(count, "byte", "bytes");
    let keys = [
        ("translation", totals.translation_keys),
        ("rotation", totals.rotation_keys),
        ("scale", totals.scale_keys),
    ];
    let stored = |name: &str| header.channels.contains(&name);
    let keys = keys.iter().filter(|(name, _)| stored(name));
    let keys: Vec<_> = keys
        .map(|(name, count)| format!("{} {name}", words::number(*count)))
        .collect();
    let keys = match keys.is_empty() {
        true => "no channel is stored".into(),
        false => keys.join(", "),
    };
    let cosmetic = match totals.cosmetic {
        0 => String::new(),
        count => format!(" ({} cosmetic)", words::number(count)),
    };
    let mut contents = vec![
        words::count(totals.tracks, "bone", "bones") + &cosmetic,
        words::count(totals.modifiers, "modifier", "modifiers"),
        words::count(totals.notes, "note", "notes"),
    ];
    if let Some(custom) = report.custom_bytes {
        contents.push(format!("a custom block of {}", bytes(custom)));
    }
    [
        (
            "header",
            format!(
                "version {}, {}; {}, {}, {rate}{plays}",
                header.version,
                bytes(header.header_size.into()),
                type_name(header.animation_type),
                if header.looped { "loop" } else { "once" },
            ),
        ),
        (
            "playing",
            format!(
                "{}{stated}, {}",
                words::count(totals.frames, "frame", "frames"),
                words::seconds(totals.seconds)
            ),
        ),
        ("contents", contents.join(", ")),
        ("keys", keys),
        (
            "stored",
            format!(
                "{} precision, frames in {}, bone indices in {}; flags {}",
                header.precision,
                bytes(header.frame_index_bytes),
                bytes(header.bone_index_bytes),
                header.flags.map(|flags| format!("{flags:#04x}")).join(" "),
            ),
        ),
    ]
}

fn type_name(animation_type: TypeReport) -> String {
    match animation_type.name {
        "unknown" => format!("unknown type {}", animation_type.code),
        name => name.into(),
    }
}

struct Tables<'a> {
    report: &'a Report<'a>,
    /// True if long tables are shown whole.
    all: bool,
    out: &'a mut String,
}

impl Tables<'_> {
    fn write(mut self) {
        self.sections();
        self.tracks();
        self.modifiers();
        self.notes();
    }

    fn list<T, const N: usize>(
        &mut self,
        title: &str,
        header: [(&str, Align); N],
        items: &[T],
        row: impl Fn(&T) -> [String; N],
    ) {
        let rows = items.iter().map(row);
        list(self.out, title, header, items.len(), self.all, rows);
    }

    fn sections(&mut self) {
        let header = [
            ("section", Left),
            ("count", Right),
            ("bytes", Left),
            ("size", Right),
            ("share", Right),
        ];
        let report = self.report;
        let size = size(report);
        let title = match report.format {
            "seanim" => "Sections",
            _ => "Sections (bytes as they would be written to SEAnim)",
        };
        self.list(title, header, &report.sections, |section| {
            [
                section.name.into(),
                section.count.map(words::number).unwrap_or_default(),
                range(section.bytes, size),
                words::bytes(section.bytes.length),
                words::share(section.bytes.length, size),
            ]
        });
    }

    fn tracks(&mut self) {
        let header = [
            ("#", Right),
            ("bone", Left),
            ("type", Left),
            ("translation", Right),
            ("rotation", Right),
            ("scale", Right),
            ("frames", Left),
            ("bytes", Left),
            ("", Left),
        ];
        let report = self.report;
        let keys =
            |keys: Option<KeysReport>| keys.map_or(NONE.into(), |keys| words::number(keys.keys));
        self.list("Tracks", header, &report.tracks, |track| {
            let remarks = [
                (track.cosmetic, "cosmetic"),
                (track.modified, "modified"),
                (!track.sorted, "not sorted"),
            ];
            let remarks = remarks.iter().filter(|(is_so, _)| *is_so);
            let remarks: Vec<_> = remarks.map(|(_, remark)| *remark).collect();
            [
                track.index.to_string(),
                words::name(&track.name).into(),
                type_name(track.animation_type),
                keys(track.translation),
                keys(track.rotation),
                keys(track.scale),
                match (track.first_frame, track.last_frame) {
                    (Some(first), Some(last)) => format!("{first}..={last}"),
                    _ => NONE.into(),
                },
                track
                    .bytes
                    .map_or(NONE.into(), |bytes| range(bytes, size(report))),
                remarks.join(", "),
            ]
        });
    }

    fn modifiers(&mut self) {
        let header = [("#", Right), ("bone", Left), ("type", Left), ("byte", Left)];
        let report = self.report;
        self.list("Modifiers", header, &report.modifiers, |modifier| {
            let track = usize::try_from(modifier.track).ok();
            let track = track.and_then(|track| report.tracks.get(track));
            [
                modifier.track.to_string(),
                track.map_or(NONE.into(), |track| words::name(&track.name).into()),
                type_name(modifier.animation_type),
                format!("{:#x}", modifier.offset),
            ]
        });
    }

    fn notes(&mut self) {
        let header = [
            ("frame", Right),
            ("seconds", Right),
            ("note", Left),
            ("byte", Left),
        ];
        let report = self.report;
        self.list("Notes, by frame", header, &report.notes, |note| {
            [
                note.frame.to_string(),
                format!("{:.2}", note.seconds),
                words::name(&note.name).into(),
                format!("{:#x}", note.offset),
            ]
        });
    }
}

/// Size of the file in bytes or, for a mirror, of the SEAnim file that it describes.
fn size(report: &Report<'_>) -> u64 {
    let last = report.sections.last();
    last.map_or(0, |last| {
        last.bytes.offset.saturating_add(last.bytes.length)
    })
}

fn range(range: ByteRange, size: u64) -> String {
    words::range(range, words::digits(size))
}
