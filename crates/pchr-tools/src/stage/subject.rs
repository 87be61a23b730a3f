//! A stage as a subject: the meshes, images and bones of its members one after another, each moved to its place, and its
//! bounds: those of each member over its own moments, in its place.

use std::any::Any;
use std::collections::HashSet;
use std::sync::Arc;

use pchr::document::{
    AnimationId, Bone, BoneId, BoneTransform, Image, ImageFault, ImageId, Images, Mesh, MeshId,
    PchrRule,
};
use pchr::finding::{Finding, Findings};
use pchr::playback::{FrameAt, Timeline};
use pchr::pose::{Affine, IDENTITY, Pose, transform_point};
use pchr::scene::{
    Bounds, Clip, FileFacts, Frame, Geometry, MeshOrder, Subject, Sweep, ViewOptions,
};

use super::cast_and_schedule::{
    Cast, GroupClip, Loops, MemberMoment, MissingClip, Part, Schedule, StageError, existing,
    finding_of, moment_of,
};
use super::members::{Layout, Member, PLACES, WHITE};

/// Characters that are shown together.
#[derive(Clone, Debug)]
pub struct Stage {
    cast: Arc<Cast>,
    places: Vec<Affine>,
    clips: Vec<GroupClip>,
    missing: Vec<MissingClip>,
}

/// Name of the animation in which each member plays its own.
const GROUP: &str = "all";
/// Space beside a member that is lined up, as a share of its width.
const ROOM: f32 = 0.1;
/// Name of the animation with the play lists.
const LIST: &str = "play";

impl Stage {
    /// Creates a stage of the content of each member. Equal contents with equal tints share their images.
    ///
    /// # Errors
    /// [`StageError`] if they do not fit together.
    pub fn new(layout: &Layout, subjects: Vec<Arc<dyn Subject>>) -> Result<Self, StageError> {
        let names = layout.names();
        let mut cast = Cast::default();
        for ((member, name), subject) in layout.members.iter().zip(&names).zip(subjects) {
            cast.add(member, name, subject)?;
        }
        let cast = Arc::new(cast);
        let stage = Self { places: Vec::new(), clips: Vec::new(), missing: Vec::new(), cast };
        Ok(stage.placed(layout))
    }

    /// Returns the same characters in other places, with other clips. Their files, names, tints and order stay. Clips that
    /// members lack are left out; [`missing`](Self::missing) has them.
    #[must_use]
    pub fn placed(&self, layout: &Layout) -> Self {
        let (mut group, mut list, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (member, part)) in layout.members.iter().zip(&self.cast.parts).enumerate() {
            let mut clip = |key, name: &String| {
                let found = part.clip(name);
                found.map_err(|message| {
                    let name = part.name.clone();
                    missing.push(MissingClip { member: index, key, name, message, line: None });
                })
            };
            let named = member.animation.as_ref().map(|name| clip("animation", name));
            let play = member.play.iter();
            let play: Vec<_> = play.filter_map(|name| clip("play", name).ok()).collect();
            let named = named.and_then(Result::ok).or(play.first().copied());
            let one = named.or_else(|| part.subject.default_animation());
            let schedule = |ids: &[AnimationId]| {
                let clips =
                    ids.iter().filter_map(|id| Some((*id, part.subject.animation(*id)?.timeline)));
                let clips: Vec<_> = clips.collect();
                Schedule::new(clips.into_iter(), member.start, member.speed, member.fade)
            };
            let one = schedule(one.as_slice());
            list.push(if play.is_empty() { one.clone() } else { schedule(&play) });
            group.push(one);
        }
        let fps = group.iter().chain(&list).map(Schedule::fps).fold(0.0, f64::max);
        let fps = if fps > 0.0 { fps } else { 1.0 };
        let has_list = |(_, member): &(&Schedule, &Member)| !member.play.is_empty();
        let lists = list.iter().zip(&layout.members).filter(has_list);
        let lists: Vec<f64> = lists.filter_map(|(schedule, _)| schedule.period()).collect();
        let clip = |name, frame_count, schedules| {
            let timeline = Timeline { frame_count, fps, looping: true, smooth: true };
            GroupClip { name, timeline, schedules }
        };
        let together = Loops::new(group.iter().filter_map(Schedule::period), fps).cycle();
        let mut clips = vec![clip(GROUP, together, group)];
        if !lists.is_empty() {
            let longest = lists.into_iter().reduce(f64::max);
            clips.push(clip(LIST, Loops::new(longest.into_iter(), fps).cycle(), list));
        }
        let places = layout.members.iter().map(Member::world_from_member).collect();
        Self { cast: Arc::clone(&self.cast), places, clips, missing }
    }

    /// Returns the clips that members lack.
    #[must_use]
    pub fn missing(&self) -> &[MissingClip] {
        &self.missing
    }

    /// Returns a layout, that of this stage, without the clips that members lack.
    #[must_use]
    pub fn playable(&self, layout: &Layout) -> Layout {
        let mut layout = layout.clone();
        for (member, part) in layout.members.iter_mut().zip(&self.cast.parts) {
            member.animation.take_if(|name| part.clip(name).is_err());
            member.play.retain(|name| part.clip(name).is_ok());
        }
        layout
    }

    /// Returns the same stage with the lines of the missing clips.
    pub(crate) fn with_lines(mut self, lines: impl Iterator<Item = u32>) -> Self {
        self.missing.iter_mut().zip(lines).for_each(|(clip, line)| clip.line = Some(line));
        self
    }

    /// Returns the content of a member, by index; `None` if there is no such member.
    #[must_use]
    pub fn member_subject(&self, member: usize) -> Option<&dyn Subject> {
        self.cast.parts.get(member).map(|part| &*part.subject)
    }

    /// Returns the member that a mesh belongs to, by index, and its mesh; `None` if there is no such mesh.
    #[must_use]
    pub fn member_of(&self, mesh: MeshId) -> Option<(usize, MeshId)> {
        self.cast.meshes.get(mesh.index()).map(|mesh| (mesh.part, mesh.id))
    }

    /// Returns the bounds of a member, by index, in its place in the group play; `None` if nothing of it is drawn.
    #[must_use]
    pub fn member_bounds(&self, member: usize) -> Option<Bounds> {
        self.bounds_at(member, self.places.get(member)?)
    }

    /// Returns the same in its own world, before it is placed.
    #[must_use]
    pub fn own_bounds(&self, member: usize) -> Option<Bounds> {
        self.bounds_at(member, &IDENTITY)
    }

    fn bounds_at(&self, member: usize, place: &Affine) -> Option<Bounds> {
        let part = self.cast.parts.get(member)?;
        let subject: &dyn Subject = self;
        let moments = moments_of(&self.clips, member, subject.moments(AnimationId(0)));
        of_member(part, place, &moments, &ViewOptions::default()).0
    }

    /// Returns a layout, that of this stage, with the members from an index on beside those before: their feet on the line of
    /// the first, and with room between them.
    #[must_use]
    pub fn lined_up(&self, layout: &Layout, from: usize) -> Layout {
        let mut layout = layout.clone();
        let before = (0..from).filter_map(|member| self.member_bounds(member));
        let mut all = before.reduce(Bounds::union);
        let ground = self.member_bounds(0).map_or(0.0, |first| first.min[1]);
        for (index, member) in layout.members.iter_mut().enumerate().skip(from) {
            let Some(Bounds { min: [left, bottom], max: [right, top] }) = self.member_bounds(index)
            else {
                continue;
            };
            let x = all.map_or(0.0, |all| all.max[0] + ROOM * (right - left) - left).round();
            let y = (ground - bottom).round();
            let [own_x, own_y] = member.at;
            member.at = [own_x + x, own_y + y].map(on_stage);
            let moved = Bounds { min: [left + x, bottom + y], max: [right + x, top + y] };
            all = Some(all.map_or(moved, |all| all.union(moved)));
        }
        layout
    }

    /// Returns the image of a member, by index, that an image is.
    #[must_use]
    pub fn image_of(&self, image: ImageId) -> Option<(usize, ImageId)> {
        self.cast.images.get(image.index()).map(|image| (image.part, image.id))
    }
}

/// Returns a coordinate within those that a place may have.
#[expect(clippy::cast_possible_truncation, reason = "the limits are whole numbers of f32")]
fn on_stage(side: f32) -> f32 {
    side.clamp(*PLACES.start() as f32, *PLACES.end() as f32)
}

impl Images for Stage {
    fn image_count(&self) -> usize {
        self.cast.images.len()
    }

    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        let (part, image) = self.cast.part_of(id)?;
        let own = part.subject.image(image.id)?;
        Some(Image::new(&image.name, [own.width(), own.height()], own.format(), own.data()))
    }

    fn tint(&self, id: ImageId) -> [u8; 3] {
        self.cast.part_of(id).map_or(WHITE, |(part, _)| part.tint)
    }

    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding {
        match self.cast.part_of(id) {
            Some((part, image)) => {
                finding_of(&part.name, part.subject.image_finding(image.id, fault, message))
            }
            None => Finding::new(PchrRule::ImageDecode, 0, "images", &message),
        }
    }
}

impl Geometry for Stage {
    fn mesh_count(&self) -> usize {
        self.cast.meshes.len()
    }

    fn mesh(&self, id: MeshId) -> Option<Mesh<'_>> {
        let mesh = self.cast.meshes.get(id.index())?;
        let own = self.cast.parts.get(mesh.part)?.subject.mesh(mesh.id)?;
        Some(Mesh::new(&mesh.name, mesh.image, &mesh.vertices, own.index_records()))
    }

    fn palette_len(&self) -> usize {
        self.cast.bones.len()
    }

    fn fingerprint(&self) -> Option<u64> {
        let geometry: &dyn Geometry = self;
        Some(self.cast.fingerprint.of(geometry.meshes()))
    }
}

impl Subject for Stage {
    fn bone_count(&self) -> usize {
        self.cast.bones.len()
    }

    fn bone(&self, id: BoneId) -> Option<Bone<'_>> {
        let bone = self.cast.bones.get(id.index())?;
        Some(Bone::new(&bone.name, bone.parent))
    }

    fn owner(&self, mesh: MeshId) -> Option<BoneId> {
        let mesh = self.cast.meshes.get(mesh.index())?;
        let part = self.cast.parts.get(mesh.part)?;
        let own = part.subject.owner(mesh.id)?;
        let bone = part.holder.saturating_add(1).saturating_add(own.index());
        u16::try_from(bone).ok().map(BoneId)
    }

    fn pose(&self, at: Option<FrameAt>, pose: &mut Pose) {
        pose.begin_parts(at.filter(|at| existing(&self.clips, *at).is_some()));
        for (index, (part, place)) in self.cast.parts.iter().zip(&self.places).enumerate() {
            let moment = moment_of(&self.clips, index, at);
            let bones = part.subject.bone_count();
            pose.add_part(place, bones, |pose| part.pose(moment, pose));
        }
    }

    /// Members follow each other; the meshes of one have its own order.
    fn order(&self, at: Option<FrameAt>, order: &mut Vec<MeshOrder>) {
        for (index, part) in self.cast.parts.iter().enumerate() {
            let at = moment_of(&self.clips, index, at)
                .map(|(at, mix)| mix.map_or(at, |mix| mix.owner(at)));
            let before = order.len();
            part.subject.order(at, order);
            order.iter_mut().skip(before).for_each(|mesh| mesh.z_order += part.base_order);
        }
    }

    fn animation_count(&self) -> usize {
        self.clips.len()
    }

    fn animation(&self, id: AnimationId) -> Option<Clip<'_>> {
        let GroupClip { name, timeline, .. } = self.clips.get(id.index())?;
        Some(Clip { name, timeline: *timeline })
    }

    /// The play lists, if there are any.
    fn default_animation(&self) -> Option<AnimationId> {
        u16::try_from(self.clips.len()).unwrap_or(1).checked_sub(1).map(AnimationId)
    }

    fn all(&self) -> Option<AnimationId> {
        self.clips.first().map(|_| AnimationId(0))
    }

    fn distinct_frames(&self, id: AnimationId) -> u16 {
        self.clips.get(id.index()).map_or(0, |clip| clip.timeline.frame_count)
    }

    fn sweep<'a>(&'a self, view: &'a ViewOptions) -> Box<dyn Sweep + 'a> {
        Box::new(StageSweep { stage: self, view, exact: true })
    }

    fn file(&self) -> FileFacts<'_> {
        let bytes = self.cast.parts.iter().map(|part| part.subject.file().bytes).sum();
        let fps = self.clips.first().map(|clip| clip.timeline.fps);
        FileFacts { format: "stage", bytes, fps }
    }

    fn warnings(&self) -> &Findings {
        &self.cast.warnings
    }

    fn local(&self, bone: BoneId, at: FrameAt) -> Option<BoneTransform> {
        let holds = |part: &Part| part.holder < bone.index();
        let index = self.cast.parts.iter().rposition(holds)?;
        let part = self.cast.parts.get(index)?;
        let own = bone.index().checked_sub(part.holder.saturating_add(1))?;
        match moment_of(&self.clips, index, Some(at))? {
            (at, None) => part.subject.local(BoneId(u16::try_from(own).ok()?), at),
            (_, Some(_)) => None,
        }
    }

    /// The stage itself.
    fn data(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn allows_mipmaps(&self) -> bool {
        self.cast.parts.iter().all(|part| part.subject.allows_mipmaps())
    }
}

/// Measures each member over its own moments, in its place.
struct StageSweep<'a> {
    stage: &'a Stage,
    view: &'a ViewOptions,
    exact: bool,
}

impl Sweep for StageSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let Stage { cast, places, clips, .. } = self.stage;
        let moments: Vec<_> = moments.collect();
        let members = cast.parts.iter().zip(places).enumerate();
        let bounds = members.filter_map(|(member, (part, place))| {
            let own = moments_of(clips, member, moments.iter().copied());
            let (bounds, is_exact) = of_member(part, place, &own, &part.view(self.view));
            self.exact &= is_exact;
            bounds
        });
        bounds.reduce(Bounds::union)
    }

    fn is_exact(&self) -> bool {
        self.exact
    }
}

/// Returns the moments of a member at moments of the stage, each once.
fn moments_of(
    clips: &[GroupClip],
    member: usize,
    moments: impl Iterator<Item = Option<FrameAt>>,
) -> Vec<Option<MemberMoment>> {
    let mut seen = HashSet::new();
    let own = moments.map(|at| moment_of(clips, member, at));
    own.filter(|moment| seen.insert(moment.map(key))).collect()
}

/// Returns the bounds of a member in its place over its moments, and true if they are exact.
fn of_member(
    part: &Part,
    place: &Affine,
    moments: &[Option<MemberMoment>],
    view: &ViewOptions,
) -> (Option<Bounds>, bool) {
    let is_mixed = |it: &Option<MemberMoment>| it.is_some_and(|(_, mix)| mix.is_some());
    if !is_upright(place) || moments.iter().any(is_mixed) {
        return (of_vertices(part, place, moments, view), true);
    }
    let mut sweep = part.subject.sweep(view);
    let bounds = sweep.over(&mut moments.iter().map(|moment| moment.map(|(at, _)| at)));
    let bounds = bounds.map(|Bounds { min, max }| {
        let [a, b] = [min, max].map(|corner| {
            let corner = transform_point(place, corner);
            Bounds { min: corner, max: corner }
        });
        a.union(b)
    });
    (bounds, sweep.is_exact())
}

/// Returns a moment in a form that is equal for equal moments.
fn key((at, mix): MemberMoment) -> [u32; 8] {
    let of =
        |at: FrameAt| [at.animation.0.into(), at.frame.into(), at.next.into(), at.blend.to_bits()];
    let [a, b, c, d] = of(at);
    let [e, f, g, h] = mix.map_or([u32::MAX; 4], |mix| {
        let [e, f, g, h] = of(mix.to);
        [e, f.wrapping_shl(16) | g, h, mix.amount.to_bits()]
    });
    [a, b, c, d, e, f, g, h]
}

/// Returns true for a place whose axes are those of the world.
fn is_upright([[_, x_of_y, ..], [y_of_x, ..]]: &Affine) -> bool {
    *x_of_y == 0.0 && *y_of_x == 0.0
}

/// Returns the bounds of a member in its place by moving every vertex.
fn of_vertices(
    part: &Part,
    place: &Affine,
    moments: &[Option<MemberMoment>],
    view: &ViewOptions,
) -> Option<Bounds> {
    let (mut frame, mut points) = (Frame::default(), Vec::new());
    let mut bounds: Option<Bounds> = None;
    for moment in moments {
        let at = moment.map(|(at, _)| at);
        frame.fill_mixed(&*part.subject, at, moment.and_then(|(_, mix)| mix), view);
        points.clear();
        for draw in frame.draws() {
            if let Some(mesh) = part.subject.mesh(draw.mesh) {
                frame.pose().place(&mesh, &mut points);
            }
        }
        let placed = points.iter().map(|point| transform_point(place, *point));
        for point in placed.filter(|point| point.iter().all(|side| side.is_finite())) {
            let point = Bounds { min: point, max: point };
            bounds = Some(bounds.map_or(point, |bounds| bounds.union(point)));
        }
    }
    bounds
}
