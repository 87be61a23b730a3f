//! `pchr validate`.

use crate::desk::{Desk, succeeded};

#[test]
fn the_sample_is_fine() {
    let desk = Desk::new();
    succeeded(&desk.run_pchr(&["validate", "puppet.pchr"]));
}
