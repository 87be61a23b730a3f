//! The current subject with its pose: the data that the panels list and the renderer draws.

pub(crate) mod carry;
pub(crate) mod meshes;

use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::sync::Arc;

use pchr::document::{AnimationId, BoneId, BoneTransform, Mesh, MeshId};
use pchr::finding::{Finding, Findings};
use pchr::image::{Levels, Pixels};
use pchr::overlay::{Flagged, flagged};
use pchr::pose::{BindChoice, FrameAt, Mix, Pose, transform_point};
use pchr::scene::{
    Bounds, Camera2d, Frame, Geometry, MeshOrder, MeshView, Pick, PickJob, PickScratch, Subject,
    ViewOptions,
};

use pchr_tools::crowd::{CrowdFault, Instances};
use pchr_tools::stage::{Layout, Member, Stage};

use crate::viewer::loaded::{Loaded, LoadedImage};
use crate::viewer::switch::ContentKind;

/// A loaded subject and the frame of it that is on screen.
#[derive(Debug)]
pub(crate) struct Model {
    loaded: Arc<Loaded>,
    /// As it was read: its images may still come.
    read: Arc<Loaded>,
    serial: u64,
    /// Images by id, including those that were decoded late.
    images: Vec<Arc<Levels>>,
    pending: usize,
    late_findings: Vec<Finding>,
    bind_choice: BindChoice,
    subject: Arc<dyn Subject>,
    frame: Frame,
    moment: (Option<FrameAt>, Option<Mix>),
    rows: Vec<MeshId>,
    rows_revision: u64,
    tree: BoneTree,
    flagged: OnceCell<Flagged>,
    /// Index of the character of a stage that was measured last, and its bounds in its own world.
    member_bounds: Cell<Option<(usize, Option<Bounds>)>>,
    held: OnceCell<HeldMeshes>,
    bind_warnings: Findings,
}

impl Model {
    /// Creates a model. `serial` distinguishes the models of a session.
    pub(crate) fn new(loaded: Arc<Loaded>, serial: u64, bind_choice: BindChoice) -> Self {
        let subject = loaded.with_bind(bind_choice);
        Self {
            serial,
            images: loaded.images.clone(),
            pending: loaded.pending,
            late_findings: Vec::new(),
            bind_choice,
            rows: (&*subject as &dyn Geometry).mesh_ids().collect(),
            rows_revision: 0,
            tree: BoneTree::new(&*subject),
            bind_warnings: loaded.opened.bind_warnings(&*subject),
            subject,
            frame: Frame::default(),
            moment: (None, None),
            flagged: OnceCell::new(),
            member_bounds: Cell::new(None),
            held: OnceCell::new(),
            read: Arc::clone(&loaded),
            loaded,
        }
    }

    /// Replaces all images by those of an earlier model of the same content.
    pub(crate) fn with_images(self, images: Vec<Arc<Levels>>) -> Self {
        Self { images, pending: 0, ..self }
    }

    /// Gives it another serial number.
    pub(crate) fn with_serial(self, serial: u64) -> Self {
        Self { serial, ..self }
    }

    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    pub(crate) fn loaded(&self) -> &Arc<Loaded> {
        &self.loaded
    }

    /// Returns the stage, if it is one.
    pub(crate) fn stage(&self) -> Option<&Stage> {
        self.subject.data()?.downcast_ref()
    }

    /// Shows the characters of a stage in other places, with other clips. Returns false if that needs other files, images or another
    /// order, or if there is no stage.
    pub(crate) fn set_layout(&mut self, layout: &Layout) -> bool {
        let own = self.loaded.layout.as_ref();
        let is_same = own.is_some_and(|own| own.is_same_cast(layout));
        let Some(loaded) = is_same.then(|| self.loaded.with_layout(layout)).flatten() else {
            return false;
        };
        self.subject = Arc::clone(&loaded.opened.subject);
        let before = std::mem::replace(&mut self.loaded, Arc::new(loaded));
        if let Some((member, _)) = self.member_bounds.get() {
            let clips = |layout: &Layout| layout.members.get(member).map(Member::at_origin);
            if before.layout.as_ref().map(clips) != Some(clips(layout)) {
                self.member_bounds.set(None);
            }
        }
        true
    }

    /// Returns the corners of a character of the stage in the world: of its bounds over its animation, in its place; counter-clockwise from
    /// the lower left one. Keeps the bounds of the last one.
    pub(crate) fn member_corners(&self, index: usize) -> Option<[[f32; 2]; 4]> {
        let known = self.member_bounds.get().filter(|(of, _)| *of == index);
        let measure = || self.stage().and_then(|stage| stage.own_bounds(index));
        let (_, bounds) = known.unwrap_or_else(|| (index, measure()));
        self.member_bounds.set(Some((index, bounds)));
        let Bounds { min: [left, bottom], max: [right, top] } = bounds?;
        let place = self.loaded.layout.as_ref()?.members.get(index)?.world_from_member();
        let corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
        Some(corners.map(|corner| transform_point(&place, corner)))
    }

    /// Notes that the stage was saved.
    pub(crate) fn set_saved(&mut self) {
        if let Some(layout) = self.loaded.layout.clone()
            && let Some(loaded) = self.loaded.with_layout(&layout)
        {
            self.loaded = Arc::new(Loaded { is_draft: false, ..loaded });
        }
    }

    pub(crate) fn kind(&self) -> ContentKind {
        if self.loaded.sprites.is_some() {
            ContentKind::Atlas
        } else if self.subject.spatial().is_some() {
            ContentKind::Motion
        } else {
            ContentKind::Character
        }
    }

    /// Returns one image per id, transparent until it is decoded.
    pub(crate) fn images(&self) -> &[Arc<Levels>] {
        &self.images
    }

    /// Returns the number of images that are not decoded yet.
    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// Stores an image that the first picture did not need.
    pub(crate) fn set_image(&mut self, late: LoadedImage) {
        if let Some(place) = self.images.get_mut(late.image.index()) {
            *place = late.levels;
            self.pending = self.pending.saturating_sub(1);
            self.late_findings.extend(late.findings);
        }
    }

    /// Returns the current subject, with the chosen bind pose.
    pub(crate) fn subject(&self) -> &dyn Subject {
        &*self.subject
    }

    /// Returns the content of one figure; without figures the subject itself.
    pub(crate) fn one(&self) -> &dyn Subject {
        self.subject.crowd().map_or(&*self.subject, |crowd| &**crowd.one())
    }

    /// Returns the moment of the figure that overlays and selection are about; without figures the moment on screen.
    pub(crate) fn moment_of_one(&self) -> Option<FrameAt> {
        let at = self.frame.at();
        match self.subject.crowd() {
            Some(crowd) => crowd.figures(at).find(|(_, origin)| *origin == [0.0; 2])?.0,
            None => at,
        }
    }

    /// Returns the subject for a thread.
    pub(crate) fn subject_shared(&self) -> Arc<dyn Subject> {
        Arc::clone(&self.subject)
    }

    /// Returns the moment on screen, and the cross-fade from it.
    pub(crate) fn moment(&self) -> (Option<FrameAt>, Option<Mix>) {
        self.moment
    }

    /// Returns the frame on screen.
    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    pub(crate) fn bind_choice(&self) -> BindChoice {
        self.bind_choice
    }

    pub(crate) fn set_bind(&mut self, choice: BindChoice) {
        self.bind_choice = choice;
        self.subject = self.loaded.with_bind(choice);
        self.bind_warnings = self.loaded.opened.bind_warnings(&*self.subject);
    }

    /// Shows the content as other figures. Content that is shown once stays as it is.
    ///
    /// # Errors
    /// [`CrowdFault`] for such content.
    pub(crate) fn set_instances(&mut self, instances: Instances) -> Result<(), CrowdFault> {
        if self.loaded.instances() != instances {
            let is_as_read = instances == self.read.instances() && self.loaded.layout.is_none();
            self.loaded = match is_as_read {
                true => Arc::clone(&self.read),
                false => Arc::new(self.loaded.with_instances(instances)?),
            };
            // The same one: another with the same bind pose would be posed and uploaded again.
            let one = self.subject.crowd().map_or(&self.subject, |figures| figures.one());
            self.subject = self.loaded.shown_as(one);
        }
        Ok(())
    }

    /// Returns all meshes, topmost first, in the order of the frame on screen with the overrides.
    pub(crate) fn rows(&self) -> &[MeshId] {
        &self.rows
    }

    /// Returns the findings about the file. None of them keeps it from being shown.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let warnings = self.subject.warnings().iter();
        let images = self.loaded.image_findings.iter();
        images.chain(&self.late_findings).chain(warnings)
    }

    /// Returns a warning for each bone without an inverse in the bind pose.
    pub(crate) fn bind_warnings(&self) -> &Findings {
        &self.bind_warnings
    }

    /// Returns the number of findings about images.
    pub(crate) fn image_finding_count(&self) -> usize {
        let early = self.loaded.image_findings.len();
        early.saturating_add(self.late_findings.len())
    }

    /// Poses the frame and orders its meshes.
    pub(crate) fn show(&mut self, at: Option<FrameAt>, mix: Option<Mix>, view: &ViewOptions) {
        self.moment = (at, mix);
        let Self { subject, frame, rows, rows_revision, .. } = self;
        frame.fill_mixed(&**subject, at, mix, view);
        if *rows_revision != frame.list().revision() {
            *rows_revision = frame.list().revision();
            let z_order = |mesh: &MeshId| frame.shown(*mesh).map_or(0.0, |shown| shown.z_order);
            rows.sort_unstable_by(|a, b| z_order(b).total_cmp(&z_order(a)).then(b.cmp(a)));
        }
    }

    /// Returns the bounds of all frames of `animation`, or of the stored pose without one.
    pub(crate) fn bounds(
        &self,
        animation: Option<AnimationId>,
        view: &ViewOptions,
    ) -> Option<Bounds> {
        bounds(self.subject(), view, animation)
    }

    /// Returns the bounds of all frames of all animations.
    pub(crate) fn bounds_of_all(&self, view: &ViewOptions) -> Option<Bounds> {
        let plain = view.meshes.iter().all(|mesh| *mesh == MeshView::default());
        let is_as_read = Arc::ptr_eq(&self.loaded, &self.read);
        let is_one = self.loaded.figures.is_none();
        if plain && self.bind_choice == BindChoice::Auto && is_as_read && is_one {
            return self.loaded.bounds; // measured while it was loaded
        }
        bounds_of_all(self.subject(), view)
    }

    /// Returns the bounds of what is drawn in the frame on screen.
    pub(crate) fn bounds_now(&self, view: &ViewOptions) -> Option<Bounds> {
        let (at, mix) = self.moment;
        let view = ViewOptions { mix, ..view.clone() };
        self.subject().sweep(&view).over(&mut [at].into_iter())
    }

    /// Returns order and visibility of a mesh in the frame on screen, with the overrides.
    pub(crate) fn shown(&self, mesh: MeshId) -> MeshOrder {
        self.frame.shown(mesh).unwrap_or_default()
    }

    /// Returns order and visibility of a mesh in the frame on screen, as authored in the file.
    pub(crate) fn authored(&self, mesh: MeshId) -> MeshOrder {
        self.frame.authored(mesh).unwrap_or_default()
    }
}

/// Meshes in the order of their bones in the tree.
#[derive(Debug)]
struct HeldMeshes {
    /// Row of the bone of each mesh.
    rows: Vec<usize>,
    meshes: Vec<MeshId>,
}

impl HeldMeshes {
    /// Finds the bone of each mesh.
    fn new(subject: &dyn Subject, tree: &BoneTree) -> Self {
        let mut weights = Vec::new();
        let ids = (subject as &dyn Geometry).mesh_ids();
        let mut held: Vec<(usize, MeshId)> = ids
            .filter_map(|id| {
                let mesh = subject.mesh(id)?;
                let bone = heaviest(&mesh, subject.bone_count(), &mut weights);
                let row = tree.rows(bone.or_else(|| subject.owner(id))?).next()?;
                Some((row, id))
            })
            .collect();
        held.sort_unstable();
        let (rows, meshes) = held.into_iter().unzip();
        Self { rows, meshes }
    }

    /// Returns the meshes of the bones in some rows of the tree.
    fn of(&self, bones: Range<usize>) -> &[MeshId] {
        let place = |row: usize| self.rows.partition_point(|at| *at < row);
        self.meshes.get(place(bones.start)..place(bones.end)).unwrap_or_default()
    }
}

/// Returns the bone with the largest sum of weights, the first of several; `None` without any weight.
fn heaviest(mesh: &Mesh<'_>, bones: usize, weights: &mut Vec<f64>) -> Option<BoneId> {
    weights.clear();
    weights.resize(bones, 0.0);
    for vertex in mesh.vertices() {
        for (bone, weight) in vertex.bone_ids.into_iter().zip(vertex.bone_weights) {
            if let Some(sum) = weights.get_mut(usize::from(bone))
                && weight > 0.0
            {
                *sum += f64::from(weight);
            }
        }
    }
    let sums = (0..=u16::MAX).map(BoneId).zip(weights.iter().copied());
    let most = sums.fold(
        (None, 0.0),
        |(best, most), (bone, sum)| {
            if sum > most { (Some(bone), sum) } else { (best, most) }
        },
    );
    most.0
}

impl Model {
    /// Returns the meshes that a bone moves more than any other does; with `below` also those of all bones below it. Finds them on
    /// the first call.
    pub(crate) fn held_by(&self, bone: BoneId, below: bool) -> &[MeshId] {
        let held = self.held.get_or_init(|| HeldMeshes::new(self.subject(), &self.tree));
        let Range { start, end } = self.tree.rows(bone);
        held.of(start..if below { end } else { end.min(start.saturating_add(1)) })
    }
}

/// The tree of bones.
#[derive(Debug)]
struct BoneTree {
    /// Bones with their depths, parents before children.
    order: Vec<(BoneId, u16)>,
    /// Rows of a bone and of all below it, by bone index.
    rows: Vec<Range<usize>>,
}

impl BoneTree {
    fn new(subject: &dyn Subject) -> Self {
        let count = subject.bone_count();
        let mut children: Vec<Vec<BoneId>> = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for (i, bone) in (0..=u16::MAX).zip(subject.bones()) {
            match bone.parent().and_then(|at| children.get_mut(at.index())) {
                Some(siblings) => siblings.push(BoneId(i)),
                None => roots.push(BoneId(i)),
            }
        }
        let mut order = Vec::with_capacity(count);
        let mut open: Vec<(BoneId, u16)> = roots.into_iter().rev().map(|root| (root, 0)).collect();
        while let Some((bone, depth)) = open.pop() {
            order.push((bone, depth));
            let below = children.get(bone.index()).into_iter().flatten().rev();
            open.extend(below.map(|child| (*child, depth.saturating_add(1))));
        }
        let mut rows: Vec<Range<usize>> = vec![Range::default(); count];
        for (row, (bone, _)) in order.iter().enumerate().rev() {
            // They end with those of its last child, which are known by now.
            let last = children.get(bone.index()).and_then(|below| below.last());
            let end = last.and_then(|last| rows.get(last.index())).map(|rows| rows.end);
            if let Some(place) = rows.get_mut(bone.index()) {
                *place = row..end.unwrap_or(row.saturating_add(1));
            }
        }
        Self { order, rows }
    }

    /// Returns the rows of a bone and of all below it.
    fn rows(&self, bone: BoneId) -> Range<usize> {
        self.rows.get(bone.index()).cloned().unwrap_or_default()
    }
}

impl Model {
    /// Returns all bones with their depths, parents before children.
    pub(crate) fn tree(&self) -> &[(BoneId, u16)] {
        &self.tree.order
    }

    /// Returns the row of a bone in the tree.
    pub(crate) fn row_of(&self, bone: BoneId) -> usize {
        self.tree.rows(bone).start
    }

    pub(crate) fn has_children(&self, bone: BoneId) -> bool {
        self.tree.rows(bone).len() > 1
    }

    /// Returns the meshes under a point of the picture, topmost first.
    pub(crate) fn picks(&self, at: [f64; 2], camera: Camera2d, size: [u32; 2]) -> Vec<Pick> {
        let images: Vec<&Pixels> = self.pixels().collect();
        let job = PickJob {
            geometry: self.subject(),
            frame: &self.frame,
            images: &images,
            camera: &camera,
            size,
        };
        job.all(at, &mut PickScratch::default()).collect()
    }

    /// Returns the four bones of the picked vertex with their weights, the strongest first.
    pub(crate) fn influences(&self, pick: &Pick) -> Vec<(BoneId, f32)> {
        let mesh = self.subject().mesh(pick.mesh);
        let vertex = mesh.and_then(|mesh| mesh.vertices().nth(pick.vertex.into()));
        let mut influences: Vec<(BoneId, f32)> = vertex
            .into_iter()
            .flat_map(|vertex| vertex.bone_ids.into_iter().zip(vertex.bone_weights))
            .map(|(bone, weight)| (BoneId(bone), weight))
            .collect();
        influences.sort_by(|a, b| b.1.total_cmp(&a.1));
        influences
    }

    /// Returns the weight of a bone at the picked vertex.
    pub(crate) fn weight_at(&self, pick: &Pick, bone: BoneId) -> f32 {
        let influences = self.influences(pick).into_iter();
        let of_bone = influences.filter(|(of, weight)| *of == bone && *weight > 0.0);
        of_bone.map(|(_, weight)| weight).sum()
    }

    /// Returns the local transform of a bone in the frame on screen, blended if frames are.
    pub(crate) fn local(&self, bone: BoneId) -> Option<BoneTransform> {
        self.subject.local(bone, self.frame.at()?)
    }

    /// Returns the vertices with odd weights. Counts them on the first call.
    pub(crate) fn flagged(&self) -> Flagged {
        let geometry: &dyn Geometry = self.subject();
        *self.flagged.get_or_init(|| flagged(geometry, geometry.mesh_ids()))
    }

    /// Returns the size of all images in bytes, without their smaller copies.
    pub(crate) fn image_bytes(&self) -> u64 {
        self.pixels().map(|pixels| pixels.rgba.len() as u64).sum()
    }

    fn pixels(&self) -> impl Iterator<Item = &Pixels> {
        self.images.iter().map(|levels| levels.base())
    }
}

/// Maximum number of joints that are measured; longer animations are measured only at their beginning.
const JOINTS: usize = 16_000_000;

/// The bounds of `animation` over its frames; those of the stored pose without one. Of a subject without meshes they hold its joints.
pub(crate) fn bounds(
    subject: &dyn Subject,
    view: &ViewOptions,
    animation: Option<AnimationId>,
) -> Option<Bounds> {
    let playable = animation.filter(|id| subject.distinct_frames(*id) > 0);
    if is_bare(subject) {
        return bounds_of_joints(subject, playable);
    }
    let mut sweep = subject.sweep(view);
    match playable {
        Some(id) => sweep.over(&mut subject.moments(id)),
        None => sweep.over(&mut [None].into_iter()),
    }
}

/// The bounds of all animations; of the stored pose where none has a frame.
pub(crate) fn bounds_of_all(subject: &dyn Subject, view: &ViewOptions) -> Option<Bounds> {
    let ids = (0..subject.animation_count()).filter_map(|index| index.try_into().ok());
    let playable = ids.map(AnimationId).filter(|id| subject.distinct_frames(*id) > 0);
    let mut all = playable.map(|id| bounds(subject, view, Some(id))).peekable();
    match all.peek() {
        None => bounds(subject, view, None),
        Some(_) => all.flatten().reduce(|all, one| all.union(one)),
    }
}

/// Returns whether a subject has bones in a plane, and nothing that they move.
pub(crate) fn is_bare(subject: &dyn Subject) -> bool {
    subject.mesh_count() == 0 && subject.bone_count() > 0 && subject.spatial().is_none()
}

fn bounds_of_joints(subject: &dyn Subject, animation: Option<AnimationId>) -> Option<Bounds> {
    let most = (JOINTS / subject.bone_count().max(1)).max(1);
    let mut pose = Pose::default();
    let mut bounds_at = |at| {
        subject.pose(at, &mut pose);
        let joints = pose.world_from_bone().iter();
        meshes::bounds(joints.map(|[[.., x, _], [.., y, _]]| [*x, *y]))
    };
    match animation {
        Some(id) => subject.moments(id).take(most).filter_map(bounds_at).reduce(Bounds::union),
        None => bounds_at(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Builder, WHITE};
    use pchr::character::Character;
    use pchr::pose::BindChoice;

    #[test]
    fn meshes_are_held_by_their_heaviest_bone_and_by_those_above_it() {
        let bones = Builder::new().image(1, &[WHITE]).bone("root", None).bone("arm", Some(0));
        let bones = bones.bone("leg", Some(0)).bone("hand", Some(1));
        let mesh = |rig: Builder, (name, bone)| rig.quad(name, 0, bone, [0.0; 2], [1.0; 2]);
        let rig = [("glove", 3), ("shoe", 2), ("ring", 3), ("sleeve", 1)].into_iter();
        let character = Character::new(rig.fold(bones, mesh).document(), BindChoice::Auto);
        let tree = BoneTree::new(&character);
        let held = HeldMeshes::new(&character, &tree);
        let of = |bone: u16| -> [Vec<u16>; 2] {
            let Range { start, end } = tree.rows(BoneId(bone));
            [start..end.min(start + 1), start..end]
                .map(|rows| held.of(rows).iter().map(|mesh| mesh.0).collect())
        };
        assert_eq!(of(0), [vec![], vec![3, 0, 2, 1]]);
        assert_eq!(of(1), [vec![3], vec![3, 0, 2]]);
        assert_eq!(of(2), [vec![1], vec![1]]);
        assert_eq!(of(3), [vec![0, 2], vec![0, 2]]);
    }
}
