//! GNOME's setting of high contrast, which the desktop's portal passes on.

use zbus::blocking::{Connection, Proxy};
use zbus::zvariant::{OwnedValue, Value};

use super::events;

const PORTAL: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
const SETTINGS: &str = "org.freedesktop.portal.Settings";
const NAMESPACE: &str = "org.gnome.desktop.a11y.interface";
const KEY: &str = "high-contrast";

/// Calls `changed` from another thread with the setting, and after each change. Does nothing where there is no such setting.
pub(super) fn follow(changed: impl Fn(bool) + Send + 'static) {
    // Without a thread, a session bus or a portal, the setting is off.
    let _ = events::start(move || {
        let _ = watch(&changed);
    });
}

fn watch(changed: &dyn Fn(bool)) -> zbus::Result<()> {
    let bus = Connection::session()?;
    let portal = Proxy::new(&bus, PORTAL, PATH, SETTINGS)?;
    // Subscribed before it is read, so that no change is missed.
    let signals = portal.receive_signal_with_args("SettingChanged", &[(0, NAMESPACE)])?;
    let now: zbus::Result<OwnedValue> = portal.call("Read", &(NAMESPACE, KEY));
    if now.is_ok_and(|value| is_on(&value)) {
        changed(true);
    }
    for signal in signals {
        let body = signal.body();
        let (_, key, value): (&str, &str, Value<'_>) = body.deserialize()?;
        if key == KEY {
            changed(is_on(&value));
        }
    }
    Ok(())
}

/// Returns true for the value true, which the portal wraps in others.
fn is_on(value: &Value<'_>) -> bool {
    match value {
        Value::Value(inner) => is_on(inner),
        Value::Bool(on) => *on,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_on_however_it_is_wrapped() {
        let wrapped = Value::new(Value::new(Value::Bool(true)));
        assert!(is_on(&wrapped) && is_on(&Value::Bool(true)));
        for off in [
            Value::Bool(false),
            Value::new(Value::Bool(false)),
            Value::U32(1),
        ] {
            assert!(!is_on(&off), "{off:?}");
        }
    }
}
