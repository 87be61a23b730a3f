//! Actions by topic: their parameters, what each of them does, and which of them can be undone.

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
use pchr_tools::stage::Member;
use pchr_tools::thumbnail::FileVersion;
use pchr_tools::view::ImageSwap;

use super::{Action, Gesture, ViewPart};
use crate::viewer::backgrounds_and_rulers::{Background, Facing, ReferenceLook};
use crate::viewer::compare::{Changes, CompareId, CompareMode, Counterpart, Figures};
use crate::viewer::export_choices::{ExportChoices, ExportDone, ExportFormat};
use crate::viewer::gallery::{GalleryId, GallerySort, Sketch};
use crate::viewer::interface::{Comfort, InterfaceScale, PageZoom};
use crate::viewer::loaded::{ListId, Listing, LoadDone, LoadId, LoadedImage, Progress};
use crate::viewer::model::meshes::{MeshFacts, OrderStep};
use crate::viewer::problem::Problem;
use crate::viewer::screenshot::ScreenshotChoices;
use crate::viewer::switch::{Destination, Switch, Tab};

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
    /// Chooses the folder that exports are written to.
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

/// Comparing with another version or another file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CompareAction {
    With(Counterpart),
    /// The other file was loaded, or cannot be.
    Loaded(LoadDone),
    /// The changes of this comparison.
    Changes(CompareId, Arc<Changes>),
    /// Difference of the pictures that were measured last; `None` if they cannot be drawn.
    Figures(CompareId, Option<Figures>),
    Mode(CompareMode),
    /// The next mode.
    CycleMode,
    /// Moves the line between both files, to a part of the width.
    Split(f32),
    /// Shows the other file, or the open one, while they blink.
    Blink(bool),
    /// Shows or hides the list of changes.
    List,
    /// Goes to a change of the list.
    Jump(usize),
    /// Goes that many changes further in the list.
    WalkChanges(isize),
    /// Opens the other file, to be compared with the open one.
    Exchange,
    /// Shows the open file alone.
    End,
}

/// Change of a character by dragging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grip {
    /// Moves the chosen character.
    Place,
    /// Moves the character under the pointer, which is chosen, or else the chosen one.
    PlaceTop,
    /// Turns it about its origin.
    Turn,
    /// Scales it from its origin.
    Scale,
}

/// Placing the characters of a stage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StageAction {
    /// Saves the stage, and closes the window then.
    SaveAndQuit,
    /// Adds characters beside those of the stage, or beside the open file, which becomes one.
    Add(Vec<PathBuf>),
    /// Chooses a character, by index, or none.
    Choose(Option<usize>),
    /// Changes a character.
    Set(usize, Box<Member>),
    /// Chooses the character under a point of the picture, in screen pixels; where there is none, with `true` the chosen one stays.
    Pick([f64; 2], bool),
    /// Begins a drag of the chosen character at a point of the picture, in screen pixels.
    Grab(Grip, [f64; 2]),
    /// Goes on with the drag up to a point. With `true`, a turn ends at a multiple of 15 degrees.
    Drag([f64; 2], bool),
    /// Gives a character the place of another one in the draw order.
    Reorder(usize, usize),
    /// Takes a character away.
    Remove(usize),
    /// Reads an unsaved stage as its file has it.
    Discard,
}

impl Action {
    /// Returns the part of the view that this changes, if it can be undone, and the gesture that it belongs to.
    pub(crate) fn undoable(&self) -> Option<(ViewPart, Option<Gesture>)> {
        use self::{CameraAction::*, PartAction::*, PlaybackAction::*};
        Some(match self {
            Self::Parts(action) => match action {
                ShowMesh(..) | Solo(_) | ShowAll(_) | MoveMesh(..) | PlaceMesh(..)
                | ResetMesh(_) | ResetMeshes | ToggleChosen | SoloChosen | HideBone(..)
                | HideChosenBone(_) | Alternative(_) | FollowFile(_) => (ViewPart::Meshes, None),
                ChooseMesh(_) | ChooseBone(_) | Pick(_) | PickTop(_) | PickBone(..)
                | TraceVertex | ChooseNothing | Fold(_) | FoldFolder(_) | PointAtMeshes(_)
                | PointAt(_) | PointInPicture(_) | Facts(..) | Smoothness(..) | Filter(..) => {
                    return None;
                }
            },
            Self::Playback(action) => match action {
                Bind(_) | BindHere => (ViewPart::Bind, None),
                Instances(_) => (ViewPart::Bind, Some(Gesture::Figures)),
                Section(Some(_)) => (ViewPart::Playing, Some(Gesture::Section)),
                Fps(Some(_)) => (ViewPart::Playing, Some(Gesture::Rate)),
                Blend(Some(_)) => (ViewPart::Playing, Some(Gesture::Blend)),
                Speed(_) | WalkSpeed(_) => (ViewPart::Playing, Some(Gesture::Speed)),
                Section(None) | SectionStart | SectionEnd | Fps(None) | Looping(_) | CycleLoop
                | Blend(None) => (ViewPart::Playing, None),
                Advance(_) | Animation(_) | WalkAnimations(_) | TogglePlay | UndoPlay
                | ToggleBackwards | Step(_) | FirstFrame | LastFrame | Seek(_) | GoTo(_)
                | WalkMarks(_) => return None,
            },
            Self::Camera(action) => match action {
                Pan(_) | Nudge(_) => (ViewPart::Place, Some(Gesture::Pan)),
                Zoom(..) | ZoomBy(_) => (ViewPart::Place, Some(Gesture::Zoom)),
                Turn(_) | TurnBy(_) => (ViewPart::Place, Some(Gesture::Turn)),
                Fit | FitAll | FitFrame | FitChosen | ZoomTo(_) | Middle(_) | ActualSize
                | Mirror | Face(_) | Center(..) => (ViewPart::Place, None),
                Viewport(_) | Point(_) => return None,
            },
            Self::Looking(LookAction::PinTint(_)) => (ViewPart::Pin, Some(Gesture::PinTint)),
            Self::Looking(LookAction::PinFrame | LookAction::Unpin) => (ViewPart::Pin, None),
            Self::Image(ImageAction::Replace(_) | ImageAction::Original) => {
                (ViewPart::Images, None)
            }
            Self::Stage(action) => match action {
                StageAction::Set(..) | StageAction::Drag(..) => {
                    (ViewPart::Stage, Some(Gesture::Stage))
                }
                StageAction::Add(_) | StageAction::Reorder(..) | StageAction::Remove(_) => {
                    (ViewPart::Cast, None)
                }
                StageAction::SaveAndQuit
                | StageAction::Choose(_)
                | StageAction::Pick(..)
                | StageAction::Grab(..)
                | StageAction::Discard => return None,
            },
            Self::Toggle(Switch::Smooth) => (ViewPart::Playing, None),
            _ => return None,
        })
    }
}
