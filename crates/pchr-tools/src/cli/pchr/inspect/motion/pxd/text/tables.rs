//! The tables of a report.

use crate::cli::pchr::inspect::grid::Align::{Left, Right};
use crate::cli::pchr::inspect::grid::{Align, list};
use crate::cli::pchr::inspect::motion::pxd::clip::{ClipReport, PartReport};
use crate::cli::pchr::inspect::motion::pxd::report::{
    BoneReport, KeysOfTracks, Report, SkeletonReport, TrackReport,
};
use crate::cli::pchr::inspect::motion::report::KeysReport;
use crate::cli::pchr::inspect::report::ByteRange;
use crate::cli::pchr::inspect::words;

/// Text for an absent value.
const NONE: &str = "-";

pub(super) struct Tables<'a> {
    pub(super) report: &'a Report<'a>,
    /// True if long tables are shown whole.
    pub(super) all: bool,
    pub(super) out: &'a mut String,
}

impl Tables<'_> {
    pub(super) fn write(mut self) {
        let report = self.report;
        self.sections();
        if let Some(animation) = &report.animation {
            for clip in animation.clips.iter().flatten() {
                self.segments(clip);
                self.clip_tracks(clip);
            }
            if let Some(keys) = &animation.keys {
                self.tracks(keys);
            }
        }
        if let Some(skeleton) = &report.skeleton {
            self.bones(skeleton);
        }
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

    fn range(&self, range: ByteRange) -> String {
        words::range(range, words::digits(self.report.size))
    }

    /// Parts of the container, and of the clips in it.
    fn sections(&mut self) {
        let header = [
            ("section", Left),
            ("bytes", Left),
            ("size", Right),
            ("share", Right),
        ];
        let report = self.report;
        let mut parts = Vec::new();
        for section in &report.sections {
            parts.push((section.name.to_owned(), section.bytes));
            let clips = report.animation.iter();
            let clips = clips.flat_map(|animation| animation.clips.iter().flatten());
            for clip in clips.filter(|_| section.name == "payload") {
                parts.push((format!("  {} clip", clip.part), clip.bytes));
            }
        }
        let rows: Vec<_> = parts
            .into_iter()
            .map(|(name, bytes)| {
                let size = words::bytes(bytes.length);
                let share = words::share(bytes.length, report.size);
                [name, self.range(bytes), size, share]
            })
            .collect();
        self.list("Sections", header, &rows, Clone::clone);
    }

    fn segments(&mut self, clip: &ClipReport<'_>) {
        let header = [
            ("#", Right),
            ("samples", Left),
            ("bits per pose", Right),
            ("bit rates", Left),
            ("ranges", Left),
            ("poses", Left),
        ];
        let title = format!("Segments, {}", clip.part);
        let digits = words::digits(self.report.size);
        let range = |range: ByteRange| match range.length {
            0 => NONE.into(),
            _ => words::range(range, digits),
        };
        self.list(&title, header, &clip.segments, |segment| {
            let end = segment.start.saturating_add(segment.samples);
            [
                segment.index.to_string(),
                format!("{}..{end}", segment.start),
                words::number(segment.pose_bits),
                range(segment.formats),
                range(segment.ranges),
                range(segment.poses),
            ]
        });
    }

    fn clip_tracks(&mut self, clip: &ClipReport<'_>) {
        let header = [
            ("#", Right),
            ("rotation", Left),
            ("translation", Left),
            ("scale", Left),
            ("name", Left),
        ];
        let title = format!("Tracks, {} (bits per number, over all segments)", clip.part);
        self.list(&title, header, &clip.tracks, |track| {
            let name = track.name.as_ref();
            [
                track.index.to_string(),
                part(track.rotation),
                part(track.translation),
                part(track.scale),
                name.map_or(String::new(), |name| words::name(name).into()),
            ]
        });
    }

    fn tracks(&mut self, keys: &KeysOfTracks) {
        let header = [
            ("#", Right),
            ("translation", Left),
            ("rotation", Left),
            ("scale", Left),
            ("byte", Left),
            ("", Left),
        ];
        let row = |track: &TrackReport| {
            [
                track.index.to_string(),
                of_keys(track.translation),
                of_keys(track.rotation),
                of_keys(track.scale),
                format!("{:#x}", track.offset),
                if track.sorted { "" } else { "not sorted" }.into(),
            ]
        };
        self.list("Tracks (keys: frames)", header, &keys.tracks, row);
        let root: Vec<_> = keys.root.into_iter().collect();
        self.list("Root motion (keys: frames)", header, &root, row);
    }

    fn bones(&mut self, skeleton: &SkeletonReport<'_>) {
        let header = [
            ("#", Right),
            ("bone", Left),
            ("parent", Left),
            ("translation", Left),
            ("rotation (x y z w)", Left),
            ("scale", Left),
            ("byte", Left),
        ];
        let name = |bone: &BoneReport<'_>| words::name(&bone.name).into_owned();
        self.list("Bones", header, &skeleton.bones, |bone| {
            let parent = bone.parent.map(|parent| {
                let named = skeleton.bones.get(parent as usize);
                format!("{parent} {}", named.map(name).unwrap_or_default())
            });
            [
                bone.index.to_string(),
                name(bone),
                parent.unwrap_or(NONE.into()),
                numbers(&bone.rest.translation),
                numbers(&bone.rest.rotation),
                numbers(&bone.rest.scale),
                format!("{:#x}", bone.offset),
            ]
        });
    }
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
fn of_keys(keys: Option<KeysReport>) -> String {
    let Some(keys) = keys else {
        return NONE.into();
    };
    let count = words::number(keys.keys);
    match (keys.first_frame, keys.last_frame) {
        (Some(first), Some(last)) => format!("{count}: {first}..={last}"),
        _ => count,
    }
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
