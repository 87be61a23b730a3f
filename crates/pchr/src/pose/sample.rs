//! Decodes packed transforms into local matrices, eight at a time, with or without blending towards the next frame; records of a
//! moment; timelines of a document.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8};

use super::arithmetic::{Affine, LANES, Lanes, sin_cos_degrees};
use crate::document::{
    Animation, BoneId, BoneTransform, Document, FPS_WHEN_ZERO, SampledFrame, TRANSFORM_SIZE,
};
use crate::playback::{FrameAt, Timeline};

pub(super) type TransformRecord = [u8; TRANSFORM_SIZE];

/// Eight transforms, field by field.
#[derive(Clone, Copy)]
pub(super) struct Transforms<S: Simd> {
    x: f32x8<S>,
    y: f32x8<S>,
    rotation: f32x8<S>,
    scale_x: f32x8<S>,
    scale_y: f32x8<S>,
}

impl<S: Simd> Transforms<S> {
    #[inline(always)]
    pub(super) fn read<L: Lanes<Token = S>>(lanes: L, records: [&TransformRecord; LANES]) -> Self {
        let simd = lanes.simd();
        let [a, b, c, d, e, f, g, h] = records;
        let [x, y, rotation, scale_x] = lanes.transpose([
            head(simd, a).combine(head(simd, e)),
            head(simd, b).combine(head(simd, f)),
            head(simd, c).combine(head(simd, g)),
            head(simd, d).combine(head(simd, h)),
        ]);
        let scale_y = [a, b, c, d, e, f, g, h].map(|record| float(record, 16));
        Self { x, y, rotation, scale_x, scale_y: f32x8::simd_from(simd, scale_y) }
    }

    /// Reads one bone's record in each of eight frames.
    #[inline(always)]
    pub(super) fn read_bone<L: Lanes<Token = S>>(
        lanes: L,
        frames: &[&[TransformRecord]; LANES],
        bone: usize,
        finite: bool,
    ) -> Option<Self> {
        let fields = Self::read(lanes, at_bone(frames, bone)?);
        Some(if finite { fields } else { fields.neutralised() })
    }

    #[inline(always)]
    pub(super) fn of(simd: S, transforms: [&BoneTransform; LANES]) -> Self {
        let field =
            |field: fn(&BoneTransform) -> f32| f32x8::simd_from(simd, transforms.map(field));
        Self {
            x: field(|transform| transform.x),
            y: field(|transform| transform.y),
            rotation: field(|transform| transform.rotation),
            scale_x: field(|transform| transform.scale_x),
            scale_y: field(|transform| transform.scale_y),
        }
    }

    /// Replaces values that are not finite by their neutral value, as SEMANTICS defines. The check warned about them.
    #[inline(always)]
    pub(super) fn neutralised(mut self) -> Self {
        let simd = self.x.simd;
        let finite_or = |value: &mut f32x8<S>, neutral: f32| {
            let finite = value.abs().simd_le(f32x8::splat(simd, f32::MAX));
            *value = finite.select(*value, f32x8::splat(simd, neutral));
        };
        finite_or(&mut self.x, 0.0);
        finite_or(&mut self.y, 0.0);
        finite_or(&mut self.rotation, 0.0);
        finite_or(&mut self.scale_x, 1.0);
        finite_or(&mut self.scale_y, 1.0);
        self
    }

    /// Blends towards `next` by `blend` in 0..1, with rotation along the shorter arc.
    #[inline(always)]
    pub(super) fn blended(mut self, next: &Self, blend: f32x8<S>) -> Self {
        let simd = blend.simd;
        let lerp = |from: &mut f32x8<S>, to: f32x8<S>| *from += (to - *from) * blend;
        lerp(&mut self.x, next.x);
        lerp(&mut self.y, next.y);
        lerp(&mut self.scale_x, next.scale_x);
        lerp(&mut self.scale_y, next.scale_y);
        let mut turn = next.rotation - self.rotation;
        if turn.abs().simd_gt(f32x8::splat(simd, 180.0)).any_true() {
            turn = f32x8::simd_from(simd, <[f32; LANES]>::from(turn).map(shorter));
        }
        self.rotation += turn * blend;
        self
    }

    /// Returns `T(x, y) · R(rotation) · S(scaleX, scaleY)` of each lane.
    #[inline(always)]
    pub(super) fn parent_from_bone(&self) -> Affines<S> {
        let (sin, cos) = sin_cos_degrees(self.rotation);
        Affines {
            xx: cos * self.scale_x,
            xy: -(sin * self.scale_y),
            xt: self.x,
            yx: sin * self.scale_x,
            yy: cos * self.scale_y,
            yt: self.y,
        }
    }
}

/// Eight affine maps, lane by lane: rows `(xx, xy, xt)` and `(yx, yy, yt)`.
#[derive(Clone, Copy)]
pub(super) struct Affines<S: Simd> {
    pub(super) xx: f32x8<S>,
    pub(super) xy: f32x8<S>,
    pub(super) xt: f32x8<S>,
    pub(super) yx: f32x8<S>,
    pub(super) yy: f32x8<S>,
    pub(super) yt: f32x8<S>,
}

impl<S: Simd> Affines<S> {
    /// Loads maps that were stored.
    #[inline(always)]
    pub(super) fn load(simd: S, stored: &[[f32; LANES]; 6]) -> Self {
        let [xx, xy, xt, yx, yy, yt] = stored;
        let load = |lanes: &[f32; LANES]| f32x8::simd_from(simd, *lanes);
        Self { xx: load(xx), xy: load(xy), xt: load(xt), yx: load(yx), yy: load(yy), yt: load(yt) }
    }

    #[inline(always)]
    pub(super) fn store(&self, out: &mut [[f32; LANES]; 6]) {
        let Self { xx, xy, xt, yx, yy, yt } = *self;
        *out = [xx.into(), xy.into(), xt.into(), yx.into(), yy.into(), yt.into()];
    }

    /// Takes one map in each lane.
    #[inline(always)]
    pub(super) fn of<L: Lanes<Token = S>>(lanes: L, maps: [&Affine; LANES]) -> Self {
        let simd = lanes.simd();
        let rows = |row: fn(&Affine) -> [f32; 4]| {
            let [a, b, c, d, e, f, g, h] = maps.map(|map| f32x4::simd_from(simd, row(map)));
            lanes.transpose([a.combine(e), b.combine(f), c.combine(g), d.combine(h)])
        };
        let [xx, xy, xt, _] = rows(|[x, _]| *x);
        let [yx, yy, yt, _] = rows(|[_, y]| *y);
        Self { xx, xy, xt, yx, yy, yt }
    }

    /// Returns the same map in each lane.
    #[inline(always)]
    pub(super) fn splat(simd: S, map: &Affine) -> Self {
        let [[xx, xy, xt, _], [yx, yy, yt, _]] = *map;
        let splat = |value| f32x8::splat(simd, value);
        Self {
            xx: splat(xx),
            xy: splat(xy),
            xt: splat(xt),
            yx: splat(yx),
            yy: splat(yy),
            yt: splat(yt),
        }
    }

    /// Returns `self · other`, with the order of operations of [`super::multiply`].
    #[inline(always)]
    pub(super) fn multiply(&self, o: &Self) -> Self {
        Self {
            xx: self.xx * o.xx + self.xy * o.yx,
            xy: self.xx * o.xy + self.xy * o.yy,
            xt: self.xx * o.xt + (self.xy * o.yt + self.xt),
            yx: self.yx * o.xx + self.yy * o.yx,
            yy: self.yx * o.xy + self.yy * o.yy,
            yt: self.yx * o.xt + (self.yy * o.yt + self.yt),
        }
    }

    /// Returns the rows of each map, in the order of the lanes.
    #[inline(always)]
    pub(super) fn rows<L: Lanes<Token = S>>(&self, lanes: L) -> [Affine; LANES] {
        let zero = f32x8::splat(lanes.simd(), 0.0);
        let [a, b, c, d] = lanes.transpose([self.xx, self.xy, self.xt, zero]);
        let [i, j, k, l] = lanes.transpose([self.yx, self.yy, self.yt, zero]);
        let ((a, e), (b, f), (c, g), (d, h)) = (a.split(), b.split(), c.split(), d.split());
        let ((i, m), (j, n), (k, o), (l, p)) = (i.split(), j.split(), k.split(), l.split());
        [
            [a.into(), i.into()],
            [b.into(), j.into()],
            [c.into(), k.into()],
            [d.into(), l.into()],
            [e.into(), m.into()],
            [f.into(), n.into()],
            [g.into(), o.into()],
            [h.into(), p.into()],
        ]
    }
}

/// Records of a moment of one animation.
#[derive(Clone, Copy)]
pub(super) struct SampledClip<'a> {
    pub(super) records: &'a [TransformRecord],
    /// Records that they are blended towards, and by how much.
    pub(super) next: Option<(&'a [TransformRecord], f32)>,
}

impl<'a> SampledClip<'a> {
    #[inline(always)]
    pub(super) fn new(document: &'a Document, at: FrameAt) -> Option<Self> {
        let animation = document.animation(at.animation)?;
        let records = |frame| animation.frame(frame).map(|frame| frame.records());
        let next = if at.blend > 0.0 { records(at.next) } else { None };
        Some(Self { records: records(at.frame)?, next: next.map(|next| (next, at.blend)) })
    }

    /// Returns the transforms of the bones from `first`.
    #[inline(always)]
    pub(super) fn fields<L: Lanes>(
        &self,
        lanes: L,
        first: usize,
        finite: bool,
    ) -> Option<Transforms<L::Token>> {
        let here = read(lanes, self.records, first, finite)?;
        let Some((next, blend)) = self.next else { return Some(here) };
        let next = read(lanes, next, first, finite)?;
        Some(here.blended(&next, f32x8::splat(lanes.simd(), blend)))
    }
}

/// Returns the transforms of eight records from `first`; past the end, of the last one again.
#[inline(always)]
pub(super) fn read<L: Lanes>(
    lanes: L,
    records: &[TransformRecord],
    first: usize,
    finite: bool,
) -> Option<Transforms<L::Token>> {
    let eight = match records.get(first..).and_then(<[_]>::first_chunk::<LANES>) {
        Some(eight) => eight.each_ref(),
        None => less_than_eight(records, first)?,
    };
    let fields = Transforms::read(lanes, eight);
    Some(if finite { fields } else { fields.neutralised() })
}

#[cold]
#[inline(never)]
fn less_than_eight(records: &[TransformRecord], first: usize) -> Option<[&TransformRecord; LANES]> {
    let last = records.last()?;
    Some(std::array::from_fn(|lane| records.get(first.saturating_add(lane)).unwrap_or(last)))
}

/// Returns the same rotation within ±180 degrees.
pub(super) fn shorter(turn: f32) -> f32 {
    if turn.abs() <= 180.0 {
        return turn;
    }
    let turn = turn % 360.0;
    if turn > 180.0 {
        turn - 360.0
    } else if turn < -180.0 {
        turn + 360.0
    } else {
        turn
    }
}

/// Returns the element of one bone in each of eight figures.
#[inline(always)]
pub(super) fn at_bone<'a, T>(figures: &[&'a [T]; LANES], bone: usize) -> Option<[&'a T; LANES]> {
    let [a, b, c, d, e, f, g, h] = figures;
    Some([
        a.get(bone)?,
        b.get(bone)?,
        c.get(bone)?,
        d.get(bone)?,
        e.get(bone)?,
        f.get(bone)?,
        g.get(bone)?,
        h.get(bone)?,
    ])
}

/// Returns the first four numbers of a record.
#[inline(always)]
fn head<S: Simd>(simd: S, record: &TransformRecord) -> f32x4<S> {
    f32x4::simd_from(
        simd,
        [float(record, 0), float(record, 4), float(record, 8), float(record, 12)],
    )
}

/// Returns the number at a byte of a record.
#[inline(always)]
fn float(record: &TransformRecord, at: usize) -> f32 {
    let bytes = record.get(at..).and_then(<[u8]>::first_chunk);
    bytes.copied().map_or(0.0, f32::from_le_bytes)
}

/// Transform of each bone relative to its parent, in bone order. Reuses its memory for each frame.
///
/// Animations are sampled into it, two of them are blended, single bones are changed (aim, inverse kinematics, ragdolls), and
/// [`super::Pose::set_locals`] computes the matrices:
///
/// ```
/// # use pchr::{document::*, format, playback::FrameAt, pose::*};
/// # fn aim(document: &Document, walk: FrameAt, shoot: FrameAt, head: BoneId) -> Pose {
/// let bind = BindPose::new(document, BindChoice::Auto);
/// let (mut locals, mut other) = (LocalPose::default(), LocalPose::default());
/// locals.sample(document, walk);
/// other.sample(document, shoot);
/// locals.blend_towards(&other, 0.25);
/// if let Some(head) = locals.get_mut(head) {
///     head.rotation += 20.0;
/// }
/// let mut pose = Pose::default();
/// pose.set_locals(&bind, &locals);
/// pose
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalPose {
    transforms: Vec<BoneTransform>,
}

impl LocalPose {
    /// Samples a moment of an animation, with the bits that [`super::PoseJob`] uses. Returns false, and leaves no transform, if
    /// the document has no such frame; [`crate::scene::Frame::fill_with`] returns false for such a pose.
    pub fn sample(&mut self, document: &Document, at: FrameAt) -> bool {
        self.transforms.clear();
        let animation = document.animation(at.animation);
        let frame = |frame| animation.and_then(|animation| animation.frame(frame));
        let Some(here) = frame(at.frame) else { return false };
        self.transforms.extend(finite(here));
        if let Some(next) = frame(at.next).filter(|_| at.blend > 0.0) {
            for (transform, next) in self.transforms.iter_mut().zip(finite(next)) {
                *transform = blended(transform, &next, at.blend);
            }
        }
        true
    }

    /// Creates a pose of given transforms, in bone order.
    #[must_use]
    pub fn of(transforms: Vec<BoneTransform>) -> Self {
        Self { transforms }
    }

    /// Blends it towards `to` by `amount`: 0 changes nothing, 1 gives `to`.
    ///
    /// Places and scales are interpolated, rotations along the shorter arc. Visibility and order are those of the pose with more
    /// weight; at one half those of `to`. A bone that `to` lacks stays.
    pub fn blend_towards(&mut self, to: &Self, amount: f32) {
        for (transform, to) in self.transforms.iter_mut().zip(&to.transforms) {
            *transform = mixed(transform, to, amount);
        }
    }

    /// Returns the transform of each bone, in bone order.
    #[must_use]
    pub fn transforms(&self) -> &[BoneTransform] {
        &self.transforms
    }

    /// Returns the transform of a bone; `None` if there is no such bone.
    #[must_use]
    pub fn get(&self, bone: BoneId) -> Option<&BoneTransform> {
        self.transforms.get(bone.index())
    }

    /// Returns the transform of a bone, to be changed; `None` if there is no such bone.
    #[must_use]
    pub fn get_mut(&mut self, bone: BoneId) -> Option<&mut BoneTransform> {
        self.transforms.get_mut(bone.index())
    }
}

/// Returns the transforms of a frame, with neutral values for those that are not finite.
fn finite(frame: SampledFrame<'_>) -> impl Iterator<Item = BoneTransform> {
    frame.records().iter().map(|record| BoneTransform::from_record(record).neutralised())
}

/// Returns a transform of a cross-fade.
fn mixed(from: &BoneTransform, to: &BoneTransform, amount: f32) -> BoneTransform {
    if amount >= 1.0 {
        return *to;
    }
    if amount > 0.0 {
        let owner = if amount >= 0.5 { to } else { from };
        return BoneTransform {
            flags: owner.flags,
            z_order: owner.z_order,
            ..blended(from, to, amount)
        };
    }
    *from
}

/// Returns a transform between two, with the visibility and order of the first.
pub(crate) fn blended(from: &BoneTransform, to: &BoneTransform, amount: f32) -> BoneTransform {
    let lerp = |from: f32, to: f32| from + (to - from) * amount;
    BoneTransform {
        x: lerp(from.x, to.x),
        y: lerp(from.y, to.y),
        rotation: from.rotation + shorter(to.rotation - from.rotation) * amount,
        scale_x: lerp(from.scale_x, to.scale_x),
        scale_y: lerp(from.scale_y, to.scale_y),
        ..*from
    }
}

/// Returns the playback rate of a document in frames per second: [`FPS_WHEN_ZERO`] if the file has 0.
#[must_use]
pub fn playback_fps(document: &Document) -> f64 {
    match document.fps() {
        0 => FPS_WHEN_ZERO.into(),
        fps => fps.into(),
    }
}

/// Returns the timeline of each animation, as authored: index = animation index, not smooth.
#[must_use]
pub fn timelines(document: &Document) -> Vec<Timeline> {
    document.animations().map(|animation| animation.timeline()).collect()
}

impl Animation<'_> {
    /// Returns its timeline, as authored.
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        Timeline {
            frame_count: self.frame_count(),
            fps: playback_fps(self.document()),
            looping: self.looping(),
            smooth: false,
        }
    }
}
