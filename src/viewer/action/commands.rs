//! The table of all actions without parameters: the entries of the palette, the effects of keys, and the ids in a
//! settings file.

use egui::{Key, KeyboardShortcut, Modifiers};

use pchr::pose::BindChoice;

use super::{
    Action, CameraAction, FileAction, InterfaceAction, LookAction, PartAction, PlaybackAction,
    ReferenceAction, RulerAction,
};
use crate::viewer::background::Background;
use crate::viewer::facing::Facing;
use crate::viewer::interface_scale::InterfaceScale;
use crate::viewer::switch::Switch;
use crate::viewer::tab::Tab;
use crate::viewer::target::Target;
use crate::viewer::theme::ThemeChoice;

/// Topic of an action, a heading in the sheet of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Files,
    Playback,
    View,
    Overlays,
    Parts,
    Window,
}

impl Group {
    /// All groups in listing order.
    pub(crate) const ALL: [Self; 6] = [
        Self::Playback,
        Self::Files,
        Self::Parts,
        Self::View,
        Self::Overlays,
        Self::Window,
    ];

    /// Returns the heading.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Files => "Files",
            Self::Playback => "Playback",
            Self::View => "View",
            Self::Overlays => "Overlays",
            Self::Parts => "Parts",
            Self::Window => "Window",
        }
    }
}

/// An action without parameters.
#[derive(Debug)]
pub(crate) struct Command {
    /// Id in a settings file.
    pub id: &'static str,
    pub group: Group,
    pub action: Action,
    /// Default keys. The first one is shown.
    pub keys: &'static [KeyboardShortcut],
    /// True if holding a key down repeats the action.
    pub repeats: bool,
}

const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}

const fn command(
    id: &'static str,
    group: Group,
    action: Action,
    keys: &'static [KeyboardShortcut],
) -> Command {
    Command {
        id,
        group,
        action,
        keys,
        repeats: false,
    }
}

const fn repeating(
    id: &'static str,
    group: Group,
    action: Action,
    keys: &'static [KeyboardShortcut],
) -> Command {
    Command {
        id,
        group,
        action,
        keys,
        repeats: true,
    }
}

const fn switch(
    id: &'static str,
    group: Group,
    switch: Switch,
    keys: &'static [KeyboardShortcut],
) -> Command {
    command(id, group, Action::Toggle(switch), keys)
}

use Group::{Files, Overlays, Parts, Playback, View, Window};

/// All commands in listing order.
#[rustfmt::skip]
pub(crate) static COMMANDS: &[Command] = &[
    command("open", Files, Action::OpenDialog, &[ctrl(Key::O)]),
    command("open-folder", Files, Action::OpenFolderDialog, &[ctrl_shift(Key::O)]),
    command("paste-path", Files, Action::PastePath, &[ctrl(Key::V)]),
    command("open-sample", Files, Action::Files(FileAction::OpenSample), &[]),
    command("reload", Files, Action::Files(FileAction::Reload), &[plain(Key::F5), ctrl(Key::R)]),
    command("choose-skeleton", Files, Action::Files(FileAction::ChooseSkeleton), &[]),
    repeating("next-file", Files, Action::Files(FileAction::NextFile), &[ctrl(Key::ArrowRight)]),
    repeating("previous-file", Files, Action::Files(FileAction::PreviousFile), &[ctrl(Key::ArrowLeft)]),
    command("clear-recent", Files, Action::Files(FileAction::ClearRecent), &[]),
    command("save-session", Files, Action::SaveSession, &[ctrl(Key::S)]),
    command("screenshot", Files, Action::Screenshot { overlays: true }, &[plain(Key::F12)]),
    command("screenshot-plain", Files, Action::Screenshot { overlays: false }, &[ctrl(Key::F12), ctrl_shift(Key::S)]),
    command("show-in-folder", Files, Action::ShowInFolder, &[]),
    command("copy-picture", Files, Action::CopyPicture, &[ctrl_shift(Key::C)]),
    command("copy-command-line", Files, Action::CopyCommandLine, &[ctrl_shift(Key::L)]),

    command("play", Playback, Action::Playback(PlaybackAction::TogglePlay), &[plain(Key::Space)]),
    command("play-backwards", Playback, Action::Playback(PlaybackAction::ToggleBackwards), &[shift(Key::Space)]),
    repeating("step-back", Playback, Action::Playback(PlaybackAction::Step(-1)), &[plain(Key::ArrowLeft), plain(Key::Comma)]),
    repeating("step-forward", Playback, Action::Playback(PlaybackAction::Step(1)), &[plain(Key::ArrowRight), plain(Key::Period)]),
    repeating("previous-mark", Playback, Action::Playback(PlaybackAction::WalkMarks(-1)), &[ctrl(Key::Comma)]),
    repeating("next-mark", Playback, Action::Playback(PlaybackAction::WalkMarks(1)), &[ctrl(Key::Period)]),
    command("first-frame", Playback, Action::Playback(PlaybackAction::FirstFrame), &[plain(Key::Home)]),
    command("last-frame", Playback, Action::Playback(PlaybackAction::LastFrame), &[plain(Key::End)]),
    repeating("previous-animation", Playback, Action::Playback(PlaybackAction::WalkAnimations(-1)), &[plain(Key::PageUp)]),
    repeating("next-animation", Playback, Action::Playback(PlaybackAction::WalkAnimations(1)), &[plain(Key::PageDown)]),
    repeating("slower", Playback, Action::Playback(PlaybackAction::WalkSpeed(-1)), &[plain(Key::OpenBracket)]),
    repeating("faster", Playback, Action::Playback(PlaybackAction::WalkSpeed(1)), &[plain(Key::CloseBracket)]),
    command("normal-speed", Playback, Action::Playback(PlaybackAction::Speed(1.0)), &[plain(Key::Backspace)]),
    repeating("longer-fade", Playback, Action::Looking(LookAction::WalkFade(1)), &[plain(Key::J)]),
    repeating("shorter-fade", Playback, Action::Looking(LookAction::WalkFade(-1)), &[shift(Key::J)]),
    command("next-fade-curve", Playback, Action::Looking(LookAction::CycleFadeCurve), &[]),
    command("next-loop-mode", Playback, Action::Playback(PlaybackAction::CycleLoop), &[plain(Key::L)]),
    command("file-loop-mode", Playback, Action::Playback(PlaybackAction::Looping(None)), &[]),
    command("section-start", Playback, Action::Playback(PlaybackAction::SectionStart), &[plain(Key::OpenCurlyBracket), shift(Key::OpenBracket)]),
    command("section-end", Playback, Action::Playback(PlaybackAction::SectionEnd), &[plain(Key::CloseCurlyBracket), shift(Key::CloseBracket)]),
    command("whole-animation", Playback, Action::Playback(PlaybackAction::Section(None)), &[shift(Key::L)]),
    command("animations", Playback, Action::Looking(LookAction::GoTo(Target::Animations)), &[ctrl(Key::Num3)]),
    command("time-line", Playback, Action::Looking(LookAction::GoTo(Target::TimeLine)), &[ctrl(Key::Num4)]),
    command("go-to-frame", Playback, Action::Looking(LookAction::GoTo(Target::Frame)), &[ctrl(Key::G)]),
    command("bind-by-name", Playback, Action::Playback(PlaybackAction::Bind(BindChoice::Auto)), &[]),
    command("bind-none", Playback, Action::Playback(PlaybackAction::Bind(BindChoice::None)), &[]),
    command("bind-here", Playback, Action::Playback(PlaybackAction::BindHere), &[]),
    switch("smooth", Playback, Switch::Smooth, &[plain(Key::S)]),

    command("fit", View, Action::Camera(CameraAction::Fit), &[plain(Key::F)]),
    command("actual-size", View, Action::Camera(CameraAction::ActualSize), &[plain(Key::Num1)]),
    repeating("zoom-in", View, Action::Camera(CameraAction::ZoomBy(1)), &[plain(Key::Plus), plain(Key::Equals)]),
    repeating("zoom-out", View, Action::Camera(CameraAction::ZoomBy(-1)), &[plain(Key::Minus)]),
    repeating("nudge-left", View, Action::Camera(CameraAction::Nudge([-1, 0])), &[shift(Key::ArrowLeft)]),
    repeating("nudge-right", View, Action::Camera(CameraAction::Nudge([1, 0])), &[shift(Key::ArrowRight)]),
    repeating("nudge-up", View, Action::Camera(CameraAction::Nudge([0, -1])), &[plain(Key::ArrowUp), shift(Key::ArrowUp)]),
    repeating("nudge-down", View, Action::Camera(CameraAction::Nudge([0, 1])), &[plain(Key::ArrowDown), shift(Key::ArrowDown)]),
    repeating("turn-left", View, Action::Camera(CameraAction::TurnBy([-1, 0])), &[alt(Key::ArrowLeft)]),
    repeating("turn-right", View, Action::Camera(CameraAction::TurnBy([1, 0])), &[alt(Key::ArrowRight)]),
    repeating("turn-up", View, Action::Camera(CameraAction::TurnBy([0, 1])), &[alt(Key::ArrowUp)]),
    repeating("turn-down", View, Action::Camera(CameraAction::TurnBy([0, -1])), &[alt(Key::ArrowDown)]),
    switch("follow", View, Switch::Follow, &[shift(Key::F)]),
    switch("ruler", View, Switch::Ruler, &[plain(Key::M)]),
    command("measure", View, Action::Ruler(RulerAction::Chosen), &[shift(Key::M)]),
    command("next-background", View, Action::Looking(LookAction::CycleBackground), &[plain(Key::K)]),
    command("background-colour", View, Action::Looking(LookAction::GoTo(Target::Background)), &[]),
    command("checkerboard", View, Action::Looking(LookAction::Background(Background::Checker)), &[]),
    command("background-picture", View, Action::BackgroundDialog, &[]),
    command("reference-picture", View, Action::Reference(ReferenceAction::Ask), &[]),
    command("reference", View, Action::Reference(ReferenceAction::Toggle), &[shift(Key::K)]),
    command("reference-above", View, Action::Reference(ReferenceAction::Turn), &[]),
    command("reference-fit", View, Action::Reference(ReferenceAction::Fit), &[]),
    command("reference-remove", View, Action::Reference(ReferenceAction::Remove), &[]),
    switch("nearest", View, Switch::Nearest, &[plain(Key::N)]),
    switch("y-down", View, Switch::YDown, &[plain(Key::Y)]),
    command("front", View, Action::Camera(CameraAction::Face(Facing::Front)), &[plain(Key::Num1)]),
    command("side", View, Action::Camera(CameraAction::Face(Facing::Side)), &[plain(Key::Num3)]),
    command("top", View, Action::Camera(CameraAction::Face(Facing::Top)), &[plain(Key::Num7)]),
    switch("perspective", View, Switch::Perspective, &[plain(Key::Num5)]),
    switch("z-up", View, Switch::ZUp, &[plain(Key::Z)]),
    switch("in-place", View, Switch::InPlace, &[plain(Key::M)]),

    switch("bones", Overlays, Switch::Bones, &[plain(Key::B)]),
    switch("bone-names", Overlays, Switch::Names, &[shift(Key::B)]),
    switch("wireframe", Overlays, Switch::Wireframe, &[plain(Key::E)]),
    switch("bounds", Overlays, Switch::Bounds, &[plain(Key::U)]),
    switch("origin", Overlays, Switch::Origin, &[plain(Key::O)]),
    switch("axes", Overlays, Switch::Axes, &[plain(Key::X)]),
    switch("grid", Overlays, Switch::Grid, &[plain(Key::G)]),
    switch("path", Overlays, Switch::Path, &[plain(Key::P)]),
    switch("trail", Overlays, Switch::Trail, &[shift(Key::T)]),
    command("trail-vertex", Overlays, Action::Parts(PartAction::TraceVertex), &[]),
    switch("ghosts", Overlays, Switch::Onion, &[shift(Key::O)]),
    command("more-ghosts", Overlays, Action::Looking(LookAction::MoreGhosts), &[]),
    command("fewer-ghosts", Overlays, Action::Looking(LookAction::FewerGhosts), &[]),
    command("next-ghost-step", Overlays, Action::Looking(LookAction::CycleGhostStep), &[]),
    command("ghost-settings", Overlays, Action::Looking(LookAction::GoTo(Target::Onion)), &[]),
    switch("draw-order", Overlays, Switch::Order, &[plain(Key::D)]),
    switch("weights", Overlays, Switch::Weights, &[plain(Key::W)]),
    switch("atlas", Overlays, Switch::Atlas, &[plain(Key::A)]),
    switch("statistics", Overlays, Switch::Hud, &[plain(Key::I)]),

    command("hide", Parts, Action::Parts(PartAction::ToggleChosen), &[plain(Key::H)]),
    command("solo", Parts, Action::Parts(PartAction::SoloChosen), &[shift(Key::H)]),
    command("hide-bone", Parts, Action::Parts(PartAction::HideChosenBone(false)), &[ctrl(Key::H)]),
    command("hide-bones", Parts, Action::Parts(PartAction::HideChosenBone(true)), &[ctrl_shift(Key::H)]),
    command("show-all", Parts, Action::Parts(PartAction::ShowAll(true)), &[alt(Key::H)]),
    command("hide-all", Parts, Action::Parts(PartAction::ShowAll(false)), &[]),
    command("reset-meshes", Parts, Action::Parts(PartAction::ResetMeshes), &[plain(Key::R)]),
    switch("live-order", Parts, Switch::LiveOrder, &[]),
    command("choose-nothing", Parts, Action::Parts(PartAction::ChooseNothing), &[ctrl(Key::D)]),
    command("menu", Parts, Action::Looking(LookAction::GoTo(Target::Menu)), &[shift(Key::F10), plain(Key::Menu)]),
    command("meshes", Parts, Action::Looking(LookAction::GoTo(Target::List(Tab::Meshes))), &[ctrl(Key::Num1)]),
    command("motions", Parts, Action::Looking(LookAction::GoTo(Target::List(Tab::Motions))), &[ctrl(Key::Num3)]),
    command("tree", Parts, Action::Looking(LookAction::GoTo(Target::List(Tab::Bones))), &[ctrl(Key::Num2)]),

    repeating("undo", Window, Action::Undo, &[ctrl(Key::Z)]),
    repeating("redo", Window, Action::Redo, &[ctrl_shift(Key::Z), ctrl(Key::Y)]),
    switch("curves", Window, Switch::Curves, &[plain(Key::C)]),
    switch("palette", Window, Switch::Palette, &[ctrl(Key::K)]),
    switch("keys", Window, Switch::Keys, &[plain(Key::Questionmark), plain(Key::F1)]),
    switch("panels", Window, Switch::Panels, &[plain(Key::F9)]),
    switch("hints", Window, Switch::Hints, &[]),
    switch("full-screen", Window, Switch::FullScreen, &[plain(Key::F11), alt(Key::Enter)]),
    command("warnings", Window, Action::Looking(LookAction::GoTo(Target::Warnings)), &[]),
    command("next-theme", Window, Action::Looking(LookAction::CycleTheme), &[plain(Key::T)]),
    command("theme-system", Window, Action::Looking(LookAction::Theme(ThemeChoice::System)), &[]),
    command("theme-light", Window, Action::Looking(LookAction::Theme(ThemeChoice::Light)), &[]),
    command("theme-dark", Window, Action::Looking(LookAction::Theme(ThemeChoice::Dark)), &[]),
    command("high-contrast", Window, Action::Interface(InterfaceAction::ToggleContrast), &[]),
    command("contrast-system", Window, Action::Interface(InterfaceAction::Contrast(None)), &[]),
    command("reduced-motion", Window, Action::Interface(InterfaceAction::ToggleMotion), &[]),
    command("motion-system", Window, Action::Interface(InterfaceAction::Motion(None)), &[]),
    repeating("larger-interface", Window, Action::Interface(InterfaceAction::StepScale(true)), &[ctrl(Key::Plus), ctrl(Key::Equals)]),
    repeating("smaller-interface", Window, Action::Interface(InterfaceAction::StepScale(false)), &[ctrl(Key::Minus)]),
    command("usual-interface", Window, Action::Interface(InterfaceAction::Scale(InterfaceScale::USUAL)), &[ctrl(Key::Num0)]),
    command("dismiss", Window, Action::Dismiss, &[plain(Key::Escape)]),
    command("quit", Window, Action::Quit, &[ctrl(Key::Q)]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::kind::Kind;

    #[test]
    fn no_key_no_name_and_no_id_is_given_twice() {
        for kind in [Kind::Character, Kind::Atlas, Kind::Motion] {
            let concerned = COMMANDS.iter().filter(|it| it.action.concerns(kind));
            let keys: Vec<_> = concerned.flat_map(|command| command.keys).collect();
            for (i, key) in keys.iter().enumerate() {
                assert!(!keys[i + 1..].contains(key), "{kind:?}: {key:?}");
            }
        }
        for (i, a) in COMMANDS.iter().enumerate() {
            for b in &COMMANDS[i + 1..] {
                assert_ne!(a.id, b.id);
                assert_ne!(a.action.name(), b.action.name());
            }
        }
    }

    #[test]
    fn an_action_is_listed_under_each_heading() {
        for group in Group::ALL {
            let count = COMMANDS
                .iter()
                .filter(|command| command.group == group)
                .count();
            assert!(count > 1, "{}", group.name());
        }
    }
}
