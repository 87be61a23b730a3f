//! Which theme the desktop wants, where the window system does not say: on Linux, by the desktop's portal.

/// A subscription to the desktop's theme, which ends with this value.
pub(crate) struct Following {
    #[cfg(target_os = "linux")]
    _subscription: mundy::Subscription,
}

/// Calls `changed` with whether the dark theme is wanted, soon and whenever that changes, from another thread; with `None`
/// where nothing is wanted.
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

/// Elsewhere the window system says it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn follow(_: impl Fn(Option<bool>) + Send + Sync + 'static) -> Following {
    Following {}
}
