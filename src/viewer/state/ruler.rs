//! Measuring in the plane.

use super::State;
use crate::document::BoneId;
use crate::viewer::action::Message;
use crate::viewer::action::RulerAction;
use crate::viewer::kind::Kind;
use crate::viewer::ruler::Ruler;

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
                self.ruler = Some(Ruler { from, to: from });
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
            RulerAction::Chosen => match self.measure_chosen() {
                Some(ruler) => self.ruler = Some(ruler),
                None => self.said = Some(Message::new("Choose a bone or a mesh to measure")),
            },
        }
    }

    fn measure_chosen(&self) -> Option<Ruler> {
        match (self.parts.mesh, self.parts.bone) {
            (Some(_), _) if self.parts.pick.is_some() || self.parts.bone.is_none() => {
                self.measure_mesh()
            }
            (_, Some(bone)) => self.measure_bone(bone),
            _ => self.measure_mesh(),
        }
    }

    /// Measures a bone up to its first child's joint; one without children from its parent's joint.
    fn measure_bone(&self, bone: BoneId) -> Option<Ruler> {
        let subject = self.model.as_ref()?.subject();
        let mut bones = (0..=u16::MAX).map(BoneId).zip(subject.bones());
        let child = bones.find(|(_, other)| other.parent() == Some(bone));
        let ends = match child {
            Some((child, _)) => [bone, child],
            None => [subject.bone(bone)?.parent()?, bone],
        };
        let [[x0, y0, _], [x1, y1, _]] = [self.joint(ends[0])?, self.joint(ends[1])?];
        Some(Ruler {
            from: [x0, y0],
            to: [x1, y1],
        })
    }

    /// Measures the box around the chosen mesh from its first corner to the opposite one.
    fn measure_mesh(&self) -> Option<Ruler> {
        let model = self.model.as_ref()?;
        let mesh = model.subject().mesh(self.parts.mesh?)?;
        let mut points = Vec::new();
        model.pose().place(&mesh, &mut points);
        let points = points.into_iter().map(|point| point.map(f64::from));
        let finite = points.filter(|[x, y]| x.is_finite() && y.is_finite());
        let corners = finite.fold(None, |corners, [x, y]| {
            let ([x0, y0], [x1, y1]) = corners.unwrap_or(([x, y], [x, y]));
            Some(([x0.min(x), y0.min(y)], [x1.max(x), y1.max(y)]))
        });
        let (from, to) = corners?;
        Some(Ruler { from, to })
    }
}
