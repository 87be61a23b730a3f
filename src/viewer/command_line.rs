//! The view on screen as a command that captures the same pixels. Pure: takes the view, returns words.

use std::path::{Path, PathBuf};

use pchr::document::{AnimationId, BoneId, MeshId};
use pchr::overlay::{Layer, Onion, OverlayOptions, Trail};
use pchr::playback::{Mix, Timeline};
use pchr::pose::{BindChoice, FrameAt};
use pchr::scene::{Camera, Filter, Geometry, Subject, ViewOptions};
use pchr_tools::file_name;
use pchr_tools::text::is_hidden;
use pchr_tools::view::{
    Background, OverlayItem, Point, Size, Tints, ViewDirection, ZOrder, up_name,
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
        let mut words = Words::default();
        words.add("pchr-view");
        words.add("capture");
        words.add(path(self.file));
        if self.allow_outside {
            words.add("--allow-outside");
        }
        if let Some(skeleton) = self.skeleton {
            words.option("--skeleton", path(skeleton));
        }
        for motion in self.motions {
            words.option("--motion", path(motion));
        }
        words.option("-o", self.output());
        words.option("--renderer", "gpu");
        self.adapter(&mut words);
        self.moment(&mut words);
        self.camera(&mut words);
        self.look(&mut words);
        self.meshes(&mut words);
        self.overlays(&mut words);
        words.0
    }

    /// Returns the output file, named after the file and in the shell's folder. The stem gets a suffix, since
    /// `hero.png` may be the atlas of the character. Braces are doubled, since single ones are placeholders for names.
    fn output(&self) -> String {
        let stem = file_name::stem(self.file);
        let stem = stem.replace('{', "{{").replace('}', "}}");
        path(Path::new(&format!("{stem}-capture.png")))
    }

    fn adapter(&self, words: &mut Words) {
        if let Some(backend) = self.backend {
            words.option("--backend", backend);
        }
        if let Some(adapter) = self.adapter {
            words.add(format!("--adapter={adapter}"));
        }
    }

    fn moment(&self, words: &mut Words) {
        if let Some(at) = self
            .at
            .filter(|at| self.subject.animation(at.animation).is_some())
        {
            let mix = self.mix;
            match mix {
                None => words.option("-a", self.clip(at.animation)),
                Some(Mix { to, amount }) => {
                    let [from, to] = [at.animation, to.animation].map(|id| self.clip(id));
                    words.option("--mix", format!("{from}:{to}:{amount}"));
                }
            }
            let both = [Some(at), mix.map(|mix| mix.to)];
            let blended = both.into_iter().flatten().filter(is_blended);
            let restarts = |at: FrameAt| {
                let clip = self.subject.animation(at.animation);
                at.next < at.frame && clip.is_some_and(|clip| !clip.timeline.looping)
            };
            if blended.clone().any(restarts) {
                words.option("--loop", "on");
            }
            if blended.count() > 0 {
                words.add("--smooth");
            }
            self.frame(words, at, ["--time", "-f"]);
            if let Some(mix) = mix {
                self.frame(words, mix.to, ["--mix-time", "--mix-frame"]);
            }
        }
        match self.bind {
            _ if self.subject.skinned().is_none() => {} // chosen for another file
            BindChoice::Auto => {}
            BindChoice::None => words.option("--bind", "none"),
            BindChoice::Frame(animation, frame) => {
                words.option("--bind", self.bind_frame(animation, frame));
            }
        }
    }

    /// Adds a moment as seconds if frames are blended, else as a frame.
    fn frame(&self, words: &mut Words, at: FrameAt, [seconds, frame]: [&str; 2]) {
        let authored = self.subject.animation(at.animation);
        match authored.filter(|_| is_blended(&at)) {
            Some(clip) => {
                let timeline = Timeline {
                    looping: at.next < at.frame,
                    smooth: true,
                    ..clip.timeline
                };
                words.option(seconds, timeline.seconds(at).to_string());
            }
            None => words.option(frame, at.frame.to_string()),
        }
    }

    fn camera(&self, words: &mut Words) {
        words.option("-s", Size(self.size).to_string());
        match self.camera {
            Camera::Flat(camera) => {
                words.option("--center", Point::Flat(camera.center).to_string());
                words.option("--zoom", camera.zoom.to_string());
                if camera.y_down {
                    words.add("--y-down");
                }
            }
            Camera::Orbit(camera) => {
                let view = ViewDirection([camera.yaw, camera.pitch]);
                words.option("--view", view.to_string());
                if camera.fov > 0.0 {
                    words.option("--fov", camera.fov.to_string());
                }
                words.option("--up", up_name(camera.up));
                words.option("--center", Point::Space(camera.target).to_string());
                words.option("--zoom", camera.zoom.to_string());
                if self.view.in_place {
                    words.add("--in-place");
                }
            }
        }
    }

    fn look(&self, words: &mut Words) {
        let background = match self.behind {
            Behind::Color([.., 0]) => None, // as a capture has it anyway
            Behind::Color(color) => Some(Background::Color(color)),
            Behind::Checker { even, odd, square } => Some(Background::Checker {
                even,
                odd,
                size: square,
            }),
            Behind::Picture(file) => Some(Background::Picture(path(file).into())),
        };
        if let Some(background) = background {
            words.option("--background", background.to_string());
        }
        if self.filter == Filter::Nearest {
            words.option("--filter", "nearest");
        }
        if self.mipmaps {
            words.add("--mipmaps");
        }
    }

    fn meshes(&self, words: &mut Words) {
        let wish = |mesh: &MeshId| {
            let wish = self.view.meshes.get(mesh.index());
            wish.copied().unwrap_or_default()
        };
        let all = || (self.subject as &dyn Geometry).mesh_ids();
        let is_hidden = |mesh: &MeshId| wish(mesh).visible == Some(false);
        let hidden = all().filter(is_hidden).count();
        let others = self.subject.mesh_count().saturating_sub(hidden);
        let few = 0 < others && others < hidden;
        if others == 0 && hidden > LISTED {
            return words.option("--hide", "*");
        }
        for mesh in all().filter(|mesh| is_hidden(mesh) != few) {
            words.option(if few { "--only" } else { "--hide" }, self.mesh(mesh));
        }
        for mesh in all().filter(|mesh| wish(mesh).visible == Some(true)) {
            words.option("--show", self.mesh(mesh));
        }
        for mesh in (self.subject as &dyn Geometry).mesh_ids() {
            if let Some(z_order) = wish(&mesh).z_order {
                let mesh = self.mesh(mesh);
                words.option("--z-order", ZOrder { mesh, z_order }.to_string());
            }
        }
    }

    fn overlays(&self, words: &mut Words) {
        let options = self.overlays;
        let layers = Layer::ALL.into_iter().filter(|layer| options.has(*layer));
        let mut list: Vec<_> = layers.map(OverlayItem::Layer).collect();
        let (bone, mesh) = (|id| self.bone(id), |id| self.mesh(id));
        list.extend(options.weights.map(|id| OverlayItem::Weights(bone(id))));
        list.extend(options.mesh.map(|id| OverlayItem::Mesh(mesh(id))));
        list.extend(options.bone.map(|id| OverlayItem::Bone(bone(id))));
        list.extend(options.trail.map(|trail| {
            OverlayItem::Trail(match trail {
                Trail::Bone(id) => bone(id),
                Trail::Vertex(id, vertex) => format!("{}:{vertex}", mesh(id)),
            })
        }));
        if options.onion.is_on() {
            let Onion {
                before,
                after,
                step,
                ..
            } = options.onion;
            list.push(OverlayItem::Onion([before, after, step]));
        }
        if !list.is_empty() {
            let items: Vec<_> = list.iter().map(OverlayItem::to_string).collect();
            words.option("--overlay", items.join(","));
        }
        if options.onion.is_on() && options.onion.tints != Onion::TINTS {
            words.option("--onion-tint", Tints(options.onion.tints).to_string());
        }
        // Bones in space are drawn whether or not there is more.
        let is_drawn = !list.is_empty() || self.camera.orbit().is_some();
        if is_drawn && options.scale != 1 {
            words.option("--overlay-scale", options.scale.to_string());
        }
    }

    fn animation(&self, id: AnimationId) -> String {
        named(self.subject.animation_names(), id.0)
    }

    /// Returns the animation to capture. The name may hold a star: an exact name takes precedence over a pattern, and
    /// flip-books have stars in their names.
    fn clip(&self, id: AnimationId) -> String {
        named_but(self.subject.animation_names(), id.0, "?[]{}!\\,=:\"")
    }

    fn mesh(&self, id: MeshId) -> String {
        named(self.subject.mesh_names(), id.0)
    }

    fn bone(&self, id: BoneId) -> String {
        named(self.subject.bone_names(), id.0)
    }

    fn bind_frame(&self, id: AnimationId, frame: u16) -> String {
        let named = format!("{}:{frame}", self.animation(id));
        let mut names = self.subject.animation_names();
        if names.any(|name| name == named) {
            // The whole is an animation's name.
            format!("#{}:{frame}", id.0)
        } else {
            named
        }
    }
}

/// Returns true for a moment between two frames.
fn is_blended(at: &FrameAt) -> bool {
    at.blend > 0.0 && at.next != at.frame
}

/// The words of a command.
#[derive(Debug, Default)]
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, word: impl Into<String>) {
        self.0.push(word.into());
    }

    fn option(&mut self, name: &str, value: impl Into<String>) {
        self.add(name);
        self.add(value);
    }
}

/// Returns a path that is not mistaken for an option. `-` alone is standard input.
fn path(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.starts_with('-') && text != "-" {
        format!("./{text}")
    } else {
        text.into_owned()
    }
}

/// Returns the name of an element if it matches only that element, and its number otherwise.
fn named<'a>(names: impl Iterator<Item = &'a str> + Clone, index: u16) -> String {
    named_but(names, index, "*?[]{}!\\,=:\"")
}

/// Does the same as [`named`]. Names with one of these signs are replaced by the number.
fn named_but<'a>(names: impl Iterator<Item = &'a str> + Clone, index: u16, signs: &str) -> String {
    let name = names.clone().nth(index.into()).unwrap_or_default();
    // Words that mean something, what matches other names, and what parts of an argument end with.
    let special = |c: char| is_hidden(c) || signs.contains(c);
    let plain = !name.is_empty()
        && !name.starts_with(['#', '-'])
        && !name.contains(special)
        && name.trim() == name
        && !matches!(name, "all" | "none");
    if plain && names.filter(|other| *other == name).count() == 1 {
        name.to_owned()
    } else {
        format!("#{index}")
    }
}

#[cfg(test)]
mod tests;
