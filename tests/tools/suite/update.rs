//! Tests of `--update`: it writes the files that need it, names them, and touches no others.

use crate::suite::stage::{THREE, blessed, ended, test};

#[test]
fn what_killed_runs_left_goes_with_the_next_update() {
    let desk = blessed(THREE);
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let names = [
        "baselines/walk/.pchr-AbCdEf.tmp",
        "baselines/walk/.pchr-new.tmp",
        "baselines/walk/mine.tmp",
    ];
    for name in names {
        desk.put_bytes(name, b"half");
    }
    for name in [names[0], names[2]] {
        let file = std::fs::File::options().write(true).open(desk.path(name));
        file.unwrap().set_modified(old).unwrap();
    }
    ended(&test(&desk, &[]), 0, "");
    assert!(
        names.iter().all(|name| desk.path(name).exists()),
        "a run without --update removes nothing"
    );
    ended(&test(&desk, &["--update"]), 0, "note: removed 1 temporary file left by killed runs");
    assert_eq!(names.map(|name| desk.path(name).exists()), [false, true, true]);
}
