//! The ruler and the reference picture.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::document::{BoneId, MeshId};
use pchr::image::Levels;
use pchr::scene::Bounds;

use super::list_and_visited::{put, take};
use super::{Ask, Request, State};
use crate::viewer::action::{Message, ReferenceAction, RulerAction};
use crate::viewer::backgrounds_and_rulers::{
    MeasuredParts, Reference, ReferenceLook, Ruler, SCALES,
};
use crate::viewer::model::carry::Carry;
use crate::viewer::model::meshes::bounds;
use crate::viewer::switch::ContentKind;

impl State {
    pub(crate) fn ruler(&self) -> Option<&Ruler> {
        self.ruler.as_ref()
    }

    pub(super) fn on_ruler(&mut self, action: &RulerAction) {
        if self.kind() == ContentKind::Motion {
            return;
        }
        let world = |at: &[f64; 2]| self.view.camera.world_at(*at, self.view.size);
        match action {
            RulerAction::From(at) => {
                let from = world(at);
                self.ruler = Some(Ruler { from, to: from, of: None });
            }
            RulerAction::To(at, snaps) => {
                let to = world(at);
                if let Some(ruler) = &mut self.ruler {
                    ruler.to = to;
                    if *snaps {
                        *ruler = ruler.snapped();
                    }
                }
            }
            RulerAction::Chosen => match self.chosen_parts().and_then(|of| self.measure(of)) {
                Some(ruler) => self.ruler = Some(ruler),
                None => self.said = Some(Message::new("Select a bone or a mesh to measure")),
            },
        }
    }

    /// Measures the same parts again after a change of the picture. A line on the picture stays.
    pub(super) fn measure_again(&mut self) {
        let of = self.ruler.and_then(|ruler| ruler.of);
        if let Some(of) = of
            && let Some(ruler) = self.measure(of)
        {
            self.ruler = Some(ruler);
        }
    }

    /// Carries the line over to another version of the subject; removes it if its parts are gone.
    pub(super) fn carry_ruler(&mut self, carry: &Carry) {
        let Some(ruler) = &mut self.ruler else { return };
        let of = match ruler.of {
            None => return,
            Some(MeasuredParts::Bones([from, to])) => {
                let ends = carry.bone(from).zip(carry.bone(to));
                ends.map(|(from, to)| MeasuredParts::Bones([from, to]))
            }
            Some(MeasuredParts::Mesh(mesh)) => carry.mesh(mesh).map(MeasuredParts::Mesh),
        };
        ruler.of = of;
        if of.is_none() {
            self.ruler = None;
        }
    }

    /// Returns the measured points of the selected bone or mesh.
    fn chosen_parts(&self) -> Option<MeasuredParts> {
        let mesh = self.parts.mesh.map(MeasuredParts::Mesh);
        let bone = self.parts.bone;
        match (mesh, bone) {
            (Some(_), Some(_)) if self.parts.pick.is_some() => mesh,
            (_, Some(bone)) => self.bone_ends(bone),
            _ => mesh,
        }
    }

    /// Returns a bone and its first child; one without children comes after its parent.
    fn bone_ends(&self, bone: BoneId) -> Option<MeasuredParts> {
        let subject = self.model.as_ref()?.subject();
        let mut bones = (0..=u16::MAX).map(BoneId).zip(subject.bones());
        let child = bones.find(|(_, other)| other.parent() == Some(bone));
        let ends = match child {
            Some((child, _)) => [bone, child],
            None => [subject.bone(bone)?.parent()?, bone],
        };
        Some(MeasuredParts::Bones(ends))
    }

    fn measure(&mut self, of: MeasuredParts) -> Option<Ruler> {
        let (from, to) = match of {
            MeasuredParts::Bones([from, to]) => {
                let [[x0, y0, _], [x1, y1, _]] = [self.joint(from)?, self.joint(to)?];
                ([x0, y0], [x1, y1])
            }
            MeasuredParts::Mesh(mesh) => self.corners(mesh)?,
        };
        let is_finite = from.iter().chain(&to).all(|c| c.is_finite());
        is_finite.then_some(Ruler { from, to, of: Some(of) })
    }

    /// Returns the least and the greatest corner of the box around a mesh.
    fn corners(&mut self, mesh: MeshId) -> Option<([f64; 2], [f64; 2])> {
        let model = self.model.as_ref()?;
        let mesh = model.subject().mesh(mesh)?;
        self.measured.clear();
        model.frame().pose().place(&mesh, &mut self.measured);
        let Bounds { min, max } = bounds(self.measured.iter().copied())?;
        Some((min.map(f64::from), max.map(f64::from)))
    }
}

/// Maximum number of files that keep their reference.
const MOST: usize = 16;

impl State {
    /// Takes the reference of the file that comes on show, and keeps that of the one before.
    pub(super) fn change_reference(&mut self, before: Option<PathBuf>, after: Option<&Path>) {
        if let Some((path, reference)) = before.zip(self.reference.take()) {
            put(&mut self.references, path, reference, MOST);
        }
        self.reference = after.and_then(|path| take(&mut self.references, path));
    }

    /// Returns the picture to compare with.
    pub(crate) fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()
    }

    /// Returns true if the picture to compare with is visible behind the character.
    pub(crate) fn has_reference_behind(&self) -> bool {
        let behind = |reference: &Reference| reference.look.visible && !reference.look.above;
        self.reference().is_some_and(behind)
    }

    pub(super) fn on_reference(&mut self, action: ReferenceAction) {
        match action {
            ReferenceAction::Open(path) => {
                self.question = None;
                self.requests.push(Request::ReadReference(path));
            }
            ReferenceAction::Show(path, picture) => self.show_reference(path, picture),
            ReferenceAction::Look(look) => self.look_at_reference(|now| *now = look),
            ReferenceAction::Toggle if self.reference.is_none() => {
                self.requests.push(Request::Ask(Ask::Reference));
            }
            ReferenceAction::Toggle => self.look_at_reference(|look| look.visible = !look.visible),
            ReferenceAction::Turn => self.look_at_reference(|look| look.above = !look.above),
            ReferenceAction::Fit => self.fit_reference(),
            ReferenceAction::Remove => self.reference = None,
        }
    }

    /// Shows a picture that was read; another one takes the look of the one before.
    fn show_reference(&mut self, path: PathBuf, picture: Arc<Levels>) {
        let before = self.reference.take();
        let look = before.map_or_else(ReferenceLook::default, |before| before.look);
        self.reference =
            Some(Reference { path, picture, look: ReferenceLook { visible: true, ..look } });
        self.fit_reference();
    }

    fn look_at_reference(&mut self, change: impl FnOnce(&mut ReferenceLook)) {
        let Some(reference) = &mut self.reference else { return };
        let before = reference.look;
        let mut look = before;
        change(&mut look);
        let is_place = look.middle.iter().all(|c| c.is_finite()) && look.scale.is_finite();
        if !is_place {
            (look.middle, look.scale) = (before.middle, before.scale);
        }
        look.scale = look.scale.clamp(*SCALES.start(), *SCALES.end());
        look.opacity = if look.opacity >= 0.0 { look.opacity.min(1.0) } else { 0.0 };
        reference.look = look;
    }

    /// Places the reference over the character's rectangle; in space, over the picture.
    fn fit_reference(&mut self) {
        let Some(size) = self.reference.as_ref().map(Reference::size) else { return };
        let [width, height] = size.map(|side| f64::from(side.max(1)));
        let (middle, [wide, high]) = match (self.view.orbit, self.bounds_now()) {
            (Some(orbit), _) => {
                let room = self.view.size.map(|side| f64::from(side) / orbit.zoom);
                (orbit.target, room)
            }
            (None, Some(bounds)) => {
                let [[x0, y0], [x1, y1]] = [bounds.min, bounds.max].map(|at| at.map(f64::from));
                let middle = [f64::midpoint(x0, x1), f64::midpoint(y0, y1), 0.0];
                (middle, [x1 - x0, y1 - y0])
            }
            (None, None) => ([0.0; 3], [width, height]),
        };
        let scale = (wide / width).min(high / height);
        self.look_at_reference(|look| {
            look.middle = middle;
            look.scale = if scale > 0.0 { scale } else { 1.0 };
        });
    }

    /// Returns the bounds of the current animation.
    fn bounds_now(&self) -> Option<Bounds> {
        let model = self.model.as_ref()?;
        model.bounds(self.player.clip.animation, &self.parts.view)
    }
}
