//! The view in the window as a value with names, and the way back: for sessions, commands, undo, and files that are shown again; and the
//! session that the view is saved to.

use std::path::{Path, PathBuf};

use pchr::document::AnimationId;
use pchr::overlay::OverlayOptions;
use pchr::playback::{Blend, FadeOptions, FrameAt, LoopMode, Mix, Playback, Timeline};
use pchr::scene::Bounds;
use pchr_tools::crowd::Instances;
use pchr_tools::session::Session;
use pchr_tools::stage::Layout;
use pchr_tools::view::{
    FadeTime, LoopArg, Playing, Resolved, Section, Shown, ViewError, element_names, on,
};

use super::State;
use super::camera::Orbit;
use super::parts::Solo;
use crate::viewer::action::{Action, ViewPart};
use crate::viewer::command_line::{OnScreen, Start};
use crate::viewer::loaded::Source;
use crate::viewer::model::Model;
use crate::viewer::switch::{OPTIONS, Switch};

/// Seconds of a cross-fade that a session holds, if cross-fades are off.
const FADE: f64 = 0.3;

/// A view with what only the window knows of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct KeptView {
    pub(super) shown: Shown,
    pub(super) playing: Playing,
    /// Mesh that is shown alone, and the visibility of all meshes before.
    solo: Option<Solo>,
    /// Animation that the current one is mixed with, and its weight.
    blend: Option<(String, f32)>,
    /// True if the pinned frame is on show.
    shows_pin: bool,
    /// Set while the camera follows the fit.
    fit: Option<Fitted>,
    /// Characters of a stage.
    pub(super) layout: Option<Layout>,
}

/// The fit that a camera follows: what was fitted, its bounds, and the size of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fitted {
    animation: Option<AnimationId>,
    is_of_clip: bool,
    bounds: Option<Bounds>,
    size: [u32; 2],
}

impl KeptView {
    /// Number of values in its lists.
    pub(super) fn size(&self) -> usize {
        let Shown { hide, only, show, z_order, image, .. } = &self.shown;
        let solo = self.solo.as_ref().map_or(0, |(_, before)| before.len());
        let members = self.layout.as_ref().map_or(0, |layout| layout.members.len());
        let meshes = [hide.len(), only.len(), show.len(), z_order.len()];
        let lists = meshes.into_iter().chain([image.len(), solo, members]);
        lists.sum::<usize>().saturating_add(1)
    }

    pub(super) fn is_fitted(&self) -> bool {
        self.fit.is_some()
    }
}

/// A session that was saved.
#[derive(Debug)]
pub(super) struct SavedSession {
    pub(super) path: PathBuf,
    /// As it is read again.
    pub(super) session: Session,
    /// The file that it shows.
    pub(super) of: Option<PathBuf>,
}

impl State {
    /// Returns what the picture in the window shows. Without a background it is the checkerboard of the theme.
    pub(crate) fn shown(&self) -> Shown {
        let overlays = self.overlays(1);
        let mut shown = Shown::default();
        if let Some((model, on_screen)) = self.model.as_ref().zip(self.on_screen(&overlays)) {
            shown = on_screen.shown();
            shown.image.clone_from(&model.loaded().swaps);
            self.looking.put_in(&mut shown);
        }
        self.add_counterpart(&mut shown);
        shown
    }

    /// Returns what the window shows together with how it plays on from there.
    pub(crate) fn session(&self) -> (Shown, Playing) {
        let mut shown = self.shown();
        let KeptView { shown: of_clip, playing, .. } = self.keep(ViewPart::Playing);
        shown.smooth = shown.smooth.or(of_clip.smooth);
        shown.looping = of_clip.looping.or(shown.looping);
        (shown, playing)
    }

    fn playing(&self) -> Playing {
        let clip = &self.player.clip;
        Playing {
            paused: on(!clip.playing),
            speed: Some(clip.speed).filter(|speed| *speed != 1.0),
            rate: clip.fps,
            section: clip.section.map(Section),
            ping_pong: on(clip.mode == Some(LoopMode::PingPong)),
            fade: Some(FadeTime(self.looking.fade)).filter(|fade| fade.0 != FadeOptions::default()),
        }
    }

    fn on_screen<'a>(&'a self, overlays: &'a OverlayOptions) -> Option<OnScreen<'a>> {
        let model = self.model.as_ref()?;
        let (at, mix) = model.moment();
        Some(OnScreen {
            subject: model.subject(),
            at,
            mix,
            is_synced: self.player.blend().is_some(),
            bind: model.bind_choice(),
            instances: model.loaded().instances(),
            camera: self.scene_camera(),
            size: self.view.size,
            mipmaps: model.subject().allows_mipmaps(),
            view: &self.parts.view,
            overlays,
            skeleton: model.loaded().rig.skeleton.as_deref(),
            motions: self.motions(),
        })
    }

    /// Returns a part of the view.
    pub(super) fn keep(&self, part: ViewPart) -> KeptView {
        let mut kept = KeptView::default();
        let overlays = OverlayOptions { pin: self.parts.pin, ..OverlayOptions::default() };
        let Some(on_screen) = self.on_screen(&overlays) else { return kept };
        let clip = &self.player.clip;
        if matches!(part, ViewPart::Playing | ViewPart::Bind) {
            let name = |id| element_names::animation(on_screen.subject, id);
            kept.shown.animation = clip.animation.map(name);
            kept.shown.bind = on_screen.bind();
            kept.shown.instances = on_screen.instances();
            kept.shown.smooth = on(clip.smooth);
            kept.shown.looping = looping(clip.mode);
            kept.playing = self.playing();
            kept.blend = self.player.blend().map(|blend| (name(blend.with), blend.amount));
        }
        if matches!(part, ViewPart::Place | ViewPart::Bind) {
            kept.shown.set_camera(on_screen.camera);
            kept.fit = self.view.fitted.then_some(Fitted {
                animation: clip.animation,
                is_of_clip: self.view.fits_clip,
                bounds: self.view.bounds,
                size: self.view.size,
            });
        }
        match part {
            ViewPart::Playing | ViewPart::Place | ViewPart::Bind => {}
            ViewPart::Stage => {
                kept.layout = self.wanted_layout().cloned();
                kept.shown.image = self.image_swaps().to_vec();
            }
            ViewPart::Cast => {
                let of_stage = self.keep(ViewPart::Stage);
                kept = self.keep(ViewPart::Meshes);
                (kept.layout, kept.shown.image) = (of_stage.layout, of_stage.shown.image);
            }
            ViewPart::Pin => {
                on_screen.overlays(&mut kept.shown);
                kept.shows_pin = self.is_on(Switch::Pin);
            }
            ViewPart::Images => kept.shown.image = self.image_swaps().to_vec(),
            ViewPart::Meshes => {
                on_screen.meshes(&mut kept.shown);
                kept.solo.clone_from(&self.parts.before);
            }
        }
        kept
    }

    /// Restores a part of the view. What the open file lacks stays as it is.
    pub(super) fn restore(&mut self, part: ViewPart, kept: &KeptView) {
        if part == ViewPart::Playing {
            // Animations are looked for in what is then shown.
            let _ = self.show_instances(kept.shown.instances);
        }
        let Some(model) = &self.model else { return };
        match part {
            ViewPart::Bind => {
                self.restore(ViewPart::Playing, kept);
                self.restore(ViewPart::Place, kept);
            }
            ViewPart::Playing => {
                let animation = self.player.clip.animation;
                let named = kept.shown.animation.as_ref();
                let named =
                    named.and_then(|name| element_names::find_animation(model.subject(), name));
                let blend = kept.blend.as_ref().and_then(|(name, amount)| {
                    let with = element_names::find_animation(model.subject(), name)?;
                    Some(Blend { with, amount: *amount })
                });
                self.play_as(&kept.shown, &kept.playing, named);
                self.player.set_blend(blend);
                self.follow_fit(animation);
                self.show();
            }
            ViewPart::Stage | ViewPart::Cast => {
                if let Some(layout) = kept.layout.clone() {
                    self.set_layout(layout, kept.shown.image.clone());
                }
                if part == ViewPart::Cast && self.files.layout_asked.is_some() {
                    self.files.cast_asked = Some(Box::new(kept.clone()));
                }
            }
            ViewPart::Pin => {
                if let Ok(Resolved { overlay, .. }) = kept.shown.resolve(model.subject()) {
                    self.parts.pin = overlay.and_then(|overlay| overlay.pin);
                    self.looking.set(Switch::Pin, kept.shows_pin);
                }
                self.touch();
            }
            ViewPart::Images => self.swap_images(kept.shown.image.clone()),
            ViewPart::Meshes => {
                if let Ok(Resolved { view, .. }) = kept.shown.resolve(model.subject()) {
                    self.parts.view.meshes = view.meshes;
                    self.parts.before.clone_from(&kept.solo);
                    self.parts.mesh_rows.clear();
                }
                self.show();
            }
            ViewPart::Place => {
                self.look_from(&kept.shown);
                if let Some(fit) = kept.fit {
                    (self.view.fitted, self.view.fits_clip) = (true, fit.is_of_clip);
                    self.view.bounds = fit.bounds;
                    let is_other = fit.is_of_clip && fit.animation != self.player.clip.animation;
                    if is_other || fit.size != self.view.size {
                        self.refit();
                    }
                }
                self.look_again();
                self.touch();
            }
        }
    }

    /// Shows a view of the open file. Returns an error for each value that the file lacks; all others are followed.
    pub(super) fn show_as(&mut self, start: &Start) -> Vec<ViewError> {
        let Start { mut shown, mut playing, is_session } = start.clone();
        if !is_session {
            self.keep_pace(&mut shown, &mut playing);
        }
        let fault = self.show_instances(shown.instances).err();
        let Some(model) = &self.model else { return Vec::new() };
        let (shown, mut missing) = shown.without_missing(model.subject());
        missing.extend(fault);
        let (shown, playing) = (&shown, &playing);
        let at = shown.moment(model.subject()).ok().flatten();
        // The bind pose is chosen below.
        let parts = Shown { bind: None, ..shown.clone() };
        let parts = parts.resolve(model.subject());
        if let Some(FadeTime(fade)) = playing.fade {
            self.looking.fade = fade;
        }
        self.play_as(shown, playing, at.map(|(at, _)| at.animation));
        self.player.set_blend(None);
        self.go_to(at, shown.is_synced());
        self.player.clip.playing = playing.paused != Some(true);
        if let Ok(resolved) = parts {
            self.begin_with(resolved, is_session);
        }
        if is_session {
            self.look_as(shown);
            self.view.fitted |= shown.center.is_none() && shown.zoom.is_none();
        }
        self.compare_as(shown, is_session);
        self.refit();
        missing.extend(self.place_as(shown).err());
        self.show();
        self.files.lacks_view = is_session && !missing.is_empty();
        missing
    }

    /// Shows the content as figures; without a number as one.
    pub(super) fn show_instances(&mut self, instances: Option<Instances>) -> Result<(), ViewError> {
        let Some(model) = &mut self.model else { return Ok(()) };
        let instances = instances.unwrap_or(Instances::ONE);
        let before = model.loaded().instances();
        let shown = model.set_instances(instances);
        shown.map_err(|fault| ViewError::of_figures(instances, fault))?;
        if before != instances {
            self.figures_changed(before == Instances::ONE);
        }
        Ok(())
    }

    /// Replaces smoothness, loop mode and speed by those of the window.
    pub(super) fn keep_pace(&self, shown: &mut Shown, playing: &mut Playing) {
        let clip = &self.player.clip;
        shown.smooth = on(clip.smooth);
        shown.looping = looping(clip.mode);
        playing.ping_pong = on(clip.mode == Some(LoopMode::PingPong));
        playing.speed = Some(clip.speed);
    }

    /// Chooses bind pose and animation, and how it plays.
    fn play_as(&mut self, shown: &Shown, playing: &Playing, animation: Option<AnimationId>) {
        let Some(model) = &mut self.model else { return };
        if let Ok(choice) = shown.bind_choice(model.subject())
            && model.bind_choice() != choice
        {
            model.set_bind(choice);
        }
        let wanted = animation.or(self.player.clip.animation);
        let wanted = wanted.or(model.subject().default_animation());
        if self.player.clip.animation != wanted {
            self.player.choose(wanted);
        }
        let timelines = model.loaded().timelines.as_slice();
        let clip = &mut self.player.clip;
        clip.set_fps(timelines, playing.rate);
        clip.set_mode(timelines, loop_mode(shown, playing));
        clip.set_speed(playing.speed.unwrap_or(1.0));
        clip.smooth = shown.smooth == Some(true);
        let section = playing.section.map(|Section(frames)| frames);
        if clip.section != section {
            clip.set_section(timelines, section);
        }
    }

    /// Goes to a moment of the current animation, and to the middle of a cross-fade from it or, if that `is_synced`, to a steady blend.
    fn go_to(&mut self, moment: Option<(FrameAt, Option<Mix>)>, is_synced: bool) {
        let (Some(model), Some((at, mix))) = (&self.model, moment) else { return };
        let timelines = model.loaded().timelines.as_slice();
        go_exactly(&mut self.player.clip, timelines, at);
        let Some(mix) = mix else { return };
        if is_synced {
            let with = mix.to.animation;
            self.player.set_blend(Some(Blend { with, amount: mix.amount }));
        } else {
            let seconds = self.looking.fade.seconds;
            let fade = FadeOptions {
                seconds: if seconds > 0.0 { seconds } else { FADE },
                ..FadeOptions::default()
            };
            self.player.start(mix.to.animation, fade);
            self.player.seek_fade(mix.amount.into());
            go_exactly(&mut self.player.clip, timelines, mix.to);
        }
    }

    /// Takes over the look and the direction of a session.
    fn look_as(&mut self, shown: &Shown) {
        self.view.kept = Orbit::new(shown);
        self.parts.view.in_place = shown.in_place == Some(true);
        self.view.camera.y_down = shown.y_down == Some(true);
        self.look_again();
        for &(switch, _, is_on, _) in OPTIONS {
            self.looking.set(switch, is_on(shown));
        }
        self.set_background(shown.background.as_ref());
    }

    /// Takes over the place of the camera. In a picture of another size, the same part of the world is seen.
    fn place_as(&mut self, shown: &Shown) -> Result<(), ViewError> {
        shown.middle(self.view.orbit.is_some())?;
        self.look_from(shown);
        if shown.zoom.is_some() {
            self.view.scale_from(shown.resolution.map(|_| shown.drawn_size()));
        }
        Ok(())
    }

    /// Takes over direction, middle and zoom, where they are given.
    fn look_from(&mut self, shown: &Shown) {
        if let Some(direction) = shown.view {
            self.view.kept.direction = direction.0;
        }
        self.view.set_mirror(shown.mirror == Some(true));
        let (middle, zoom) = self.view.middle_and_zoom();
        let is_space = self.view.orbit.is_some();
        let center = shown.middle(is_space).ok().flatten();
        let center = center.filter(|center| center.iter().all(|c| c.is_finite()));
        let zoomed = shown.zoom.filter(|zoom| zoom.is_finite() && *zoom > 0.0);
        if center.is_none() && zoomed.is_none() {
            return;
        }
        let middle = center.unwrap_or(middle);
        self.view.put(middle, zoomed.unwrap_or(zoom));
    }

    /// Returns the path of the session that the view is saved to; `None` if a new one is.
    pub(crate) fn session_path(&self) -> Option<&Path> {
        let loaded = self.model.as_ref()?.loaded();
        let saved = self.files.saved.as_ref();
        let again = saved.filter(|saved| saved.of.as_deref() == loaded.file());
        let path = again.map(|saved| saved.path.as_path());
        path.or(loaded.source.path().filter(|_| loaded.session.is_some()))
    }

    /// Returns true if a session, as a file has it now, is known: it was read or saved here.
    pub(crate) fn knows_session(&self, mut session: Session) -> bool {
        for (missing, found) in &self.files.relocated {
            session.relocate(missing, found);
        }
        let read = self.model.as_ref().and_then(|model| model.loaded().session.as_ref());
        let saved = self.files.saved.as_ref().map(|saved| &saved.session);
        !self.files.lacks_view && [read, saved].contains(&Some(&session))
    }

    pub(super) fn session_saved(&mut self, path: PathBuf, session: Box<Session>) {
        let open = self.session_path().map(Path::to_owned);
        self.saved(path.clone());
        if let Some(open) = open.filter(|open| *open != path)
            && let Some(said) = &mut self.said
        {
            let open = Source::File(open).name();
            let why = match self.files.lacks_view {
                true => "asks for what the file lacks, and stays",
                false => "was changed in another program",
            };
            said.text = format!("{open} {why}; saved {}", path.display());
        }
        self.files.lacks_view = false;
        self.question.take_if(|question| question.has_answer(&Action::Quit));
        let is_open = { self.model.as_ref() }
            .is_some_and(|model| model.loaded().source.path() == Some(&*path));
        if let Some(model) = self.model.as_mut().filter(|_| is_open) {
            model.set_saved();
            self.files.is_stage_touched = false;
            self.files.drafts.remove(&path);
        }
        let loaded = self.model.as_ref().map(Model::loaded);
        self.files.saved = Some(SavedSession {
            path,
            session: *session,
            of: loaded.and_then(|loaded| loaded.file().map(Path::to_owned)),
        });
        if std::mem::take(&mut self.files.quits_when_saved) {
            self.apply(Action::Quit);
        }
    }
}

/// Returns the option for a loop mode; that for ping-pong is another one.
pub(super) fn looping(mode: Option<LoopMode>) -> Option<LoopArg> {
    match mode? {
        LoopMode::Loop => Some(LoopArg::On),
        LoopMode::Once => Some(LoopArg::Off),
        LoopMode::PingPong => None,
    }
}

/// Returns the loop mode of options, if they have one.
pub(super) fn loop_mode(shown: &Shown, playing: &Playing) -> Option<LoopMode> {
    match shown.looping {
        Some(LoopArg::On) => Some(LoopMode::Loop),
        Some(LoopArg::Off) => Some(LoopMode::Once),
        None => Some(LoopMode::PingPong).filter(|_| playing.ping_pong == Some(true)),
    }
}

/// Goes to a moment, which may lie between the last frame and the first.
fn go_exactly(clip: &mut Playback, timelines: &[Timeline], at: FrameAt) {
    clip.seek(timelines, at.position());
    if let Some(timeline) = clip.timeline(timelines).filter(|_| at.blend > 0.0) {
        clip.seconds = timeline.seconds(at);
    }
}
