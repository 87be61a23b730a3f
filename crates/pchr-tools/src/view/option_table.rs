//! What a picture shows, as one value; each option is one row of the table below.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use pchr::document::AnimationId;
use pchr::image::{Pixels, cover};
use pchr::playback::{FrameAt, FrameSpec, Mix};
use pchr::scene::{Camera, Subject};

use super::choices::{
    FilterArg, Fit, LoopArg, OverlayItem, OverlayList, SamplesArg, UpArg, overlay_help,
};
use super::option_values::{
    FadeTime, ImageSwap, Mixing, Point, Section, Size, Tint, Tints, ViewDirection, ZOrder, fov,
    part, positive, rate, speed,
};
use super::settings::{Setting, Settings};
use super::{ViewError, element_names};
use crate::capture::{AgainstMode, Backdrop, Background, Finish, Shot};
use crate::crowd::Instances;
use crate::files::Companions;
use crate::text::seconds;

/// Property of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It determines the camera.
    Camera,
    /// It is for motions in space only.
    Space,
    /// It is for flat content only.
    Flat,
    /// Its value has parts with commas between them.
    Parts,
    /// It is for captures only.
    Capture,
    /// Its value names a file, or may do so.
    File,
    /// It is part of a look: the window can have it by default.
    Look,
}

/// Defines a set of options, and the table of their marks, from one row an option: help, grammar, long name, field, type and marks.
macro_rules! options {
    (
        $(#[$about:meta])* $set:ident, $marks:ident;
        $($(#[doc = $help:literal])* $(#[arg($($grammar:tt)*)])? $name:literal $field:ident: $type:ty => [$($mark:ident),*];)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Args)]
        pub struct $set {
            $($(#[doc = $help])* #[arg(long = $name, $($($grammar)*)?)] pub $field: $type,)*
        }

        /// Names and marks of the options, in the order of the help.
        pub(crate) const $marks: &[(&str, &[Mark])] = &[$(($name, &[$(Mark::$mark),*])),*];

        impl $set {
            /// Returns the options that differ from their defaults, as text.
            #[must_use]
            pub fn settings(&self) -> Settings {
                let usual = Self::default();
                let mut settings = Settings::default();
                $(if self.$field != usual.$field {
                    settings.put($name, self.$field.setting());
                })*
                settings
            }
        }
    };
}

options! {
    /// What a picture shows: content, moment, camera, parts, overlays and look, by names. Nothing is opened.
    ///
    /// It is read from a command line by [`clap`], and from suites and sessions by way of [`Settings`]; [`Self::settings`] writes it.
    #[allow(rustdoc::broken_intra_doc_links, reason = "`[default: #408cff]` in a help text is no link")]
    Shown, MARKS;

    /// Animation, by name or index; all captures every animation, or every sprite of an atlas in turn (for an animation named all,
    /// use #INDEX) [default: the first that is not the bind pose]
    #[arg(short, value_name = "NAME|INDEX|#INDEX|all")]
    "animation" animation: Option<String> => [];
    /// Frames: 7, 0..24, 0..=24, 0..48:2 (every 2nd), 0..:2 (to the end), all, or a list like 0,6,12 [default: 0]
    #[arg(short, value_name = "SPEC", conflicts_with = "time")]
    "frame" frame: Option<FrameSpec> => [Parts];
    /// Time in seconds, instead of a frame; FRAME / rate, also if rounded to 6 or more digits, is that frame. A negative one counts
    /// back from the end if the animation loops. With --smooth, times between frames are blended; glTF is always shown at exactly
    /// this time
    #[arg(value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    "time" time: Option<f64> => [];
    /// Cross-fade from animation A to B, bone by bone, instead of one animation; T is 0 (only A) to 1 (only B). A and B are names or
    /// indices; --frame or --time chooses the moment of A
    #[arg(value_name = "A:B:T", conflicts_with = "animation")]
    "mix" mix: Option<Mixing> => [];
    /// Frames of B in --mix: one, or one for each picture [default: those of A; a shorter B starts over if it loops, else holds its last frame]
    #[arg(value_name = "SPEC", conflicts_with = "mix_time")]
    "mix-frame" mix_frame: Option<FrameSpec> => [];
    /// Time of B in --mix in seconds, instead of a frame [default: that of --time]
    #[arg(value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    "mix-time" mix_time: Option<f64> => [];
    /// Keep B in --mix in phase with A, whatever their lengths: at frame (position in A) * (frames of B) / (frames of A), blended between
    /// frames. A B that does not loop holds its last frame. A window starts with a steady blend instead of a cross-fade
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false", hide_possible_values = true, conflicts_with_all = ["mix_frame", "mix_time"])]
    "mix-sync" mix_sync: Option<bool> => [];
    /// Size of the picture [default: 512x512]
    #[arg(short = 's', value_name = "WxH")]
    "resolution" resolution: Option<Size> => [Camera, Capture];
    /// Content to fit into the view, with a margin of 5 % [default: animation; for an atlas of all animations, character]
    #[arg(value_enum)]
    "fit" fit: Option<Fit> => [Camera, Capture];
    /// World point in the middle, instead of the fitted one; X,Y,Z for a 3D motion
    #[arg(value_name = "X,Y", allow_hyphen_values = true)]
    "center" center: Option<Point> => [Camera, Parts];
    /// Camera of another file, fitted as its own pictures with these options are; or of a PNG file that capture wrote. --center or
    /// --zoom replaces that part of it
    #[arg(value_name = "FILE")]
    "camera-of" camera_of: Option<PathBuf> => [Camera, Capture, File];
    /// View of a 3D motion: front, side, top, or YAW,PITCH in degrees [default: 30,15]
    #[arg(value_name = "VIEW|YAW,PITCH", allow_hyphen_values = true)]
    "view" view: Option<ViewDirection> => [Camera, Space, Parts];
    /// Vertical field of view of a 3D motion in degrees, 0 to 150; 0 is orthographic [default: 0]
    #[arg(value_name = "DEGREES", value_parser = fov, allow_hyphen_values = true)]
    "fov" fov: Option<f64> => [Camera, Space];
    /// Up axis of a 3D motion [default: the file's]
    #[arg(value_enum, value_name = "y|z", hide_possible_values = true)]
    "up" up: Option<UpArg> => [Camera, Space];
    /// Leave out the root motion of a 3D motion
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false", hide_possible_values = true)]
    "in-place" in_place: Option<bool> => [Camera, Space];
    /// Skeleton of a 3D motion: .skl.pxd or glTF [default: the one beside the file]
    #[arg(value_name = "FILE")]
    "skeleton" skeleton: Option<PathBuf> => [File];
    /// 3D motion to play on a skeleton or a character (repeatable)
    #[arg(value_name = "FILE")]
    "motion" motion: Vec<PathBuf> => [File];
    /// Pixels per world unit, instead of the fitted scale
    #[arg(value_name = "PIXELS_PER_UNIT", value_parser = positive, allow_hyphen_values = true)]
    "zoom" zoom: Option<f64> => [Camera];
    /// none, checker, checker:#EVEN,#ODD, checker:#EVEN,#ODD,SIZE, #RRGGBB, #RRGGBBAA, or a .png file, scaled to cover the picture (the
    /// checkerboard shows where it is transparent) [default: none; in the window, its checkerboard]
    #[arg(value_name = "BACKGROUND")]
    "background" background: Option<Background> => [File, Look];
    /// Coverage samples per pixel
    #[arg(value_enum, default_value_t, value_name = "1|4", hide_possible_values = true)]
    "msaa" msaa: SamplesArg => [Capture];
    /// Texture filter
    #[arg(value_enum, default_value_t)]
    "filter" filter: FilterArg => [Look];
    /// Draw from smaller copies of the images when zoomed out (ignored for atlases, whose sprites would show their neighbours)
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false", hide_possible_values = true)]
    "mipmaps" mipmaps: Option<bool> => [Capture];
    /// Drawings over the picture.
    #[arg(value_name = "LIST", help = overlay_help())]
    "overlay" overlay: Vec<OverlayList> => [Look];
    /// Colours of the ghosts before and after [default: #408cff,#ff8636]
    #[arg(value_name = "#RRGGBB,#RRGGBB")]
    "onion-tint" onion_tint: Option<Tints> => [Parts, Look];
    /// Colour of the pinned frame [default: #40be6e]
    #[arg(value_name = "#RRGGBB")]
    "pin-tint" pin_tint: Option<Tint> => [];
    /// Line width of overlays in pixels [default: 1]
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    "overlay-scale" overlay_scale: Option<u32> => [Capture];
    /// Font for letters that the built-in font lacks, in --overlay names [default: the system's] (repeatable)
    #[arg(value_name = "FILE")]
    "font" font: Vec<PathBuf> => [Capture, File];
    /// Hide meshes with this name (repeatable; wildcards: * ? [..])
    #[arg(value_name = "MESH")]
    "hide" hide: Vec<String> => [];
    /// Show only meshes with this name (repeatable; wildcards: * ? [..])
    #[arg(value_name = "MESH")]
    "only" only: Vec<String> => [];
    /// Show meshes with this name even if the file hides them (repeatable; wildcards: * ? [..]); --hide wins
    #[arg(value_name = "MESH")]
    "show" show: Vec<String> => [];
    /// Change the draw order of meshes with this name (repeatable; wildcards: * ? [..])
    #[arg(value_name = "MESH=N")]
    "z-order" z_order: Vec<ZOrder> => [];
    /// Blend neighbouring frames
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false", hide_possible_values = true)]
    "smooth" smooth: Option<bool> => [Look];
    /// Whether the animation loops, overriding the file; for --time and --smooth
    #[arg(value_enum, value_name = "on|off", hide_possible_values = true)]
    "loop" looping: Option<LoopArg> => [Look];
    /// Pose in which the vertices are stored: ANIMATION, ANIMATION:FRAME or none
    #[arg(value_name = "POSE")]
    "bind" bind: Option<String> => [];
    /// Flip a file that was authored with Y down
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false", hide_possible_values = true)]
    "y-down" y_down: Option<bool> => [Camera, Flat];
    /// Figures of the file: N stand in a grid, N,scatter are scattered. In one more animation, crowd, which is then the default, each plays a
    /// clip of its own; in others all play that one. Each starts at a frame of its own, and shows whole frames [default: 1]
    #[arg(value_name = "N[,scatter]")]
    "instances" instances: Option<Instances> => [Camera, Parts];
    /// Flip the picture horizontally
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false", hide_possible_values = true)]
    "mirror" mirror: Option<bool> => [Camera];
    /// PNG file in place of an image of the file, of any size (repeatable)
    #[arg(value_name = "NAME=FILE")]
    "image" image: Vec<ImageSwap> => [File];
    /// Second file in the picture, with the same options, camera and frame; animations are matched by name
    #[arg(value_name = "FILE")]
    "against" against: Option<PathBuf> => [Camera, File];
    /// Arrangement of both files [default: side]
    #[arg(value_enum)]
    "against-mode" against_mode: Option<AgainstMode> => [Camera];
    /// Part of the width that is the first file's in --against-mode split, 0 to 1 [default: 0.5]
    #[arg(value_name = "PART", value_parser = part)]
    "against-split" against_split: Option<f64> => [];
}

options! {
    /// How the window plays on from the moment of a [`Shown`], and how a file of an animation plays.
    Playing, PLAYING_MARKS;

    /// Start paused
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false", hide_possible_values = true)]
    "paused" paused: Option<bool> => [];
    /// Playback speed, 0.05 to 8; 1 is the authored speed [default: 1]
    #[arg(value_name = "FACTOR", value_parser = speed, allow_hyphen_values = true)]
    "speed" speed: Option<f64> => [Look];
    /// Frames per second, 0.1 to 1000, instead of the file's
    #[arg(value_name = "FPS", value_parser = rate, allow_hyphen_values = true)]
    "rate" rate: Option<f64> => [];
    /// First and last frame that play, like 8..=20
    #[arg(value_name = "FIRST..=LAST")]
    "section" section: Option<Section> => [Parts];
    /// Play forwards and backwards in turn
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false", hide_possible_values = true, conflicts_with = "looping")]
    "ping-pong" ping_pong: Option<bool> => [Look];
    /// Cross-fade between animations: its seconds, 0 to 2, and its curve, linear or smooth
    #[arg(value_name = "SECONDS[,CURVE]")]
    "fade" fade: Option<FadeTime> => [Parts, Look];
}

impl Shown {
    pub(crate) fn frame(&self) -> FrameSpec {
        self.frame.clone().unwrap_or(FrameSpec::One(0))
    }

    /// Content that the view fits.
    pub(crate) fn fit(&self) -> Fit {
        self.fit.unwrap_or_default()
    }

    /// Width and height of the picture in pixels.
    pub(crate) fn size(&self) -> [u32; 2] {
        self.resolution.map_or([512, 512], |size| size.0)
    }

    /// Width and height of the picture of each file: half of the width if a second one lies beside it.
    #[must_use]
    pub fn drawn_size(&self) -> [u32; 2] {
        let [width, height] = self.size();
        match (&self.against, self.against_mode()) {
            (Some(_), AgainstMode::Side) => [(width / 2).max(1), height],
            _ => [width, height],
        }
    }

    /// Arrangement of both files.
    #[must_use]
    pub fn against_mode(&self) -> AgainstMode {
        self.against_mode.unwrap_or_default()
    }

    /// Part of the width that is the first file's, if they share one picture.
    #[must_use]
    pub fn against_split(&self) -> f64 {
        self.against_split.unwrap_or(0.5)
    }

    /// Checks that the options of a second file come with it.
    pub(crate) fn check_against(&self) -> Result<(), ViewError> {
        let of_second = [
            ("against-mode", self.against_mode.is_some()),
            ("against-split", self.against_split.is_some()),
        ];
        let lone = of_second.into_iter().find(|(_, is_given)| *is_given && self.against.is_none());
        match lone {
            Some((name, _)) => Err(ViewError::new(name, format!("--{name} is for --against FILE"))),
            None => Ok(()),
        }
    }

    /// True if the second animation of a mix is shown at the phase of the first.
    #[must_use]
    pub fn is_synced(&self) -> bool {
        self.mix_sync == Some(true)
    }

    pub(crate) fn background(&self) -> &Background {
        self.background.as_ref().unwrap_or(&Background::Transparent)
    }

    /// Returns the steps to finished pictures of this size. `read` returns the pixels of a background, premultiplied.
    ///
    /// # Errors
    /// Errors of `read`.
    pub(crate) fn finish<E>(
        &self,
        size: [u32; 2],
        read: impl FnOnce(&Path) -> Result<Pixels, E>,
    ) -> Result<Finish, E> {
        let backdrop = match self.background() {
            Background::Transparent | Background::Color(_) => Backdrop::None,
            &Background::Checker { even, odd, size } => Backdrop::Checker { even, odd, size },
            Background::Picture(path) => Backdrop::Picture(Arc::new(cover(&read(path)?, size))),
        };
        Ok(Finish { backdrop })
    }

    /// Line width of overlays in pixels.
    pub(crate) fn overlay_scale(&self) -> u32 {
        self.overlay_scale.unwrap_or(1)
    }

    /// Files that are shown together with the named one.
    #[must_use]
    pub fn companions(&self) -> Companions {
        Companions { skeleton: self.skeleton.clone(), offered: None, motions: self.motion.clone() }
    }

    /// Paths of all files that it names, which a caller may make absolute or relative.
    pub fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let Self { camera_of, skeleton, motion, background, font, against, image, .. } = self;
        let single = [camera_of.as_mut(), skeleton.as_mut(), against.as_mut()];
        let picture = match background {
            Some(Background::Picture(path)) => Some(path),
            _ => None,
        };
        let single = single.into_iter().flatten().chain(picture);
        let images = image.iter_mut().map(|swap| &mut swap.file);
        single.chain(motion).chain(font).chain(images)
    }

    /// All overlays.
    pub fn overlays(&self) -> impl Iterator<Item = &OverlayItem> {
        self.overlay.iter().flat_map(|list| &list.0)
    }

    /// Returns the world point in the middle; Z is 0 in a flat world.
    ///
    /// # Errors
    /// [`ViewError`] for a point of the other kind of content.
    pub fn middle(&self, is_spatial: bool) -> Result<Option<[f64; 3]>, ViewError> {
        match (self.center, is_spatial) {
            (None, _) => Ok(None),
            (Some(Point::Flat([x, y])), false) => Ok(Some([x, y, 0.0])),
            (Some(Point::Space(center)), true) => Ok(Some(center)),
            (Some(Point::Flat(_)), true) => {
                Err(ViewError::new("center", "--center for a 3D motion: expected X,Y,Z"))
            }
            (Some(Point::Space(_)), false) => {
                Err(ViewError::new("center", "--center X,Y,Z is for 3D motions; expected X,Y"))
            }
        }
    }

    /// Checks that no option is for the other kind of content.
    pub(super) fn check_kind(&self, is_spatial: bool) -> Result<(), ViewError> {
        let (other, why) = match is_spatial {
            true => (Mark::Flat, "flat content; set the up axis with --up"),
            false => (Mark::Space, "3D motions"),
        };
        let settings = self.settings();
        let is_set = |name| !matches!(settings.get(name), None | Some(Setting::Switch(false)));
        let set = MARKS.iter().filter(|(name, _)| is_set(name));
        match set.into_iter().find(|(_, marks)| marks.contains(&other)) {
            Some((name, _)) => Err(ViewError::new(name, format!("--{name} is for {why}"))),
            None => Ok(()),
        }
    }

    /// Leaves out what is for captures only.
    #[must_use]
    pub fn in_window(self) -> Self {
        Self {
            resolution: None,
            fit: None,
            camera_of: None,
            msaa: SamplesArg::default(),
            mipmaps: None,
            overlay_scale: None,
            font: Vec::new(),
            ..self
        }
    }

    /// Checks that each option means something in a window.
    ///
    /// # Errors
    /// [`ViewError`] for the first that is for captures only.
    pub fn check_window(&self) -> Result<(), ViewError> {
        let settings = self.settings();
        self.check_against()?;
        let mut of_captures = MARKS.iter().filter(|(_, marks)| marks.contains(&Mark::Capture));
        if let Some((name, _)) = of_captures.find(|(name, _)| settings.has(name)) {
            let text = format!("--{name} is for captures: pchr-view capture FILE --{name} ...");
            return Err(ViewError::new(name, text));
        }
        match &self.frame {
            None | Some(FrameSpec::One(_)) => Ok(()),
            Some(frames) => {
                let text = format!("--frame {frames}: the window starts with one frame, like 7");
                Err(ViewError::new("frame", text))
            }
        }
    }

    /// Shows one moment of the subject, or a cross-fade from it to another. Animations are named; the caller chooses frames or times.
    pub fn set_animations(&mut self, subject: &dyn Subject, from: AnimationId, mix: Option<Mix>) {
        let name = |id| element_names::animation(subject, id);
        self.mix = mix.map(|mix| Mixing::new(&name(from), &name(mix.to.animation), mix.amount));
        self.animation = mix.is_none().then(|| name(from));
    }

    /// Looks from this camera.
    pub fn set_camera(&mut self, camera: Camera) {
        self.fit = None;
        self.camera_of = None;
        self.zoom = Some(camera.zoom());
        match camera {
            Camera::Flat(camera) => {
                self.center = Some(Point::Flat(camera.center));
                self.y_down = on(camera.y_down);
                self.mirror = on(camera.mirror);
            }
            Camera::Orbit(camera) => {
                self.center = Some(Point::Space(camera.target));
                self.view = Some(ViewDirection([camera.yaw, camera.pitch]));
                self.fov = Some(camera.fov).filter(|fov| *fov > 0.0);
                self.up = Some(camera.up.into());
                self.mirror = on(camera.mirror);
            }
        }
    }

    /// Returns the options that show one of the pictures alone.
    pub(crate) fn of_shot(&self, subject: &dyn Subject, shot: &Shot) -> Self {
        let mut one = self.clone();
        one.resolution = Some(Size(self.size()));
        one.set_camera(shot.camera);
        let Some(FrameAt { animation, frame, .. }) = shot.at else {
            one.animation = None;
            one.frame = None;
            return one;
        };
        one.set_animations(subject, animation, shot.mix);
        one.frame = (self.time.is_none()).then(|| FrameSpec::One(frame.into()));
        one.mix_frame = match (shot.mix, self.mix_time, &self.mix_frame, self.time) {
            (None, ..) | (_, Some(_), ..) => None,
            _ if self.is_synced() => None,
            (_, None, None, Some(_)) => None, // the same time as the other animation
            (Some(mix), None, ..) => Some(FrameSpec::One(mix.to.frame.into())),
        };
        one
    }
}

/// Returns a switch that is on, or left as it is by default.
#[must_use]
pub fn on(on: bool) -> Option<bool> {
    on.then_some(true)
}

/// A field of [`Shown`].
trait Field {
    /// Its value as text.
    fn setting(&self) -> Setting;
}

/// A value as it is typed.
trait Typed {
    fn typed(&self) -> String;
}

impl Field for Option<bool> {
    fn setting(&self) -> Setting {
        Setting::Switch(*self == Some(true))
    }
}

impl<T: Typed> Field for Option<T> {
    fn setting(&self) -> Setting {
        Setting::One(self.as_ref().map(Typed::typed).unwrap_or_default())
    }
}

impl<T: Typed> Field for Vec<T> {
    fn setting(&self) -> Setting {
        Setting::Several(self.iter().map(Typed::typed).collect())
    }
}

impl Typed for PathBuf {
    fn typed(&self) -> String {
        self.to_string_lossy().into_owned()
    }
}

/// Values that are written as they are read.
macro_rules! typed_as_displayed {
    ($($type:ty),*) => {$(impl Typed for $type {
        fn typed(&self) -> String {
            self.to_string()
        }
    })*};
}
typed_as_displayed! {
    f64, u32, String, AgainstMode, Background, FadeTime, Fit, FrameSpec, ImageSwap, Instances, LoopArg, Mixing, OverlayList, Point,
    Section, Size, Tint, Tints, UpArg, ViewDirection, ZOrder
}

/// Values with a default, which are always written.
macro_rules! always_set {
    ($($type:ty),*) => {$(impl Field for $type {
        fn setting(&self) -> Setting {
            Setting::One(self.to_string())
        }
    })*};
}
always_set!(FilterArg, SamplesArg);
