//! Animations, meshes, bones and the bind pose of a subject, by the names that were typed.
//!
//! A name that is not there is an error that lists what there is; nothing is skipped in silence.

use std::sync::Arc;

use globset::GlobBuilder;

use pchr::document::{AnimationId, BoneId, ImageId, Images, MeshId};
use pchr::overlay::{Layer, LayerNeeds, Onion, OverlayOptions, Pin, Trail};
use pchr::pose::BindChoice;
use pchr::scene::{MeshView, Subject, ViewOptions, with_bind};

use super::choices::OverlayItem;
use super::option_values::{ImageSwap, Tint, Tints};
use super::{Shown, ViewError, element_names};
use crate::crowd::{Crowd, CrowdFault, Instances};
use crate::text::{there_are, words};

/// Bind pose, overrides and overlays by the ids of a subject.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The bind pose.
    pub bind: BindChoice,
    /// Visibility and draw order of meshes.
    pub view: ViewOptions,
    /// Overlays; `None` if nothing is drawn over the picture.
    pub overlay: Option<OverlayOptions>,
}

impl Shown {
    /// Resolves the names of bind pose, meshes and bones in a subject.
    ///
    /// # Errors
    /// [`ViewError`] if a requested item does not exist.
    pub fn resolve(&self, subject: &dyn Subject) -> Result<Resolved, ViewError> {
        Ok(Resolved {
            bind: self.bind_choice(subject)?,
            view: meshes(subject, self)?,
            overlay: overlay(subject, self)?,
        })
    }

    /// Returns a subject with the bind pose, and as the figures, that are asked for. Other names are resolved in it.
    ///
    /// # Errors
    /// [`ViewError`] if the bind pose does not exist, or the content is shown once ([`CrowdFault`]).
    pub fn subject(&self, subject: &Arc<dyn Subject>) -> Result<Arc<dyn Subject>, ViewError> {
        let one = with_bind(subject, self.bind_choice(&**subject)?);
        let Some(instances) = self.instances else { return Ok(one) };
        Crowd::of(&one, instances).map_err(|fault| ViewError::of_figures(instances, fault))
    }

    /// Returns the bind pose that `--bind` means in a subject: `ANIMATION`, `ANIMATION:FRAME` or `none`.
    ///
    /// # Errors
    /// [`ViewError`] if it does not exist.
    pub fn bind_choice(&self, subject: &dyn Subject) -> Result<BindChoice, ViewError> {
        let Some(wanted) = self.bind.as_deref() else { return Ok(BindChoice::Auto) };
        if subject.skinned().is_none() {
            let why = "this kind of file has no bind pose";
            return Err(ViewError::new("bind", why).of(wanted));
        }
        if wanted == "none" {
            return Ok(BindChoice::None);
        }
        let (id, frame) = frame_of(("bind", wanted), subject, wanted)?;
        Ok(BindChoice::Frame(id, frame))
    }

    /// Returns the options without the values that a subject lacks, and an error for each of those.
    #[must_use]
    pub fn without_missing(&self, subject: &dyn Subject) -> (Self, Vec<ViewError>) {
        let mut kept = self.clone();
        let mut missing = mistakes(subject, self);
        let is_there = |pattern: &String| matching("", subject, pattern).is_ok();
        for list in [&mut kept.hide, &mut kept.only, &mut kept.show] {
            list.retain(is_there);
        }
        kept.z_order.retain(|order| is_there(&order.mesh));
        let is_drawn =
            |item: &OverlayItem| draw(subject, item, &mut OverlayOptions::default()).is_ok();
        kept.overlay.iter_mut().for_each(|list| list.0.retain(is_drawn));
        kept.overlay.retain(|list| !list.0.is_empty());
        kept.bind = kept.bind.filter(|_| self.bind_choice(subject).is_ok());
        if let Err(error) = kept.moment(subject) {
            missing.push(error);
            kept = kept.with_a_moment(subject);
        }
        (kept, missing)
    }

    /// Leaves out as little of its moment as makes it one of the subject's: the cross-fade, the frame or time, the animation.
    fn with_a_moment(self, subject: &dyn Subject) -> Self {
        let first = self.mix.as_ref().and_then(|mix| mix.names.split(':').next());
        let first = first.filter(|name| element_names::find_animation(subject, name).is_some());
        let animation = self.animation.clone().or(first.map(str::to_owned));
        let unmixed =
            Self { animation, mix: None, mix_frame: None, mix_time: None, mix_sync: None, ..self };
        let from_start = Self { frame: None, time: None, ..unmixed.clone() };
        let is_of_subject = |shown: &Self| shown.moment(subject).is_ok();
        [unmixed, from_start.clone()]
            .into_iter()
            .find(is_of_subject)
            .unwrap_or(Self { animation: None, ..from_start })
    }
}

impl ViewError {
    /// Returns the error of content that is shown once.
    #[must_use]
    pub fn of_figures(instances: Instances, fault: CrowdFault) -> Self {
        Self::new("instances", fault.to_string()).of(instances)
    }
}

/// An animation by its name, else by its index, which may follow a `#`.
pub(crate) fn animation(subject: &dyn Subject, wanted: &str) -> Result<AnimationId, ViewError> {
    let found = element_names::find_animation(subject, wanted);
    found.ok_or_else(|| no_animation("animation", subject, wanted))
}

/// The animations that a text means: one by its name or index, else those whose names match it.
pub(crate) fn animations(
    subject: &dyn Subject,
    wanted: &str,
) -> Result<Vec<AnimationId>, ViewError> {
    if let Some(id) = element_names::find_animation(subject, wanted) {
        return Ok(vec![id]);
    }
    let matches = matcher(wanted);
    let matches = |id: &AnimationId| matches(subject.animation_name(*id));
    let matched: Vec<_> = subject.animation_ids().filter(matches).collect();
    if matched.is_empty() {
        return Err(no_animation("animation", subject, wanted));
    }
    Ok(matched)
}

pub(super) fn no_animation(option: &'static str, subject: &dyn Subject, wanted: &str) -> ViewError {
    let there_are = there_are("animations", wanted, subject.animation_names());
    ViewError::new(option, format!("no animation is named {wanted:?}")).among(there_are)
}

/// The frame that `ANIMATION` or `ANIMATION:FRAME` means in the value of an option. The name of an animation may hold a colon itself.
fn frame_of(
    (option, value): (&'static str, &str),
    subject: &dyn Subject,
    wanted: &str,
) -> Result<(AnimationId, u16), ViewError> {
    let find = |name| element_names::find_animation(subject, name);
    let (name, frame) = match (find(wanted), wanted.rsplit_once(':')) {
        (None, Some((name, frame))) if frame.bytes().all(|byte| byte.is_ascii_digit()) => {
            (name, frame.parse().unwrap_or(u16::MAX))
        }
        _ => (wanted, 0),
    };
    let id = find(name).ok_or_else(|| no_animation(option, subject, name))?;
    if frame < subject.frame_count(id) {
        return Ok((id, frame));
    }
    let frames = words::count(subject.frame_count(id), "frame", "frames");
    Err(ViewError::new(option, format!("frame {frame} does not exist"))
        .of(value)
        .among(format!("the animation has {frames}")))
}

/// Meshes that are shown, and their draw orders.
pub(crate) fn meshes(subject: &dyn Subject, options: &Shown) -> Result<ViewOptions, ViewError> {
    let matched = |option, patterns: &[String]| {
        let patterns = patterns.iter();
        patterns.map(|pattern| matching(option, subject, pattern)).collect::<Result<Vec<_>, _>>()
    };
    let hidden = matched("hide", &options.hide)?;
    let only = matched("only", &options.only)?;
    let shown = matched("show", &options.show)?;
    let orders = options.z_order.iter();
    let orders =
        orders.map(|order| Ok((matching("z-order", subject, &order.mesh)?, order.z_order)));
    let orders = orders.collect::<Result<Vec<_>, ViewError>>()?;
    let is = |matched: &Vec<bool>, mesh: usize| matched.get(mesh) == Some(&true);
    let any = |lists: &[Vec<bool>], mesh| lists.iter().any(|matched| is(matched, mesh));
    let view = |mesh| MeshView {
        visible: if any(&hidden, mesh) {
            Some(false)
        } else if any(&shown, mesh) {
            Some(true)
        } else if !only.is_empty() && !any(&only, mesh) {
            Some(false)
        } else {
            None
        },
        z_order: (orders.iter().rev())
            .find(|(matched, _)| is(matched, mesh))
            .map(|(_, z_order)| *z_order),
    };
    let views: Vec<_> = (0..subject.mesh_count()).map(view).collect();
    let changed = views.iter().any(|view| *view != MeshView::default());
    Ok(ViewOptions {
        meshes: if changed { views } else { Vec::new() },
        in_place: options.in_place == Some(true),
        mix: None,
    })
}

/// For each mesh, whether a pattern means it: by its name, else by its index behind a `#`, else by matching its name.
/// Some mesh has to be meant.
fn matching(
    option: &'static str,
    subject: &dyn Subject,
    pattern: &str,
) -> Result<Vec<bool>, ViewError> {
    let exact: Vec<bool> = subject.mesh_names().map(|name| name == pattern).collect();
    if exact.contains(&true) {
        return Ok(exact);
    }
    if let Some(index) = index(pattern, subject.mesh_count()) {
        return Ok((0..exact.len()).map(|i| i == index).collect());
    }
    let matched: Vec<bool> = subject.mesh_names().map(matcher(pattern)).collect();
    if matched.contains(&true) {
        return Ok(matched);
    }
    let there_are = there_are("meshes", pattern, subject.mesh_names());
    Err(ViewError::new(option, format!("no mesh matches {pattern:?}")).among(there_are))
}

/// Tells names that match a pattern; a broken one matches none.
fn matcher(pattern: &str) -> impl Fn(&str) -> bool {
    let glob = GlobBuilder::new(pattern).build().map(|glob| glob.compile_matcher());
    move |name| glob.as_ref().is_ok_and(|glob| glob.is_match(name))
}

/// `#INDEX`, if it is below `count`.
fn index(text: &str, count: usize) -> Option<usize> {
    let index = text.strip_prefix('#')?.parse().ok()?;
    (index < count).then_some(index)
}

/// The overlays; `None` if none are wanted.
pub(crate) fn overlay(
    subject: &dyn Subject,
    options: &Shown,
) -> Result<Option<OverlayOptions>, ViewError> {
    let mut drawn = OverlayOptions {
        light: options.background().is_light(),
        scale: options.overlay_scale(),
        ..OverlayOptions::default()
    };
    if let Some(Tints(tints)) = options.onion_tint {
        drawn.onion.tints = tints;
    }
    for item in options.overlays() {
        draw(subject, item, &mut drawn)?;
    }
    if let (Some(pin), Some(Tint(tint))) = (&mut drawn.pin, options.pin_tint) {
        pin.tint = tint;
    }
    // Bones that move in space are always drawn by the overlay.
    let any = subject.spatial().is_some() || !drawn.is_empty();
    Ok(Some(drawn).filter(|_| any))
}

fn draw(
    subject: &dyn Subject,
    item: &OverlayItem,
    drawn: &mut OverlayOptions,
) -> Result<(), ViewError> {
    let is_spatial = subject.spatial().is_some();
    let (key, needs) = match item {
        // Bones in space are always drawn.
        OverlayItem::Layer(layer) if *layer != Layer::Bones => (layer.key(), layer.needs()),
        OverlayItem::Weights(_) => ("weights", LayerNeeds::Meshes),
        OverlayItem::Mesh(_) => ("mesh", LayerNeeds::Meshes),
        _ => ("", LayerNeeds::Any),
    };
    let meant_for = match needs {
        LayerNeeds::Meshes => is_spatial.then_some("meshes; a 3D motion has none"),
        LayerNeeds::FlatBones => is_spatial.then_some("characters"),
        LayerNeeds::SpatialBones => (!is_spatial).then_some("3D motions"),
        LayerNeeds::Any => None,
    };
    if let Some(content) = meant_for {
        return Err(ViewError::new("overlay", format!("--overlay {key} is for {content}")));
    }
    match item {
        OverlayItem::Layer(layer) => drawn.layers.set(*layer, true),
        OverlayItem::Trail(bone) => drawn.trail = Some(trail(subject, bone)?),
        OverlayItem::Onion([before, after, step]) => {
            drawn.onion = Onion { before: *before, after: *after, step: *step, ..drawn.onion };
        }
        OverlayItem::Pin(wanted) => {
            let of = ("overlay", &*item.to_string());
            let (animation, frame) = frame_of(of, subject, wanted)?;
            drawn.pin = Some(Pin { animation, frame, tint: Pin::TINT });
        }
        OverlayItem::Weights(bone) => drawn.weights = Some(self::bone(subject, bone)?),
        OverlayItem::Bone(bone) => drawn.bone = Some(self::bone(subject, bone)?),
        OverlayItem::Mesh(mesh) => drawn.mesh = Some(self::mesh(subject, mesh)?),
    }
    Ok(())
}

/// Returns all missing items that bind pose, meshes, overlays and images ask for: each of [`bind`], [`meshes`] and [`overlay`] ends with
/// its first.
pub(crate) fn mistakes(subject: &dyn Subject, options: &Shown) -> Vec<ViewError> {
    let lists = [("hide", &options.hide), ("only", &options.only), ("show", &options.show)];
    let patterns = lists
        .into_iter()
        .flat_map(|(option, list)| list.iter().map(move |pattern| (option, pattern)));
    let orders = options.z_order.iter();
    let patterns = patterns.chain(orders.map(|order| ("z-order", &order.mesh)));
    let of_meshes =
        patterns.filter_map(|(option, pattern)| matching(option, subject, pattern).err());
    let of_overlays = options
        .overlays()
        .filter_map(|item| draw(subject, item, &mut OverlayOptions::default()).err());
    let of_bind = options.bind_choice(subject).err().into_iter();
    let of_images = options.image.iter().filter_map(|swap| swap.id(subject).err());
    of_bind.chain(of_meshes).chain(of_overlays).chain(of_images).collect()
}

impl ImageSwap {
    /// Returns the image of that name, else of that index behind a `#`.
    ///
    /// # Errors
    /// [`ViewError`] if there is none.
    pub fn id(&self, images: &dyn Images) -> Result<ImageId, ViewError> {
        let names: Vec<&str> = images.images().map(|image| image.name()).collect();
        one_of("image", ["image", "images"], &self.image, names.into_iter()).map(ImageId)
    }
}

/// A bone by its name, else by its index behind a `#`.
fn bone(subject: &dyn Subject, wanted: &str) -> Result<BoneId, ViewError> {
    one_of("overlay", ["bone", "bones"], wanted, subject.bone_names()).map(BoneId)
}

/// A mesh by its name, else by its index behind a `#`.
fn mesh(subject: &dyn Subject, wanted: &str) -> Result<MeshId, ViewError> {
    one_of("overlay", ["mesh", "meshes"], wanted, subject.mesh_names()).map(MeshId)
}

/// A bone, else a vertex of a mesh: `MESH:VERTEX`.
fn trail(subject: &dyn Subject, wanted: &str) -> Result<Trail, ViewError> {
    let found = bone(subject, wanted);
    let vertex = wanted.rsplit_once(':').and_then(|(mesh, vertex)| {
        let vertex: u16 = vertex.trim().parse().ok()?;
        Some((mesh, vertex))
    });
    let (Err(_), Some((mesh, vertex)), false) = (&found, vertex, subject.spatial().is_some())
    else {
        return found.map(Trail::Bone);
    };
    let id = self::mesh(subject, mesh)?;
    let count = subject.mesh(id).map_or(0, |mesh| mesh.vertex_count());
    if usize::from(vertex) < count {
        return Ok(Trail::Vertex(id, vertex));
    }
    let vertices = words::count(count, "vertex", "vertices");
    let error = ViewError::new("overlay", format!("vertex {vertex} does not exist"));
    Err(error.of(format_args!("trail={wanted}")).among(format!("mesh {mesh:?} has {vertices}")))
}

/// The element of that name, else of that index behind a `#`.
fn one_of<'a>(
    option: &'static str,
    [what, all]: [&str; 2],
    wanted: &str,
    names: impl ExactSizeIterator<Item = &'a str> + Clone,
) -> Result<u16, ViewError> {
    let by_name = names.clone().position(|name| name == wanted);
    let found = by_name.or_else(|| index(wanted, names.len()));
    let id = found.and_then(|index| u16::try_from(index).ok());
    id.ok_or_else(|| {
        ViewError::new(option, format!("no {what} is named {wanted:?}"))
            .of_option()
            .among(there_are(all, wanted, names))
    })
}
