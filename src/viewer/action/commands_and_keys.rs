//! The table of all actions without parameters, a row each: id in a settings file, heading, name, keys, the kinds of content
//! that it concerns, the words by which the palette also finds it, and its button in the toolbar. And their keys: shortcuts as text,
//! and the user's own over the program's defaults.

use std::sync::Arc;

use egui::{Context, Id, Key, KeyboardShortcut, ModifierNames, Modifiers, ThemePreference};
use lucide_icons::Icon;

use pchr::overlay::{Layer, LayerNeeds};
use pchr::pose::BindChoice;
use pchr_tools::crowd::Instances;

use super::{
    Action, Ask, CameraAction, CompareAction, ExportAction, FileAction, GalleryAction, ImageAction,
    InterfaceAction, LookAction, PartAction, PlaybackAction, ReferenceAction, RulerAction,
    StageAction,
};
use crate::viewer::backgrounds_and_rulers::{Background, Facing};
use crate::viewer::compare::{CompareMode, Counterpart};
use crate::viewer::interface::InterfaceScale;
use crate::viewer::switch::{ContentKind, Destination, Switch, Tab};

/// Topics of actions in listing order, which are headings in the sheet of keys.
pub(crate) const GROUPS: [&str; 6] = [PLAYBACK, FILES, PARTS, VIEW, OVERLAYS, WINDOW];
const PLAYBACK: &str = "Playback";
const FILES: &str = "Files";
const PARTS: &str = "Parts";
const VIEW: &str = "View";
const OVERLAYS: &str = "Overlays";
const WINDOW: &str = "Window";

/// An action without parameters.
#[derive(Debug)]
pub(crate) struct Command {
    /// Id in a settings file.
    pub id: &'static str,
    /// One of [`GROUPS`].
    pub group: &'static str,
    /// Name in a few words.
    pub name: &'static str,
    pub action: Action,
    /// Default keys. The first one is shown.
    pub keys: &'static [KeyboardShortcut],
    /// Kinds of content that it does anything to.
    pub kinds: &'static [ContentKind],
    /// Names in other programs, by which the palette also finds it.
    pub synonyms: &'static str,
    /// True if holding a key down repeats the action.
    pub repeats: bool,
    /// Its button in the toolbar.
    pub tool: Option<Tool>,
}

/// The button of a switch in the toolbar. Buttons of layers have the order of [`Layer`]; `panels/toolbar.rs` lists the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    pub icon: Icon,
    /// Text after the name in the tooltip, or empty.
    pub more: &'static str,
    /// Kinds of content whose toolbar has the button.
    pub kinds: &'static [ContentKind],
}

const ALL: &[ContentKind] = &[ContentKind::Character, ContentKind::Atlas, ContentKind::Motion];
/// What needs bones that move in space.
const SPACE: &[ContentKind] = &[ContentKind::Motion];
/// What needs meshes, or a plane that they lie in.
const PLANE: &[ContentKind] = &[ContentKind::Character, ContentKind::Atlas];
/// What needs bones.
const BONES: &[ContentKind] = &[ContentKind::Character, ContentKind::Motion];
/// What needs meshes and bones.
const CHARACTER: &[ContentKind] = &[ContentKind::Character];

impl Action {
    /// Returns its row in the table.
    pub(crate) fn command(&self) -> Option<&'static Command> {
        COMMANDS.iter().find(|command| command.action == *self)
    }

    /// Returns whether it does anything to what is open.
    pub(crate) fn concerns(&self, kind: ContentKind) -> bool {
        let command = self.command();
        command.is_none_or(|command| command.kinds.contains(&kind))
    }

    /// Returns the name in a few words.
    pub(crate) fn name(&self) -> &'static str {
        let command = self.command();
        command.map_or_else(|| self.name_of_step(), |command| command.name)
    }
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
    group: &'static str,
    name: &'static str,
    action: Action,
    keys: &'static [KeyboardShortcut],
    kinds: &'static [ContentKind],
    synonyms: &'static str,
) -> Command {
    Command { id, group, name, action, keys, kinds, synonyms, repeats: false, tool: None }
}

/// Returns the row of a layer.
const fn layer(
    id: &'static str,
    layer: Layer,
    keys: &'static [KeyboardShortcut],
    synonyms: &'static str,
) -> Command {
    let kinds = match layer.needs() {
        LayerNeeds::Any => ALL,
        LayerNeeds::Meshes => PLANE,
        LayerNeeds::FlatBones => CHARACTER,
        LayerNeeds::SpatialBones => SPACE,
    };
    let action = Action::Toggle(Switch::Overlay(layer));
    command(id, OVERLAYS, layer.name(), action, keys, kinds, synonyms)
}

impl Command {
    /// Lets the action be repeated while a key is held down.
    const fn repeating(mut self) -> Self {
        self.repeats = true;
        self
    }

    /// Gives the switch a button in the toolbar of some kinds of content. The tooltip says `more`.
    const fn tool(mut self, icon: Icon, more: &'static str, kinds: &'static [ContentKind]) -> Self {
        self.tool = Some(Tool { icon, more, kinds });
        self
    }
}

/// All commands in listing order.
#[rustfmt::skip]
pub(crate) static COMMANDS: &[Command] = &[
    command("open", FILES, "Open…", Action::Ask(Ask::Files), &[ctrl(Key::O)], ALL, "load import file"),
    command("open-folder", FILES, "Open folder…", Action::Ask(Ask::Folder), &[ctrl_shift(Key::O)], ALL, "load import directory batch"),
    command("paste-path", FILES, "Open the path on the clipboard", Action::PastePath, &[ctrl(Key::V)], ALL, ""),
    command("add-to-stage", FILES, "Add to stage…", Action::Ask(Ask::Stage), &[], PLANE, "several characters scene group together compose"),
    command("discard-stage", FILES, "Discard the changes of the stage", Action::Stage(StageAction::Discard), &[], PLANE, "revert reset unsaved reload disk"),
    command("open-sample", FILES, "Open the sample", Action::Files(FileAction::OpenSample), &[], ALL, "example demo"),
    command("reopen-last", FILES, "Reopen last files", Action::Files(FileAction::ReopenLast), &[ctrl_shift(Key::T)], ALL, "restore previous recent session tabs"),
    command("reload", FILES, "Reload", Action::Files(FileAction::Reload), &[plain(Key::F5), ctrl(Key::R)], ALL, "refresh reopen revert"),
    command("choose-skeleton", FILES, "Choose the skeleton…", Action::Files(FileAction::ChooseSkeleton), &[], SPACE, "rig armature bones bind"),
    command("next-file", FILES, "Next file", Action::Files(FileAction::NextFile), &[ctrl(Key::ArrowRight)], ALL, "forward").repeating(),
    command("previous-file", FILES, "Previous file", Action::Files(FileAction::PreviousFile), &[ctrl(Key::ArrowLeft)], ALL, "back").repeating(),
    command("gallery", FILES, "Gallery", Action::Toggle(Switch::Gallery), &[plain(Key::G)], ALL, "thumbnails browse folder overview grid of files"),
    command("next-gallery-order", FILES, "Gallery: next order", Action::Gallery(GalleryAction::NextSort), &[], ALL, "sort name date size bones"),
    command("next-gallery-kind", FILES, "Gallery: next kind", Action::Gallery(GalleryAction::NextKind), &[], ALL, "filter characters atlases motions"),
    command("gallery-warnings", FILES, "Gallery: with warnings", Action::Gallery(GalleryAction::ToggleWarned), &[], ALL, "filter broken invalid problems"),
    command("compare", FILES, "Compare with…", Action::Ask(Ask::Compare), &[ctrl(Key::D)], ALL, "diff difference second file version onion"),
    command("compare-reload", FILES, "Compare with the version before the reload", Action::Compare(CompareAction::With(Counterpart::BeforeReload)), &[], ALL, "diff difference changes export"),
    command("compare-git", FILES, "Compare with the last commit", Action::Compare(CompareAction::With(Counterpart::Commit)), &[], ALL, "diff difference changes git head version history"),
    command("next-compare-mode", FILES, "Next way to compare", Action::Compare(CompareAction::CycleMode), &[alt(Key::D)], ALL, "mode diff"),
    command("compare-side", FILES, "Compare side by side", Action::Compare(CompareAction::Mode(CompareMode::Side)), &[], ALL, "mode diff"),
    command("compare-split", FILES, "Compare in two halves", Action::Compare(CompareAction::Mode(CompareMode::Split)), &[], ALL, "mode diff split wipe handle curtain"),
    command("compare-blink", FILES, "Compare by blinking", Action::Compare(CompareAction::Mode(CompareMode::Blink)), &[], ALL, "mode diff flicker toggle alternate"),
    command("compare-difference", FILES, "Compare by difference", Action::Compare(CompareAction::Mode(CompareMode::Difference)), &[], ALL, "mode diff amplified heat map"),
    command("changes", FILES, "List of changes", Action::Compare(CompareAction::List), &[], ALL, "diff difference compare"),
    command("next-change", FILES, "Next change", Action::Compare(CompareAction::WalkChanges(1)), &[plain(Key::F8)], ALL, "diff difference compare").repeating(),
    command("previous-change", FILES, "Previous change", Action::Compare(CompareAction::WalkChanges(-1)), &[shift(Key::F8)], ALL, "diff difference compare").repeating(),
    command("exchange", FILES, "Exchange both files", Action::Compare(CompareAction::Exchange), &[ctrl_shift(Key::D)], ALL, "swap sides compare left right flip"),
    command("end-comparison", FILES, "End the comparison", Action::Compare(CompareAction::End), &[], ALL, "diff difference close compare"),
    command("clear-recent", FILES, "Clear recent files", Action::Files(FileAction::ClearRecent), &[], ALL, ""),
    command("save-session", FILES, "Save session", Action::Export(ExportAction::Session), &[ctrl(Key::S)], ALL, "save view share bookmark workspace"),
    command("export", FILES, "Export…", Action::Export(ExportAction::Dialog), &[ctrl(Key::E)], ALL, "save gif webp apng video mp4 animation sprite sheet render share"),
    command("copy-export", FILES, "Copy file", Action::Export(ExportAction::CopyFile), &[], ALL, "export exported clipboard"),
    command("copy-export-command", FILES, "Copy command", Action::Export(ExportAction::CopyExport), &[], ALL, "export exported script batch cli"),
    command("screenshot", FILES, "Screenshot", Action::Export(ExportAction::Screenshot { overlays: true }), &[plain(Key::F12)], ALL, "save export capture picture image png render snapshot"),
    command("screenshot-plain", FILES, "Screenshot without overlays", Action::Export(ExportAction::Screenshot { overlays: false }), &[ctrl(Key::F12), ctrl_shift(Key::S)], ALL, "save export capture picture image png render"),
    command("screenshot-settings", FILES, "Screenshot settings…", Action::Looking(LookAction::GoTo(Destination::Screenshot)), &[], ALL, "crop transparent size scale resolution capture picture image png"),
    command("show-in-folder", FILES, "Show in folder", Action::ShowInFolder, &[], ALL, "reveal explorer finder file manager screenshot saved"),
    command("copy-picture", FILES, "Copy the picture", Action::Export(ExportAction::CopyPicture), &[ctrl_shift(Key::C)], ALL, "clipboard image export"),
    command("copy-command-line", FILES, "Copy as capture command", Action::Export(ExportAction::CopyCommandLine), &[ctrl_shift(Key::L)], ALL, "record script batch line export cli terminal ci"),
    command("copy-window-command", FILES, "Copy as window command", Action::Export(ExportAction::CopyWindowCommand), &[], ALL, "open view line cli terminal share"),

    command("play", PLAYBACK, "Play or pause", Action::Playback(PlaybackAction::TogglePlay), &[plain(Key::Space)], ALL, "start stop pause resume"),
    command("play-backwards", PLAYBACK, "Play backwards or pause", Action::Playback(PlaybackAction::ToggleBackwards), &[shift(Key::Space)], ALL, "reverse rewind"),
    command("step-back", PLAYBACK, "Step back", Action::Playback(PlaybackAction::Step(-1)), &[plain(Key::ArrowLeft), plain(Key::Comma)], ALL, "previous frame").repeating(),
    command("step-forward", PLAYBACK, "Step forward", Action::Playback(PlaybackAction::Step(1)), &[plain(Key::ArrowRight), plain(Key::Period)], ALL, "next frame").repeating(),
    command("previous-mark", PLAYBACK, "Previous mark", Action::Playback(PlaybackAction::WalkMarks(-1)), &[ctrl(Key::Comma)], ALL, "key event marker note").repeating(),
    command("next-mark", PLAYBACK, "Next mark", Action::Playback(PlaybackAction::WalkMarks(1)), &[ctrl(Key::Period)], ALL, "key event marker note").repeating(),
    command("first-frame", PLAYBACK, "First frame", Action::Playback(PlaybackAction::FirstFrame), &[plain(Key::Home)], ALL, "start beginning rewind"),
    command("last-frame", PLAYBACK, "Last frame", Action::Playback(PlaybackAction::LastFrame), &[plain(Key::End)], ALL, "end"),
    command("previous-animation", PLAYBACK, "Previous animation", Action::Playback(PlaybackAction::WalkAnimations(-1)), &[plain(Key::PageUp)], ALL, "").repeating(),
    command("next-animation", PLAYBACK, "Next animation", Action::Playback(PlaybackAction::WalkAnimations(1)), &[plain(Key::PageDown)], ALL, "").repeating(),
    command("slower", PLAYBACK, "Slower", Action::Playback(PlaybackAction::WalkSpeed(-1)), &[plain(Key::OpenBracket)], ALL, "speed rate slow motion").repeating(),
    command("faster", PLAYBACK, "Faster", Action::Playback(PlaybackAction::WalkSpeed(1)), &[plain(Key::CloseBracket)], ALL, "speed rate").repeating(),
    command("normal-speed", PLAYBACK, "Normal speed", Action::Playback(PlaybackAction::Speed(1.0)), &[plain(Key::Backspace)], ALL, "reset speed rate 100 %"),
    command("longer-fade", PLAYBACK, "Longer cross-fade", Action::Looking(LookAction::WalkFade(1)), &[plain(Key::J)], BONES, "crossfade transition blend mix").repeating(),
    command("shorter-fade", PLAYBACK, "Shorter cross-fade", Action::Looking(LookAction::WalkFade(-1)), &[shift(Key::J)], BONES, "crossfade transition blend mix cut").repeating(),
    command("next-fade-curve", PLAYBACK, "Next cross-fade curve", Action::Looking(LookAction::CycleFadeCurve), &[], BONES, "crossfade transition blend mix easing linear smooth"),
    command("blend", PLAYBACK, "Blend with…", Action::Looking(LookAction::GoTo(Destination::Blend)), &[], BONES, "mix tree space synchronised locomotion walk run"),
    command("end-blend", PLAYBACK, "End the blend", Action::Playback(PlaybackAction::Blend(None)), &[], BONES, "mix alone single"),
    command("next-loop-mode", PLAYBACK, "Next loop mode", Action::Playback(PlaybackAction::CycleLoop), &[plain(Key::L)], ALL, "repeat cycle ping-pong once"),
    command("file-loop-mode", PLAYBACK, "Use the file's loop mode", Action::Playback(PlaybackAction::Looping(None)), &[], ALL, "repeat reset"),
    command("section-start", PLAYBACK, "Start the loop range here", Action::Playback(PlaybackAction::SectionStart), &[plain(Key::OpenCurlyBracket), shift(Key::OpenBracket)], ALL, "section range in point loop from"),
    command("section-end", PLAYBACK, "End the loop range here", Action::Playback(PlaybackAction::SectionEnd), &[plain(Key::CloseCurlyBracket), shift(Key::CloseBracket)], ALL, "section range out point loop to"),
    command("whole-animation", PLAYBACK, "Play all frames", Action::Playback(PlaybackAction::Section(None)), &[shift(Key::L)], ALL, "clear range section"),
    command("animations", PLAYBACK, "Animations", Action::Looking(LookAction::GoTo(Destination::Animations)), &[ctrl(Key::Num3)], PLANE, "clips actions list"),
    command("time-line", PLAYBACK, "Timeline", Action::Looking(LookAction::GoTo(Destination::TimeLine)), &[ctrl(Key::Num4)], ALL, "timeline scrub seek"),
    command("go-to-frame", PLAYBACK, "Go to a frame", Action::Looking(LookAction::GoTo(Destination::Frame)), &[ctrl(Key::G)], ALL, ""),
    command("bind-by-name", PLAYBACK, "Bind pose: by name", Action::Playback(PlaybackAction::Bind(BindChoice::Auto)), &[], CHARACTER, ""),
    command("bind-none", PLAYBACK, "Bind pose: none", Action::Playback(PlaybackAction::Bind(BindChoice::None)), &[], CHARACTER, ""),
    command("bind-here", PLAYBACK, "Bind pose: frame on screen", Action::Playback(PlaybackAction::BindHere), &[], CHARACTER, ""),
    command("one-figure", PLAYBACK, "Figures: one", Action::Playback(PlaybackAction::Instances(Instances::ONE)), &[], PLANE, "instances crowd"),
    command("figures-grid", PLAYBACK, "Figures: 16 in a grid", Action::Playback(PlaybackAction::Instances(Instances { count: 16, scattered: false })), &[], PLANE, "instances crowd many copies"),
    command("figures-scattered", PLAYBACK, "Figures: 100 scattered", Action::Playback(PlaybackAction::Instances(Instances { count: 100, scattered: true })), &[], PLANE, "instances crowd many copies stress"),
    command("loop-check", PLAYBACK, "Loop check", Action::Toggle(Switch::LoopCheck), &[], BONES, "jump pop glitch smooth seamless hitch quality"),
    command("smooth", PLAYBACK, "Smooth playback", Action::Toggle(Switch::Smooth), &[plain(Key::S)], ALL, "interpolate blend tween"),

    command("fit", VIEW, "Fit the animation", Action::Camera(CameraAction::Fit), &[plain(Key::F)], ALL, "frame zoom center centre home reset view"),
    command("fit-all", VIEW, "Fit all animations", Action::Camera(CameraAction::FitAll), &[], PLANE, "frame zoom all center centre home reset view"),
    command("fit-frame", VIEW, "Fit this frame", Action::Camera(CameraAction::FitFrame), &[], PLANE, "zoom center centre view"),
    command("fit-selection", VIEW, "Fit the selection", Action::Camera(CameraAction::FitChosen), &[shift(Key::F)], BONES, "frame zoom center centre view bone mesh"),
    command("actual-size", VIEW, "Actual size, 100 %", Action::Camera(CameraAction::ActualSize), &[plain(Key::Num1)], PLANE, "zoom 1:1 100 % pixels"),
    command("zoom-in", VIEW, "Zoom in", Action::Camera(CameraAction::ZoomBy(1)), &[plain(Key::Plus), plain(Key::Equals)], ALL, "").repeating(),
    command("zoom-out", VIEW, "Zoom out", Action::Camera(CameraAction::ZoomBy(-1)), &[plain(Key::Minus)], ALL, "").repeating(),
    command("nudge-left", VIEW, "Nudge left", Action::Camera(CameraAction::Nudge([-1, 0])), &[shift(Key::ArrowLeft)], ALL, "").repeating(),
    command("nudge-right", VIEW, "Nudge right", Action::Camera(CameraAction::Nudge([1, 0])), &[shift(Key::ArrowRight)], ALL, "").repeating(),
    command("nudge-up", VIEW, "Nudge up", Action::Camera(CameraAction::Nudge([0, -1])), &[plain(Key::ArrowUp), shift(Key::ArrowUp)], ALL, "").repeating(),
    command("nudge-down", VIEW, "Nudge down", Action::Camera(CameraAction::Nudge([0, 1])), &[plain(Key::ArrowDown), shift(Key::ArrowDown)], ALL, "").repeating(),
    command("turn-left", VIEW, "Turn the camera left", Action::Camera(CameraAction::TurnBy([-1, 0])), &[alt(Key::ArrowLeft)], SPACE, "rotate orbit 3d").repeating(),
    command("turn-right", VIEW, "Turn the camera right", Action::Camera(CameraAction::TurnBy([1, 0])), &[alt(Key::ArrowRight)], SPACE, "rotate orbit 3d").repeating(),
    command("turn-up", VIEW, "Turn the camera up", Action::Camera(CameraAction::TurnBy([0, 1])), &[alt(Key::ArrowUp)], SPACE, "rotate orbit 3d").repeating(),
    command("turn-down", VIEW, "Turn the camera down", Action::Camera(CameraAction::TurnBy([0, -1])), &[alt(Key::ArrowDown)], SPACE, "rotate orbit 3d").repeating(),
    command("follow", VIEW, "Follow the selected bone", Action::Toggle(Switch::Follow), &[alt(Key::F)], BONES, ""),
    command("ruler", VIEW, "Ruler", Action::Toggle(Switch::Ruler), &[plain(Key::M)], PLANE, ""),
    command("measure", VIEW, "Measure the selected bone or mesh", Action::Ruler(RulerAction::Chosen), &[shift(Key::M)], PLANE, ""),
    command("next-background", VIEW, "Next background", Action::Looking(LookAction::CycleBackground), &[plain(Key::K)], ALL, "colour color checkerboard transparent alpha"),
    command("background-colour", VIEW, "Background colour…", Action::Looking(LookAction::GoTo(Destination::Background)), &[], ALL, "color black white grey gray transparent hex"),
    command("checkerboard", VIEW, "Checkerboard as background", Action::Looking(LookAction::Background(Background::Checker)), &[], ALL, "checkers transparent alpha"),
    command("background-picture", VIEW, "Background picture…", Action::Ask(Ask::Picture), &[], ALL, "image colour color backdrop"),
    command("reference-picture", VIEW, "Reference picture…", Action::Ask(Ask::Reference), &[], ALL, ""),
    command("reference", VIEW, "Hide or show the reference picture", Action::Reference(ReferenceAction::Toggle), &[shift(Key::K)], ALL, ""),
    command("reference-above", VIEW, "Reference picture above or below", Action::Reference(ReferenceAction::Turn), &[], ALL, ""),
    command("reference-fit", VIEW, "Fit the reference picture", Action::Reference(ReferenceAction::Fit), &[], ALL, ""),
    command("reference-remove", VIEW, "Remove the reference picture", Action::Reference(ReferenceAction::Remove), &[], ALL, ""),
    command("nearest", VIEW, "Pixelated (nearest)", Action::Toggle(Switch::Nearest), &[plain(Key::N)], PLANE, "pixel art filter interpolation texture texels blur sharp").tool(Icon::Grid3x3, "Show the pixels of the images as sharp squares", PLANE),
    command("mirror", VIEW, "Mirror the picture", Action::Camera(CameraAction::Mirror), &[ctrl(Key::M)], ALL, "flip horizontal left right reflect"),
    command("y-down", VIEW, "Y points down", Action::Toggle(Switch::YDown), &[plain(Key::Y)], PLANE, "flip mirror upside down vertical").tool(Icon::ArrowDownFromLine, "Flip the picture, for files authored with Y down", PLANE),
    command("front", VIEW, "View from the front, then the back", Action::Camera(CameraAction::Face(Facing::Front)), &[plain(Key::Num1)], SPACE, ""),
    command("side", VIEW, "View from the side, then the other side", Action::Camera(CameraAction::Face(Facing::Side)), &[plain(Key::Num3)], SPACE, ""),
    command("top", VIEW, "View from the top, then the bottom", Action::Camera(CameraAction::Face(Facing::Top)), &[plain(Key::Num7)], SPACE, ""),
    command("perspective", VIEW, "Perspective", Action::Toggle(Switch::Perspective), &[plain(Key::Num5)], SPACE, "").tool(Icon::Box, "Off: orthographic", SPACE),
    command("z-up", VIEW, "Z points up", Action::Toggle(Switch::ZUp), &[plain(Key::Z)], SPACE, "").tool(Icon::ArrowUpFromLine, "Off: Y points up", SPACE),
    command("in-place", VIEW, "Stay in place", Action::Toggle(Switch::InPlace), &[plain(Key::M)], SPACE, "").tool(Icon::Anchor, "Leave out root motion", SPACE),

    command("no-overlays", OVERLAYS, "No overlays", Action::Looking(LookAction::NoOverlays), &[], ALL, "hide all off clear clean reset look"),
    layer("bones", Layer::Bones, &[plain(Key::B)], "skeleton rig armature joints").tool(Icon::Bone, "", CHARACTER),
    layer("bone-names", Layer::Names, &[shift(Key::B)], "labels").tool(Icon::Type, "", SPACE),
    layer("wireframe", Layer::Wireframe, &[plain(Key::E)], "mesh triangles edges topology").tool(Icon::Pyramid, "", PLANE),
    layer("bounds", Layer::Bounds, &[plain(Key::U)], "bounding box aabb").tool(Icon::VectorSquare, "Of each mesh and of the whole frame", PLANE),
    layer("origin", Layer::Origin, &[plain(Key::O)], "axes pivot zero").tool(Icon::Move3d, "Where the world axes cross", PLANE),
    layer("axes", Layer::Axes, &[plain(Key::X)], "").tool(Icon::Axis3d, "X red, Y green, Z blue", SPACE),
    layer("grid", Layer::Grid, &[shift(Key::G)], "ground floor").tool(Icon::Grid2x2, "The lower left corner shows the spacing of its lines", SPACE),
    layer("path", Layer::Path, &[shift(Key::P)], "").tool(Icon::Route, "Path of the root motion", SPACE),
    command("trail", OVERLAYS, "Trail of the selected bone", Action::Toggle(Switch::Trail), &[shift(Key::T)], BONES, "motion path trajectory arc").tool(Icon::Waypoints, "Select a bone in the tree", BONES),
    command("trail-vertex", OVERLAYS, "Trail of the clicked vertex", Action::Parts(PartAction::TraceVertex), &[], CHARACTER, "motion path trajectory arc point"),
    command("ghosts", OVERLAYS, "Onion skin", Action::Toggle(Switch::Onion), &[shift(Key::O)], ALL, "ghosts ghosting light table").tool(Icon::Blend, "", ALL),
    command("more-ghosts", OVERLAYS, "More onion skin", Action::Looking(LookAction::MoreGhosts), &[], ALL, ""),
    command("fewer-ghosts", OVERLAYS, "Less onion skin", Action::Looking(LookAction::FewerGhosts), &[], ALL, ""),
    command("next-ghost-step", OVERLAYS, "Next onion skin step", Action::Looking(LookAction::CycleGhostStep), &[], ALL, ""),
    command("ghost-settings", OVERLAYS, "Onion skin settings…", Action::Looking(LookAction::GoTo(Destination::Onion)), &[], ALL, "ghosts before after step colour color number frames"),
    command("pin-frame", OVERLAYS, "Pin this frame", Action::Looking(LookAction::PinFrame), &[plain(Key::P)], ALL, "ghost compare pose hold freeze reference"),
    command("pin", OVERLAYS, "Pinned frame", Action::Toggle(Switch::Pin), &[alt(Key::P)], ALL, "ghost compare pose").tool(Icon::Pin, "Its ghost stays while other frames play", ALL),
    command("unpin", OVERLAYS, "Clear the pinned frame", Action::Looking(LookAction::Unpin), &[], ALL, "unpin ghost remove"),
    layer("draw-order", Layer::Order, &[plain(Key::D)], "z order depth layers").tool(Icon::ListOrdered, "0 is drawn first", PLANE),
    layer("overdraw", Layer::Overdraw, &[shift(Key::E)], "heat map fill rate layers cost performance").tool(Icon::Flame, "Layers of each pixel, as colours", PLANE),
    command("weights", OVERLAYS, "Weights of the selected bone", Action::Toggle(Switch::Weights), &[plain(Key::W)], CHARACTER, "skinning influences paint").tool(Icon::Contrast, "Select a bone in the tree", CHARACTER),
    command("atlas", OVERLAYS, "Atlas page of the selected mesh", Action::Toggle(Switch::Atlas), &[plain(Key::A)], PLANE, "texture page uv image sheet").tool(Icon::LayoutGrid, "Select a mesh in the picture or in the list", PLANE),
    command("statistics", OVERLAYS, "Statistics", Action::Toggle(Switch::Hud), &[plain(Key::I)], ALL, "fps performance stats frame rate hud cost").tool(Icon::ChartColumn, "Time and work per frame", ALL),

    command("hide", PARTS, "Hide or show the selected mesh", Action::Parts(PartAction::ToggleChosen), &[plain(Key::H)], PLANE, "visibility show toggle eye"),
    command("solo", PARTS, "Isolate the selected mesh", Action::Parts(PartAction::SoloChosen), &[shift(Key::H)], PLANE, "solo alone only"),
    command("hide-bone", PARTS, "Hide or show the selected bone", Action::Parts(PartAction::HideChosenBone(false)), &[ctrl(Key::H)], CHARACTER, ""),
    command("hide-bones", PARTS, "Hide or show the selected bone and those below", Action::Parts(PartAction::HideChosenBone(true)), &[ctrl_shift(Key::H)], CHARACTER, ""),
    command("show-all", PARTS, "Show all meshes", Action::Parts(PartAction::ShowAll(true)), &[alt(Key::H)], PLANE, "unhide visibility reveal"),
    command("hide-all", PARTS, "Hide all meshes", Action::Parts(PartAction::ShowAll(false)), &[], PLANE, "visibility none"),
    command("reset-meshes", PARTS, "Reset all meshes", Action::Parts(PartAction::ResetMeshes), &[plain(Key::R)], PLANE, "revert undo overrides visibility order"),
    command("replace-image", PARTS, "Replace image…", Action::Image(ImageAction::Ask), &[], PLANE, "skin texture atlas page png swap"),
    command("original-image", PARTS, "Original image", Action::Image(ImageAction::Original), &[], PLANE, "skin texture atlas page reset"),
    command("live-order", PARTS, "Sort list by current draw order", Action::Toggle(Switch::LiveOrder), &[], CHARACTER, ""),
    command("choose-nothing", PARTS, "Clear selection", Action::Parts(PartAction::ChooseNothing), &[ctrl_shift(Key::A)], ALL, "deselect unselect clear selection"),
    command("menu", PARTS, "Menu of the selection", Action::Looking(LookAction::GoTo(Destination::Menu)), &[shift(Key::F10), plain(Key::Menu)], ALL, ""),
    command("meshes", PARTS, "List of meshes", Action::Looking(LookAction::GoTo(Destination::List(Tab::Meshes))), &[ctrl(Key::Num1)], PLANE, "parts slots layers list outliner"),
    command("stage", PARTS, "Characters of the stage", Action::Looking(LookAction::GoTo(Destination::List(Tab::Stage))), &[], PLANE, "group scene place members"),
    command("motions", PARTS, "List of motions", Action::Looking(LookAction::GoTo(Destination::List(Tab::Motions))), &[ctrl(Key::Num3)], SPACE, ""),
    command("tree", PARTS, "Tree of bones", Action::Looking(LookAction::GoTo(Destination::List(Tab::Bones))), &[ctrl(Key::Num2)], BONES, "bones skeleton hierarchy list outliner"),

    command("undo", WINDOW, "Undo", Action::Undo, &[ctrl(Key::Z)], ALL, "revert back").repeating(),
    command("redo", WINDOW, "Redo", Action::Redo, &[ctrl_shift(Key::Z), ctrl(Key::Y)], ALL, "repeat again").repeating(),
    command("curves", WINDOW, "Curves and keys", Action::Toggle(Switch::Curves), &[plain(Key::C)], BONES, "graph editor dope sheet keys"),
    command("palette", WINDOW, "All actions", Action::Toggle(Switch::Palette), &[ctrl(Key::K)], ALL, "commands search find"),
    command("keys", WINDOW, "All keys", Action::Toggle(Switch::Keys), &[plain(Key::Questionmark), plain(Key::F1)], ALL, "shortcuts help hotkeys keyboard"),
    command("panels", WINDOW, "Panels", Action::Toggle(Switch::Panels), &[plain(Key::F9)], ALL, "hide interface ui sidebar"),
    command("hints", WINDOW, "Hints for beginners", Action::Toggle(Switch::Hints), &[], ALL, "help tips tutorial"),
    command("full-screen", WINDOW, "Full screen", Action::Toggle(Switch::FullScreen), &[plain(Key::F11), alt(Key::Enter)], ALL, "maximise maximize presentation"),
    command("preview", WINDOW, "Preview window", Action::Toggle(Switch::Preview), &[shift(Key::F9)], ALL, "mini picture in picture always on top small pin float"),
    command("warnings", WINDOW, "Warnings about the file", Action::Looking(LookAction::GoTo(Destination::Warnings)), &[], ALL, "errors problems validate findings"),
    command("next-theme", WINDOW, "Next theme", Action::Looking(LookAction::CycleTheme), &[plain(Key::T)], ALL, "dark light appearance"),
    command("theme-system", WINDOW, "System theme", Action::Looking(LookAction::Theme(ThemePreference::System)), &[], ALL, ""),
    command("theme-light", WINDOW, "Light theme", Action::Looking(LookAction::Theme(ThemePreference::Light)), &[], ALL, "day appearance"),
    command("theme-dark", WINDOW, "Dark theme", Action::Looking(LookAction::Theme(ThemePreference::Dark)), &[], ALL, "night appearance"),
    command("high-contrast", WINDOW, "High contrast", Action::Interface(InterfaceAction::ToggleContrast), &[], ALL, ""),
    command("contrast-system", WINDOW, "Use the system's contrast setting", Action::Interface(InterfaceAction::Contrast(None)), &[], ALL, ""),
    command("reduced-motion", WINDOW, "Reduced motion", Action::Interface(InterfaceAction::ToggleMotion), &[], ALL, ""),
    command("motion-system", WINDOW, "Use the system's motion setting", Action::Interface(InterfaceAction::Motion(None)), &[], ALL, ""),
    command("larger-interface", WINDOW, "Larger interface", Action::Interface(InterfaceAction::StepScale(true)), &[ctrl(Key::Plus), ctrl(Key::Equals)], ALL, "ui scale size zoom dpi").repeating(),
    command("smaller-interface", WINDOW, "Smaller interface", Action::Interface(InterfaceAction::StepScale(false)), &[ctrl(Key::Minus)], ALL, "ui scale size zoom dpi").repeating(),
    command("usual-interface", WINDOW, "Interface at 100 %", Action::Interface(InterfaceAction::Scale(InterfaceScale::USUAL)), &[ctrl(Key::Num0)], ALL, "ui scale size reset dpi"),
    command("dismiss", WINDOW, "Dismiss", Action::Dismiss, &[plain(Key::Escape)], ALL, ""),
    command("quit", WINDOW, "Quit", Action::Quit, &[ctrl(Key::Q)], ALL, "exit close"),
];

/// Keys that a settings file gives to one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rebound {
    /// The action's id.
    pub id: String,
    /// Keys as written. An empty list unbinds the action.
    pub keys: Vec<String>,
    /// Line in the file, from 1.
    pub line: usize,
}

/// Keys of all actions, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bindings {
    keys: Vec<(&'static str, Vec<KeyboardShortcut>)>,
}

impl Bindings {
    /// Applies the user's keys over those of all commands. Returns the bindings and mistakes in the user's keys. A
    /// key given to one action is removed from all others.
    pub(crate) fn new(rebound: &[Rebound]) -> (Self, Vec<String>) {
        let mut warnings = Vec::new();
        let mut keys: Vec<(&'static str, Vec<KeyboardShortcut>)> =
            COMMANDS.iter().map(|command| (command.id, command.keys.to_vec())).collect();
        let mut given: Vec<(KeyboardShortcut, &'static str)> = Vec::new();
        for Rebound { id, keys: texts, line } in rebound {
            let Some((id, own)) = keys.iter_mut().find(|(known, _)| known == id) else {
                warnings.push(format!("line {line}: unknown action {id:?}"));
                continue;
            };
            own.clear();
            for text in texts {
                match parse_shortcut(text) {
                    Err(error) => warnings.push(format!("line {line}: {id}: {error}")),
                    Ok(key) => match given.iter().find(|(taken, _)| *taken == key) {
                        Some((_, other)) if other == id => {}
                        Some((_, other)) => warnings.push(format!(
                            "line {line}: {} is assigned to both {other} and {id}; {other} keeps it",
                            print_shortcut(&key)
                        )),
                        None => {
                            own.push(key);
                            given.push((key, *id));
                        }
                    },
                }
            }
        }
        for (id, own) in &mut keys {
            own.retain(|key| {
                let taken = given.iter().find(|(taken, by)| taken == key && by != id);
                if let Some((_, by)) = taken {
                    warnings.push(format!(
                        "{} is now assigned to {by}, no longer to {id}",
                        print_shortcut(key)
                    ));
                }
                taken.is_none()
            });
        }
        (Self { keys }, warnings)
    }

    /// Returns the keys of an action. The first is the one to show.
    pub(crate) fn of(&self, id: &str) -> &[KeyboardShortcut] {
        let found = self.keys.iter().find(|(known, _)| *known == id);
        found.map(|(_, keys)| keys.as_slice()).unwrap_or_default()
    }

    /// Installs the keys of a window.
    pub(crate) fn install(self: Arc<Self>, context: &Context) {
        context.data_mut(|data| data.insert_temp(Id::NULL, self));
    }

    /// Returns the keys of a window: the installed ones, or the program's own.
    pub(crate) fn installed(context: &Context) -> Arc<Self> {
        let found = context.data(|data| data.get_temp::<Arc<Self>>(Id::NULL));
        found.unwrap_or_else(|| {
            let own = Arc::new(Self::new(&[]).0);
            Arc::clone(&own).install(context);
            own
        })
    }
}

/// Parses a shortcut: `Ctrl+Shift+K`, `Space`, `[`, `F12`, `?`, `Plus`. Case does not matter. `Ctrl` is the command key: Cmd on macOS.
///
/// # Errors
/// The unknown part, in words.
fn parse_shortcut(text: &str) -> Result<KeyboardShortcut, String> {
    // `+` is a key, too: `Ctrl++`.
    let (before, name) = match text.trim().strip_suffix('+') {
        Some(before) => (before.strip_suffix('+').unwrap_or(before), "+"),
        None => text.trim().rsplit_once('+').unwrap_or(("", text.trim())),
    };
    let mut modifiers = Modifiers::NONE;
    for word in before.split('+').map(str::trim).filter(|word| !word.is_empty()) {
        modifiers |= match word.to_ascii_lowercase().as_str() {
            "ctrl" | "control" | "cmd" | "command" => Modifiers::COMMAND,
            "shift" => Modifiers::SHIFT,
            "alt" | "option" => Modifiers::ALT,
            _ => {
                return Err(format!(
                    "unknown modifier {word:?} in {text:?}: expected Ctrl, Shift or Alt"
                ));
            }
        };
    }
    let name = name.trim();
    let by_name = || {
        let same = |key: &&Key| key.name().eq_ignore_ascii_case(name);
        Key::ALL.iter().find(same).copied()
    };
    let key = Key::from_name(name).or_else(by_name);
    let key = key.ok_or_else(|| format!("unknown key {name:?}"))?;
    Ok(KeyboardShortcut::new(modifiers, key))
}

/// Returns a shortcut as text that [`parse_shortcut`] accepts.
fn print_shortcut(shortcut: &KeyboardShortcut) -> String {
    shortcut.format(&ModifierNames::NAMES, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_no_name_and_no_id_is_given_twice() {
        for kind in [ContentKind::Character, ContentKind::Atlas, ContentKind::Motion] {
            let concerned = COMMANDS.iter().filter(|it| it.kinds.contains(&kind));
            let keys: Vec<_> = concerned.flat_map(|command| command.keys).collect();
            for (i, key) in keys.iter().enumerate() {
                assert!(!keys[i + 1..].contains(key), "{kind:?}: {key:?}");
            }
        }
        for (i, a) in COMMANDS.iter().enumerate() {
            for b in &COMMANDS[i + 1..] {
                assert_ne!(a.id, b.id);
                assert_ne!(a.name, b.name);
                assert_ne!(a.action, b.action);
            }
        }
    }

    #[test]
    fn each_layer_is_in_a_toolbar_and_no_tool_is_where_it_does_nothing() {
        for layer in Layer::ALL {
            let command = Action::Toggle(Switch::Overlay(layer)).command();
            let tool = command.and_then(|command| command.tool);
            assert!(tool.is_some_and(|tool| !tool.kinds.is_empty()), "{layer:?}");
        }
        for command in COMMANDS {
            let mut kinds = command.tool.iter().flat_map(|tool| tool.kinds);
            assert!(kinds.all(|kind| command.kinds.contains(kind)), "{}", command.id);
        }
    }

    #[test]
    fn an_action_is_listed_under_each_heading() {
        for group in GROUPS {
            let count = COMMANDS.iter().filter(|command| command.group == group).count();
            assert!(count > 1, "{group}");
        }
        for command in COMMANDS {
            let synonyms = command.synonyms;
            assert_eq!(synonyms, synonyms.to_lowercase(), "{}", command.id);
        }
    }

    fn rebound(id: &str, keys: &[&str], line: usize) -> Rebound {
        Rebound { id: id.into(), keys: keys.iter().map(|key| (*key).to_owned()).collect(), line }
    }

    #[test]
    fn shortcuts_are_read_however_they_are_written() {
        let command_shift = Modifiers::COMMAND | Modifiers::SHIFT;
        for (text, modifiers, key) in [
            ("Ctrl+Shift+K", command_shift, Key::K),
            (" shift + cmd + k ", command_shift, Key::K),
            ("Space", Modifiers::NONE, Key::Space),
            ("pagedown", Modifiers::NONE, Key::PageDown),
            ("[", Modifiers::NONE, Key::OpenBracket),
            ("F12", Modifiers::NONE, Key::F12),
            ("?", Modifiers::NONE, Key::Questionmark),
            ("Plus", Modifiers::NONE, Key::Plus),
            ("+", Modifiers::NONE, Key::Plus),
            ("Ctrl++", Modifiers::COMMAND, Key::Plus),
            ("Alt+Right", Modifiers::ALT, Key::ArrowRight),
        ] {
            assert_eq!(parse_shortcut(text), Ok(KeyboardShortcut::new(modifiers, key)));
        }
        for (text, error) in [
            ("Ctrl+Spacebar", "unknown key \"Spacebar\""),
            ("", "unknown key \"\""),
            ("Hyper+K", "unknown modifier \"Hyper\" in \"Hyper+K\": expected Ctrl, Shift or Alt"),
        ] {
            assert_eq!(parse_shortcut(text), Err(error.into()));
        }
    }

    #[test]
    fn every_key_is_printed_as_it_is_read() {
        let all = Modifiers::COMMAND | Modifiers::ALT | Modifiers::SHIFT;
        for modifiers in [Modifiers::NONE, Modifiers::COMMAND, all] {
            for key in Key::ALL {
                let shortcut = KeyboardShortcut::new(modifiers, *key);
                assert_eq!(parse_shortcut(&print_shortcut(&shortcut)), Ok(shortcut));
            }
        }
        let shortcut = KeyboardShortcut::new(Modifiers::COMMAND | Modifiers::SHIFT, Key::K);
        assert_eq!(print_shortcut(&shortcut), "Ctrl+Shift+K");
    }

    #[test]
    fn a_wish_takes_the_place_of_the_programs_own_keys() {
        let (own, _) = Bindings::new(&[]);
        assert_eq!(own.of("play"), [plain(Key::Space)]);
        assert_eq!(own.of("none such"), []);
        let wishes = [
            rebound("fit", &["Ctrl+F", "ctrl+j"], 2),
            rebound("play", &[], 3),
            rebound("bones", &["Space"], 4),
        ];
        let (bindings, warnings) = Bindings::new(&wishes);
        assert_eq!(warnings, [""; 0]);
        assert_eq!(bindings.of("fit"), [ctrl(Key::F), ctrl(Key::J)]);
        assert_eq!(bindings.of("play"), []);
        assert_eq!(bindings.of("bones"), [plain(Key::Space)]);
    }

    #[test]
    fn what_does_not_go_together_is_named_with_its_line() {
        let wishes = [
            rebound("bones", &["Space", "NoKey"], 5),
            rebound("fit", &["Space", "Ctrl+J"], 6),
            rebound("dance", &["D"], 7),
        ];
        let (bindings, warnings) = Bindings::new(&wishes);
        assert_eq!(
            warnings,
            [
                "line 5: bones: unknown key \"NoKey\"",
                "line 6: Space is assigned to both bones and fit; bones keeps it",
                "line 7: unknown action \"dance\"",
                "Space is now assigned to bones, no longer to play",
            ]
        );
        assert_eq!(bindings.of("bones"), [plain(Key::Space)]);
        assert_eq!(bindings.of("fit"), [ctrl(Key::J)]);
        assert_eq!(bindings.of("play"), []);
    }

    #[test]
    fn the_programs_own_keys_go_together_and_count_until_others_are_installed() {
        let (own, warnings) = Bindings::new(&[]);
        assert_eq!(warnings, [""; 0]);
        let context = Context::default();
        assert_eq!(*Bindings::installed(&context), own);
        let (wished, _) = Bindings::new(&[rebound("play", &["P"], 1)]);
        Arc::new(wished).install(&context);
        assert_eq!(Bindings::installed(&context).of("play"), [plain(Key::P)]);
        assert_eq!(Bindings::installed(&context).of("fit"), own.of("fit"));
    }
}
