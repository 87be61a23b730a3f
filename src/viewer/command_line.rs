//! The view on screen as a command that captures the same pixels. Pure: takes the view, returns words.

use std::path::{Path, PathBuf};

use pchr::document::MeshId;
use pchr::overlay::{Layer, Onion, OverlayOptions};
use pchr::playback::{FrameSpec, Mix, Timeline};
use pchr::pose::{BindChoice, FrameAt};
use pchr::scene::{Camera, Filter, Geometry, Subject, ViewOptions};
use pchr_tools::file_name;
use pchr_tools::view::{
    Background, FilterArg, LoopArg, OverlayItem, OverlayList, Shown, Size, Tints, ZOrder, naming,
};

/// Largest number of meshes that are hidden one by one when no mesh stays visible.
const LISTED: usize = 100;

/// The view on screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandLine<'a> {
    pub file: &'a Path,
    pub subject: &'a dyn Subject,
    /// The moment; `None` is the stored pose.
    pub at: Option<FrameAt>,
    /// Cross-fade from that moment to another.
    pub mix: Option<Mix>,
    pub bind: BindChoice,
    pub camera: Camera,
    /// Size of the picture in screen pixels.
    pub size: [u32; 2],
    pub behind: Behind<'a>,
    pub filter: Filter,
    pub mipmaps: bool,
    pub view: &'a ViewOptions,
    pub overlays: &'a OverlayOptions,
    /// Name of the backend, as requested.
    pub backend: Option<&'a str>,
    /// Name of the adapter, as requested.
    pub adapter: Option<&'a str>,
    /// True if images outside the file's folder may be read.
    pub allow_outside: bool,
    /// Skeleton of the current motion, if it is another file.
    pub skeleton: Option<&'a Path>,
    /// Motions that were chosen to be shown, too.
    pub motions: &'a [PathBuf],
}

/// Background of the character. Colours are straight, sRGB-encoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Behind<'a> {
    Color([u8; 4]),
    /// Squares with sides of `square` pixels. The upper left square is even.
    Checker {
        even: [u8; 3],
        odd: [u8; 3],
        square: u32,
    },
    Picture(&'a Path),
}

impl CommandLine<'_> {
    /// Returns the command and its arguments.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = vec![
            "pchr-view".to_owned(),
            "capture".to_owned(),
            text(self.file),
        ];
        if self.allow_outside {
            words.push("--allow-outside".to_owned());
        }
        words.extend(["-o".to_owned(), self.output()]);
        words.extend(["--renderer", "gpu"].map(str::to_owned));
        if let Some(backend) = self.backend {
            words.extend(["--backend", backend].map(str::to_owned));
        }
        if let Some(adapter) = self.adapter {
            words.push(format!("--adapter={adapter}"));
        }
        words.extend(self.shown().words());
        words
    }

    /// Returns the output file, named after the file and in the shell's folder. The stem gets a suffix, since
    /// `hero.png` may be the atlas of the character. Braces are doubled, since single ones are placeholders for names.
    fn output(&self) -> String {
        let stem = file_name::stem(self.file);
        let stem = stem.replace('{', "{{").replace('}', "}}");
        text(Path::new(&format!("{stem}-capture.png")))
    }

    /// Returns what the picture shows.
    pub(crate) fn shown(&self) -> Shown {
        let mut shown = Shown {
            skeleton: self.skeleton.map(option),
            motion: self.motions.iter().map(|path| option(path)).collect(),
            bind: self.bind(),
            resolution: Some(Size(self.size)),
            background: self.background(),
            filter: match self.filter {
                Filter::Linear => FilterArg::Linear,
                Filter::Nearest => FilterArg::Nearest,
            },
            mipmaps: self.mipmaps,
            in_place: self.view.in_place && self.camera.orbit().is_some(),
            ..Shown::default()
        };
        self.moment(&mut shown);
        shown.set_camera(self.camera);
        self.meshes(&mut shown);
        self.overlays(&mut shown);
        shown
    }

    fn moment(&self, shown: &mut Shown) {
        let Some(at) = self
            .at
            .filter(|at| self.subject.animation(at.animation).is_some())
        else {
            return;
        };
        shown.set_animations(self.subject, at.animation, self.mix);
        let both = [Some(at), self.mix.map(|mix| mix.to)];
        let blended = both.into_iter().flatten().filter(is_blended);
        let restarts = |at: FrameAt| {
            let clip = self.subject.animation(at.animation);
            at.next < at.frame && clip.is_some_and(|clip| !clip.timeline.looping)
        };
        shown.looping = blended.clone().any(restarts).then_some(LoopArg::On);
        shown.smooth = blended.count() > 0;
        (shown.time, shown.frame) = self.frame(at);
        if let Some(mix) = self.mix {
            (shown.mix_time, shown.mix_frame) = self.frame(mix.to);
        }
    }

    /// Returns a moment as seconds if frames are blended, else as a frame.
    fn frame(&self, at: FrameAt) -> (Option<f64>, Option<FrameSpec>) {
        let authored = self.subject.animation(at.animation);
        match authored.filter(|_| is_blended(&at)) {
            Some(clip) => {
                let timeline = Timeline {
                    looping: at.next < at.frame,
                    smooth: true,
                    ..clip.timeline
                };
                (Some(timeline.seconds(at)), None)
            }
            None => (None, Some(FrameSpec::One(at.frame.into()))),
        }
    }

    fn bind(&self) -> Option<String> {
        self.subject.skinned()?; // else it was chosen for another file
        match self.bind {
            BindChoice::Auto => None,
            BindChoice::None => Some("none".to_owned()),
            BindChoice::Frame(animation, frame) => {
                Some(naming::bind(self.subject, animation, frame))
            }
        }
    }

    fn background(&self) -> Option<Background> {
        match self.behind {
            Behind::Color([.., 0]) => None, // as a capture has it anyway
            Behind::Color(color) => Some(Background::Color(color)),
            Behind::Checker { even, odd, square } => Some(Background::Checker {
                even,
                odd,
                size: square,
            }),
            Behind::Picture(file) => Some(Background::Picture(option(file))),
        }
    }

    fn meshes(&self, shown: &mut Shown) {
        let wish = |mesh: &MeshId| {
            let wish = self.view.meshes.get(mesh.index());
            wish.copied().unwrap_or_default()
        };
        let all = || (self.subject as &dyn Geometry).mesh_ids();
        let names = |meshes: &dyn Fn(&MeshId) -> bool| -> Vec<String> {
            let chosen = all().filter(|mesh| meshes(mesh));
            chosen
                .map(|mesh| naming::mesh(self.subject, mesh))
                .collect()
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
            Some(ZOrder {
                z_order: wish(&mesh).z_order?,
                mesh: naming::mesh(self.subject, mesh),
            })
        };
        shown.z_order = all().filter_map(ordered).collect();
    }

    fn overlays(&self, shown: &mut Shown) {
        let options = self.overlays;
        let subject = self.subject;
        let layers = Layer::ALL.into_iter().filter(|layer| options.has(*layer));
        let mut list: Vec<_> = layers.map(OverlayItem::Layer).collect();
        let (bone, mesh) = (
            |id| naming::bone(subject, id),
            |id| naming::mesh(subject, id),
        );
        list.extend(options.weights.map(|id| OverlayItem::Weights(bone(id))));
        list.extend(options.mesh.map(|id| OverlayItem::Mesh(mesh(id))));
        list.extend(options.bone.map(|id| OverlayItem::Bone(bone(id))));
        let trail = options.trail.map(|trail| naming::trail(subject, trail));
        list.extend(trail.map(OverlayItem::Trail));
        if options.onion.is_on() {
            let Onion {
                before,
                after,
                step,
                tints,
            } = options.onion;
            list.push(OverlayItem::Onion([before, after, step]));
            shown.onion_tint = Some(Tints(tints)).filter(|_| tints != Onion::TINTS);
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

/// Returns a path that is not mistaken for an option. `-` alone is standard input.
fn text(path: &Path) -> String {
    let text = path.to_string_lossy();
    match text.starts_with('-') && text != "-" {
        true => format!("./{text}"),
        false => text.into_owned(),
    }
}

/// Returns the path as a value.
fn option(path: &Path) -> PathBuf {
    text(path).into()
}

#[cfg(test)]
mod tests;
