//! Theme of the desktop where the window system does not report it: on Linux, from the desktop's portal.

/// A subscription to the desktop's theme. It ends when this value is dropped.
pub(crate) struct Following {
    #[cfg(target_os = "linux")]
    _subscription: mundy::Subscription,
}

/// Calls `changed` from another thread, soon and after each change: `Some(true)` for the dark theme, `Some(false)` for
/// the light one, `None` without a preference.
#[cfg(target_os = "linux")]
pub(crate) fn follow(changed: impl Fn(Option<bool>) + Send + Sync + 'static) -> Following {
    use mundy::{ColorScheme, Interest, Preferences};

    let subscription =
        Preferences::subscribe(Interest::ColorScheme, move |preferences: Preferences| {
            changed(match preferences.color_scheme {
                ColorScheme::NoPreference => None,
                ColorScheme::Dark => Some(true),
                ColorScheme::Light => Some(false),
            });
        });
    Following {
        _subscription: subscription,
    }
}

/// Does nothing. The window system reports the theme on other systems.
#[cfg(not(target_os = "linux"))]
pub(crate) fn follow(_: impl Fn(Option<bool>) + Send + Sync + 'static) -> Following {
    Following {}
}
