//! `pchr inspect`.

use crate::desk::{Desk, succeeded};

#[test]
fn the_sample_is_fine() {
    let desk = Desk::new();
    succeeded(&desk.run_pchr(&["inspect", "puppet.pchr"]));
}
