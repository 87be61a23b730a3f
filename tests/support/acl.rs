//! A minimal encoder of ACL clips: variable formats with the requested bit counts.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "each test takes a part; clips of tests are small and sound"
)]

/// Values of one part (rotation, translation or scale) of a track.
#[derive(Clone, Debug, Default)]
pub enum Source<const N: usize> {
    #[default]
    Default,
    Constant([f32; N]),
    /// One value for each sample.
    Animated(Vec<[f32; N]>),
}

#[derive(Clone, Debug, Default)]
pub struct Track {
    pub rotation: Source<4>,
    pub translation: Source<3>,
    pub scale: Source<3>,
}

#[derive(Clone, Debug)]
pub struct Encoder {
    pub rate: f32,
    pub samples: u32,
    /// First sample of each segment.
    pub starts: Vec<u32>,
    pub has_scale: bool,
    /// Bits per component, given the part (0 rotation, 1 translation, 2 scale), index among its animated tracks, and segment.
    pub bits: fn(usize, usize, usize) -> u8,
    pub tracks: Vec<Track>,
}

#[derive(Default)]
struct Part {
    marks: Vec<u32>,
    constant: Vec<[f32; 3]>,
    animated: Vec<Animated>,
}

struct Animated {
    raw: Vec<[f32; 3]>,
    /// Values normalised to the clip's range, from 0 to 1.
    values: Vec<[f32; 3]>,
    min: [f32; 3],
    extent: [f32; 3],
}

impl Encoder {
    pub fn chunk(&self) -> Vec<u8> {
        let rotation = self.part(|track| match &track.rotation {
            Source::Default => Source::Default,
            Source::Constant(value) => Source::Constant(dropped(value)),
            Source::Animated(values) => Source::Animated(values.iter().map(dropped).collect()),
        });
        let mut parts = vec![rotation, self.part(|track| track.translation.clone())];
        if self.has_scale {
            parts.push(self.part(|track| track.scale.clone()));
        }
        let several = self.starts.len() > 1;
        let mut out = vec![0; 84];
        if several {
            words(&mut out, self.starts.iter().copied().chain([u32::MAX]));
        }
        let segments = out.len();
        out.extend(vec![0; 16 * self.starts.len()]);
        let types = out.len();
        for part in &parts {
            for marks in part.marks.chunks(16) {
                let word = |(i, mark): (usize, &u32)| mark << (30 - 2 * i);
                words(&mut out, [marks.iter().enumerate().map(word).sum()]);
            }
        }
        let constants = out.len();
        grouped(&mut out, &parts[0].constant);
        for part in &parts[1..] {
            floats(&mut out, part.constant.iter().flatten());
        }
        let ranges = out.len();
        let range = |track: &Animated| {
            let [a, b, c] = track.min;
            let [d, e, f] = track.extent;
            [a, b, c, d, e, f]
        };
        let rotations: Vec<[f32; 6]> = parts[0].animated.iter().map(range).collect();
        grouped(&mut out, &rotations);
        for part in &parts[1..] {
            floats(&mut out, part.animated.iter().map(range).collect::<Vec<_>>().iter().flatten());
        }
        let mut variable = 0;
        for segment in 0..self.starts.len() {
            let (bits, data) = self.segment(&parts, segment, &mut out, &mut variable);
            let header = [bits.iter().sum(), bits[0], bits[1], data - 32];
            set(&mut out, segments + 16 * segment, &header);
        }
        out.extend([0; 15]);
        let count = |of: fn(&Part) -> usize| {
            let counts = parts.iter().map(|part| of(part) as u32);
            counts.chain([0]).take(3).collect::<Vec<u32>>()
        };
        let flags = 0x3e | u32::from(self.has_scale);
        let first = [0xac11_ac11, 0x0c00_0007, self.tracks.len() as u32, self.samples];
        set(&mut out, 8, &first);
        set(&mut out, 24, &[self.rate.to_bits(), flags]);
        set(&mut out, 32, &[self.starts.len() as u32, variable]);
        set(&mut out, 40, &count(|part| part.animated.len()));
        set(&mut out, 52, &count(|part| part.constant.len()));
        let offsets = [segments, types, constants, ranges].map(|offset| offset as u32 - 32);
        set(&mut out, 64, &[u32::MAX]);
        set(&mut out, 68, &offsets);
        seal(&mut out);
        out
    }

    fn part(&self, of: impl Fn(&Track) -> Source<3>) -> Part {
        let mut part = Part::default();
        for track in &self.tracks {
            part.marks.push(match of(track) {
                Source::Default => 0,
                Source::Constant(value) => {
                    part.constant.push(value);
                    1
                }
                Source::Animated(values) => {
                    assert_eq!(values.len(), self.samples as usize);
                    part.animated.push(in_range(values));
                    2
                }
            });
        }
        part
    }

    /// Appends the data of a segment. Returns the bits of each part of a pose, and the data's offset.
    fn segment(
        &self,
        parts: &[Part],
        segment: usize,
        out: &mut Vec<u8>,
        variable: &mut u32,
    ) -> ([u32; 3], u32) {
        let start = self.starts[segment];
        let stop = self.starts.get(segment + 1).copied();
        let frames = start as usize..stop.unwrap_or(self.samples) as usize;
        let data = out.len();
        let mut tracks = Vec::new();
        let mut sums = [0; 3];
        for (index, part) in parts.iter().enumerate() {
            for (place, track) in part.animated.iter().enumerate() {
                let bits = (self.bits)(index, place, segment);
                sums[index] += 3 * u32::from(bits);
                out.push(bits);
                tracks.push((index, place, bits, track));
            }
            if index == 0 {
                out.extend(vec![
                    0x55;
                    part.animated.len().next_multiple_of(4) - part.animated.len()
                ]);
            }
        }
        *variable = (out.len() - data) as u32;
        let mut bytes = Vec::new(); // ranges of the segment
        let several = self.starts.len() > 1;
        for (_, _, bits, track) in &tracks {
            let range = segment_range(&track.values[frames.clone()]);
            let mean = track.values[frames.start].map(|value| (value * 65535.0).round() as u16);
            bytes.push((*bits, if several { range } else { ([0; 3], [255; 3]) }, mean));
        }
        if several {
            out.resize(out.len().next_multiple_of(2), 0);
            let rotations = tracks.iter().take_while(|track| track.0 == 0).count();
            for group in bytes[..rotations].chunks(4) {
                let lane = |&(bits, (min, extent), mean): &(u8, ([u8; 3], [u8; 3]), [u16; 3])| {
                    let [[a, b], [c, d], [e, f]] = mean.map(u16::to_be_bytes);
                    let [min_x, min_y, min_z] = min;
                    let [x, y, z] = extent;
                    if bits == 0 { [a, b, c, d, e, f] } else { [min_x, min_y, min_z, x, y, z] }
                };
                let lanes: Vec<[u8; 6]> = group.iter().map(lane).collect();
                for component in 0..6 {
                    let of_lane =
                        |lane| lanes.get(lane).map_or(0x55, |lane: &[u8; 6]| lane[component]);
                    out.extend((0..4).map(of_lane));
                }
            }
            for (bits, (min, extent), mean) in &bytes[rotations..] {
                if *bits == 0 {
                    out.extend(mean.iter().flat_map(|value| value.to_le_bytes()));
                } else {
                    out.extend(min.iter().chain(extent));
                }
            }
        }
        out.resize(out.len().next_multiple_of(4), 0);
        let mut stream = Stream::default();
        for frame in frames {
            for ((_, _, bits, track), (_, (min, extent), _)) in tracks.iter().zip(&bytes) {
                for component in 0..3 {
                    let most = (1_u64 << bits) - 1;
                    let number = match bits {
                        32 => track.raw[frame][component].to_bits(),
                        _ => {
                            let min = f32::from(min[component]) / 255.0;
                            let extent = f32::from(extent[component]) / 255.0;
                            let value = (track.values[frame][component] - min) / extent.max(1e-9);
                            (value.clamp(0.0, 1.0) * most as f32).round() as u32
                        }
                    };
                    stream.push(number, u32::from(*bits));
                }
            }
        }
        out.extend(stream.bytes);
        (sums, data as u32)
    }
}

/// Bit stream, most significant bit of each byte first.
#[derive(Default)]
struct Stream {
    bytes: Vec<u8>,
    count: usize,
}

impl Stream {
    fn push(&mut self, number: u32, bits: u32) {
        for bit in (0..bits).rev() {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.len() - 1;
            self.bytes[last] |= ((number >> bit & 1) as u8) << (7 - self.count % 8);
            self.count += 1;
        }
    }
}

/// Minimum and extent of the values, one byte per component, rounded so that the range holds every value.
fn segment_range(values: &[[f32; 3]]) -> ([u8; 3], [u8; 3]) {
    let (min, max) = bounds(values);
    let min = min.map(|min| (min * 255.0).floor() as u8);
    let mut extent = [0; 3];
    for ((extent, max), min) in extent.iter_mut().zip(max).zip(min) {
        *extent = ((max * 255.0).ceil() - f32::from(min)) as u8;
    }
    (min, extent)
}

fn bounds(values: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let (mut min, mut max) = ([f32::MAX; 3], [f32::MIN; 3]);
    for value in values {
        min = std::array::from_fn(|i| min[i].min(value[i]));
        max = std::array::from_fn(|i| max[i].max(value[i]));
    }
    (min, max)
}

fn in_range(raw: Vec<[f32; 3]>) -> Animated {
    let (min, max) = bounds(&raw);
    let extent: [f32; 3] = std::array::from_fn(|i| max[i] - min[i]);
    let part = |value: &[f32; 3]| {
        std::array::from_fn(|i| ((value[i] - min[i]) / extent[i].max(1e-9)).clamp(0.0, 1.0))
    };
    let values = raw.iter().map(part).collect();
    Animated { raw, values, min, extent }
}

fn dropped(&[x, y, z, w]: &[f32; 4]) -> [f32; 3] {
    if w < 0.0 { [-x, -y, -z] } else { [x, y, z] }
}

/// Writes values in groups of four, component by component.
fn grouped<const N: usize>(out: &mut Vec<u8>, values: &[[f32; N]]) {
    for group in values.chunks(4) {
        for component in 0..N {
            floats(out, group.iter().map(|value| &value[component]));
        }
    }
}

fn floats<'a>(out: &mut Vec<u8>, values: impl IntoIterator<Item = &'a f32>) {
    out.extend(values.into_iter().flat_map(|value| value.to_le_bytes()));
}

fn words(out: &mut Vec<u8>, values: impl IntoIterator<Item = u32>) {
    out.extend(values.into_iter().flat_map(u32::to_le_bytes));
}

fn set(out: &mut [u8], at: usize, words: &[u32]) {
    for (place, word) in out[at..].chunks_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

/// Writes the size and the hash of a chunk.
pub fn seal(out: &mut [u8]) {
    let hash = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    set(out, 0, &[out.len() as u32, out[8..].iter().fold(0x811c_9dc5, hash)]);
}

/// A clip with many changes: `tracks` bones with animated rotations and translations, and about `bits` bits per component.
pub fn busy(tracks: usize, samples: u32, bits: fn(usize, usize, usize) -> u8) -> Encoder {
    let turn = |track: usize, frame: u32| {
        let phase = track as f32 * 0.7 + frame as f32 * 0.11;
        let axis = [phase.sin() * 0.4, (phase * 1.3).cos() * 0.4, (phase * 0.7).sin() * 0.4];
        let [x, y, z] = axis;
        [x, y, z, (1.0 - x * x - y * y - z * z).sqrt()]
    };
    let shift = |track: usize, frame: u32| {
        let phase = track as f32 * 0.3 + frame as f32 * 0.07;
        [phase.sin(), phase.cos() * 2.0, phase.sin() * phase.cos() * 0.5]
    };
    let frames = || 0..samples;
    let track = |track| Track {
        rotation: Source::Animated(frames().map(|frame| turn(track, frame)).collect()),
        translation: Source::Animated(frames().map(|frame| shift(track, frame)).collect()),
        scale: Source::Default,
    };
    Encoder {
        rate: 30.0,
        samples,
        starts: (0..samples).step_by(16).collect(),
        has_scale: false,
        bits,
        tracks: (0..tracks).map(track).collect(),
    }
}
