//! The members of a stage without their places: their meshes, bones and images one after another, with the names that they have together.

use std::fmt;
use std::sync::Arc;

use pchr::document::{AnimationId, Fingerprint, ImageId, Images, MeshId, VERTEX_SIZE, Vertex};
use pchr::finding::{Finding, Findings};
use pchr::pose::{BindSource, Pose};
use pchr::scene::{Geometry, Subject, ViewOptions};

use super::layout::Member;
use super::schedule::MemberMoment;
use crate::text::nearest;

/// An animation that a member is to play, and that its file lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingClip {
    /// Index of the member.
    pub member: usize,
    /// Key of its table that names the animation.
    pub key: &'static str,
    /// Name of the member.
    pub name: String,
    /// Name of the animation, and the closest of those that the file has.
    pub message: String,
    /// Line of the key in the session, if the stage is as its file has it.
    pub line: Option<u32>,
}

/// Formats it like `line 7: orc: has no animation "wlak"; closest: walk`.
impl fmt::Display for MissingClip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}: {}", self.name, self.message)
    }
}

/// Reason why members are no stage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageError {
    /// A member has bones in space.
    #[error("{0}: is a 3D motion; a stage has characters and atlases")]
    Spatial(String),
    /// There are more elements than ids.
    #[error("the characters have {0} {1} together, expected at most {2}")]
    Many(usize, &'static str, usize),
}

/// What does not depend on places and times.
#[derive(Debug, Default)]
pub(super) struct Cast {
    pub(super) parts: Vec<Part>,
    pub(super) meshes: Vec<StageMesh>,
    pub(super) bones: Vec<StageBone>,
    pub(super) images: Vec<StageImage>,
    pub(super) warnings: Findings,
    pub(super) fingerprint: Fingerprint,
}

/// The content of a member, and where its elements begin.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) subject: Arc<dyn Subject>,
    pub(super) tint: [u8; 3],
    owns_images: bool,
    pub(super) first_mesh: usize,
    /// The bone that holds it; its own follow.
    pub(super) holder: usize,
    first_image: usize,
    /// Added to its draw orders, so that they follow those of the member before.
    pub(super) base_order: f64,
    /// The highest of these.
    top_order: f64,
}

#[derive(Debug)]
pub(super) struct StageMesh {
    pub(super) part: usize,
    /// Its mesh.
    pub(super) id: MeshId,
    pub(super) name: String,
    pub(super) image: ImageId,
    pub(super) vertices: Vec<[u8; VERTEX_SIZE]>,
}

#[derive(Debug)]
pub(super) struct StageBone {
    pub(super) name: String,
    pub(super) parent: i16,
}

#[derive(Debug)]
pub(super) struct StageImage {
    pub(super) part: usize,
    /// Its image.
    pub(super) id: ImageId,
    pub(super) name: String,
}

/// Missing weight that rounding explains.
const WEIGHTLESS: f32 = 1e-6;

impl Part {
    /// Returns an animation by name, else by index.
    pub(super) fn clip(&self, name: &str) -> Result<AnimationId, String> {
        let subject = &*self.subject;
        let named = subject.animation_named(name);
        let index = || {
            let id = AnimationId(name.strip_prefix('#').unwrap_or(name).parse().ok()?);
            subject.animation(id).map(|_| id)
        };
        named.or_else(index).ok_or_else(|| {
            let near = nearest(name, subject.animation_names());
            let near = if near.is_empty() {
                String::new()
            } else {
                format!("; closest: {}", near.join(", "))
            };
            format!("has no animation {name:?}{near}")
        })
    }

    /// Poses its content at a moment.
    pub(super) fn pose(&self, moment: Option<MemberMoment>, pose: &mut Pose) {
        match moment {
            Some((at, Some(mix))) => self.subject.mixed(at, mix, pose),
            Some((at, None)) => self.subject.pose(Some(at), pose),
            None => self.subject.pose(None, pose),
        }
    }

    /// Returns the changes of a view to its meshes.
    pub(super) fn view(&self, view: &ViewOptions) -> ViewOptions {
        let meshes = view.meshes.iter().skip(self.first_mesh).take(self.subject.mesh_count());
        ViewOptions { meshes: meshes.copied().collect(), ..ViewOptions::default() }
    }
}

impl Cast {
    /// Adds a member, whose elements get its name in front.
    pub(super) fn add(
        &mut self,
        member: &Member,
        name: &str,
        subject: Arc<dyn Subject>,
    ) -> Result<(), StageError> {
        if subject.spatial().is_some() {
            return Err(StageError::Spatial(name.to_owned()));
        }
        let named = |own: &str| format!("{name}/{own}");
        let (part, holder, tint) = (self.parts.len(), self.bones.len(), member.tint);
        let owns_images = member.own_images;
        let is_same = |it: &&Part| {
            let is_own = owns_images || it.owns_images;
            Arc::ptr_eq(&it.subject, &subject) && it.tint == tint && !is_own
        };
        let first_image = match self.parts.iter().find(is_same) {
            Some(same) => same.first_image,
            None => {
                let images: &dyn Images = &*subject;
                let first = self.images.len();
                self.images.extend(images.image_ids().filter_map(|id| {
                    Some(StageImage { part, id, name: named(images.image(id)?.name()) })
                }));
                first
            }
        };
        let holder_field = i16::try_from(holder).unwrap_or(i16::MAX);
        self.bones.push(StageBone { name: name.to_owned(), parent: -1 });
        self.bones.extend(subject.bones().map(|bone| {
            let own = bone.parent().and_then(|parent| i16::try_from(parent.0).ok());
            let own = own.map(|own| holder_field.saturating_add(1).saturating_add(own));
            StageBone { name: named(bone.name()), parent: own.unwrap_or(holder_field) }
        }));
        let first_mesh = self.meshes.len();
        let geometry: &dyn Geometry = &*subject;
        let is_stored = subject.bind().is_none_or(|bind| bind.source() == BindSource::Absent);
        let holder_id = u16::try_from(holder).unwrap_or(u16::MAX);
        for id in geometry.mesh_ids() {
            let Some(mesh) = geometry.mesh(id) else {
                continue;
            };
            let image = mesh.image().index().saturating_add(first_image);
            let held = |vertex: Vertex| held(vertex, holder_id, is_stored).to_record();
            self.meshes.push(StageMesh {
                part,
                id,
                name: named(mesh.name()),
                image: ImageId(u16::try_from(image).unwrap_or(u16::MAX)),
                vertices: mesh.vertices().map(held).collect(),
            });
        }
        self.warnings.extend(prefixed(name, subject.warnings()));
        for (count, what, most) in [
            (self.meshes.len(), "meshes", usize::from(u16::MAX)),
            (self.images.len(), "images", usize::from(u16::MAX)),
            (self.bones.len(), "bones", i16::MAX.unsigned_abs().into()),
        ] {
            if count > most {
                return Err(StageError::Many(count, what, most));
            }
        }
        let [lowest, highest] = orders(&*subject);
        let before = self.parts.last().map(|before| before.top_order);
        let base_order = before.map_or(0.0, |before| before + 1.0 - lowest);
        let (name, top_order) = (name.to_owned(), base_order + highest);
        self.parts.push(Part {
            name,
            subject,
            tint,
            owns_images,
            first_mesh,
            holder,
            first_image,
            base_order,
            top_order,
        });
        Ok(())
    }

    pub(super) fn part_of(&self, image: ImageId) -> Option<(&Part, &StageImage)> {
        let image = self.images.get(image.index())?;
        Some((self.parts.get(image.part)?, image))
    }
}

/// Draw orders that are looked at.
const LOOKED_AT: usize = 10_000_000;

/// Returns the lowest and the highest draw order of a subject in any frame, or of all that a file can state if it has too many.
fn orders(subject: &dyn Subject) -> [f64; 2] {
    let frames = |id| usize::from(subject.distinct_frames(id));
    let frames: usize = subject.animation_ids().map(frames).sum();
    if frames.saturating_mul(subject.mesh_count()) > LOOKED_AT {
        return [i16::MIN.into(), i16::MAX.into()];
    }
    let mut order = Vec::new();
    let [mut lowest, mut highest] = [0.0_f64; 2];
    for at in subject.animation_ids().flat_map(|id| subject.moments(id)) {
        order.clear();
        subject.order(at, &mut order);
        for mesh in &order {
            (lowest, highest) = (lowest.min(mesh.z_order), highest.max(mesh.z_order));
        }
    }
    [lowest, highest]
}

/// Returns a vertex with the bones of a stage. The weight that it lacks goes to the holder, and all of it if it is drawn as stored.
fn held(mut vertex: Vertex, holder: u16, is_stored: bool) -> Vertex {
    if is_stored {
        let bone_ids = [holder; 4];
        return Vertex { bone_ids, bone_weights: [1.0, 0.0, 0.0, 0.0], ..vertex };
    }
    let positive = vertex.bone_weights.into_iter().filter(|weight| *weight > 0.0);
    let lacking = 1.0 - positive.sum::<f32>();
    vertex.bone_ids = vertex.bone_ids.map(|id| holder.saturating_add(1).saturating_add(id));
    let mut slots = vertex.bone_weights.iter_mut().zip(&mut vertex.bone_ids);
    let free = slots.find(|(weight, _)| weight.is_nan() || **weight <= 0.0);
    if let Some((weight, bone)) = free.filter(|_| lacking > WEIGHTLESS) {
        (*weight, *bone) = (lacking, holder);
    }
    vertex
}

/// Returns findings about a member, which is named in their places.
pub(crate) fn prefixed(name: &str, found: &Findings) -> Findings {
    let named = |finding: &Finding| finding_of(name, finding.clone());
    found.clone().with_kept(found.iter().map(named).collect())
}

/// Returns the name of the file of a member that keeps a stage from being opened, from the place of a finding about it.
#[must_use]
pub fn broken_file(finding: &Finding) -> Option<&str> {
    let mut parts = finding.path.splitn(3, ": ");
    let (_, file, _) = (parts.next()?, parts.next()?, parts.next()?);
    file.rsplit('/').next()
}

/// Returns a finding about the file of a member, both of which are named in its place. [`broken_file`] finds the file again.
pub(crate) fn finding_in(name: &str, file: &str, finding: Finding) -> Finding {
    finding_of(name, finding_of(file, finding))
}

/// Returns a finding about a member, which is named in its place.
pub(crate) fn finding_of(name: &str, finding: Finding) -> Finding {
    Finding { path: format!("{name}: {}", finding.path), ..finding }
}
