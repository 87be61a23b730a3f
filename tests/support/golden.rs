//! Golden files: texts below `tests/golden` that `PCHR_BLESS=1` updates.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses its part, and may fail")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Compares a file of the project with what `found` makes of its text.
pub(crate) fn check(name: &str, found: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let wanted = fs::read_to_string(&path).unwrap_or_default();
    let wanted = wanted.replace("\r\n", "\n"); // some Git settings check it out like this
    let found = found(&wanted);
    if found == wanted {
        return;
    }
    if std::env::var_os("PCHR_BLESS").is_some() {
        fs::write(&path, found).unwrap();
        return;
    }
    let same = wanted.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| {
        text.lines().skip(same.saturating_sub(6)).take(20).collect::<Vec<_>>().join("\n")
    };
    let (wanted, found) = (part(&wanted), part(&found));
    let line = same + 1;
    panic!("{name}:{line}: expected\n{wanted}\n\nfound\n{found}\n\n(PCHR_BLESS=1 updates it)");
}

/// Checks a file of cases below `tests/golden`: each line `$ INPUT` is followed by the lines that `outcome` gives for it.
///
/// Indented lines after `$ INPUT` are outcomes; all others are comments.
pub(crate) fn cases(name: &str, mut outcome: impl FnMut(&str) -> Vec<String>) {
    check(&format!("tests/golden/{name}.txt"), |text| {
        let mut found = String::new();
        for line in text.lines().filter(|line| !line.starts_with("  ")) {
            writeln!(found, "{line}").unwrap();
            for line in line.strip_prefix("$ ").map(&mut outcome).unwrap_or_default() {
                writeln!(found, "  {line}").unwrap();
            }
        }
        found
    });
}
