//! Writes the seeds of each target to a folder named after it: `seeds DIR`.

use std::path::Path;
use std::{env, fs, io};

use pchr_view_fuzz::{seeds, targets};

fn main() -> io::Result<()> {
    let corpus = env::args().nth(1).ok_or_else(|| io::Error::other("usage: seeds DIR"))?;
    let library = targets::ALL.iter().map(|(name, _)| *name);
    for name in library.chain(seeds::PROGRAMS) {
        let folder = Path::new(&corpus).join(name);
        fs::create_dir_all(&folder)?;
        for (index, seed) in seeds::of(name).iter().enumerate() {
            fs::write(folder.join(format!("seed-{index:03}")), seed)?;
        }
    }
    Ok(())
}
