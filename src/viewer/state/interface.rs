//! Size, contrast and motion of the interface, and the recent colours.

use super::{Request, State};
use crate::viewer::action::{InterfaceAction, Message};
use crate::viewer::backgrounds_and_rulers::{color_of_hex, hex_of_color};
use crate::viewer::interface::{Comfort, InterfaceScale, PageZoom};
use crate::viewer::settings::{Memory, ViewerSettings};

/// Number of recent colours.
const RECENT: usize = 8;

/// Settings of the interface.
#[derive(Debug, Default)]
pub(crate) struct Interface {
    pub scale: InterfaceScale,
    /// Width and height of the window in logical pixels of the screen.
    pub room: [f64; 2],
    /// True for more contrast; without a choice, the system's setting is used.
    contrast: Option<bool>,
    /// The same for less motion.
    motion: Option<bool>,
    system: Comfort,
    /// True if contrast and motion were chosen in the window.
    chose: [bool; 2],
    pub page: PageZoom,
    /// Recent background colours, the newest first.
    pub colors: Vec<[u8; 3]>,
}

impl Interface {
    pub(super) fn new(settings: &ViewerSettings) -> Self {
        let ViewerSettings { config, memory, .. } = settings;
        Self {
            scale: memory.scale.map(InterfaceScale::of).unwrap_or_default(),
            room: [f64::INFINITY; 2],
            contrast: config.contrast.or(memory.contrast),
            motion: config.motion.or(memory.motion),
            colors: {
                let known = memory.colors.iter().filter_map(|text| color_of_hex(text));
                known.take(RECENT).collect()
            },
            ..Self::default()
        }
    }

    /// Returns contrast and motion as they are shown.
    pub(crate) fn comfort(&self) -> Comfort {
        Comfort {
            more_contrast: self.contrast.unwrap_or(self.system.more_contrast),
            less_motion: self.motion.unwrap_or(self.system.less_motion),
        }
    }

    /// Stores the remembered settings in `memory`.
    pub(crate) fn remember(&self, memory: &mut Memory) {
        memory.scale = Some(self.scale.percent()).filter(|percent| *percent != 100);
        // A value from the user's config file is not a choice made in the window.
        let [contrast, motion] = self.chose;
        if contrast {
            memory.contrast = self.contrast;
        }
        if motion {
            memory.motion = self.motion;
        }
        memory.colors = self.colors.iter().map(|color| hex_of_color(*color)).collect();
    }
}

impl State {
    pub(super) fn on_interface(&mut self, action: InterfaceAction) {
        let interface = &mut self.interface;
        match action {
            InterfaceAction::Scale(scale) => self.scale_to(scale),
            InterfaceAction::StepScale(larger) => {
                // Starts from the size in use: a small window may have no room for the selected one.
                let shown = interface.scale.step_in(interface.room);
                let next = shown.step(larger);
                if larger && next.step_in(interface.room) == shown && next != shown {
                    self.said = Some(Message::new(no_room(shown)));
                } else {
                    self.scale_to(next);
                }
            }
            InterfaceAction::Contrast(wish) => self.choose_contrast(wish),
            InterfaceAction::ToggleContrast => {
                let wish = !interface.comfort().more_contrast;
                self.choose_contrast(Some(wish));
            }
            InterfaceAction::Motion(wish) => self.choose_motion(wish),
            InterfaceAction::ToggleMotion => {
                let wish = !interface.comfort().less_motion;
                self.choose_motion(Some(wish));
            }
            InterfaceAction::System(wishes) => interface.system = wishes,
            InterfaceAction::PageZoom(page) => interface.page = page,
            InterfaceAction::Room(room) => interface.room = room,
            // A colour that is there stays where it is, below the pointer.
            InterfaceAction::KeepColor(color) if !interface.colors.contains(&color) => {
                interface.colors.insert(0, color);
                interface.colors.truncate(RECENT);
                self.requests.push(Request::Remember);
            }
            InterfaceAction::KeepColor(_) => {}
        }
    }

    pub(crate) fn interface(&self) -> &Interface {
        &self.interface
    }

    fn scale_to(&mut self, scale: InterfaceScale) {
        self.interface.scale = scale;
        let percent = scale.percent();
        let shown = scale.step_in(self.interface.room);
        let said = match shown.percent() < percent {
            true => no_room(shown),
            false => format!("Interface at {percent} %"),
        };
        self.say(said);
        self.requests.push(Request::Remember);
    }

    fn choose_contrast(&mut self, wish: Option<bool>) {
        self.interface.contrast = wish;
        self.interface.chose[0] = true;
        let words = ["Contrast follows the system", "High contrast", "Normal contrast"];
        self.say_choice(wish, self.interface.comfort().more_contrast, words);
    }

    fn choose_motion(&mut self, wish: Option<bool>) {
        self.interface.motion = wish;
        self.interface.chose[1] = true;
        let words = ["Motion follows the system", "Reduced motion", "Normal motion"];
        self.say_choice(wish, self.interface.comfort().less_motion, words);
    }

    fn say_choice(&mut self, wish: Option<bool>, is_on: bool, [system, on, off]: [&str; 3]) {
        self.say(match (wish, is_on) {
            (None, _) => system,
            (_, true) => on,
            (_, false) => off,
        });
        self.requests.push(Request::Remember);
    }
}

/// Says that the window has no room for a larger interface, in few words: it is a small one.
fn no_room(shown: InterfaceScale) -> String {
    format!("No room for more than {} %", shown.percent())
}
