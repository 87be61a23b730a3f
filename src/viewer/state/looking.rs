//! How the picture is looked at: what is turned on, what lies behind, what is looked for.

use super::{Request, State};
use crate::viewer::action::LookAction;
use crate::viewer::background::Background;
use crate::viewer::kind::Kind;
use crate::viewer::options::ViewerOptions;
use crate::viewer::settings::Settings;
use crate::viewer::switch::Switch;
use crate::viewer::tab::Tab;
use crate::viewer::target::Target;
use crate::viewer::theme::ThemeChoice;

/// Said when panels are hidden.
pub(crate) const PANELS_HIDDEN: &str = "Panels are hidden";

/// Width of the side panel at first.
const SIDE: f32 = 300.0;

/// What is turned on and chosen about the picture and the panels.
#[derive(Debug)]
pub(crate) struct Looking {
    /// A bit a switch.
    on: u64,
    pub background: Background,
    pub theme: ThemeChoice,
    pub(super) chose_theme: bool,
    pub tab: Tab,
    /// Width of the side panel in logical pixels.
    pub side: f32,
    /// Height of the details in logical pixels, if another than the usual one was chosen.
    pub details: Option<f32>,
    /// The same while a motion in space is on show.
    pub details_in_space: Option<f32>,
    /// A part of the window that is to have the keyboard.
    pub target: Option<Target>,
    /// Text that is looked for in the palette or among the keys.
    pub query: String,
    /// Only meshes whose name holds this are listed.
    pub mesh_filter: String,
    /// Only bones whose name holds this are listed.
    pub bone_filter: String,
    /// Only motions whose file's name holds this are listed.
    pub motion_filter: String,
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
            details: settings.memory.details,
            details_in_space: settings.memory.details_in_space,
            target: None,
            query: String::new(),
            mesh_filter: String::new(),
            bone_filter: String::new(),
            motion_filter: String::new(),
        };
        for switch in [Switch::Panels, Switch::Grid] {
            looking.set(switch, true);
        }
        looking
    }

    pub(super) fn is_on(&self, switch: Switch) -> bool {
        self.on & bit(switch) != 0
    }

    /// Turns it the other way, and returns whether it is on now.
    fn flip(&mut self, switch: Switch) -> bool {
        let on = !self.is_on(switch);
        self.set(switch, on);
        on
    }

    pub(super) fn set(&mut self, switch: Switch, on: bool) {
        self.on = if on {
            self.on | bit(switch)
        } else {
            self.on & !bit(switch)
        };
    }
}

fn bit(switch: Switch) -> u64 {
    1 << switch as u32
}

impl State {
    pub(super) fn on_looking(&mut self, action: LookAction) {
        let looking = &mut self.looking;
        match action {
            LookAction::SideWidth(width) => {
                looking.side = width;
                self.requests.push(Request::Remember);
            }
            LookAction::Tab(tab) => {
                looking.tab = tab;
                looking.set(Switch::Panels, true);
            }
            LookAction::GoTo(target) => {
                if let Target::List(tab) = target {
                    looking.tab = tab;
                }
                looking.set(Switch::Panels, true);
                looking.target = Some(target);
            }
            LookAction::Reached => looking.target = None,
            LookAction::Details(height) => {
                match self.kind() {
                    Kind::Motion => self.looking.details_in_space = height,
                    Kind::Character | Kind::Atlas => self.looking.details = height,
                }
                self.requests.push(Request::Remember);
            }
            LookAction::Background(background) => {
                looking.background = background;
                self.touch();
            }
            LookAction::CycleBackground => {
                looking.background = looking.background.next();
                self.touch();
            }
            LookAction::Theme(choice) => {
                looking.theme = choice;
                looking.chose_theme = true;
                self.requests.push(Request::Remember);
            }
            LookAction::CycleTheme => {
                looking.theme = looking.theme.next();
                looking.chose_theme = true;
                self.said = Some(looking.theme.action_name().to_owned());
                self.requests.push(Request::Remember);
            }
            LookAction::Query(text) => looking.query = text,
        }
    }

    /// Height of the details in logical pixels, if another than the usual one was chosen.
    pub(crate) fn details_height(&self) -> Option<f32> {
        match self.kind() {
            Kind::Motion => self.looking.details_in_space,
            Kind::Character | Kind::Atlas => self.looking.details,
        }
    }

    /// Turns something on or off.
    pub(super) fn toggle(&mut self, switch: Switch) {
        match switch {
            Switch::Smooth => self.toggle_smooth(),
            Switch::YDown => self.toggle_y_down(),
            Switch::FullScreen => {
                let on = self.looking.flip(switch);
                self.requests.push(Request::FullScreen(on));
            }
            // One of them at a time, and each begins with nothing looked for.
            Switch::Palette | Switch::Keys => {
                self.looking.flip(switch);
                let other = if switch == Switch::Keys {
                    Switch::Palette
                } else {
                    Switch::Keys
                };
                self.looking.set(other, false);
                self.looking.query.clear();
            }
            Switch::Bones
            | Switch::Names
            | Switch::Wireframe
            | Switch::Bounds
            | Switch::Origin
            | Switch::Order
            | Switch::Axes
            | Switch::Grid
            | Switch::Path
            | Switch::Trail
            | Switch::Onion
            | Switch::Weights
            | Switch::Nearest => {
                self.looking.flip(switch);
                self.touch();
            }
            Switch::LiveOrder => {
                self.looking.flip(switch);
                self.arrange_meshes();
            }
            Switch::InPlace => self.toggle_in_place(),
            Switch::Perspective => self.toggle_perspective(),
            Switch::ZUp => self.toggle_z_up(),
            Switch::Panels => {
                let on = self.looking.flip(switch);
                self.said = (!on).then(|| PANELS_HIDDEN.to_owned());
            }
            Switch::Curves | Switch::Atlas | Switch::Hud | Switch::Findings => {
                self.looking.flip(switch);
            }
        }
    }
}
