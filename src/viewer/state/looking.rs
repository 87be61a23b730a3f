//! View settings: switches, background and search texts.

use std::collections::BTreeSet;
use std::path::PathBuf;

use egui::ThemePreference;

use pchr::overlay::{Layer, MOST_GHOSTS, Onion, Pin, Trail};
use pchr::playback::{FadeCurve, FadeOptions, LoopMode, Playback};
use pchr::scene::Camera2d;
use pchr_foreign::motion::UpAxis;
use pchr_tools::session::{FolderLook, WindowLook};
use pchr_tools::view::{
    self, FadeTime, OverlayItem, OverlayList, Playing, Resolved, Shown, Tints, on,
};

use super::list_and_visited::Arrival;
use super::shown::{loop_mode, looping};
use super::{Request, State};
use crate::viewer::action::{Action, LookAction, Message};
use crate::viewer::backgrounds_and_rulers::Background;
use crate::viewer::loaded::Loaded;
use crate::viewer::playback;
use crate::viewer::settings::{Memory, ViewerSettings};
use crate::viewer::switch::{ContentKind, Destination, OPTIONS, Switch, Tab};
use crate::viewer::theme;

/// Distances between ghosts that are gone through.
const STEPS: [u16; 6] = [1, 2, 3, 4, 6, 8];

/// Initial width of the side panel in logical pixels.
pub(crate) const SIDE: f32 = 300.0;

/// Settings of the picture and the panels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looking {
    /// Switches that are on.
    on: BTreeSet<Switch>,
    /// True if the plane has a grid; the ground in space has its own switch.
    pub(super) plane_grid: bool,
    pub background: Background,
    /// Picture that becomes the background once it is read.
    pub(super) awaited: Option<PathBuf>,
    /// Frames that [`Switch::Onion`] shows.
    pub onion: Onion,
    /// Cross-fade when the animation is changed while one plays.
    pub fade: FadeOptions,
    pub theme: ThemePreference,
    /// True if it was chosen in the window.
    pub chose_theme: bool,
    pub tab: Tab,
    /// Width of the side panel in logical pixels.
    pub side: f32,
    /// Height of the details in logical pixels, if it was changed.
    pub details: Option<f32>,
    /// The same for a motion in space.
    pub details_in_space: Option<f32>,
    /// Height of the list of animations in logical pixels, if it was changed.
    pub clips: Option<f32>,
    /// Part of the window that is to get the keyboard.
    pub target: Option<Destination>,
    /// Search text in the palette or the sheet of keys.
    pub query: String,
    /// Text in the names of the listed meshes.
    pub mesh_filter: String,
    /// Text in the names of the listed bones.
    pub bone_filter: String,
    /// Text in the file names of the listed motions.
    pub motion_filter: String,
    /// Text in the names of the listed animations.
    pub clip_filter: String,
}

impl Looking {
    pub(super) fn new(settings: &ViewerSettings, no_defaults: bool) -> Self {
        let usual = Memory::default();
        let remembered = if no_defaults { &usual } else { &settings.memory };
        let mut looking = Self {
            onion: remembered.onion(),
            fade: remembered.fade(),
            theme: settings.config.theme.or(settings.memory.theme()).unwrap_or_default(),
            side: settings.memory.side.unwrap_or(SIDE),
            details: settings.memory.details,
            details_in_space: settings.memory.details_in_space,
            clips: settings.memory.clips,
            ..Self::default()
        };
        for switch in [Switch::Panels, Switch::Overlay(Layer::Grid)] {
            looking.set(switch, true);
        }
        looking.set(Switch::LoopCheck, settings.memory.loop_check);
        looking
    }

    pub(super) fn is_on(&self, switch: Switch) -> bool {
        self.on.contains(&switch)
    }

    /// Flips a switch. Returns true if it is on now.
    pub(super) fn flip(&mut self, switch: Switch) -> bool {
        let on = !self.is_on(switch);
        self.set(switch, on);
        on
    }

    pub(super) fn set(&mut self, switch: Switch, on: bool) {
        if on {
            self.on.insert(switch);
        } else {
            self.on.remove(&switch);
        }
    }

    /// Writes the background and the switches that are options to a view.
    pub(super) fn put_in(&self, shown: &mut Shown) {
        shown.background = self.background.option();
        for &(switch, _, _, put) in OPTIONS {
            put(shown, self.is_on(switch));
        }
    }
}

/// Look of the window, which a session or the look of a folder replaces while its files are shown.
#[derive(Clone, Debug)]
pub(super) struct OwnLook {
    looking: Looking,
    clip: Playback,
    camera: Camera2d,
    in_place: bool,
}

impl State {
    /// Keeps the look of the window when a session comes on show, or a file of a folder with a look; returns to it when other content
    /// does. From file to file in such a folder, what was changed stays.
    pub(super) fn change_look(&mut self, loaded: &Loaded) {
        let is_session = loaded.session.is_some();
        let folder = loaded.folder_look.as_ref().filter(|_| !is_session);
        let folder = folder.filter(|folder| folder.look.is_ok());
        if !is_session
            && folder == self.folder_look.as_ref()
            && folder.is_some() == self.own_look.is_some()
        {
            return;
        }
        if let Some(own) = self.own_look.take() {
            self.return_to_look(own);
        }
        self.own_look = (is_session || folder.is_some()).then(|| self.look());
        self.folder_look = folder.cloned();
        if let Some(FolderLook { look: Ok(look), .. }) = folder {
            self.take_look(&look.without(&self.files.given));
        }
    }

    /// Takes over what a look has.
    pub(super) fn take_look(&mut self, look: &WindowLook) {
        let (shown, playing) = look.view();
        if look.has("background") {
            self.set_background(shown.background.as_ref());
        }
        let looking = &mut self.looking;
        for &(switch, _, is_on, _) in OPTIONS.iter().filter(|(_, name, ..)| look.has(name)) {
            looking.set(switch, is_on(&shown));
        }
        if look.has("overlay") {
            let has = |layer| shown.overlays().any(|item| *item == OverlayItem::Layer(layer));
            for layer in Layer::ALL.into_iter().filter(|layer| !layer.is_spatial()) {
                match layer {
                    Layer::Grid => looking.plane_grid = has(layer),
                    layer => looking.set(Switch::Overlay(layer), has(layer)),
                }
            }
            let ghosts = shown.overlays().find_map(|item| match item {
                OverlayItem::Onion(ghosts) => Some(*ghosts),
                _ => None,
            });
            looking.set(Switch::Onion, ghosts.is_some());
            if let Some([before, after, step]) = ghosts {
                looking.onion = Onion { before, after, step, ..looking.onion };
            }
        }
        if let Some(Tints(tints)) = shown.onion_tint {
            looking.onion.tints = tints;
        }
        if let Some(FadeTime(fade)) = playing.fade {
            looking.fade = fade;
        }
        let clip = &mut self.player.clip;
        clip.smooth = shown.smooth.unwrap_or(clip.smooth);
        clip.set_speed(playing.speed.unwrap_or(clip.speed));
        if let Some(mode) = loop_mode(&shown, &playing) {
            clip.set_mode(&[], Some(mode));
        }
    }

    /// Shows a background; a picture once it is read.
    pub(super) fn set_background(&mut self, background: Option<&view::Background>) {
        self.looking.awaited = None;
        match background {
            None => self.looking.background = Background::Checker,
            Some(view::Background::Picture(path)) => {
                self.looking.awaited = Some(path.clone());
                self.requests.push(Request::ReadBackground(path.clone()));
            }
            Some(background) => self.looking.background = Background::of(background),
        }
    }

    fn look(&self) -> OwnLook {
        OwnLook {
            looking: self.looking.clone(),
            clip: self.player.clip.clone(),
            camera: self.view.camera,
            in_place: self.parts.view.in_place,
        }
    }

    fn return_to_look(&mut self, own: OwnLook) {
        let looking = &mut self.looking;
        looking.on.retain(|switch| !switch.is_shown());
        looking.on.extend(own.looking.on.into_iter().filter(|switch| switch.is_shown()));
        looking.plane_grid = own.looking.plane_grid;
        looking.background = own.looking.background;
        looking.awaited = own.looking.awaited;
        (looking.onion, looking.fade) = (own.looking.onion, own.looking.fade);
        self.player.clip.set_speed(own.clip.speed);
        self.player.clip.smooth = own.clip.smooth;
        self.player.clip.set_mode(&[], own.clip.mode);
        self.view.set_mirror(own.camera.mirror);
        self.view.camera.y_down = own.camera.y_down;
        self.parts.view.in_place = own.in_place;
    }

    /// Writes down the look that the next run starts with: that of the window, not of a session, a folder or the command line.
    pub(crate) fn remember_look(&self, memory: &mut Memory) {
        let now = self.look();
        let OwnLook { looking: own, clip, .. } = self.own_look.as_ref().unwrap_or(&now);
        let given = &self.files.fixed;
        let is_given = |option: &str| given.iter().any(|given| given == option);
        if !is_given("overlay") && !is_given("onion-tint") {
            memory.set_onion(own.onion);
        }
        if !is_given("fade") {
            memory.set_fade(own.fade);
        }
        let has = |layer: &Layer| match layer {
            Layer::Grid => own.plane_grid,
            layer => own.is_on(Switch::Overlay(*layer)),
        };
        let layers = Layer::ALL.into_iter().filter(|layer| !layer.is_spatial()).filter(has);
        let mut overlays: Vec<_> = layers.map(OverlayItem::Layer).collect();
        if own.is_on(Switch::Onion) {
            let Onion { before, after, step, .. } = own.onion;
            overlays.push(OverlayItem::Onion([before, after, step]));
        }
        let mut shown = Shown {
            overlay: if overlays.is_empty() { Vec::new() } else { vec![OverlayList(overlays)] },
            smooth: on(clip.smooth),
            looping: looping(clip.mode),
            ..Shown::default()
        };
        own.put_in(&mut shown);
        if let Some(path) = &own.awaited {
            // It may not be readable now, and there again next time.
            shown.background = Some(view::Background::Picture(path.clone()));
        }
        let playing = Playing {
            speed: Some(clip.speed).filter(|speed| *speed != 1.0),
            ping_pong: on(clip.mode == Some(LoopMode::PingPong)),
            ..Playing::default()
        };
        memory.loop_check = self.is_on(Switch::LoopCheck);
        let look = WindowLook::of_view(&shown, &playing);
        memory.view = look.replaced(given, &memory.view);
    }

    /// Starts with overrides and overlays; those are all that are drawn, or are drawn beside others.
    pub(super) fn begin_with(&mut self, resolved: Resolved, are_all: bool) {
        self.parts.view.meshes = resolved.view.meshes;
        let overlay = resolved.overlay.unwrap_or_default();
        for layer in Layer::ALL {
            let on = overlay.has(layer);
            match layer {
                _ if !on && !are_all => {}
                Layer::Grid if self.kind() != ContentKind::Motion => self.looking.plane_grid = on,
                layer => self.looking.set(Switch::Overlay(layer), on),
            }
        }
        for (switch, on) in [
            (Switch::Weights, overlay.weights.is_some()),
            (Switch::Trail, overlay.trail.is_some()),
            (Switch::Onion, overlay.onion.is_on()),
            (Switch::Pin, overlay.pin.is_some()),
        ] {
            if on || are_all {
                self.looking.set(switch, on);
            }
        }
        if overlay.onion.is_on() {
            self.looking.onion = overlay.onion;
        }
        self.parts.pin = overlay.pin.or(self.parts.pin);
        self.parts.mesh = overlay.mesh;
        self.parts.bone = overlay.weights.or(overlay.bone);
        match overlay.trail {
            Some(Trail::Bone(bone)) => self.parts.bone = Some(bone),
            Some(Trail::Vertex(mesh, vertex)) => {
                self.parts.mesh = Some(mesh);
                self.parts.vertex = Some((mesh, vertex));
            }
            None => {}
        }
    }

    pub(super) fn on_looking(&mut self, action: LookAction) {
        let looking = &mut self.looking;
        match action {
            LookAction::SideWidth(width) => {
                looking.side = width;
                self.requests.push(Request::Remember);
            }
            LookAction::Tab(tab) => {
                looking.tab = tab;
                self.show_panels();
            }
            LookAction::GoTo(target) => {
                if let Destination::List(tab) = target {
                    looking.tab = tab;
                }
                match target {
                    Destination::Menu => {}
                    Destination::Warnings => looking.set(Switch::Findings, true),
                    _ => self.show_panels(),
                }
                self.looking.target = Some(target);
            }
            LookAction::Reached => looking.target = None,
            LookAction::Clips(height) => {
                looking.clips = height;
                self.requests.push(Request::Remember);
            }
            LookAction::Details(height) => {
                match self.kind() {
                    ContentKind::Motion => self.looking.details_in_space = height,
                    ContentKind::Character | ContentKind::Atlas => self.looking.details = height,
                }
                self.requests.push(Request::Remember);
            }
            LookAction::Background(background) => {
                looking.background = background;
                looking.awaited = None;
                self.touch();
            }
            LookAction::BackgroundFile(path) => {
                self.question = None;
                self.requests.push(Request::ReadBackground(path));
            }
            LookAction::Onion(onion) => self.set_onion(onion),
            LookAction::PinFrame => self.pin_frame(),
            LookAction::PinTint(tint) => {
                if let Some(pin) = &mut self.parts.pin {
                    pin.tint = tint;
                }
                self.touch();
            }
            LookAction::Unpin => {
                self.parts.pin = None;
                looking.set(Switch::Pin, false);
                self.touch();
            }
            LookAction::MoreGhosts => self.change_onion(|onion| {
                onion.before = onion.before.saturating_add(1).min(MOST_GHOSTS);
                onion.after = onion.after.saturating_add(1).min(MOST_GHOSTS);
            }),
            LookAction::FewerGhosts => self.change_onion(|onion| {
                onion.before = onion.before.saturating_sub(1);
                onion.after = onion.after.saturating_sub(1);
            }),
            LookAction::CycleGhostStep => self.change_onion(|onion| {
                onion.step = STEPS.into_iter().find(|step| *step > onion.step).unwrap_or(1);
            }),
            LookAction::Fade(fade) => self.set_fade(fade),
            LookAction::WalkFade(by) => {
                let seconds = playback::step(looking.fade.seconds, by);
                self.set_fade(FadeOptions { seconds, ..self.looking.fade });
                self.say(playback::in_words(self.looking.fade));
            }
            LookAction::CycleFadeCurve => {
                let curve = match looking.fade.curve {
                    FadeCurve::Linear => FadeCurve::Smooth,
                    FadeCurve::Smooth => FadeCurve::Linear,
                };
                self.set_fade(FadeOptions { curve, ..self.looking.fade });
                self.say(playback::in_words(self.looking.fade));
            }
            LookAction::CycleBackground => {
                let next = looking.background.next();
                self.on_looking(LookAction::Background(next));
            }
            LookAction::Theme(choice) => {
                looking.theme = choice;
                looking.chose_theme = true;
                self.requests.push(Request::Remember);
            }
            LookAction::CycleTheme => {
                let next = LookAction::Theme(theme::next(looking.theme));
                self.on_looking(next.clone());
                self.say(Action::Looking(next).name());
            }
            LookAction::NoOverlays => {
                looking.on.retain(|switch| !switch.is_overlay());
                looking.plane_grid = false;
                self.touch();
            }
            LookAction::ClipFilter(text) => looking.clip_filter = text,
            LookAction::Query(text) => looking.query = text,
        }
    }

    /// Clears the filters of the lists before another file is shown. From one motion to the next, the filter of the bones stays.
    pub(super) fn clear_filters(&mut self, loaded: &Loaded) {
        let are_motions =
            self.kind() == ContentKind::Motion && loaded.opened.subject.spatial().is_some();
        let is_walk = are_motions && self.files.arrival != Arrival::Opened;
        let looking = &mut self.looking;
        looking.mesh_filter.clear();
        looking.clip_filter.clear();
        if !is_walk {
            looking.bone_filter.clear();
        }
    }

    /// Sets another cross-fade. A running one continues unchanged.
    fn set_fade(&mut self, wanted: FadeOptions) {
        if let Some(seconds) = playback::within(wanted.seconds) {
            self.looking.fade = FadeOptions { seconds, ..wanted };
            self.requests.push(Request::Remember);
        }
    }

    /// Pins the frame on screen, and shows it. If it is pinned already, takes the pin away.
    fn pin_frame(&mut self) {
        let Some(at) = self.model.as_ref().and_then(|model| model.moment().0) else {
            return self.said = Some(Message::new("Choose an animation to pin a frame of"));
        };
        let old = self.parts.pin.filter(|_| self.is_on(Switch::Pin));
        if old.is_some_and(|pin| (pin.animation, pin.frame) == (at.animation, at.frame)) {
            return self.on_looking(LookAction::Unpin);
        }
        let tint = self.parts.pin.map_or(Pin::TINT, |pin| pin.tint);
        self.parts.pin = Some(Pin { animation: at.animation, frame: at.frame, tint });
        self.looking.set(Switch::Pin, true);
        let name = self.model.as_ref().map(|model| model.subject().animation_name(at.animation));
        let name = name.unwrap_or_default();
        let alone = match self.model.as_ref().and_then(|model| model.moment().1) {
            Some(_) => "; a mix cannot be pinned",
            None => "",
        };
        self.said = Some(Message::new(format!("Pinned {name}, frame {}{alone}", at.frame)));
        self.touch();
    }

    /// Takes other settings of onion skin, and turns it on.
    fn set_onion(&mut self, onion: Onion) {
        self.looking.onion = onion;
        self.looking.set(Switch::Onion, true);
        self.requests.push(Request::Remember);
        self.touch();
    }

    /// Changes the settings of onion skin if it is on, and says them. If it is off, it is turned on.
    fn change_onion(&mut self, change: impl FnOnce(&mut Onion)) {
        let mut onion = self.looking.onion;
        if self.looking.is_on(Switch::Onion) {
            change(&mut onion);
        }
        self.set_onion(onion);
        self.said = Some(Message::new(format!("Onion skin: {}", onion_in_words(onion))));
    }

    /// Returns the height of the details in logical pixels, if it was changed.
    pub(crate) fn details_height(&self) -> Option<f32> {
        match self.kind() {
            ContentKind::Motion => self.looking.details_in_space,
            ContentKind::Character | ContentKind::Atlas => self.looking.details,
        }
    }

    /// Turns a switch off, if it is on.
    pub(super) fn turn_off(&mut self, switch: Switch) {
        if self.is_on(switch) {
            self.toggle(switch);
        }
    }

    /// Shows the panels, which a preview window has not.
    fn show_panels(&mut self) {
        self.turn_off(Switch::Preview);
        self.looking.set(Switch::Panels, true);
    }

    /// Turns a switch on or off.
    pub(super) fn toggle(&mut self, switch: Switch) {
        match switch {
            Switch::Smooth => {
                if self.model.is_some() {
                    self.player.clip.smooth = !self.player.clip.smooth;
                    self.show();
                }
            }
            Switch::YDown => {
                self.view.camera.y_down = !self.view.camera.y_down;
                self.refit();
                self.touch();
            }
            Switch::FullScreen => {
                self.turn_off(Switch::Preview);
                let on = self.looking.flip(switch);
                self.requests.push(Request::FullScreen(on));
            }
            Switch::Preview => {
                self.turn_off(Switch::FullScreen);
                let on = self.looking.flip(switch);
                self.view.preview(on);
                self.said = on.then(Message::previewing);
                self.requests.push(Request::Preview(on));
            }
            Switch::Panels if self.is_on(Switch::Preview) => self.show_panels(),
            Switch::Gallery => self.toggle_gallery(),
            // Only one of them is open at a time, and each starts with an empty search.
            Switch::Palette | Switch::Keys => {
                if !self.is_on(switch) {
                    self.turn_off(Switch::Preview); // there is no room for them
                }
                self.looking.flip(switch);
                let other = if switch == Switch::Keys { Switch::Palette } else { Switch::Keys };
                self.looking.set(other, false);
                self.looking.query.clear();
            }
            Switch::Overlay(Layer::Grid) if self.kind() != ContentKind::Motion => {
                self.looking.plane_grid = !self.looking.plane_grid;
                self.touch();
            }
            Switch::Pin if self.parts.pin.is_none() => self.pin_frame(),
            Switch::Trail => {
                let on = self.looking.flip(switch);
                if on && self.trail().is_none() {
                    self.said = Some(Message::new("Select a bone to see its trail"));
                }
                self.touch();
            }
            Switch::LiveOrder => {
                self.looking.flip(switch);
                self.arrange_meshes();
            }
            Switch::LoopCheck => {
                self.looking.flip(switch);
                self.requests.push(Request::Remember);
                self.ask_smoothness();
            }
            Switch::InPlace => {
                self.parts.view.in_place = !self.parts.view.in_place;
                self.refit();
                self.show();
            }
            // Objects at the distance of the target keep their size.
            Switch::Perspective => {
                self.view.kept.perspective = !self.view.kept.perspective;
                self.look_again();
            }
            Switch::ZUp => {
                self.view.kept.up = Some(if self.is_z_up() { UpAxis::Y } else { UpAxis::Z });
                self.look_again();
            }
            Switch::Hints => {
                self.hints.toggle();
                self.requests.push(Request::Remember);
            }
            Switch::Panels => {
                let on = self.looking.flip(switch);
                self.said = (!on).then(Message::panels_hidden);
            }
            Switch::Ruler => {
                let on = self.looking.flip(switch);
                self.ruler = None;
                self.said =
                    on.then(|| Message::new("Drag to measure; hold Shift for steps of 15°"));
            }
            Switch::Follow => {
                let on = self.looking.flip(switch);
                if on && self.parts.bone.is_none() {
                    self.said = Some(Message::about(switch, "Select the bone to follow"));
                }
            }
            // Drawings over the picture, options of looks, and panels that only open.
            _ => {
                self.looking.flip(switch);
                if switch.is_shown() {
                    self.touch();
                }
            }
        }
    }
}

/// Returns the settings of onion skin in words.
pub(crate) fn onion_in_words(onion: Onion) -> String {
    let Onion { before, after, step, .. } = onion;
    match step {
        0 | 1 => format!("{before} before, {after} after"),
        step => format!("{before} before, {after} after, {step} frames apart"),
    }
}
