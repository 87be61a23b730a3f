//! Tests of `pchr pack` and `pchr unpack` with many images, and of permissions.

use crate::desk::{Desk, succeeded};
use crate::fixture::puppet;

#[test]
fn any_number_of_images_is_unpacked_whatever_they_are_called() {
    let desk = Desk::new();
    let mut many = puppet();
    many.parts.images = vec![many.parts.images[0].clone(); 2000];
    desk.put("many.pchr", &many);
    // The limit on open files is lower than the number of outputs.
    let script = "ulimit -n 64; exec \"$0\" -q unpack many.pchr -o out";
    succeeded(&desk.script(env!("CARGO_BIN_EXE_pchr"), script).output().unwrap());
    assert_eq!(desk.files("out").len(), 2001);
    succeeded(&desk.run_pchr(&["-q", "pack", "out/many.json", "-o", "again.pchr"]));
    assert!(desk.bytes("again.pchr") == desk.bytes("many.pchr"));
}

#[cfg(unix)]
#[test]
fn an_output_that_is_overwritten_keeps_its_permissions() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let desk = Desk::new();
    let path = desk.path("secret.pchr");
    desk.put_bytes("secret.pchr", b"");
    set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    succeeded(&desk.run_pchr(&["convert", "puppet.pchr", "-o", "secret.pchr"]));
    assert_eq!(metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
}
