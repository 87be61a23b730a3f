//! The view on screen as a [`Shown`]. Pure: takes the view by ids, returns it by names.

use std::path::{Path, PathBuf};

use pchr::document::MeshId;
use pchr::overlay::{Onion, OverlayOptions, Pin};
use pchr::playback::{FrameSpec, Mix, Timeline};
use pchr::pose::{BindChoice, FrameAt};
use pchr::scene::{Camera, Filter, Geometry, Subject, ViewOptions};
use pchr_tools::crowd::Instances;
use pchr_tools::view::{
    Background, FilterArg, LoopArg, OverlayItem, OverlayList, Shown, Size, Tint, Tints, ZOrder,
    naming, on,
};

/// Largest number of meshes that are hidden one by one when no mesh stays visible.
const LISTED: usize = 100;

/// The view on screen, by the ids of its subject.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnScreen<'a> {
    pub subject: &'a dyn Subject,
    /// The moment; `None` is the stored pose.
    pub at: Option<FrameAt>,
    /// Cross-fade from that moment to another.
    pub mix: Option<Mix>,
    /// True if the mix is a steady blend, whose animations are in phase.
    pub is_synced: bool,
    pub bind: BindChoice,
    pub instances: Instances,
    pub camera: Camera,
    /// Size of the picture in screen pixels.
    pub size: [u32; 2],
    pub background: Option<&'a Background>,
    pub filter: Filter,
    pub mipmaps: bool,
    pub view: &'a ViewOptions,
    pub overlays: &'a OverlayOptions,
    /// Skeleton of the current motion, if it is another file.
    pub skeleton: Option<&'a Path>,
    /// Motions that were chosen to be shown, too.
    pub motions: &'a [PathBuf],
}

impl OnScreen<'_> {
    /// Returns what the picture shows.
    pub(crate) fn shown(&self) -> Shown {
        let mut shown = Shown {
            skeleton: self.skeleton.map(Path::to_owned),
            motion: self.motions.to_vec(),
            bind: self.bind(),
            instances: self.instances(),
            resolution: Some(Size(self.size)),
            background: self.background.cloned(),
            filter: match self.filter {
                Filter::Linear => FilterArg::Linear,
                Filter::Nearest => FilterArg::Nearest,
            },
            mipmaps: on(self.mipmaps),
            in_place: on(self.view.in_place && self.camera.orbit().is_some()),
            ..Shown::default()
        };
        self.moment(&mut shown);
        shown.set_camera(self.camera);
        self.meshes(&mut shown);
        self.overlays(&mut shown);
        shown
    }

    fn moment(&self, shown: &mut Shown) {
        let Some(at) = self.at.filter(|at| self.subject.animation(at.animation).is_some()) else {
            return;
        };
        shown.set_animations(self.subject, at.animation, self.mix);
        let other = self.mix.filter(|_| !self.is_synced);
        let both = [Some(at), other.map(|mix| mix.to)];
        let blended = both.into_iter().flatten().filter(is_blended);
        let restarts = |at: FrameAt| {
            let clip = self.subject.animation(at.animation);
            at.next < at.frame && clip.is_some_and(|clip| !clip.timeline.looping)
        };
        shown.looping = blended.clone().any(restarts).then_some(LoopArg::On);
        shown.smooth = on(blended.count() > 0);
        (shown.time, shown.frame) = self.frame(at);
        shown.mix_sync = on(self.is_synced && self.mix.is_some());
        if let Some(mix) = other {
            (shown.mix_time, shown.mix_frame) = self.frame(mix.to);
        }
    }

    /// Returns a moment as seconds if frames are blended, else as a frame.
    fn frame(&self, at: FrameAt) -> (Option<f64>, Option<FrameSpec>) {
        let authored = self.subject.animation(at.animation);
        match authored.filter(|_| is_blended(&at)) {
            Some(clip) => {
                let timeline =
                    Timeline { looping: at.next < at.frame, smooth: true, ..clip.timeline };
                (Some(timeline.seconds(at)), None)
            }
            None => (None, Some(FrameSpec::One(at.frame.into()))),
        }
    }

    /// Returns the bind pose by its name.
    pub(crate) fn bind(&self) -> Option<String> {
        self.subject.skinned()?; // else it was chosen for another file
        match self.bind {
            BindChoice::Auto => None,
            BindChoice::None => Some("none".to_owned()),
            BindChoice::Frame(animation, frame) => {
                Some(naming::frame(self.subject, animation, frame))
            }
        }
    }

    /// Returns the figures, if there are several.
    pub(crate) fn instances(&self) -> Option<Instances> {
        Some(self.instances).filter(|instances| *instances != Instances::ONE)
    }

    /// Names the meshes with overrides.
    pub(crate) fn meshes(&self, shown: &mut Shown) {
        let wish = |mesh: &MeshId| {
            let wish = self.view.meshes.get(mesh.index());
            wish.copied().unwrap_or_default()
        };
        let all = || (self.subject as &dyn Geometry).mesh_ids();
        let names = |meshes: &dyn Fn(&MeshId) -> bool| -> Vec<String> {
            let chosen = all().filter(|mesh| meshes(mesh));
            chosen.map(|mesh| naming::mesh(self.subject, mesh)).collect()
        };
        let is_hidden = |mesh: &MeshId| wish(mesh).visible == Some(false);
        let hidden = all().filter(is_hidden).count();
        let others = self.subject.mesh_count().saturating_sub(hidden);
        if others == 0 && hidden > LISTED {
            shown.hide.push("*".to_owned());
            return;
        }
        match 0 < others && others < hidden {
            true => shown.only = names(&|mesh| !is_hidden(mesh)),
            false => shown.hide = names(&is_hidden),
        }
        shown.show = names(&|mesh| wish(mesh).visible == Some(true));
        let ordered = |mesh: MeshId| {
            Some(ZOrder { z_order: wish(&mesh).z_order?, mesh: naming::mesh(self.subject, mesh) })
        };
        shown.z_order = all().filter_map(ordered).collect();
    }

    /// Names the drawings over the picture.
    pub(crate) fn overlays(&self, shown: &mut Shown) {
        let options = self.overlays;
        let subject = self.subject;
        let mut list: Vec<_> = options.layers.iter().map(OverlayItem::Layer).collect();
        let (bone, mesh) = (|id| naming::bone(subject, id), |id| naming::mesh(subject, id));
        list.extend(options.weights.map(|id| OverlayItem::Weights(bone(id))));
        let chosen = options.mesh.filter(|id| subject.mesh(*id).is_some());
        list.extend(chosen.map(|id| OverlayItem::Mesh(mesh(id))));
        list.extend(options.bone.map(|id| OverlayItem::Bone(bone(id))));
        let trail = options.trail.map(|trail| naming::trail(subject, trail));
        list.extend(trail.map(OverlayItem::Trail));
        if options.onion.is_on() {
            let Onion { before, after, step, tints } = options.onion;
            list.push(OverlayItem::Onion([before, after, step]));
            shown.onion_tint = Some(Tints(tints)).filter(|_| tints != Onion::TINTS);
        }
        if let Some(Pin { animation, frame, tint }) = options.pin {
            list.push(OverlayItem::Pin(naming::frame(subject, animation, frame)));
            shown.pin_tint = Some(Tint(tint)).filter(|_| tint != Pin::TINT);
        }
        // Bones in space are drawn whether or not there is more.
        let is_drawn = !list.is_empty() || self.camera.orbit().is_some();
        shown.overlay_scale = Some(options.scale).filter(|scale| is_drawn && *scale != 1);
        if !list.is_empty() {
            shown.overlay.push(OverlayList(list));
        }
    }
}

/// Returns true for a moment between two frames.
fn is_blended(at: &FrameAt) -> bool {
    at.blend > 0.0 && at.next != at.frame
}

#[cfg(test)]
mod tests;
