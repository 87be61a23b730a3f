//! Files that transcripts ask for with `make NAME FILE`.

use crate::pchr::{atlas, motion, pack_folder, pose, pxd, validate};
use crate::{cli, rig, suite};

/// File of this name.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let of_pxd = |file: &str| {
        let files = pxd::files().into_iter();
        files
            .filter(|(name, _)| *name == file)
            .map(|(_, bytes)| bytes)
            .next()
            .unwrap()
    };
    match name {
        "odd" => validate::odd().bytes(),
        "broken" => validate::broken().bytes(),
        "grown" => suite::stage::grown().bytes(),
        "sample" => include_bytes!("../../assets/sample.pchr").to_vec(),
        "page" => atlas::page(),
        "grey" => cli::compare::png(10, &cli::compare::grey()),
        "walk" => motion::walk(),
        "odd-motion" => motion::odd(),
        "hero" => pose::skeleton(),
        "pxd-walk" => of_pxd("walk.anm.pxd"),
        "pxd-keys" => of_pxd("keys.anm.pxd"),
        "pxd-hero" => of_pxd("hero.skl.pxd"),
        "biped" => rig::biped_file(),
        "biped-kick" => rig::numbered_file(),
        "biped-walk" => rig::walk_file(),
        _ => {
            let name = name.strip_prefix("picture-").expect("a known fixture");
            let name = if name == "axe" {
                "gro\u{df}.PNG".to_owned()
            } else {
                format!("{name}.png")
            };
            let mut files = pack_folder::pictures().into_iter();
            let found = files.find(|(path, _)| path.rsplit('/').next() == Some(&name));
            found.expect("a known picture").1
        }
    }
}
