//! A subject at a moment, ready to be drawn.

use super::draw_list::{Draw, DrawList, MeshOrder, ViewOptions};
#[cfg(feature = "motion")]
use super::spatial::SpatialPose;
use super::subject::Subject;
use crate::document::MeshId;
use crate::pose::{FrameAt, Pose};

/// Pose and draw list of a subject at a moment. Keeps its memory from moment to moment, and sorts only when order or visibility
/// changed.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pose: Pose,
    #[cfg(feature = "motion")]
    spatial: SpatialPose,
    #[cfg(feature = "motion")]
    in_place: bool,
    authored: Vec<MeshOrder>,
    shown: Vec<MeshOrder>,
    list: DrawList,
}

impl Frame {
    /// A frame that is filled for a moment of `subject`, as `view` wants it seen.
    #[must_use]
    pub fn new(subject: &dyn Subject, at: Option<FrameAt>, view: &ViewOptions) -> Self {
        let mut frame = Self::default();
        frame.fill(subject, at, view);
        frame
    }

    /// Fills it for a moment of `subject`, as `view` wants it seen.
    pub fn fill(&mut self, subject: &dyn Subject, at: Option<FrameAt>, view: &ViewOptions) {
        subject.pose(at, &mut self.pose);
        #[cfg(feature = "motion")]
        match subject.spatial() {
            Some(spatial) => spatial.pose(at, view.in_place, &mut self.spatial),
            None => self.spatial.clear(),
        }
        #[cfg(feature = "motion")]
        {
            self.in_place = view.in_place;
        }
        subject.order(self.pose.at(), &mut self.authored);
        let mut changed = self.list.revision() == 0 || self.shown.len() != self.authored.len();
        self.shown.resize(self.authored.len(), MeshOrder::default());
        for (i, (shown, authored)) in self.shown.iter_mut().zip(&self.authored).enumerate() {
            let mut now = *authored;
            if let Some(view) = view.meshes.get(i) {
                now.visible = view.visible.unwrap_or(now.visible);
                now.z_order = view.z_order.unwrap_or(now.z_order);
            }
            changed |= now != *shown;
            *shown = now;
        }
        if changed {
            let image_of = |mesh| (subject as &dyn super::Geometry).image_of(mesh);
            self.list.sort(&self.shown, image_of);
        }
    }

    /// The moment; `None` if the vertices are shown as they are stored.
    #[must_use]
    pub fn at(&self) -> Option<FrameAt> {
        self.pose.at()
    }

    /// Palette, and places of the bones.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Places of bones in space; without bones if the subject has none that move there.
    #[cfg(feature = "motion")]
    #[must_use]
    pub fn spatial(&self) -> &SpatialPose {
        &self.spatial
    }

    /// Returns whether [`Self::spatial`] leaves out the movement of the whole model.
    #[cfg(feature = "motion")]
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.in_place
    }

    /// Meshes in the order in which they are drawn.
    #[must_use]
    pub fn list(&self) -> &DrawList {
        &self.list
    }

    /// The meshes that are drawn, back to front.
    #[must_use]
    pub fn draws(&self) -> &[Draw] {
        self.list.draws()
    }

    /// Order and visibility of a mesh as it is shown; `None` if there are not as many.
    #[must_use]
    pub fn shown(&self, mesh: MeshId) -> Option<MeshOrder> {
        self.shown.get(mesh.index()).copied()
    }

    /// Order and visibility of a mesh as the content itself has it; `None` if there are not as many.
    #[must_use]
    pub fn authored(&self, mesh: MeshId) -> Option<MeshOrder> {
        self.authored.get(mesh.index()).copied()
    }
}
