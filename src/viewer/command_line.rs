//! The command line: options that the window starts with, the first view of a file (also that of a session), and the view on screen
//! as options, names instead of ids, and as a command that captures the same pixels.

use std::path::{Path, PathBuf};

use pchr::document::MeshId;
use pchr::overlay::{Onion, OverlayOptions, Pin};
use pchr::playback::{FrameSpec, Mix, Timeline};
use pchr::pose::{BindChoice, FrameAt};
use pchr::render::GpuOptions;
use pchr::scene::{Camera, Geometry, Subject, ViewOptions};
use pchr_tools::crowd::Instances;
use pchr_tools::file_name;
use pchr_tools::open::Openers;
use pchr_tools::session::{Session, WindowLook};
use pchr_tools::view::{
    LoopArg, OverlayItem, OverlayList, Playing, Shown, Size, Tint, Tints, ViewError, ZOrder,
    element_names, on,
};

use crate::viewer::loaded::Wish;
use crate::viewer::problem::Problem;

/// Initial state of the window. The default shows the sample, fitted and playing.
#[derive(Clone, Debug, Default)]
pub struct ViewerOptions {
    /// Files to show; Left and Right go through them. If empty, the sample is shown. `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Kinds of content that can be opened.
    pub openers: Openers,
    /// True if images that a JSON file names may lie outside its folder.
    pub allow_outside: bool,
    /// Built-in sample, a PCHR file.
    pub sample: &'static [u8],
    /// View of the first file; background, directions and companions also of others.
    pub shown: Shown,
    /// How it plays.
    pub playing: Playing,
    /// True if the looks of the last run, of the settings and of folders are left out.
    pub no_defaults: bool,
    /// Graphics adapter that draws.
    pub gpu: GpuOptions,
    /// Width and height of the window in logical pixels.
    pub window_size: Option<[u32; 2]>,
    /// True to start as a preview window.
    pub preview: bool,
}

impl ViewerOptions {
    /// Returns the look of the command line.
    pub(crate) fn look(&self) -> WindowLook {
        WindowLook::of_view(&self.shown, &self.playing)
    }

    /// Returns the names of the options of looks that the command line gives.
    pub(crate) fn given_look(&self) -> Vec<String> {
        if self.no_defaults { WindowLook::all_names() } else { self.look().names() }
    }
}

/// Requests for the first file that opens.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Start {
    pub(crate) shown: Shown,
    pub(crate) playing: Playing,
    /// True if everything is as in the view, and false if that only adds to the window's.
    pub(crate) is_session: bool,
}

impl Start {
    /// Returns the view of a session.
    pub(crate) fn of(session: &Session) -> Self {
        Self { shown: session.shown.clone(), playing: session.playing.clone(), is_session: true }
    }

    /// Returns the view of a session with the options of a command line.
    pub(crate) fn over(self, session: &Session) -> Self {
        let merged = session.with(&self.shown, &self.playing);
        Self::of(merged.as_ref().unwrap_or(session))
    }

    /// Returns the properties of the first picture that are known before the file is read.
    pub(crate) fn wish(&self) -> Wish {
        let frame = match self.shown.frame {
            Some(FrameSpec::One(frame)) => frame.try_into().unwrap_or(u16::MAX),
            _ => 0,
        };
        let images = Some(self.shown.image.clone()).filter(|images| !images.is_empty());
        Wish { animation: self.shown.animation.clone(), frame, images, ..Wish::default() }
    }

    /// Returns the problem of options that the file cannot follow, if there are any.
    pub(crate) fn problem(errors: &[ViewError]) -> Option<Problem> {
        const TITLE: &str = "The view is not as requested";
        Some(match errors {
            [] => return None,
            [error] => match &error.candidates {
                Some(candidates) => {
                    let message = format!("Option {}: {candidates}", error.option);
                    Problem::new(sentence(&error.reason), message)
                }
                None => Problem::new(TITLE, sentence(&error.to_string())),
            },
            several => Problem::of_lines(TITLE, several.iter().map(ViewError::in_a_line)),
        })
    }
}

/// Returns a text with a capital first letter.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// Returns the command that captures a picture of a file. Backend and adapter have names as requested. With `allow_outside`, images
/// outside the file's folder may be read.
pub(crate) fn picture_words(
    file: &Path,
    shown: Shown,
    [backend, adapter]: [Option<&str>; 2],
    allow_outside: bool,
) -> Vec<String> {
    // The stem gets a suffix, since `hero.png` may be the atlas of the character. Single braces are placeholders for names.
    let stem = file_name::stem(file).replace('{', "{{").replace('}', "}}");
    let mut words = capture_words(file, allow_outside, format!("{stem}-capture.png"));
    words.extend(["--renderer", "gpu"].map(str::to_owned));
    if let Some(backend) = backend {
        words.extend(["--backend", backend].map(str::to_owned));
    }
    if let Some(adapter) = adapter {
        words.push(format!("--adapter={adapter}"));
    }
    words.extend(shown_words(shown));
    words
}

/// Returns the options of a view.
fn shown_words(mut shown: Shown) -> Vec<String> {
    for path in shown.paths_mut() {
        *path = PathBuf::from(text(path));
    }
    shown.words()
}

/// Returns the command that shows a file in a window as it is shown here.
pub(crate) fn window_words(session: &Session) -> Vec<String> {
    let mut words = vec!["pchr-view".to_owned(), text(&session.file), "--no-defaults".to_owned()];
    if session.allow_outside {
        words.push("--allow-outside".to_owned());
    }
    words.extend(shown_words(session.shown.clone().in_window()));
    words.extend(session.playing.words());
    words
}

/// Returns the beginning of a command that captures a file.
pub(crate) fn capture_words(file: &Path, allow_outside: bool, output: String) -> Vec<String> {
    let mut words = vec!["pchr-view".to_owned(), "capture".to_owned(), text(file)];
    if allow_outside {
        words.push("--allow-outside".to_owned());
    }
    words.extend(["-o".to_owned(), text(Path::new(&output))]);
    words
}

/// Returns a path that is not mistaken for an option. `-` alone is standard input.
fn text(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.starts_with('-') && text != "-" { format!("./{text}") } else { text.into_owned() }
}

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
                Some(element_names::frame(self.subject, animation, frame))
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
            chosen.map(|mesh| element_names::mesh(self.subject, mesh)).collect()
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
                mesh: element_names::mesh(self.subject, mesh),
            })
        };
        shown.z_order = all().filter_map(ordered).collect();
    }

    /// Names the drawings over the picture.
    pub(crate) fn overlays(&self, shown: &mut Shown) {
        let options = self.overlays;
        let subject = self.subject;
        let mut list: Vec<_> = options.layers.iter().map(OverlayItem::Layer).collect();
        let (bone, mesh) =
            (|id| element_names::bone(subject, id), |id| element_names::mesh(subject, id));
        list.extend(options.weights.map(|id| OverlayItem::Weights(bone(id))));
        let chosen = options.mesh.filter(|id| subject.mesh(*id).is_some());
        list.extend(chosen.map(|id| OverlayItem::Mesh(mesh(id))));
        list.extend(options.bone.map(|id| OverlayItem::Bone(bone(id))));
        let trail = options.trail.map(|trail| element_names::trail(subject, trail));
        list.extend(trail.map(OverlayItem::Trail));
        if options.onion.is_on() {
            let Onion { before, after, step, tints } = options.onion;
            list.push(OverlayItem::Onion([before, after, step]));
            shown.onion_tint = Some(Tints(tints)).filter(|_| tints != Onion::TINTS);
        }
        if let Some(Pin { animation, frame, tint }) = options.pin {
            list.push(OverlayItem::Pin(element_names::frame(subject, animation, frame)));
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
