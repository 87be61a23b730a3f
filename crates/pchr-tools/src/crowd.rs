//! Crowds: many figures of one file in a picture, each with its own clip, start and place.
//!
//! ```text
//! Instances (how many, and how they stand) ──places──► origins ─┐
//! scene::Subject ───────────────────────────────────────────────┴──► Crowd, a scene::Subject of its figures
//! ```

#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use pchr::document::{
    AnimationId, Bone, BoneId, BoneTransform, Image, ImageFault, ImageId, Images, Mesh, MeshId,
};
use pchr::finding::{Finding, Findings};
use pchr::playback::{FrameAt, Timeline};
use pchr::pose::{Pose, is_bind_name};
use pchr::scene::{
    Bounds, Clip, Crowded, Curve, FileFacts, Geometry, KeyRows, Mark, MeshOrder, Skinned, Subject,
    Sweep, TooLarge, ViewOptions,
};

use crate::stage::{Loops, Stage};

/// Number of figures, and how they stand: `N` or `N,scatter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instances {
    /// Number of figures, 1 to [`Self::MOST`].
    pub count: u16,
    /// True if they are scattered; else they stand in a grid.
    pub scattered: bool,
}

impl Instances {
    /// Largest number of figures.
    pub const MOST: u16 = 10_000;
    /// One figure.
    pub const ONE: Self = Self { count: 1, scattered: false };
}

impl FromStr for Instances {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (count, manner) = text.split_once(',').unwrap_or((text, "grid"));
        let count = count.trim().parse::<u16>().ok();
        let count = count.filter(|count| (1..=Self::MOST).contains(count));
        let scattered = match manner.trim() {
            "grid" => Some(false),
            "scatter" => Some(true),
            _ => None,
        };
        match (count, scattered) {
            (Some(count), Some(scattered)) => Ok(Self { count, scattered: scattered && count > 1 }),
            _ => Err(format!(
                "invalid instances {text:?}: expected 1 to {}, alone or with grid or scatter, like 16 or 16,scatter",
                Self::MOST
            )),
        }
    }
}

impl fmt::Display for Instances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count)?;
        if self.scattered { f.write_str(",scatter") } else { Ok(()) }
    }
}

/// Name of the animation in which each figure plays a clip of its own.
const EACH: &str = "crowd";

/// Factors that turn the number of a figure into two others: for its clip, and for its start.
const OF_CLIP: u32 = 0x9e37_79b1;
const OF_START: u32 = 0x85eb_ca77;

/// Content that is shown as many figures.
///
/// It has the animations of its file, each played by all figures from frames of their own, and one more in which each figure plays
/// one of them. Figures show whole frames.
#[derive(Clone, Debug)]
pub struct Crowd {
    one: Arc<dyn Subject>,
    instances: Instances,
    /// Number of each figure, from the farthest to the nearest.
    numbers: Vec<u16>,
    origins: Vec<[f32; 2]>,
    /// Animations that figures play by themselves.
    clips: Vec<(AnimationId, Timeline)>,
    /// Timeline of the animation in which each figure plays a clip of its own.
    timeline: Option<Timeline>,
    bounds: Option<Bounds>,
    /// True if these bounds are exact.
    is_exact: bool,
}

/// Reason why content is not shown as a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrowdFault {
    /// It has bones in space.
    #[error("a 3D motion is shown once; figures are of characters and atlases")]
    Spatial,
    /// It has several characters already.
    #[error("a stage is shown once; add characters to it instead")]
    Stage,
    /// Its posed frames take more memory than figures in the window have.
    #[error("{0}; captures by --renderer cpu have no such limit")]
    TooLarge(TooLarge),
}

impl Crowd {
    /// Shows content as figures; one figure is the content itself.
    pub fn of(
        one: &Arc<dyn Subject>,
        instances: Instances,
    ) -> Result<Arc<dyn Subject>, CrowdFault> {
        match instances.count {
            0 | 1 => Ok(Arc::clone(one)),
            _ => Ok(Arc::new(Self::new(one, instances)?)),
        }
    }

    /// Shows content as figures.
    pub fn new(one: &Arc<dyn Subject>, instances: Instances) -> Result<Self, CrowdFault> {
        if one.spatial().is_some() {
            return Err(CrowdFault::Spatial);
        }
        if one.data().is_some_and(<dyn Any>::is::<Stage>) {
            return Err(CrowdFault::Stage);
        }
        let clips = clips(&**one);
        let view = ViewOptions::default();
        let (bounds, is_exact) = measure(&**one, &clips, &view);
        let (numbers, origins) = places(instances, bounds).into_iter().unzip();
        let fps = clips.iter().map(|(_, timeline)| timeline.fps).fold(0.0, f64::max);
        let timeline = (fps > 0.0 && one.animation_count() < usize::from(u16::MAX)).then(|| {
            let periods = clips.iter().map(|(_, timeline)| timeline.duration());
            let frame_count = Loops::new(periods, fps).nearest_cycle();
            Timeline { frame_count, fps, looping: true, smooth: false }
        });
        let one = Arc::clone(one);
        Ok(Self { one, instances, numbers, origins, clips, timeline, bounds, is_exact })
    }

    /// Returns the same content as other figures.
    #[must_use]
    pub fn with(&self, instances: Instances) -> Self {
        let (numbers, origins) = places(instances, self.bounds).into_iter().unzip();
        Self { instances, numbers, origins, ..self.clone() }
    }

    /// Returns the number of figures, and how they stand.
    #[must_use]
    pub fn instances(&self) -> Instances {
        self.instances
    }

    /// Returns the animation in which each figure plays a clip of its own.
    fn each(&self) -> Option<AnimationId> {
        self.timeline?;
        u16::try_from(self.one.animation_count()).ok().map(AnimationId)
    }

    fn figure_at(&self, number: u16, at: Option<FrameAt>) -> Option<FrameAt> {
        let at = at?;
        let shown = self.animation(at.animation)?.timeline;
        if at.frame >= shown.frame_count {
            return None;
        }
        let (animation, own) = match self.each() == Some(at.animation) {
            true => {
                let clips = u16::try_from(self.clips.len()).ok()?;
                *self.clips.get(usize::from(picked(number, OF_CLIP, clips)))?
            }
            false => (at.animation, shown),
        };
        let frame = match number {
            0 if animation == at.animation => at.frame,
            _ => {
                let start = picked(number, OF_START, own.frame_count);
                let seconds = f64::from(at.frame) / shown.fps + f64::from(start) / own.fps;
                let own = Timeline { looping: true, smooth: false, ..own };
                own.at(animation, seconds).frame
            }
        };
        let last = self.one.distinct_frames(animation).saturating_sub(1);
        Some(FrameAt::exact(animation, frame.min(last)))
    }
}

/// Returns a place in a list of some length that looks as if it were drawn by lot for a figure, by number; the first one for figure 0. The
/// bits are mixed as at the end of MurmurHash3 (Appleby).
fn picked(number: u16, factor: u32, length: u16) -> u16 {
    let mut bits = u32::from(number).wrapping_mul(factor);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    bits ^= bits >> 16;
    let place = (u64::from(bits) * u64::from(length)) >> 32;
    u16::try_from(place).unwrap_or(0)
}

/// Returns the animations that figures play, without those that are named like a bind pose, from the one that is shown first around the
/// list.
fn clips(one: &dyn Subject) -> Vec<(AnimationId, Timeline)> {
    let is_bind = |id| one.skinned().is_some() && is_bind_name(one.animation_name(id));
    let plays = |id: &AnimationId| one.distinct_frames(*id) > 0 && !is_bind(*id);
    let clip = |id| Some((id, one.animation(id)?.timeline));
    let all = one.all();
    let of_file = one.animation_ids().filter(|id| plays(id) && all != Some(*id));
    let mut clips: Vec<_> = of_file.filter_map(clip).collect();
    if clips.is_empty() {
        clips.extend(one.default_animation().and_then(clip));
    }
    let first = one.default_animation();
    let first = clips.iter().position(|(id, _)| Some(*id) == first);
    clips.rotate_left(first.unwrap_or(0));
    clips
}

/// Returns the bounds of a figure over all clips, and true if they are exact.
fn measure(
    one: &dyn Subject,
    clips: &[(AnimationId, Timeline)],
    view: &ViewOptions,
) -> (Option<Bounds>, bool) {
    let mut sweep = one.sweep(view);
    let bounds = match clips.is_empty() {
        true => sweep.over(&mut [None].into_iter()),
        false => sweep.over(&mut clips.iter().flat_map(|(id, _)| one.moments(*id))),
    };
    (bounds, sweep.is_exact())
}

/// Distance of scattered figures as a share of their width, and of their rows as a share of their height: they overlap.
const CLOSER: [f64; 2] = [0.75, 0.4];

/// Steps of the sequence that scatters: 1 / p and 1 / p², where p is the plastic number (Roberts 2018, "R2").
const STEPS: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053_2];

/// Returns the number and the origin of each figure, from the highest to the lowest. Figure 0 stands at the world's origin; coordinates
/// are whole numbers. `one` has the bounds of a figure.
fn places(instances: Instances, one: Option<Bounds>) -> Vec<(u16, [f32; 2])> {
    let Bounds { min, max } = one.unwrap_or(Bounds { min: [0.0; 2], max: [0.0; 2] });
    let ([left, bottom], [right, top]) = (min.map(f64::from), max.map(f64::from));
    let sides = [right - left, top - bottom].map(|side| side.ceil().max(1.0));
    let count = instances.count;
    let columns = f64::from(count).sqrt().ceil();
    let rows = (f64::from(count) / columns).ceil();
    let middle =
        ((rows / 2.0).floor() * columns + (columns / 2.0).floor()).min(f64::from(count) - 1.0);
    let cell = |index: f64| [index % columns, (index / columns).floor()];
    let place = |number: u16| {
        let at = f64::from(number);
        let cells = match instances.scattered {
            true => {
                let [x, y] = STEPS.map(|step| (0.5 + at * step).fract() - 0.5);
                [x * columns * CLOSER[0], y * rows * CLOSER[1]]
            }
            false => {
                let ([x, y], [from_x, from_y]) =
                    (cell((at + middle) % f64::from(count)), cell(middle));
                [x - from_x, from_y - y]
            }
        };
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        let [x, y] = [(cells[0] * sides[0]).round() as f32, (cells[1] * sides[1]).round() as f32];
        (number, [x, y])
    };
    let mut places: Vec<_> = (0..count).map(place).collect();
    places.sort_by(|(_, [_, a]), (_, [_, b])| b.total_cmp(a));
    places
}

impl Crowded for Crowd {
    fn one(&self) -> &Arc<dyn Subject> {
        &self.one
    }

    fn origins(&self) -> &[[f32; 2]] {
        &self.origins
    }

    fn moment(&self, figure: usize, at: Option<FrameAt>) -> Option<FrameAt> {
        self.figure_at(*self.numbers.get(figure)?, at)
    }

    fn bounds_of_one(&self) -> Option<Bounds> {
        self.bounds
    }
}

/// Defines methods that answer as the content of the figures does.
macro_rules! as_one {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $answer:ty;)*) => {$(
        fn $name(&self $(, $argument: $type)*) -> $answer {
            self.one.$name($($argument),*)
        }
    )*};
}

impl Images for Crowd {
    as_one! {
        fn image_count(&self) -> usize;
        fn image(&self, id: ImageId) -> Option<Image<'_>>;
        fn tint(&self, id: ImageId) -> [u8; 3];
        fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding;
    }
}

impl Geometry for Crowd {
    as_one! {
        fn mesh_count(&self) -> usize;
        fn mesh(&self, id: MeshId) -> Option<Mesh<'_>>;
        fn palette_len(&self) -> usize;
        fn fingerprint(&self) -> Option<u64>;
    }
}

impl Subject for Crowd {
    as_one! {
        fn bone_count(&self) -> usize;
        fn bone(&self, id: BoneId) -> Option<Bone<'_>>;
        fn owner(&self, mesh: MeshId) -> Option<BoneId>;
        fn can_mix(&self) -> bool;
        fn all(&self) -> Option<AnimationId>;
        fn file(&self) -> FileFacts<'_>;
        fn warnings(&self) -> &Findings;
        fn data(&self) -> Option<&dyn Any>;
        fn allows_mipmaps(&self) -> bool;
        fn moment_of(&self, mesh: MeshId, near: Option<AnimationId>) -> Option<FrameAt>;
        fn curves(&self, bone: BoneId, animation: AnimationId) -> Vec<Curve>;
        fn key_rows(&self, animation: AnimationId) -> KeyRows;
        fn marks(&self, animation: AnimationId) -> Vec<Mark>;
        fn skinned(&self) -> Option<&dyn Skinned>;
    }

    fn pose(&self, at: Option<FrameAt>, pose: &mut Pose) {
        let of_first = self.figure_at(0, at);
        self.one.pose(of_first, pose);
        pose.set_moment(at.filter(|_| of_first.is_some()));
    }

    fn order(&self, at: Option<FrameAt>, order: &mut Vec<MeshOrder>) {
        self.one.order(self.figure_at(0, at), order);
    }

    fn animation_count(&self) -> usize {
        self.one.animation_count() + usize::from(self.timeline.is_some())
    }

    fn animation(&self, id: AnimationId) -> Option<Clip<'_>> {
        match self.timeline.filter(|_| self.each() == Some(id)) {
            Some(timeline) => Some(Clip { name: EACH, timeline }),
            None => self.one.animation(id),
        }
    }

    fn loops(&self, id: AnimationId) -> Option<bool> {
        if self.each() == Some(id) { Some(true) } else { self.one.loops(id) }
    }

    fn default_animation(&self) -> Option<AnimationId> {
        self.each().or_else(|| self.one.default_animation())
    }

    fn distinct_frames(&self, id: AnimationId) -> u16 {
        match self.timeline.filter(|_| self.each() == Some(id)) {
            Some(timeline) => timeline.frame_count,
            None => self.one.distinct_frames(id),
        }
    }

    fn sweep<'a>(&'a self, view: &'a ViewOptions) -> Box<dyn Sweep + 'a> {
        Box::new(CrowdSweep { crowd: self, view, of_one: None })
    }

    fn local(&self, bone: BoneId, at: FrameAt) -> Option<BoneTransform> {
        self.one.local(bone, self.figure_at(0, Some(at))?)
    }

    fn crowd(&self) -> Option<&dyn Crowded> {
        Some(self)
    }
}

/// Measures all figures over all clips, whatever the moments: where a crowd is fitted, it stays fitted.
struct CrowdSweep<'a> {
    crowd: &'a Crowd,
    view: &'a ViewOptions,
    of_one: Option<(Option<Bounds>, bool)>,
}

impl Sweep for CrowdSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        moments.next()?;
        let Self { crowd, view, of_one } = self;
        let (of_one, _) = *of_one.get_or_insert_with(|| match view.meshes.is_empty() {
            true => (crowd.bounds, crowd.is_exact),
            false => measure(&*crowd.one, &crowd.clips, view),
        });
        let Bounds { min, max } = of_one?;
        let moved = |[x, y]: &[f32; 2]| Bounds {
            min: [min[0] + x, min[1] + y],
            max: [max[0] + x, max[1] + y],
        };
        crowd.origins.iter().map(moved).reduce(Bounds::union)
    }

    fn is_exact(&self) -> bool {
        self.of_one.is_none_or(|(_, is_exact)| is_exact)
    }
}
