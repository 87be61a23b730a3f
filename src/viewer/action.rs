//! Everything that can be done: each action has a name; those that need no more than a wish are in the table of
//! [`COMMANDS`], with an id, a place in the palette and perhaps a key.
//!
//! Panels and keys only make actions; [`super::state::State::apply`] carries them out.

use std::path::PathBuf;

use super::background::Background;
use super::files::Listing;
use super::load::{LoadDone, LoadId, LoadedImage, Progress};
use super::order::Direction;
use super::problem::Problem;
use super::state::ListId;
use super::switch::Switch;
use super::tab::Tab;
use super::theme::ThemeChoice;
use crate::document::{AnimationId, BoneId, MeshId};
use crate::playback::LoopMode;
use crate::pose::BindChoice;

mod commands;

pub(crate) use commands::{COMMANDS, Command, Group};

/// Something that changes the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Asks for files with the system's dialog.
    OpenDialog,
    /// Asks for a folder with the system's dialog.
    OpenFolderDialog,
    /// Shows the files whose paths are on the clipboard.
    PastePath,
    /// Shows these files, the first of them first.
    Open(Vec<PathBuf>),
    /// Shows the sample that the program carries.
    OpenSample,
    /// Reads the file on show again.
    Reload,
    /// Forgets which files were opened.
    ClearRecent,
    /// Shows the file after this one in the list.
    NextFile,
    /// Shows the file before this one in the list.
    PreviousFile,
    /// A load came to its end.
    Loaded(LoadDone),
    /// The files that paths mean; the list that was asked for last counts.
    Listed(ListId, Result<Listing, Problem>),
    /// A file is another one than before.
    Changed(PathBuf),
    /// A load is that far.
    Loading(LoadId, Progress),
    /// An image came that the first picture did not need.
    LoadedImage(LoadedImage),
    /// Something failed outside.
    Report(Problem),
    /// Something was done outside, to be said in passing.
    Say(String),
    /// What was said has been there for long enough.
    Unsay,
    /// What is shown as an error, or lies over the picture, is put away: the uppermost of it.
    Dismiss,
    /// One more file hovers over the window, or none does any longer.
    Hover(Option<PathBuf>),
    /// Ends the program.
    Quit,

    /// Lets time pass.
    Advance(f64),
    /// Shows another animation from its start.
    Animation(AnimationId),
    /// Shows the animation that comes that many places later.
    WalkAnimations(isize),
    /// Plays or pauses.
    TogglePlay,
    /// Playing or pausing was not meant: what it changed is undone.
    UndoPlay,
    /// Plays backwards, or pauses.
    ToggleBackwards,
    /// Pauses and moves by frames.
    Step(i32),
    /// Pauses at the first frame.
    FirstFrame,
    /// Pauses at the last frame.
    LastFrame,
    /// Shows a position in frames.
    Seek(f64),
    /// Goes that many steps up or down the ladder of speeds.
    WalkSpeed(i32),
    /// Seconds of animation per second.
    Speed(f64),
    /// Frames a second instead of the file's, or the file's.
    Fps(Option<f64>),
    /// Once, round or to and fro whatever the file says, or as the file says.
    Looping(Option<LoopMode>),
    /// The next way to go on at an end.
    CycleLoop,
    /// First and last frame of what plays, or all frames.
    Section(Option<[u16; 2]>),
    /// What plays begins at the frame on screen.
    SectionStart,
    /// What plays ends at the frame on screen.
    SectionEnd,
    /// Takes another pose for the one that vertices are stored in.
    Bind(BindChoice),

    /// The picture has another size, in screen pixels.
    Viewport([u32; 2]),
    /// Moves the picture by screen pixels.
    Pan([f64; 2]),
    /// Moves the picture by steps: right and down.
    Nudge([i8; 2]),
    /// Zooms by a factor about a point of the picture.
    Zoom(f64, [f64; 2]),
    /// Zooms by that many steps about the pointer, or about the middle where it is not over the picture.
    ZoomBy(i32),
    /// Where the pointer is over the picture, in screen pixels.
    Point(Option<[f64; 2]>),
    /// Shows the whole animation.
    Fit,
    /// Shows a world pixel as a screen pixel.
    ActualSize,

    /// Shows or hides a mesh whatever the frame says, or as the frame says.
    ShowMesh(MeshId, Option<bool>),
    /// Shows this mesh alone; once more shows what was shown before.
    Solo(MeshId),
    /// Shows or hides all meshes whatever the frame says.
    ShowAll(bool),
    /// Lets a mesh change places with its neighbour in the draw order.
    MoveMesh(MeshId, Direction),
    /// Gives a mesh a place in the draw order: 0 is topmost.
    PlaceMesh(MeshId, usize),
    /// Gives a mesh back to the file.
    ResetMesh(MeshId),
    /// Gives all meshes back to the file.
    ResetMeshes,
    /// Hides or shows the chosen mesh.
    ToggleChosen,
    /// Shows the chosen mesh alone, or what was shown before.
    SoloChosen,
    /// Chooses a mesh, or none.
    ChooseMesh(Option<MeshId>),
    /// Chooses a bone, or none.
    ChooseBone(Option<BoneId>),
    /// Chooses what lies under a point of the picture, in screen pixels.
    Pick([f64; 2]),
    /// Chooses nothing.
    ChooseNothing,
    /// Folds the bones below a bone away, or shows them.
    Fold(BoneId),
    /// Only parts whose name holds this are listed.
    Filter(Tab, String),

    /// Turns something on or off.
    Toggle(Switch),
    /// The side panel has another width, in logical pixels.
    SideWidth(f32),
    /// Brings a tab of the side panel to the front.
    Tab(Tab),
    /// What lies behind the character.
    Background(Background),
    /// The next of the backgrounds that need no more than a wish.
    CycleBackground,
    /// Asks for a picture to lay behind the character.
    BackgroundDialog,
    /// Which theme, or the system's.
    Theme(ThemeChoice),
    /// The next theme.
    CycleTheme,
    /// What is looked for in the palette or among the keys.
    Query(String),

    /// Writes the picture to a file, with what is drawn over it or without.
    Screenshot { overlays: bool },
    /// Puts the picture on the clipboard.
    CopyPicture,
    /// Puts the command on the clipboard that captures the picture.
    CopyCommandLine,
}

impl Action {
    /// What it is called, in a few words.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::OpenDialog => "Open…",
            Self::OpenFolderDialog => "Open folder…",
            Self::PastePath => "Open the path on the clipboard",
            Self::Open(_) => "Open",
            Self::OpenSample => "Open the sample",
            Self::Reload => "Reload",
            Self::ClearRecent => "Clear recent files",
            Self::NextFile => "Next file",
            Self::PreviousFile => "Previous file",
            Self::Loaded(_) => "Show what was loaded",
            Self::Listed(..) => "Show what was found",
            Self::Changed(_) => "Show what changed",
            Self::Loading(..) => "Show how far loading is",
            Self::LoadedImage(_) => "Show an image that was loaded",
            Self::Report(_) => "Show an error",
            Self::Say(_) => "Say",
            Self::Unsay => "Put away what was said",
            Self::Dismiss => "Dismiss",
            Self::Hover(_) => "Hover with a file",
            Self::Quit => "Quit",
            Self::Advance(_) => "Let time pass",
            Self::Animation(_) => "Choose the animation",
            Self::WalkAnimations(by) if *by < 0 => "Previous animation",
            Self::WalkAnimations(_) => "Next animation",
            Self::TogglePlay => "Play or pause",
            Self::UndoPlay => "Play or pause after all",
            Self::ToggleBackwards => "Play backwards or pause",
            Self::Step(frames) if *frames < 0 => "Step back",
            Self::Step(_) => "Step forward",
            Self::FirstFrame => "First frame",
            Self::LastFrame => "Last frame",
            Self::Seek(_) => "Go to a frame",
            Self::WalkSpeed(by) if *by < 0 => "Slower",
            Self::WalkSpeed(_) => "Faster",
            Self::Speed(_) => "Normal speed",
            Self::Fps(None) => "Frame rate of the file",
            Self::Fps(Some(_)) => "Set the frame rate",
            Self::Looping(_) => "Loop as the file says",
            Self::CycleLoop => "Next loop mode",
            Self::Section(_) => "Play all frames",
            Self::SectionStart => "Start the section here",
            Self::SectionEnd => "End the section here",
            Self::Bind(_) => "Choose the bind pose",
            Self::Viewport(_) => "Resize the picture",
            Self::Pan(_) => "Pan",
            Self::Nudge([x, _]) if *x < 0 => "Nudge left",
            Self::Nudge([x, _]) if *x > 0 => "Nudge right",
            Self::Nudge([_, y]) if *y < 0 => "Nudge up",
            Self::Nudge(_) => "Nudge down",
            Self::Zoom(..) => "Zoom",
            Self::Point(_) => "Point",
            Self::ZoomBy(by) if *by < 0 => "Zoom out",
            Self::ZoomBy(_) => "Zoom in",
            Self::Fit => "Fit the animation",
            Self::ActualSize => "Actual size, 100 %",
            Self::ShowMesh(_, Some(false)) => "Hide",
            Self::ShowMesh(..) => "Show",
            Self::Solo(_) => "Show alone",
            Self::ShowAll(true) => "Show all meshes",
            Self::ShowAll(false) => "Hide all meshes",
            Self::MoveMesh(_, Direction::Up) => "Move up",
            Self::MoveMesh(_, Direction::Down) => "Move down",
            Self::PlaceMesh(..) => "Move in the draw order",
            Self::ResetMesh(_) => "Reset",
            Self::ResetMeshes => "Reset all meshes",
            Self::ToggleChosen => "Hide or show the chosen mesh",
            Self::SoloChosen => "Show the chosen mesh alone",
            Self::ChooseMesh(_) => "Choose a mesh",
            Self::ChooseBone(_) => "Choose a bone",
            Self::Pick(_) => "Choose what is under the pointer",
            Self::ChooseNothing => "Choose nothing",
            Self::Fold(_) => "Fold",
            Self::Filter(..) => "Filter",
            Self::Toggle(switch) => switch.name(),
            Self::SideWidth(_) => "Resize the side panel",
            Self::Tab(tab) => tab.action_name(),
            Self::Background(_) => "Choose the background",
            Self::CycleBackground => "Next background",
            Self::BackgroundDialog => "Background picture…",
            Self::Theme(choice) => choice.action_name(),
            Self::CycleTheme => "Next theme",
            Self::Query(_) => "Look for",
            Self::Screenshot { overlays: true } => "Screenshot",
            Self::Screenshot { overlays: false } => "Screenshot without overlays",
            Self::CopyPicture => "Copy the picture",
            Self::CopyCommandLine => "Copy as command line",
        }
    }
}
