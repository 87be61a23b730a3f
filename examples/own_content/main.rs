//! `pchr-view` with your own content: besides characters it opens `.quads` files, texts whose first line is `quads`, in the
//! window, in captures and in suites.
//!
//! ```sh
//! echo quads > three.quads
//! cargo run --release --example own_content -- three.quads
//! cargo run --release --example own_content -- capture three.quads -a 0 -f all -o 'three-{frame}.png'
//! ```

mod quads;

use std::borrow::Cow;
use std::process::ExitCode;
use std::sync::Arc;

use pchr::bytes::Budget;
use pchr::format::Sidecars;
use pchr_tools::open::{CHARACTERS, Opened, Opener, Openers, Opening};

/// Opens `.quads` files.
const QUADS: Opener = Opener {
    name: "Quads",
    endings: &["quads"],
    is_in: |path| path.extension().is_some_and(|ending| ending == "quads"),
    recognises: |bytes| bytes.starts_with(b"quads\n"),
    open,
};

fn open(_: Cow<'static, [u8]>, _: &mut dyn Sidecars, _: &Budget) -> Opening {
    Ok(Opened::new(Arc::new(quads::Quads::new())))
}

fn main() -> ExitCode {
    pchr_view::main(Openers(&[QUADS, CHARACTERS]))
}
