//! Plans any command line of `capture` for a small document, one option per line.
#![no_main]

use arbitrary::{Result, Unstructured};
use pchr::format;
use pchr_view_fuzz::document::{list, parts};

/// Options with valid values, which the fuzzer would not find by itself.
const TYPED: [&str; 22] = [
    "--animation=all",
    "--animation=#1",
    "--frame=all",
    "--frame=0..=2:2",
    "--time=0.35",
    "--smooth",
    "--loop=on",
    "--fit=frame",
    "--fit=character",
    "--fit=none",
    "--center=1,-2",
    "--zoom=2",
    "--resolution=16x9",
    "--overlay=bones,names,weights=root",
    "--overlay=mesh=#0,bone=1",
    "--hide=*",
    "--only=w*",
    "--show=root",
    "--z-order=walk=-0.5",
    "--bind=none",
    "--bind=bind:0",
    "--y-down",
];

fn plan(u: &mut Unstructured<'_>) -> Result<()> {
    let mut typed = vec!["hero.pchr".to_owned()];
    let output = match u.int_in_range(0..=3)? {
        0 => u.arbitrary::<&str>()?,
        1 => "-",
        _ => "{file}/{animation}/{frame:04}.png",
    };
    typed.push(format!("--output={output}"));
    typed.extend(list(u, 6, |u| {
        Ok(if u.ratio(1, 4)? {
            let key = (*u.choose(&TYPED)?).split('=').next().unwrap_or_default();
            format!("{key}={}", u.arbitrary::<&str>()?)
        } else {
            (*u.choose(&TYPED)?).to_owned()
        })
    })?);
    let Ok(bytes) = format::pchr::write(&parts(u)?) else { return Ok(()) };
    if let Ok(document) = format::read(bytes) {
        pchr_tools::cli::pchr_view::fuzz::plan(&typed, document);
    }
    Ok(())
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = plan(&mut Unstructured::new(data));
});
