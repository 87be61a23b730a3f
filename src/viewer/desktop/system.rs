//! Contrast, motion and theme of the desktop, and events that threads post.

use crate::viewer::action::Action;
use crate::viewer::interface::Comfort;

/// Wishes of the desktop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// True for the dark theme, false for the light one, `None` without a preference.
    pub dark: Option<bool>,
    pub comfort: Comfort,
}

/// A subscription to the desktop's wishes. It ends when this value is dropped.
pub(crate) struct Following {
    #[cfg(any(target_os = "linux", windows, target_os = "macos"))]
    _subscription: mundy::Subscription,
}

/// Calls `changed` from another thread, soon and after each change. macOS needs it to be called on the main thread.
#[cfg(any(target_os = "linux", windows, target_os = "macos"))]
pub(crate) fn follow(changed: impl Fn(Wishes) + Send + Sync + 'static) -> Following {
    use mundy::{ColorScheme, Contrast, Interest, Preferences, ReducedMotion};

    let mut interest = Interest::Contrast | Interest::ReducedMotion;
    let mut named = false;
    if cfg!(target_os = "linux") {
        interest = interest | Interest::ColorScheme;
        named = is_high_contrast(std::env::var_os("GTK_THEME").as_deref());
    }
    let subscription = Preferences::subscribe(interest, move |preferences: Preferences| {
        let wishes = Wishes {
            dark: match preferences.color_scheme {
                ColorScheme::NoPreference => None,
                ColorScheme::Dark => Some(true),
                ColorScheme::Light => Some(false),
            },
            comfort: Comfort {
                more_contrast: named || preferences.contrast == Contrast::More,
                less_motion: preferences.reduced_motion == ReducedMotion::Reduce,
            },
        };
        changed(wishes);
    });
    Following { _subscription: subscription }
}

/// Does nothing: contrast and motion are chosen in the window.
#[cfg(not(any(target_os = "linux", windows, target_os = "macos")))]
pub(crate) fn follow(_: impl Fn(Wishes) + Send + Sync + 'static) -> Following {
    Following {}
}

/// Returns true for the name of a GTK theme of high contrast, which desktops without a portal set.
#[cfg(any(target_os = "linux", windows, target_os = "macos"))]
fn is_high_contrast(theme: Option<&std::ffi::OsStr>) -> bool {
    let name = theme.unwrap_or_default().to_string_lossy();
    name.starts_with("HighContrast")
}

/// An event from another thread.
#[derive(Debug)]
pub(crate) enum Posted {
    Action(Action),
    /// Theme, contrast and motion that the desktop wants.
    Wishes(Wishes),
    Accessibility(egui_winit::accesskit_winit::Event),
}

impl From<egui_winit::accesskit_winit::Event> for Posted {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

#[cfg(all(test, any(target_os = "linux", windows, target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn a_theme_of_high_contrast_is_known_by_its_name() {
        for (name, is_high) in
            [("HighContrast", true), ("HighContrastInverse", true), ("Adwaita:dark", false)]
        {
            assert_eq!(is_high_contrast(Some(name.as_ref())), is_high, "{name}");
        }
        assert!(!is_high_contrast(None));
    }
}
