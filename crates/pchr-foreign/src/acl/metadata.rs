//! Facts about a chunk's tracks besides their samples. No pose depends on it.

use std::borrow::Cow;

use pchr::finding::{Finding, Findings, counted};

use super::AclRule;
use super::header::{ABSENT, AclHeader, Chunk, floats, words};

/// Bytes of the offsets at the end of a chunk.
pub(super) const OFFSETS: u64 = 20;
/// Bytes of a name, its end included.
const LONGEST: usize = 1024;
const DESCRIPTION: u64 = 20;

/// Offsets of the parts that are there, from the start of the chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MetadataPlaces {
    list_name: Option<u32>,
    track_names: Option<u32>,
    parents: Option<u32>,
    descriptions: Option<u32>,
}

/// Metadata of a clip; all of it may be absent.
#[derive(Clone, Copy, Debug)]
pub struct Metadata<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) places: MetadataPlaces,
}

impl<'a> Metadata<'a> {
    /// Name of the clip.
    #[must_use]
    pub fn name(&self) -> Option<Cow<'a, str>> {
        self.text(self.places.list_name?.into())
    }

    /// Name of a track.
    #[must_use]
    pub fn track_name(&self, track: u16) -> Option<Cow<'a, str>> {
        let table = self.places.track_names?;
        let offset = self.entry(table, track)?;
        self.text(u64::from(table).checked_add(offset.into())?)
    }

    /// Parent of a track; `Some(None)` for a root.
    #[must_use]
    pub fn parent(&self, track: u16) -> Option<Option<u16>> {
        let parent = self.entry(self.places.parents?, track)?;
        Some(u16::try_from(parent).ok())
    }

    /// Largest distance between a raw and a compressed point that a track was compressed with.
    #[must_use]
    pub fn precision(&self, track: u16) -> Option<f32> {
        let at = u64::from(track).checked_mul(DESCRIPTION)?;
        let at = at.checked_add(self.places.descriptions?.into())?;
        floats(self.from(at)).next() // the first of five numbers
    }

    /// The word of a track in a table.
    fn entry(&self, table: u32, track: u16) -> Option<u32> {
        let at = u64::from(track).checked_mul(4)?.checked_add(table.into())?;
        words(self.from(at)).next()
    }

    fn from(&self, at: u64) -> &'a [u8] {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        self.bytes.get(at..).unwrap_or_default()
    }

    fn text(&self, at: u64) -> Option<Cow<'a, str>> {
        let text = self.from(at);
        let end = text.iter().take(LONGEST).position(|byte| *byte == 0)?;
        text.get(..end).map(String::from_utf8_lossy)
    }
}

/// Finds the parts of the metadata. One that points outside the chunk is left out, with a warning.
pub(super) fn read(chunk: Chunk<'_>, header: &AclHeader, found: &mut Findings) -> MetadataPlaces {
    if !header.has_metadata {
        return MetadataPlaces::default();
    }
    let at = (chunk.bytes.len() as u64).saturating_sub(OFFSETS);
    let offsets = match chunk.words::<5>(at, "metadata") {
        Ok(offsets) => offsets,
        Err(finding) => {
            let message = finding.message;
            found.push(chunk.finding(AclRule::Metadata, at, "metadata", &message));
            return MetadataPlaces::default();
        }
    };
    let offsets = offsets.map(|offset| Some(offset).filter(|offset| *offset != ABSENT));
    let [list_name, track_names, parents, descriptions, _] = offsets;
    let mut checked = MetadataReading { chunk, header, at, found };
    MetadataPlaces {
        list_name: checked.part(0, list_name, |it, offset| it.text(offset.into(), "metadata.name")),
        track_names: checked.part(1, track_names, MetadataReading::track_names),
        parents: checked.part(2, parents, MetadataReading::parents),
        descriptions: checked.part(3, descriptions, |it, offset| {
            it.table(offset, DESCRIPTION, "metadata.descriptions").map(|_| ())
        }),
    }
}

struct MetadataReading<'a> {
    chunk: Chunk<'a>,
    header: &'a AclHeader,
    at: u64,
    found: &'a mut Findings,
}

impl MetadataReading<'_> {
    /// An offset whose part passes its check.
    fn part(
        &mut self,
        index: u64,
        offset: Option<u32>,
        check: impl FnOnce(&Self, u32) -> Result<(), Finding>,
    ) -> Option<u32> {
        let offset = offset?;
        match check(self, offset) {
            Ok(()) => Some(offset),
            Err(fault) => {
                let at = self.at.saturating_add(index.saturating_mul(4));
                let message = format!("{}; left out", fault.message);
                let finding = self.chunk.finding(AclRule::Metadata, at, &fault.path, &message);
                self.found.push(finding);
                None
            }
        }
    }

    fn table(&self, offset: u32, size: u64, path: &str) -> Result<&[u8], Finding> {
        let count = u64::from(self.header.track_count);
        let what = || format!("the entries of {}", counted(count, "track", "tracks"));
        self.chunk.part(offset.into(), count.saturating_mul(size), path, what)
    }

    fn text(&self, at: u64, path: &str) -> Result<(), Finding> {
        let metadata = Metadata { bytes: self.chunk.bytes, places: MetadataPlaces::default() };
        match metadata.text(at) {
            Some(_) => Ok(()),
            None => {
                let message =
                    format!("no name of at most {LONGEST} bytes at byte {at} of the chunk");
                Err(self.chunk.finding(AclRule::Metadata, at, path, &message))
            }
        }
    }

    fn track_names(&self, offset: u32) -> Result<(), Finding> {
        let table = self.table(offset, 4, "metadata.trackNames")?;
        words(table).enumerate().try_for_each(|(track, name)| {
            let at = u64::from(offset).saturating_add(name.into());
            self.text(at, &format!("metadata.trackNames[{track}]"))
        })
    }

    fn parents(&self, offset: u32) -> Result<(), Finding> {
        let table = self.table(offset, 4, "metadata.parents")?;
        let count = self.header.track_count;
        let is_off = |parent: u32| parent != ABSENT && parent >= u32::from(count);
        match words(table).enumerate().find(|(_, parent)| is_off(*parent)) {
            None => Ok(()),
            Some((track, parent)) => {
                let path = format!("metadata.parents[{track}]");
                let message = format!("track {parent}, but there are {count}");
                Err(self.chunk.finding(AclRule::Metadata, 0, &path, &message))
            }
        }
    }
}
