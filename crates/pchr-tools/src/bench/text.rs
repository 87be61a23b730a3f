//! The report as a table.

use std::fmt::Write as _;

use indicatif::DecimalBytes;

use pchr::finding::counted;

use super::BenchReport;
use super::report::{FileBench, RendererBench, Times};
use crate::view::Setting;

/// Returns the report for people. Times are in milliseconds.
pub(crate) fn render(report: &BenchReport) -> String {
    let mut text = String::new();
    for file in &report.files {
        let _ = describe(&mut text, file);
        for renderer in &file.renderers {
            let _ = table(&mut text, file, renderer);
        }
    }
    if let Some(bytes) = report.peak_memory {
        let _ = writeln!(text, "peak memory {}", DecimalBytes(bytes));
    }
    text
}

fn describe(text: &mut String, file: &FileBench) -> std::fmt::Result {
    let animations = match file.animations.as_slice() {
        [] => "no animation".to_owned(),
        [name] => name.clone(),
        several => format!("{} animations", several.len()),
    };
    let [textures, meshes] = [file.texture_bytes, file.mesh_bytes].map(DecimalBytes);
    writeln!(text, "{}: {animations}, {}", file.file, counted(file.pictures, "frame", "frames"))?;
    let each = match file.options.get("instances") {
        Some(Setting::One(count)) if count != "1" => "each figure ",
        _ => "",
    };
    writeln!(
        text,
        "  {each}{}, {}; {}, overdraw {:.2}, textures {textures}, meshes {meshes}",
        counted(file.vertices, "vertex", "vertices"),
        counted(file.bones, "bone", "bones"),
        counted(file.draws, "draw", "draws"),
        file.overdraw,
    )
}

fn table(text: &mut String, file: &FileBench, renderer: &RendererBench) -> std::fmt::Result {
    let RendererBench { stages, .. } = renderer;
    let about = format!(
        "{}, {}x{}, {} pictures",
        renderer.name(),
        file.width,
        file.height,
        stages.frame.count
    );
    writeln!(text, "  {about}")?;
    writeln!(text, "    {:8}{:>11}{:>11}{:>11}{:>12}", "ms", "p50", "p95", "p99", "sum")?;
    for (name, times) in stages.once() {
        writeln!(text, "    {name:8}{:>45.3}", times.sum / 1e3)?;
    }
    for (name, times) in stages.of_pictures() {
        let Times { p50, p95, p99, sum, .. } = *times;
        let [p50, p95, p99, sum] = [p50, p95, p99, sum].map(|time| time / 1e3);
        writeln!(text, "    {name:8}{p50:>11.3}{p95:>11.3}{p99:>11.3}{sum:>12.3}")?;
    }
    Ok(())
}
