//! Overrides of the file, and the selected mesh and bone.

use std::collections::BTreeSet;
use std::sync::Arc;

use pchr::document::{AnimationId, BoneId, MeshId};
use pchr::finding::counted;
use pchr::overlay::Pin;
use pchr::scene::{ClipSmoothness, MeshView, Pick, Subject, ViewOptions};

use super::{Request, State};
use crate::viewer::action::{Message, PartAction};
use crate::viewer::model::Model;
use crate::viewer::model::carry::Carry;
use crate::viewer::model::meshes::{MeshFacts, moved, placed};
use crate::viewer::sprites::Row;
use crate::viewer::switch::{Switch, Tab};

/// Vertices of drawn meshes up to which the mesh under the pointer is found as it moves.
const MOST_POINTED: usize = 100_000;

/// Mesh that is shown alone, and the visibility of all meshes before.
pub(super) type Solo = (MeshId, Vec<Option<bool>>);

/// Overrides and choices.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartsState {
    /// Overrides of the file.
    pub view: ViewOptions,
    /// Mesh that is shown alone, and the visibility of all meshes before.
    pub(super) before: Option<Solo>,
    pub(super) mesh: Option<MeshId>,
    pub(super) bone: Option<BoneId>,
    /// Picked point of the selected mesh, if the mesh was picked in the picture.
    pub pick: Option<Pick>,
    /// Vertex whose trail is shown instead of the bone's.
    pub(super) vertex: Option<(MeshId, u16)>,
    /// Pinned frame, on show or not.
    pub pin: Option<Pin>,
    /// Position of the pick in the picture.
    picked_at: Option<[f64; 2]>,
    /// Bones that hide those below them in the list.
    pub folded: BTreeSet<BoneId>,
    /// Paths of the folders whose sprites are folded away.
    pub folded_folders: BTreeSet<Box<str>>,
    /// Rows of the list of sprites.
    pub rows: Vec<Row>,
    /// Rows of the list of meshes, topmost first, in the order on screen or in an earlier one. Too few if they have to be arranged again.
    pub mesh_rows: Vec<MeshId>,
    /// True while the pointer is over these rows.
    pub points_at_meshes: bool,
    /// Mesh that the pointer is on, in the picture or in the list.
    pub pointed: Option<MeshId>,
    /// Small pictures and alternatives of the meshes, once they are found.
    /// With the serial number of the model that they are of.
    pub(super) facts: Option<(u64, Arc<MeshFacts>)>,
    /// The same of the smoothness of the animations.
    pub(super) smoothness: Option<(u64, Arc<[ClipSmoothness]>)>,
}

impl PartsState {
    /// Creates parts without choices or overrides, except the movement of the whole model.
    pub(super) fn new(in_place: bool) -> Self {
        let mut parts = Self::default();
        parts.view.in_place = in_place;
        parts
    }

    /// Carries everything over to another version of the subject.
    pub(super) fn carry_over(&mut self, carry: &Carry, new: &dyn Subject) {
        let known = carry.meshes(&vec![true; self.view.meshes.len()], new);
        self.view.meshes = carry.meshes(&self.view.meshes, new);
        if let Some((mesh, before)) = self.before.take() {
            let before = carry.meshes(&before, new);
            let alone = carry.mesh(mesh);
            let meshes = self.view.meshes.iter_mut().zip(&before).zip(known);
            for ((view, before), known) in meshes {
                match alone {
                    Some(_) if known => {} // others may have been shown since
                    Some(_) => view.visible = Some(false),
                    None => view.visible = *before,
                }
            }
            self.before = alone.map(|mesh| (mesh, before));
        }
        self.mesh = self.mesh.and_then(|mesh| carry.mesh(mesh));
        self.bone = self.bone.and_then(|bone| carry.bone(bone));
        let vertex = self.vertex.and_then(|(mesh, vertex)| Some((carry.mesh(mesh)?, vertex)));
        self.vertex = vertex.filter(|(mesh, vertex)| {
            let count = new.mesh(*mesh).map_or(0, |mesh| mesh.vertex_count());
            usize::from(*vertex) < count
        });
        let pin = self.pin.and_then(|pin| {
            let animation = carry.namesake(pin.animation)?;
            Some(Pin { animation, ..pin })
        });
        self.pin = pin.filter(|pin| pin.frame < new.frame_count(pin.animation));
        self.pick = None; // its triangle and texel are others now
        self.picked_at = None;
        let folded = self.folded.iter().filter_map(|bone| carry.bone(*bone));
        self.folded = folded.collect();
        self.mesh_rows.clear();
        self.pointed = None;
    }
}

/// Takes an item out of a set, or adds it if it is not there.
fn flip<T: Ord>(items: &mut BTreeSet<T>, item: T) {
    if !items.remove(&item) {
        items.insert(item);
    }
}

/// Returns the result of the loop check in words.
fn checked(clips: &[ClipSmoothness]) -> String {
    let jumping = clips.iter().filter(|clip| clip.jumps()).count();
    let all = counted(clips.len(), "animation", "animations");
    match jumping {
        0 => format!("Loop check: no jumps in {all}"),
        1 => format!("Loop check: 1 of {all} jumps"),
        _ => format!("Loop check: {jumping} of {all} jump"),
    }
}

impl State {
    /// Returns the overrides of one mesh.
    pub(crate) fn mesh_view(&self, mesh: MeshId) -> MeshView {
        self.parts.view.meshes.get(mesh.index()).copied().unwrap_or_default()
    }

    /// Returns the mesh that is shown alone.
    pub(crate) fn solo(&self) -> Option<MeshId> {
        self.parts.before.as_ref().map(|(mesh, _)| *mesh)
    }

    pub(crate) fn chosen_mesh(&self) -> Option<MeshId> {
        self.parts.mesh
    }

    pub(crate) fn chosen_bone(&self) -> Option<BoneId> {
        self.parts.bone
    }

    pub(crate) fn parts(&self) -> &PartsState {
        &self.parts
    }

    /// Returns the facts about the meshes, once they are found, with the serial number of the model that they are of.
    pub(crate) fn mesh_facts(&self) -> Option<(u64, &MeshFacts)> {
        self.parts.facts.as_ref().map(|(serial, facts)| (*serial, &**facts))
    }

    /// Returns the meshes that take the place of a mesh, itself included; empty if there are none.
    pub(crate) fn alternatives(&self, mesh: MeshId) -> &[MeshId] {
        self.mesh_facts().map_or(&[], |(_, facts)| facts.alternatives(mesh))
    }

    /// Returns the smoothness of an animation, once it is measured, while the loop check is on.
    pub(crate) fn smoothness(&self, clip: AnimationId) -> Option<&ClipSmoothness> {
        self.measured()?.get(clip.index())
    }

    /// Returns the same of all animations.
    pub(super) fn measured(&self) -> Option<&Arc<[ClipSmoothness]>> {
        let serial = self.model.as_ref().filter(|_| self.is_on(Switch::LoopCheck))?.serial();
        let (_, clips) = self.parts.smoothness.as_ref().filter(|(of, _)| *of == serial)?;
        Some(clips)
    }

    /// Returns the bone that jumps on a frame of the current animation, or from its last frame to its first.
    pub(crate) fn jumping_bone(&self, frame: u16) -> Option<BoneId> {
        let clip = self.player.clip.animation?;
        let smoothness = self.smoothness(clip)?;
        let pop = smoothness.pops.iter().find(|pop| pop.frame == frame).map(|pop| pop.jump);
        let last = self.timelines().get(clip.index())?.frame_count.saturating_sub(1);
        let jump = pop.or_else(|| smoothness.loop_jump().filter(|_| frame == last));
        jump.map(|jump| jump.bone)
    }

    /// Asks for the smoothness of the animations, if it is wanted and not known.
    pub(super) fn ask_smoothness(&mut self) {
        let Some(model) = self.model.as_ref().filter(|_| self.looking.is_on(Switch::LoopCheck))
        else {
            return;
        };
        let known = self.parts.smoothness.as_ref().map(|(serial, _)| *serial);
        if model.subject().bone_count() > 0 && known != Some(model.serial()) {
            self.requests.push(Request::Smoothness);
        }
    }

    pub(super) fn on_parts(&mut self, action: PartAction) {
        let Some(model) = &self.model else { return };
        let count = model.subject().mesh_count();
        self.parts.view.meshes.resize(count, MeshView::default());
        match action {
            PartAction::ShowMesh(mesh, visible) => self.show_mesh(mesh, visible),
            PartAction::ToggleChosen => match self.parts.mesh {
                Some(mesh) => {
                    let visible = model.shown(mesh).visible;
                    let authored = model.authored(mesh).visible;
                    self.show_mesh(mesh, (visible == authored).then_some(!visible));
                }
                None => return self.say("Select a mesh first"),
            },
            PartAction::HideBone(bone, below) => self.hide_bone(bone, below),
            PartAction::HideChosenBone(below) => {
                if let Some(bone) = self.parts.bone {
                    self.hide_bone(bone, below);
                }
            }
            PartAction::Solo(mesh) => self.show_alone(mesh),
            PartAction::SoloChosen => match self.parts.mesh {
                Some(mesh) => self.show_alone(mesh),
                None => return self.say("Select a mesh first"),
            },
            PartAction::ShowAll(visible) => {
                self.parts.before = None;
                for view in &mut self.parts.view.meshes {
                    view.visible = Some(visible);
                }
            }
            PartAction::MoveMesh(mesh, direction) => {
                // Under the pointer its row stays, so that the next click moves the same mesh.
                if !self.parts.points_at_meshes {
                    self.parts.mesh_rows.clear();
                }
                self.reorder(moved(&self.back_to_front(), mesh, direction));
            }
            PartAction::PlaceMesh(mesh, row) => {
                self.parts.mesh_rows.clear();
                let all = self.back_to_front();
                let position = all.len().saturating_sub(row.saturating_add(1));
                self.reorder(placed(&all, mesh, position));
            }
            PartAction::ResetMesh(mesh) => {
                self.parts.mesh_rows.clear();
                if let Some(view) = self.parts.view.meshes.get_mut(mesh.index()) {
                    *view = MeshView::default();
                }
            }
            PartAction::ResetMeshes => {
                self.parts.mesh_rows.clear();
                self.parts.before = None;
                self.parts.view.meshes.clear();
            }
            PartAction::TraceVertex => return self.trace_vertex(),
            PartAction::ChooseMesh(mesh) => {
                self.parts.mesh = mesh;
                self.parts.vertex = None;
                self.parts.pick = None;
                return self.chose_sprite();
            }
            PartAction::ChooseBone(bone) => {
                self.parts.bone = bone;
                self.parts.vertex = None;
                self.keep_bone();
                self.unfold();
                return self.touch();
            }
            PartAction::ChooseNothing => {
                self.parts.vertex = None;
                self.parts.mesh = None;
                self.parts.bone = None;
                self.parts.pick = None;
                self.keep_bone();
                return self.touch();
            }
            PartAction::Pick(at) => {
                self.pick_at(at);
                self.unfold();
                self.reveal_sprite();
                return self.touch();
            }
            PartAction::PickTop(at) => {
                self.pick_top(at);
                self.unfold();
                self.reveal_sprite();
                return self.touch();
            }
            PartAction::PickBone(at, within) => {
                (self.parts.mesh, self.parts.pick) = (None, None);
                self.parts.bone = self.bone_at(at, within).map(|hit| hit.bone);
                self.keep_bone();
                self.unfold();
                return self.touch();
            }
            PartAction::Fold(bone) => return flip(&mut self.parts.folded, bone),
            PartAction::FoldFolder(path) => {
                flip(&mut self.parts.folded_folders, path);
                return self.list_sprites();
            }
            PartAction::PointAtMeshes(points) => {
                self.parts.points_at_meshes = points;
                return self.arrange_meshes();
            }
            PartAction::PointAt(mesh) => return self.point_at(mesh),
            PartAction::PointInPicture(at) => {
                let under = at.and_then(|at| self.topmost_at(at));
                return self.point_at(under);
            }
            PartAction::Facts(serial, facts) => {
                if model.serial() == serial {
                    self.parts.facts = Some((serial, facts));
                }
                return;
            }
            PartAction::Smoothness(serial, clips) => {
                if model.serial() == serial {
                    self.said = Some(Message::new(checked(&clips)));
                    self.parts.smoothness = Some((serial, clips));
                }
                return;
            }
            PartAction::Alternative(mesh) => self.show_alternative(mesh, Some(mesh)),
            PartAction::FollowFile(mesh) => self.show_alternative(mesh, None),
            PartAction::Filter(Tab::Meshes, text) => {
                self.looking.mesh_filter = text;
                return self.list_sprites();
            }
            PartAction::Filter(Tab::Bones, text) => return self.looking.bone_filter = text,
            PartAction::Filter(Tab::Motions, text) => {
                return self.looking.motion_filter = text;
            }
            PartAction::Filter(Tab::Stage, _) => return,
        }
        self.show();
    }

    /// Shows one of the alternatives of a mesh and hides the others; with none they follow the frame.
    fn show_alternative(&mut self, of: MeshId, shown: Option<MeshId>) {
        let facts = self.parts.facts.clone();
        for mesh in facts.iter().flat_map(|(_, facts)| facts.alternatives(of)) {
            self.show_mesh(*mesh, shown.map(|shown| shown == *mesh));
        }
    }

    /// Lights up a mesh in the picture and its row in the list.
    fn point_at(&mut self, mesh: Option<MeshId>) {
        if std::mem::replace(&mut self.parts.pointed, mesh) != mesh {
            self.touch();
        }
    }

    /// Returns the topmost mesh at a point of the picture, unless finding it takes too long for every movement of the pointer.
    fn topmost_at(&mut self, at: [f64; 2]) -> Option<MeshId> {
        let model = self.model.as_mut()?;
        let meshes = model.frame().draws().iter().map(|draw| model.subject().mesh(draw.mesh));
        let vertices = meshes.flatten().map(|mesh| mesh.vertex_count());
        if vertices.sum::<usize>() > MOST_POINTED {
            return None;
        }
        let picks = model.picks(at, self.view.camera, self.view.size);
        picks.first().map(|pick| pick.mesh)
    }

    /// Asks for pictures and alternatives of the meshes, once all images are there.
    pub(super) fn ask_mesh_facts(&mut self) {
        let ready = self.model.as_ref().filter(|model| model.pending() == 0);
        if ready.is_some_and(|model| model.subject().mesh_count() > 0) {
            self.requests.push(Request::MeshFacts);
        }
    }

    /// Sorts the list of meshes by the order on screen. During playback or under the pointer, rows keep their places
    /// unless their order is live.
    pub(super) fn arrange_meshes(&mut self) {
        let Some(model) = &self.model else { return };
        let parts = &mut self.parts;
        let stays = self.player.clip.playing || parts.points_at_meshes;
        let is_live = self.looking.is_on(Switch::LiveOrder);
        let rows = model.rows();
        if !stays || is_live || parts.mesh_rows.len() != rows.len() {
            parts.mesh_rows.clear();
            parts.mesh_rows.extend_from_slice(rows);
        }
    }

    /// Shows the trail of the vertex nearest to the clicked point, or that of the bone again.
    fn trace_vertex(&mut self) {
        let Some(pick) = self.parts.pick else {
            return self.say("Click a mesh in the picture to choose a vertex");
        };
        let vertex = Some((pick.mesh, pick.vertex));
        let is_shown = self.parts.vertex == vertex && self.looking.is_on(Switch::Trail);
        self.parts.vertex = vertex.filter(|_| !is_shown);
        self.looking.set(Switch::Trail, true);
        self.touch();
    }

    /// Chooses the topmost mesh under a point, or the one below the mesh that was picked there before. Also chooses its
    /// owner.
    fn pick_at(&mut self, at: [f64; 2]) {
        let Some(model) = &mut self.model else { return };
        let picks = model.picks(at, self.view.camera, self.view.size);
        let before = self.parts.pick.filter(|_| self.parts.picked_at == Some(at));
        let before = before.map(|pick| pick.mesh);
        let below = picks.iter().skip_while(|pick| Some(pick.mesh) != before).nth(1);
        let pick = below.or(picks.first()).copied();
        self.parts.picked_at = Some(at);
        self.parts.mesh = pick.map(|pick| pick.mesh);
        self.parts.vertex = None;
        self.parts.bone = pick.and_then(|pick| model.subject().owner(pick.mesh));
        self.parts.pick = pick;
        if pick.is_some() && self.looking.tab == Tab::Bones && self.parts.bone.is_none() {
            self.looking.tab = Tab::Meshes;
        }
    }

    /// Chooses the topmost mesh under a point, unless the chosen one lies there, too.
    fn pick_top(&mut self, at: [f64; 2]) {
        if let Some(model) = &mut self.model {
            let picks = model.picks(at, self.view.camera, self.view.size);
            let chosen = self.parts.mesh;
            if chosen.is_none() || picks.iter().all(|pick| Some(pick.mesh) != chosen) {
                self.parts.picked_at = None;
                self.pick_at(at);
            }
        }
    }

    /// Unfolds the ancestors of the selected bone, so that it can be seen.
    fn unfold(&mut self) {
        let Some(model) = &self.model else { return };
        let parent = |bone: BoneId| model.subject().bone(bone)?.parent();
        let mut above = self.parts.bone.and_then(parent);
        while let Some(bone) = above {
            self.parts.folded.remove(&bone);
            above = parent(bone);
        }
    }

    pub(super) fn show_mesh(&mut self, mesh: MeshId, visible: Option<bool>) {
        if let Some(view) = self.parts.view.meshes.get_mut(mesh.index()) {
            view.visible = visible;
        }
    }

    fn show_alone(&mut self, mesh: MeshId) {
        let before = self.parts.before.take();
        let views = &mut self.parts.view.meshes;
        let saved = match before {
            Some((solo, saved)) => {
                for (view, visible) in views.iter_mut().zip(&saved) {
                    view.visible = *visible;
                }
                if solo == mesh {
                    return;
                }
                saved
            }
            None => views.iter().map(|view| view.visible).collect(),
        };
        for (i, view) in views.iter_mut().enumerate() {
            view.visible = Some(i == mesh.index());
        }
        self.parts.before = Some((mesh, saved));
    }

    /// Returns all meshes with their draw orders, back to front.
    fn back_to_front(&self) -> Vec<(MeshId, f64)> {
        let with_order = |model: &Model| {
            let order = |id: &MeshId| (*id, model.shown(*id).z_order);
            model.rows().iter().rev().map(order).collect()
        };
        self.model.as_ref().map(with_order).unwrap_or_default()
    }

    fn reorder(&mut self, orders: Vec<(MeshId, f64)>) {
        for (id, z_order) in orders {
            if let Some(view) = self.parts.view.meshes.get_mut(id.index()) {
                view.z_order = Some(z_order);
            }
        }
    }

    /// Returns the place of the chosen part in screen pixels: where it was picked, else the bone's joint.
    pub(crate) fn chosen_on_screen(&self) -> Option<[f64; 2]> {
        let size = self.view.size;
        if let Some(pick) = &self.parts.pick {
            return Some(self.view.camera.screen_at(pick.world.map(f64::from), size));
        }
        let place = self.joint(self.parts.bone?)?;
        let Some(orbit) = &self.view.orbit else {
            let [x, y, _] = place;
            return Some(self.view.camera.screen_at([x, y], size));
        };
        let view = orbit.view(size);
        view.screen(view.see(place.into()))
    }

    /// Follows the selected bone, if it moves in space; else none.
    fn keep_bone(&mut self) {
        let subject = self.model.as_ref().map(Model::subject);
        let subject = subject.filter(|subject| subject.spatial().is_some());
        let bone = subject.and_then(|subject| subject.bone(self.parts.bone?));
        self.followed = bone.map(|bone| bone.name().to_owned());
    }

    /// Chooses the followed bone in the file that is opened, if it has one; otherwise remembers it for files that do.
    pub(super) fn follow_bone(&mut self) {
        let spatial = self.model.as_ref().and_then(|it| it.subject().spatial());
        if spatial.is_some() && self.followed.is_some() {
            self.parts.bone = self.followed_bone();
        }
    }

    /// The followed bone in the open file.
    pub(super) fn followed_bone(&self) -> Option<BoneId> {
        let (name, subject) = (self.followed.as_ref()?, self.model.as_ref()?.subject());
        subject.spatial()?;
        let chosen = self.parts.bone.and_then(|bone| subject.bone(bone));
        if chosen.is_some_and(|bone| bone.name() == name) {
            return self.parts.bone; // one of several of that name
        }
        let place = subject.bone_names().position(|bone| bone == name)?;
        u16::try_from(place).ok().map(BoneId)
    }

    /// Returns true if any of the meshes of a bone is visible; `None` if it has none.
    pub(crate) fn is_bone_shown(&self, bone: BoneId, below: bool) -> Option<bool> {
        let model = self.model.as_ref()?;
        let meshes = model.held_by(bone, below);
        let any = meshes.iter().any(|mesh| model.shown(*mesh).visible);
        (!meshes.is_empty()).then_some(any)
    }

    /// Hides the meshes of a bone. If none is visible gives them back to the file; where the file hides them, too, shows them.
    pub(super) fn hide_bone(&mut self, bone: BoneId, below: bool) {
        let Some(model) = &self.model else { return };
        // In many rigs meshes hang on a child of the bone that people mean.
        let below = below || model.held_by(bone, false).is_empty();
        let meshes = model.held_by(bone, below).to_vec();
        if meshes.is_empty() {
            let name = model.subject().bone(bone).map_or("", |bone| bone.name());
            return self.say(format!("{name} and the bones below it move no mesh"));
        }
        let is_shown = meshes.iter().any(|mesh| model.shown(*mesh).visible);
        let is_authored = meshes.iter().any(|mesh| model.authored(*mesh).visible);
        let wish = match (is_shown, is_authored) {
            (true, _) => Some(false),
            (false, true) => None,
            (false, false) => Some(true),
        };
        for mesh in meshes {
            self.show_mesh(mesh, wish);
        }
    }
}
