//! How the picture is looked at: what is turned on, what lies behind, what is looked for.

use super::{Request, State};
use crate::viewer::action::Action;
use crate::viewer::background::Background;
use crate::viewer::options::ViewerOptions;
use crate::viewer::settings::Settings;
use crate::viewer::switch::Switch;
use crate::viewer::tab::Tab;
use crate::viewer::theme::ThemeChoice;

/// Width of the side panel at first.
const SIDE: f32 = 300.0;

/// What is turned on and chosen about the picture and the panels.
#[derive(Debug)]
pub(crate) struct Looking {
    /// A bit a switch.
    on: u32,
    pub background: Background,
    pub theme: ThemeChoice,
    pub(super) chose_theme: bool,
    pub tab: Tab,
    /// Width of the side panel in logical pixels.
    pub side: f32,
    /// What is looked for in the palette or among the keys.
    pub query: String,
    /// Only meshes whose name holds this are listed.
    pub mesh_filter: String,
    /// Only bones whose name holds this are listed.
    pub bone_filter: String,
}

impl Looking {
    pub(super) fn new(options: &ViewerOptions, settings: &Settings) -> Self {
        let mut looking = Self {
            on: 0,
            background: options
                .background
                .map_or(Background::Checker, Background::Color),
            chose_theme: false,
            theme: settings
                .config
                .theme
                .or(settings.memory.theme())
                .unwrap_or_default(),
            tab: Tab::default(),
            side: settings.memory.side.unwrap_or(SIDE),
            query: String::new(),
            mesh_filter: String::new(),
            bone_filter: String::new(),
        };
        looking.set(Switch::Panels, true);
        looking
    }

    pub(super) fn is_on(&self, switch: Switch) -> bool {
        self.on & bit(switch) != 0
    }

    pub(super) fn set(&mut self, switch: Switch, on: bool) {
        self.on = if on {
            self.on | bit(switch)
        } else {
            self.on & !bit(switch)
        };
    }
}

fn bit(switch: Switch) -> u32 {
    1 << switch as u32
}

impl State {
    pub(super) fn on_looking(&mut self, action: Action) {
        let looking = &mut self.looking;
        match action {
            Action::Toggle(switch) => {
                if switch.is_of_picture() {
                    self.revision = self.revision.wrapping_add(1);
                }
                let on = !looking.is_on(switch);
                looking.set(switch, on);
                match switch {
                    Switch::FullScreen => self.requests.push(Request::FullScreen(on)),
                    // One of them at a time, and each begins with nothing looked for.
                    Switch::Palette | Switch::Keys => {
                        let other = if switch == Switch::Keys {
                            Switch::Palette
                        } else {
                            Switch::Keys
                        };
                        looking.set(other, false);
                        looking.query.clear();
                    }
                    _ => {}
                }
            }
            Action::SideWidth(width) => {
                looking.side = width;
                self.requests.push(Request::Remember);
            }
            Action::Tab(tab) => {
                looking.tab = tab;
                looking.set(Switch::Panels, true);
            }
            Action::Background(background) => {
                looking.background = background;
                self.touch();
            }
            Action::CycleBackground => {
                looking.background = looking.background.next();
                self.touch();
            }
            Action::Theme(choice) => {
                looking.theme = choice;
                looking.chose_theme = true;
                self.requests.push(Request::Remember);
            }
            Action::CycleTheme => {
                looking.theme = looking.theme.next();
                looking.chose_theme = true;
                self.requests.push(Request::Remember);
            }
            Action::Query(text) => looking.query = text,
            _ => {}
        }
    }
}
