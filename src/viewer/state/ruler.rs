//! Measuring in the plane.

use pchr::document::{BoneId, MeshId};

use super::State;
use crate::viewer::action::Message;
use crate::viewer::action::RulerAction;
use crate::viewer::carry::Carry;
use crate::viewer::kind::Kind;
use crate::viewer::ruler::{Measured, Ruler};

impl State {
    /// Returns the line that measures.
    pub(crate) fn ruler(&self) -> Option<&Ruler> {
        self.ruler.as_ref()
    }

    pub(super) fn on_ruler(&mut self, action: &RulerAction) {
        if self.kind() == Kind::Motion {
            return;
        }
        let world = |at: &[f64; 2]| self.view.camera.world_at(*at, self.view.size);
        match action {
            RulerAction::From(at) => {
                let from = world(at);
                self.ruler = Some(Ruler {
                    from,
                    to: from,
                    of: None,
                });
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
        let Some(ruler) = &mut self.ruler else {
            return;
        };
        let of = match ruler.of {
            None => return,
            Some(Measured::Bones([from, to])) => {
                let ends = carry.bone(from).zip(carry.bone(to));
                ends.map(|(from, to)| Measured::Bones([from, to]))
            }
            Some(Measured::Mesh(mesh)) => carry.mesh(mesh).map(Measured::Mesh),
        };
        ruler.of = of;
        if of.is_none() {
            self.ruler = None;
        }
    }

    /// Returns the measured points of the selected bone or mesh.
    fn chosen_parts(&self) -> Option<Measured> {
        let mesh = self.parts.mesh.map(Measured::Mesh);
        let bone = self.parts.bone;
        match (mesh, bone) {
            (Some(_), Some(_)) if self.parts.pick.is_some() => mesh,
            (_, Some(bone)) => self.bone_ends(bone),
            _ => mesh,
        }
    }

    /// Returns a bone and its first child; one without children comes after its parent.
    fn bone_ends(&self, bone: BoneId) -> Option<Measured> {
        let subject = self.model.as_ref()?.subject();
        let mut bones = (0..=u16::MAX).map(BoneId).zip(subject.bones());
        let child = bones.find(|(_, other)| other.parent() == Some(bone));
        let ends = match child {
            Some((child, _)) => [bone, child],
            None => [subject.bone(bone)?.parent()?, bone],
        };
        Some(Measured::Bones(ends))
    }

    fn measure(&mut self, of: Measured) -> Option<Ruler> {
        let (from, to) = match of {
            Measured::Bones([from, to]) => {
                let [[x0, y0, _], [x1, y1, _]] = [self.joint(from)?, self.joint(to)?];
                ([x0, y0], [x1, y1])
            }
            Measured::Mesh(mesh) => self.corners(mesh)?,
        };
        let is_finite = from.iter().chain(&to).all(|c| c.is_finite());
        is_finite.then_some(Ruler {
            from,
            to,
            of: Some(of),
        })
    }

    /// Returns the least and the greatest corner of the box around a mesh.
    fn corners(&mut self, mesh: MeshId) -> Option<([f64; 2], [f64; 2])> {
        let model = self.model.as_ref()?;
        let mesh = model.subject().mesh(mesh)?;
        self.measured.clear();
        model.pose().place(&mesh, &mut self.measured);
        let points = self.measured.iter().map(|point| point.map(f64::from));
        let finite = points.filter(|[x, y]| x.is_finite() && y.is_finite());
        finite.fold(None, |corners, [x, y]| {
            let ([x0, y0], [x1, y1]) = corners.unwrap_or(([x, y], [x, y]));
            Some(([x0.min(x), y0.min(y)], [x1.max(x), y1.max(y)]))
        })
    }
}
