//! Kept by the panels from frame to frame: the press of the pointer, drafts of fields, the open menu.

use std::collections::BTreeMap;

use egui::{Align, Id, Modifiers, PointerButton, Pos2, Rect, Vec2};

use pchr::document::{BoneId, ImageId, MeshId};

use super::focus::FocusMemory;
use super::switch::Tab;

/// A button that went down on a control, up to now or up to its release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Press {
    pub control: Id,
    pub button: PointerButton,
    /// Place where it went down.
    pub from: Pos2,
    /// Place of its last movement, or of its release.
    pub at: Pos2,
    /// Keys that were held when it went down.
    pub modifiers: Modifiers,
    /// True if it went down since the last frame.
    pub is_new: bool,
    /// True if it was let go since the last frame.
    pub is_over: bool,
    /// From the item that is held to the place where it went down.
    pub grip: Vec2,
    /// True once it is a drag.
    pub is_dragged: bool,
    /// Place up to which a drag was reported.
    pub reported: Pos2,
}

/// A frame that is being typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FrameDraft {
    pub text: String,
    /// True until the field has the keyboard focus: the press that opened it may take that away again.
    pub is_new: bool,
    /// True if its control had the keyboard focus, which then returns to it.
    pub by_key: bool,
    pub is_wrong: bool,
}

/// A menu that is open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OpenMenu {
    pub id: Id,
    pub typed: String,
    /// Place of the entry with the keyboard, in a list of entries that are not all laid out.
    pub at: Option<usize>,
    /// True until an entry has the keyboard focus.
    pub is_new: bool,
    /// True once a control of the menu had the keyboard focus.
    pub had_focus: bool,
}

/// A list as it was laid out last. Rows are known by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ListMemory {
    /// The row that had the keyboard focus last.
    pub focused: Option<u64>,
    /// The row that was chosen then.
    pub chosen_then: Option<u64>,
    /// The chosen row, if it is listed; `None` before the first frame.
    pub listed: Option<Option<u64>>,
    pub filter: Option<String>,
    pub scroll: ChoiceScroll,
}

/// Name of the list of meshes, whose rows have the numbers of their meshes.
pub(crate) const MESHES: &str = "meshes";

pub(crate) fn row_id(list: &str, number: u64) -> Id {
    Id::unique(("row of", list)).with(number)
}

/// A choice as it was in its list before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ChoiceScroll {
    pub chosen: Option<u64>,
    /// Frames until the list has its final height, and the way of scrolling until then.
    pub left: u8,
    pub align: Option<Align>,
    pub row: usize,
    /// Height of the list.
    pub height: f32,
    pub is_in_sight: bool,
}

/// Makes the memory of the panels, and the value of each field on its way there, from one table.
macro_rules! kept {
    ($($(#[$doc:meta])* $field:ident: $kind:ty = $name:ident,)*) => {
        /// All that is kept.
        #[derive(Debug, Default)]
        pub(crate) struct PanelMemory {
            /// Lists by their names.
            pub lists: BTreeMap<&'static str, ListMemory>,
            $($(#[$doc])* pub $field: $kind,)*
        }

        /// One of them, to be kept from now on.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Keep {
            List(&'static str, ListMemory),
            $($name($kind),)*
        }

        impl PanelMemory {
            pub(super) fn keep(&mut self, keep: Keep) {
                match keep {
                    Keep::List(name, list) => drop(self.lists.insert(name, list)),
                    $(Keep::$name(value) => self.$field = value,)*
                }
            }
        }
    };
}

kept! {
    press: Option<Press> = Press,
    /// File and image that the card of the atlas page showed last.
    card_image: Option<(u64, ImageId)> = CardImage,
    /// Place of the card or the page view that shows an image, in screen pixels.
    image_area: Option<Rect> = ImageArea,
    /// What the details were about.
    details: Option<(Tab, Option<MeshId>, Option<BoneId>)> = Details,
    /// The bone that was chosen when its row of keys was brought into sight.
    keys_of: Option<Option<BoneId>> = KeysOf,
    /// True while curves leave no room for the lists beside the picture.
    are_lists_hidden: bool = AreListsHidden,
    frame: Option<FrameDraft> = Frame,
    /// Zoom that is being typed.
    zoom: Option<String> = Zoom,
    /// Background colour that is being typed.
    color: Option<String> = Color,
    /// Background colour that was made while its menu is open.
    made: Option<[u8; 3]> = Made,
    /// Side of the ghosts whose colour is picked.
    tint: Option<usize> = Tint,
    /// Chosen row of the palette.
    palette_row: usize = PaletteRow,
    focus: FocusMemory = Focus,
    menu: Option<OpenMenu> = Menu,
    /// Place of the menu of a control that was opened last.
    menu_at: Option<(Id, Pos2)> = MenuAt,
    /// Time in seconds since which a message is shown, and its text.
    said: Option<(f64, String)> = Said,
    /// Number of the last part of a gesture, and its time in seconds.
    gesture: Option<(u64, f64)> = Gesture,
    /// True while the list of warnings is to have the keyboard focus as soon as it can be seen.
    wants_warnings: bool = WantsWarnings,
    /// Row of the list of changes that was brought into sight.
    change: Option<usize> = Change,
}
