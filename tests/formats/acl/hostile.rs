//! Tests of hostile chunks: any bytes are refused or can be sampled.

use pchr::finding::{Invalid, Severity};
use pchr_foreign::acl::{AclRule, Clip, Part};

use super::corpus;
use super::encoded::mixed;
use crate::encoder::seal;

/// Calls everything that a clip offers.
fn exhaust(clip: &Clip) {
    let mut pose = Vec::new();
    let count = usize::from(clip.track_count());
    let end = clip.duration();
    for seconds in [-1.0, 0.0, end * 0.3, end * 0.501, end * 0.999, end, f32::NAN] {
        clip.sample(seconds, &mut pose);
        assert_eq!(pose.len(), count);
    }
    for segment in clip.segments() {
        clip.sample_frame(segment.start, &mut pose);
        clip.sample_frame(segment.start + segment.samples - 1, &mut pose);
    }
    assert_eq!(pose.len(), count);
    let metadata = clip.metadata();
    let _ = (metadata.name(), clip.sizes(), clip.raw_size());
    for track in [0, 1, 7, u16::MAX] {
        let _ = (metadata.track_name(track), metadata.parent(track));
        let _ = metadata.precision(track);
        for part in Part::ALL {
            let _ = (clip.storage(part, track), clip.bit_count(part, track, 0));
        }
    }
}

/// Reads arbitrary bytes. Returns true if they are a clip.
fn survives(bytes: &[u8]) -> bool {
    match Clip::read(bytes, 7) {
        Ok((clip, found)) => {
            assert_eq!(found.total(Severity::Error), 0);
            exhaust(&clip);
            true
        }
        Err(Invalid(found)) => {
            let error = found.first_error().unwrap();
            assert!(error.offset >= 7 && !error.message.is_empty());
            false
        }
    }
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end.max(1)
    }
}

/// Changes up to four places, mostly in the headers. The size and hash usually stay valid.
fn mutated(chunk: &[u8], random: &mut Random) -> Vec<u8> {
    const WORDS: [u32; 10] =
        [0, 1, 2, 3, 255, 0x7fff_ffff, 0x8000_0000, u32::MAX - 1, u32::MAX, 0x7fc0_0000];
    let mut bytes = chunk.to_vec();
    for _ in 0..=random.below(4) {
        let near = [16, 84, 200, bytes.len()][random.below(4)].min(bytes.len());
        let at = random.below(near);
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.below(256) as u8,
            2 => {
                let word = WORDS[random.below(WORDS.len())].to_le_bytes();
                let at = at & !3;
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&word[..end - at]);
            }
            _ => {
                let at = at & !3;
                if let Some(word) = bytes.get_mut(at..at + 4) {
                    let number = u32::from_le_bytes(word.try_into().unwrap());
                    let step = random.below(9) as u32;
                    word.copy_from_slice(&number.wrapping_add(step).wrapping_sub(4).to_le_bytes());
                }
            }
        }
    }
    if random.below(8) == 0 {
        bytes.truncate(random.below(bytes.len()));
    }
    if random.below(8) > 0 && bytes.len() > 8 {
        seal(&mut bytes);
    }
    bytes
}

fn storm(chunks: &[Vec<u8>], rounds: usize) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut all) = (0, 0);
    for _ in 0..rounds {
        for chunk in chunks {
            all += 1;
            read += usize::from(survives(&mutated(chunk, &mut random)));
        }
    }
    assert!(read > all / 20 && read < all);
}

#[test]
fn changed_clips_are_refused_or_sampled() {
    let chunks = [
        mixed(&[0], |_, _, _| 11).chunk(),
        mixed(&[0, 7, 8], |_, track, _| [9, 0, 32, 3][track % 4]).chunk(),
    ];
    storm(&chunks, 5_000);
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn changed_clips_of_the_corpus_are_refused_or_sampled() {
    storm(&corpus::all_chunks(), 300);
}

#[test]
fn chunks_that_end_anywhere_are_refused() {
    let chunk = mixed(&[0, 7, 8], |_, _, _| 9).chunk();
    assert!(survives(&chunk));
    for end in 0..chunk.len() {
        assert!(!survives(&chunk[..end]), "{end} bytes");
    }
    // The last 15 bytes exist only for decoders that read ahead.
    for end in 8..chunk.len() - 15 {
        let mut short = chunk[..end].to_vec();
        seal(&mut short);
        assert!(!survives(&short), "{end} bytes");
    }
    let mut short = chunk[..chunk.len() - 15].to_vec();
    seal(&mut short);
    assert!(survives(&short));
}

/// For every rule there is a chunk that breaks it at the reported position.
#[test]
fn each_rule_is_found_where_it_is_broken() {
    // Three segments: starts are at 84, headers at 100, types at 148, constants at 172, ranges at 208, data at 568.
    let chunk = mixed(&[0, 7, 8], |_, _, _| 9).chunk();
    let shared = chunk[112..116].to_vec(); // many segments with the same data would take far more memory than the file
    let cases: [(AclRule, usize, &[u8]); 27] = [
        (AclRule::Tag, 8, &[0; 4]),
        (AclRule::Version, 12, &[8, 0]),
        (AclRule::Algorithm, 14, &[1]),
        (AclRule::TrackType, 15, &[2]),
        (AclRule::Limit, 16, &[0, 0, 1, 0]),
        (AclRule::SampleCount, 20, &[0; 4]),
        (AclRule::Limit, 20, &[1, 0, 0, 1]),
        (AclRule::Rate, 24, &[0, 0, 0x80, 0x7f]),
        (AclRule::Rate, 24, &[0, 0, 0, 0x80]),
        (AclRule::Database, 28, &[0x3f, 1, 0, 0]),
        (AclRule::RotationFormat, 28, &[0x1f, 0, 0, 0]),
        (AclRule::FlagBits, 28, &[0x3f, 2, 0, 0]),
        (AclRule::SegmentStart, 32, &[0; 4]),
        (AclRule::TrackCounts, 36, &[17]),
        (AclRule::TrackCounts, 44, &[4]),
        (AclRule::TrackCounts, 60, &[2]),
        (AclRule::UnexpectedEnd, 68, &[0xff; 4]),
        (AclRule::SegmentStart, 84, &[1]),
        (AclRule::SegmentStart, 88, &[0]),
        (AclRule::SegmentStart, 92, &[20]),
        (AclRule::SegmentStart, 96, &[19, 0, 0, 0]),
        (AclRule::PoseBits, 100, &[1]),
        (AclRule::PoseBits, 104, &[1]),
        (AclRule::SegmentOrder, 128, &[0, 0, 0, 0]),
        (AclRule::SegmentOrder, 128, &shared),
        (AclRule::NotFinite, 172, &[0xff; 4]),
        (AclRule::BitCount, 568, &[20]),
    ];
    for (rule, at, bytes) in cases {
        let mut broken = chunk.clone();
        broken[at..at + bytes.len()].copy_from_slice(bytes);
        seal(&mut broken);
        let found = match Clip::read(&broken, 1000) {
            Ok((_, found)) | Err(Invalid(found)) => found,
        };
        let first = found.iter().next().unwrap();
        assert_eq!(first.rule, rule.rule(), "{at}: {first}");
        let reached = rule != AclRule::UnexpectedEnd;
        assert!(!reached || first.offset == 1000 + at as u64, "{at}: {first}");
    }
    let mut changed = chunk.clone();
    *changed.last_mut().unwrap() = 1;
    let (_, found) = Clip::read(&changed, 0).unwrap();
    assert_eq!(found.count(AclRule::Hash), 1);
    changed[31] |= 0x80; // metadata that does not exist
    seal(&mut changed);
    let (clip, found) = Clip::read(&changed, 0).unwrap();
    assert!(found.count(AclRule::Metadata) > 0 && clip.metadata().track_name(0).is_none());
}
