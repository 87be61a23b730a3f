use pchr_tools::typeface::Fonts;
use std::fs;
use std::sync::LazyLock;

/// The file that fonts are read from.
static FILE: LazyLock<std::path::PathBuf> = LazyLock::new(|| {
    std::env::temp_dir().join(format!("pchr-view-fuzz-{}.ttf", std::process::id()))
});

/// Texts in several scripts, with letters that join, marks and ligatures.
const TEXTS: [&str; 4] = ["Hé_骨", "ذراع fi", "क्षि ที่", "q\u{30c}\u{301}"];

/// Reads a font file, and writes lines in it.
pub fn typeface(data: &[u8]) {
    fs::write(&*FILE, data).expect("a temporary file is written");
    let fonts = Fonts::from_files(std::slice::from_ref(&*FILE));
    let _ = fs::remove_file(&*FILE);
    let Ok(mut fonts) = fonts else { return };
    for (text, pixels) in TEXTS.into_iter().zip([13, 104, 13, 26]) {
        let Ok(line) = fonts.line(text, pixels) else { return };
        let [width, height] = [line.width, line.height].map(usize::from);
        assert_eq!(line.mask.len(), width * height);
    }
}
