//! Tests of mistakes in a suite: all are reported at once with file, line and key, before anything is drawn.

use crate::desk::{Desk, said};
use crate::suite::stage::test;

/// As many mistakes as a hostile suite can hold: comparing each with all before it would be slow.
#[test]
fn of_many_mistakes_the_first_are_listed() {
    for table in ["", "[defaults]\n"] {
        let keys: String = (0..50_000).map(|i| format!("key{i} = 1\n")).collect();
        let desk = Desk::new();
        desk.put_bytes("suite.toml", format!("{table}{keys}").as_bytes());
        let output = test(&desk, &[]);
        assert_eq!(output.status.code(), Some(2));
        let list: Vec<&str> = said(&output).lines().collect();
        assert_eq!(list.len(), 101);
        assert_eq!(list.last(), Some(&"  suite.toml: only the first 100 problems are listed"));
    }
}
