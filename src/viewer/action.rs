//! Everything that can be done. Each action has a name. The actions without parameters are also in the table
//! [`COMMANDS`], with an id, a place in the palette and perhaps a key.
//!
//! Panels and keys only make actions; [`super::state::State::apply`] carries them out.

mod commands_and_keys;
mod compare_and_stage;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use egui::{ColorImage, ThemePreference};

use pchr::document::{AnimationId, BoneId, ImageId, MeshId};
use pchr::image::{Levels, Pixels};
use pchr::overlay::Onion;
use pchr::playback::{Blend, FadeOptions, LoopMode};
use pchr::pose::BindChoice;
use pchr::scene::{ClipSmoothness, CurveKind};
use pchr_tools::crowd::Instances;
use pchr_tools::session::Session;
use pchr_tools::text::visible;
use pchr_tools::thumbnail::FileVersion;
use pchr_tools::view::ImageSwap;

use super::background::Background;
use super::export::{ExportChoices, ExportDone, ExportFormat};
use super::facing::Facing;
use super::gallery::{GalleryId, GallerySort, Sketch};
use super::loaded::{LoadDone, LoadId, LoadedImage, Progress};
use super::order::OrderStep;
use crate::viewer::interface::{Comfort, InterfaceScale, PageZoom};
use crate::viewer::kept::Keep;
use crate::viewer::loaded::{ListId, Listing};
use crate::viewer::mesh_facts::MeshFacts;
use crate::viewer::problem::Problem;
use crate::viewer::ruler_and_reference::ReferenceLook;
use crate::viewer::screenshot::ScreenshotChoices;
use crate::viewer::switch::{Destination, Switch, Tab};

pub(crate) use self::compare_and_stage::{CompareAction, Grip, StageAction};
pub(crate) use commands_and_keys::{COMMANDS, Command, CommandGroup};

/// Something that changes the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Opening, listing and reloading files.
    Files(FileAction),
    /// Playing, stepping and seeking.
    Playback(PlaybackAction),
    /// Moving and zooming the picture.
    Camera(CameraAction),
    /// Showing, ordering and choosing meshes and bones.
    Parts(PartAction),
    /// Panels, background and theme.
    Looking(LookAction),
    /// Size, contrast and motion of the interface, and the atlas card.
    Interface(InterfaceAction),
    /// Looking at the pages of an atlas.
    Page(PageAction),
    /// Comparing with a picture.
    Reference(ReferenceAction),
    /// Comparing with another version or another file.
    Compare(CompareAction),
    /// Replacing images of the file.
    Image(ImageAction),
    /// Measuring in the plane.
    Ruler(RulerAction),
    /// Looking at curves, and at the keys of all bones.
    Curves(CurvesAction),
    /// Asks for files with the system's dialog.
    OpenDialog,
    /// Asks for a folder with the system's dialog.
    OpenFolderDialog,
    /// Shows the files whose paths are on the clipboard.
    PastePath,
    /// Something failed outside.
    Report(Problem),
    /// Shows a message for some seconds.
    Say(Message),
    /// Removes the message of the last [`Self::Say`] after its time.
    Unsay,
    /// A screenshot was written to this file.
    Saved(PathBuf),
    /// Shows the last screenshot in the system's file manager.
    ShowInFolder,
    /// Closes the topmost sheet, question, error or message over the picture.
    Dismiss,
    /// Undoes the last step.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
    /// Ends a drag or a burst of the wheel. What comes next is a step of its own.
    Rest,
    /// Ends the program.
    Quit,
    /// Keeps something for the next frame.
    Keep(Keep),
    /// Turns something on or off.
    Toggle(Switch),
    /// Asks for a background picture with the system's dialog.
    BackgroundDialog,
    /// Looking through the files of the list as thumbnails.
    Gallery(GalleryAction),
    /// Exports the picture, a session or a command.
    Export(ExportAction),
    /// Placing the characters of a stage.
    Stage(StageAction),
}

macro_rules! from_topics {
    ($($topic:ident($actions:ident)),* $(,)?) => {
        $(impl From<$actions> for Action {
            fn from(action: $actions) -> Self {
                Self::$topic(action)
            }
        })*
    };
}

from_topics! {
    Files(FileAction),
    Playback(PlaybackAction),
    Camera(CameraAction),
    Parts(PartAction),
    Looking(LookAction),
    Interface(InterfaceAction),
    Page(PageAction),
    Reference(ReferenceAction),
    Compare(CompareAction),
    Image(ImageAction),
    Ruler(RulerAction),
    Curves(CurvesAction),
    Gallery(GalleryAction),
    Export(ExportAction),
    Stage(StageAction),
}

impl Action {
    /// Returns the name of a step that can be undone, or of a label, which is no command.
    fn name_of_step(&self) -> &'static str {
        match self {
            Self::Playback(action) => match action {
                PlaybackAction::Speed(_) => "Set the speed",
                PlaybackAction::WalkSpeed(_) => "Change the speed",
                PlaybackAction::Fps(None) => "Use the file's frame rate",
                PlaybackAction::Fps(Some(_)) => "Set the frame rate",
                PlaybackAction::Looping(_) => "Set the loop mode",
                PlaybackAction::Section(_) => "Set the loop range",
                PlaybackAction::Blend(Some(_)) => "Blend two animations",
                PlaybackAction::Bind(_) => "Choose the bind pose",
                PlaybackAction::Instances(_) => "Set the number of figures",
                _ => "Playback",
            },
            Self::Camera(action) => match action {
                CameraAction::Pan(_) | CameraAction::Nudge(_) => "Pan",
                CameraAction::Zoom(..) | CameraAction::ZoomBy(_) => "Zoom",
                CameraAction::ZoomTo(_) => "Set the zoom",
                CameraAction::Middle(_) => "Centre here",
                CameraAction::Center(..) => "Centre in the picture",
                CameraAction::Turn(_) | CameraAction::TurnBy(_) => "Turn",
                CameraAction::Mirror => "Mirror",
                _ => "View",
            },
            Self::Parts(action) => match action {
                PartAction::ShowMesh(_, Some(false)) => "Hide",
                PartAction::ShowMesh(..) => "Show",
                PartAction::Solo(_) => "Isolate",
                PartAction::MoveMesh(_, OrderStep::Up) => "Move up",
                PartAction::MoveMesh(_, OrderStep::Down) => "Move down",
                PartAction::PlaceMesh(..) => "Move in the draw order",
                PartAction::ResetMesh(_) => "Reset",
                PartAction::Alternative(_) => "Choose an alternative",
                PartAction::FollowFile(_) => "Follow the file",
                PartAction::HideBone(_, false) => "Hide or show a bone",
                PartAction::HideBone(_, true) => "Hide or show a bone and those below",
                _ => "Parts",
            },
            Self::Looking(LookAction::Tab(tab)) => {
                Self::Looking(LookAction::GoTo(Destination::List(*tab))).name()
            }
            Self::Looking(LookAction::PinTint(_)) => "Set the colour of the pinned frame",
            Self::Image(_) => "Replace an image",
            Self::Toggle(Switch::Findings) => "Warnings about the file",
            Self::Stage(action) => match action {
                StageAction::Drag(..) => "Place a character",
                StageAction::Add(_) => "Add to the stage",
                StageAction::Reorder(..) => "Reorder the characters",
                StageAction::Remove(_) => "Remove a character",
                _ => "Change a character",
            },
            Self::Export(ExportAction::Cancel) => "Cancel the export",
            Self::Files(FileAction::Open(_)) => "Open",
            _ => "Action",
        }
    }
}

/// Exports to files and to the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExportAction {
    /// Writes the picture to a file as it is chosen; false leaves out its overlays in any case.
    Screenshot {
        overlays: bool,
    },
    /// Saves the view as a session. The answer is `FileAction::SessionSaved`.
    Session,
    /// Chooses how screenshots and copied pictures are.
    ChooseScreenshot(ScreenshotChoices),
    /// Puts the picture on the clipboard.
    CopyPicture,
    /// Puts the command that captures the picture on the clipboard.
    CopyCommandLine,
    /// Puts the command that opens a window with this view on the clipboard.
    CopyWindowCommand,
    /// Opens the dialog of exports, or closes it.
    Dialog,
    /// Chooses a format, perhaps with choices for it.
    Choose(ExportFormat, Option<ExportChoices>),
    /// Takes the format and the choices of a preset.
    Preset(usize),
    /// Asks for the folder of exports with the system's dialog. The answer is `Self::Folder`.
    AskFolder,
    Folder(PathBuf),
    /// Keeps the file of the dialog, as soon as it is made.
    Start,
    /// Ends the export.
    Cancel,
    /// Makes the file of the choices. The answers are events with this number.
    Make(u64),
    /// Stops making it.
    Stop,
    /// Gives the file that was made its name and place.
    Write,
    Event(u64, ExportEvent),
    /// Drags the file of the dialog out of the window.
    Drag,
    /// Puts the last export on the clipboard as a file.
    CopyFile,
    /// Puts the command of the last export on the clipboard.
    CopyExport,
}

/// Something that happened to an export.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExportEvent {
    /// It gets this path.
    Named(PathBuf),
    /// Pictures drawn so far, and all; bytes that the files will have, about.
    Progress([usize; 2], Option<u64>),
    /// A picture of the file, or a smaller copy of a large one: its number, straight alpha, and its size in the file.
    Picture(usize, Arc<Pixels>, [u32; 2]),
    /// The file was too large, and is made again with lowered choices.
    Again(ExportChoices),
    /// The file is made, or cannot be made.
    Done(Result<ExportDone, Problem>),
    /// It has its place.
    Written(Result<PathBuf, Problem>),
}

/// Opening, listing and reloading files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FileAction {
    /// Shows these files, the first of them first.
    Open(Vec<PathBuf>),
    /// Shows files that were dropped at a point of the window, in screen pixels.
    Drop(Vec<PathBuf>, [f32; 2]),
    /// Shows these files, even if others are open.
    OpenPlain(Vec<PathBuf>),
    /// Shows motions on this skeleton.
    Skeleton(PathBuf),
    /// Asks for the skeleton of the current motion.
    ChooseSkeleton,
    /// Asks with the system's dialog where a missing file of a session is now.
    Locate(PathBuf),
    /// A missing file of a session is this one now.
    Located(PathBuf, PathBuf),
    /// The view was saved as this session.
    SessionSaved(PathBuf, Box<Session>),
    /// Plays these motions on the current character.
    PlayMotions(Vec<PathBuf>),
    /// Shows the sample that the program carries.
    OpenSample,
    /// Reads the open file again.
    Reload,
    /// Opens the files that were open before these, or in the last window.
    ReopenLast,
    /// Forgets which files were opened.
    ClearRecent,
    /// Shows the file after this one in the list.
    NextFile,
    /// Shows the file before this one in the list.
    PreviousFile,
    /// Shows the file of an index in the list.
    Show(usize),
    /// A load came to its end.
    Loaded(LoadDone),
    /// The files that paths refer to; the last requested list is used.
    Listed(ListId, Result<Listing, Problem>),
    /// A file is another one than before.
    Changed(PathBuf),
    /// Progress of a load.
    Loading(LoadId, Progress),
    /// An image came that the first picture did not need.
    LoadedImage(LoadedImage),
    /// Another file is dragged over the window, or none any longer.
    Hover(Option<PathBuf>),
}

/// Playing, stepping and seeking.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlaybackAction {
    /// Lets time pass.
    Advance(f64),
    /// Shows another animation from its start.
    Animation(AnimationId),
    /// Shows the animation that many places later in the list.
    WalkAnimations(isize),
    /// Plays or pauses.
    TogglePlay,
    /// Undoes playing or pausing that was not intended.
    UndoPlay,
    /// Plays backwards, or pauses.
    ToggleBackwards,
    /// Pauses and moves by frames.
    Step(i32),
    /// Pauses at the first frame.
    FirstFrame,
    /// Pauses at the last frame.
    LastFrame,
    /// Shows a position in frames. During a cross-fade it also pauses playback.
    Seek(f64),
    /// Pauses at a position in frames.
    GoTo(f64),
    /// Pauses at the mark that comes next, or at the one before.
    WalkMarks(i32),
    /// Goes that many steps up or down the ladder of speeds.
    WalkSpeed(i32),
    /// Seconds of animation per second.
    Speed(f64),
    /// Frames per second instead of the file's, or the file's.
    Fps(Option<f64>),
    /// Sets the loop mode, or follows the file.
    Looping(Option<LoopMode>),
    /// The next way to go on at an end.
    CycleLoop,
    /// First and last frame of the loop range, or all frames.
    Section(Option<[u16; 2]>),
    /// Starts the section at the frame on screen.
    SectionStart,
    /// Ends the section at the frame on screen.
    SectionEnd,
    /// Mixes the animation steadily with another, or shows it alone.
    Blend(Option<Blend>),
    /// Uses another pose as the one that vertices are stored in.
    Bind(BindChoice),
    /// Takes the pose on screen for it.
    BindHere,
    /// Shows the content as figures.
    Instances(Instances),
}

/// Moving, zooming and turning the picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CameraAction {
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
    /// Place of the pointer over the picture, in screen pixels.
    Point(Option<[f64; 2]>),
    /// Shows the whole animation, whatever its frame.
    Fit,
    /// Shows all that any animation shows, so that none is cut off.
    FitAll,
    /// Shows what is drawn in this frame.
    FitFrame,
    /// Shows the selected mesh, or the meshes that the selected bone holds, in this frame.
    FitChosen,
    /// Zooms to this many screen pixels per world unit, about the middle.
    ZoomTo(f64),
    /// Brings a point of the picture to the middle, in screen pixels.
    Middle([f64; 2]),
    /// Shows a world pixel as a screen pixel.
    ActualSize,
    /// Flips the picture horizontally, or back.
    Mirror,
    /// Turns the camera by degrees: to the right and up.
    Turn([f64; 2]),
    /// Turns the camera by steps: to the right and up.
    TurnBy([i8; 2]),
    /// Looks from there; from the opposite end if it did so already.
    Face(Facing),
    /// Brings the bone at a point of the picture, or within this many screen pixels of it, to the middle; shows the whole animation
    /// if there is none.
    Center([f64; 2], f64),
}

/// Showing, ordering and choosing meshes and bones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PartAction {
    /// Always shows or always hides a mesh, or follows the frame.
    ShowMesh(MeshId, Option<bool>),
    /// Shows this mesh alone; a second time restores the others.
    Solo(MeshId),
    /// Shows or hides all meshes whatever the frame says.
    ShowAll(bool),
    /// Lets a mesh change places with its neighbour in the draw order.
    MoveMesh(MeshId, OrderStep),
    /// Gives a mesh a place in the draw order: 0 is topmost.
    PlaceMesh(MeshId, usize),
    /// Gives a mesh back to the file.
    ResetMesh(MeshId),
    /// Gives all meshes back to the file.
    ResetMeshes,
    /// Hides or shows the selected mesh.
    ToggleChosen,
    /// Shows the selected mesh alone, or what was shown before.
    SoloChosen,
    /// Hides the meshes that a bone moves most, or gives them back to the file; true also for the bones below it.
    HideBone(BoneId, bool),
    /// The same for the selected bone.
    HideChosenBone(bool),
    /// Chooses a mesh, or none.
    ChooseMesh(Option<MeshId>),
    /// Chooses a bone, or none.
    ChooseBone(Option<BoneId>),
    /// Chooses the topmost item under a point of the picture, in screen pixels.
    Pick([f64; 2]),
    /// Chooses the topmost part under a point of the picture, in screen pixels, unless what is chosen lies there, too.
    PickTop([f64; 2]),
    /// Chooses the bone at a point of the picture, or within this many screen pixels of it.
    PickBone([f64; 2], f64),
    /// Shows the trail of the vertex nearest to the clicked point, or that of the bone again.
    TraceVertex,
    /// Chooses nothing.
    ChooseNothing,
    /// Folds the bones below a bone away, or shows them.
    Fold(BoneId),
    /// Folds the sprites of a folder away, or shows them.
    FoldFolder(Box<str>),
    /// The pointer is over the list of meshes, or no longer: there rows keep their places.
    PointAtMeshes(bool),
    /// The pointer is on the row of this mesh, or on none.
    PointAt(Option<MeshId>),
    /// The pointer is at this point of the picture, in screen pixels, or not over it.
    PointInPicture(Option<[f64; 2]>),
    /// Always shows a mesh, and always hides its alternatives.
    Alternative(MeshId),
    /// Lets a mesh and its alternatives follow the frame.
    FollowFile(MeshId),
    /// Small pictures and alternatives of the meshes of the model with this serial number.
    Facts(u64, Arc<MeshFacts>),
    /// Smoothness of the animations of the model with this serial number.
    Smoothness(u64, Arc<[ClipSmoothness]>),
    /// Only parts whose name holds this are listed.
    Filter(Tab, String),
}

/// Panels, background and theme.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LookAction {
    /// The side panel has another width, in logical pixels.
    SideWidth(f32),
    /// Brings a tab of the side panel to the front.
    Tab(Tab),
    /// Height of the details in logical pixels, or the usual one.
    Details(Option<f32>),
    /// Height of the list of animations in logical pixels; `None` for the usual one.
    Clips(Option<f32>),
    /// Gives the keyboard to a part of the window.
    GoTo(Destination),
    /// It has the keyboard focus now, or is not there.
    Reached,
    /// Background of the picture.
    Background(Background),
    /// Picture file for the background.
    BackgroundFile(PathBuf),
    /// Frames that are shown as ghosts, and their colours.
    Onion(Onion),
    /// Pins the frame on screen; if it is pinned, takes the pin away.
    PinFrame,
    /// Colour of the pinned frame: RGB, sRGB-encoded.
    PinTint([u8; 3]),
    /// Takes the pin away.
    Unpin,
    /// One ghost more before, and one more after.
    MoreGhosts,
    /// One ghost fewer before, and one fewer after.
    FewerGhosts,
    /// The next distance between ghosts.
    CycleGhostStep,
    /// Cross-fade when the animation is changed while one plays.
    Fade(FadeOptions),
    /// Goes that many steps up or down the ladder of its lengths.
    WalkFade(i32),
    /// The next curve of it.
    CycleFadeCurve,
    /// The next of the backgrounds that need no more than a wish.
    CycleBackground,
    /// Turns all overlays off.
    NoOverlays,
    /// Chooses a theme, or the system's.
    Theme(ThemePreference),
    /// The next theme.
    CycleTheme,
    /// Only animations whose name holds this are listed.
    ClipFilter(String),
    /// Text that is looked for in the palette or among the keys.
    Query(String),
}

/// Size, contrast and motion of the interface, and the atlas card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum InterfaceAction {
    Scale(InterfaceScale),
    /// The next larger size for `true`, the next smaller one for `false`.
    StepScale(bool),
    /// More contrast, the usual one, or the system's.
    Contrast(Option<bool>),
    ToggleContrast,
    /// Less motion, the usual one, or the system's.
    Motion(Option<bool>),
    ToggleMotion,
    /// Contrast and motion that the system wants.
    System(Comfort),
    /// Zooms the page on the atlas card, or moves it.
    PageZoom(PageZoom),
    /// Width and height of the window in logical pixels of the screen.
    Room([f64; 2]),
    /// Keeps a background colour among the recent ones.
    KeepColor([u8; 3]),
}

/// Looking at the pages of an atlas.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PageAction {
    /// Shows another page.
    Show(ImageId),
    /// Moves and zooms the page.
    Camera(CameraAction),
    /// Chooses the sprite at a point of the view, in screen pixels.
    Pick([f64; 2]),
}

/// Comparing with a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReferenceAction {
    /// Asks for a picture with the system's dialog.
    Ask,
    /// Reads a picture and shows it.
    Open(PathBuf),
    /// Shows a picture that was read, premultiplied, as large as the character.
    Show(PathBuf, Arc<Levels>),
    /// Another place or look.
    Look(ReferenceLook),
    /// Hides or shows it.
    Toggle,
    /// Puts it over the character, or behind it.
    Turn,
    /// Makes it as large as the character.
    Fit,
    /// Takes it away.
    Remove,
}

/// Replacing the image of the file that is shown beside the picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ImageAction {
    /// Asks for a picture with the system's dialog.
    Ask,
    /// Shows a picture in place of an image.
    Replace(ImageSwap),
    /// Shows the file's image again.
    Original,
}

/// Measuring in the plane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RulerAction {
    /// Begins at a point of the picture, in screen pixels.
    From([f64; 2]),
    /// Ends at a point of the picture, in screen pixels; true keeps to multiples of 15°.
    To([f64; 2], bool),
    /// Measures the selected bone from joint to joint, or the selected mesh from corner to corner.
    Chosen,
}

/// Looking at curves and keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CurvesAction {
    /// The panel has another height, in logical pixels.
    Height(f32),
    /// Shows the keys of all bones, or the curves of the chosen one.
    Keys(bool),
    /// Shows or hides curves of a kind.
    Show(CurveKind),
    /// First and last frame in sight, or all.
    Frames(Option<[f64; 2]>),
    /// Least and largest value of a kind in sight, or all.
    Values(CurveKind, Option<[f64; 2]>),
    /// Shows all frames and all values.
    Fit,
}

/// Looking through the files of the list as thumbnails. Files are given by their indices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GalleryAction {
    Sort(GallerySort),
    /// The next order.
    NextSort,
    /// Shows files of a kind, or of all.
    Kind(Option<String>),
    /// The next kind.
    NextKind,
    /// Shows only files that have warnings or are invalid, or all.
    ToggleWarned,
    /// Only files whose names hold these words are shown.
    Query(String),
    Select(usize),
    /// Shows a file in the window. Escape leads back.
    Open(usize),
    /// Places that are in sight, and the width and height of thumbnails in screen pixels.
    Sight(Range<usize>, u32),
    /// The pointer is on this file, or on none.
    Point(Option<usize>),
    /// The states of all files; `None` for those that cannot be read.
    Versions(GalleryId, Vec<Option<FileVersion>>),
    /// Files that were looked at.
    Drawn(GalleryId, Vec<Sketch>),
    /// The next picture of a file that plays.
    Playing(GalleryId, PathBuf, Arc<ColorImage>),
}

/// A message that is shown for some seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub text: String,
    /// Actions of buttons beside the text.
    pub offers: Vec<Action>,
    /// Switch that the message is about. It goes away with its reason; one about hidden panels names the key that shows them, and one
    /// about the preview window the key that ends it.
    pub about: Option<Switch>,
}

impl Message {
    /// Creates a message without a button.
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Self { text: visible(text.as_ref()).into_owned(), ..Self::default() }
    }

    /// Creates a message about a switch.
    pub(crate) fn about(switch: Switch, text: &str) -> Self {
        Self { about: Some(switch), ..Self::new(text) }
    }

    /// Creates the message that the panels are hidden.
    pub(crate) fn panels_hidden() -> Self {
        Self::about(Switch::Panels, "Panels are hidden")
    }

    /// Creates a message about the last export, with buttons for it.
    pub(crate) fn of_export(text: impl AsRef<str>) -> Self {
        let copies = [ExportAction::CopyFile, ExportAction::CopyExport].map(Action::Export);
        let message = Self::new(text).offering(Action::ShowInFolder);
        copies.into_iter().fold(message, Self::offering)
    }

    /// Creates the message that the window is a preview.
    pub(crate) fn previewing() -> Self {
        Self::about(Switch::Preview, "Preview window")
    }

    /// Adds a button for an action.
    pub(crate) fn offering(mut self, action: Action) -> Self {
        self.offers.push(action);
        self
    }
}
