//! The report as text, on one screen.

use std::fmt::{self, Write as _};

use indicatif::HumanBytes;

use super::{
    AdapterReport, AdaptersReport, DisplayReport, DoctorReport, ProgramReport, SelfTestReport,
};
use crate::text::visible;
use crate::text::words::number;

/// Buffer size from which no file can reach the limit.
const ANY_BUFFER: u64 = 1 << 40;

pub(super) fn render(report: &DoctorReport, has_window: bool) -> String {
    let mut text = String::new();
    let _ = write(&mut text, report, has_window); // a string takes everything
    text
}

fn write(out: &mut String, report: &DoctorReport, has_window: bool) -> fmt::Result {
    program(out, &report.program)?;
    adapters(out, &report.adapters)?;
    displays(out, &report.displays, has_window)?;
    self_tests(out, &report.self_tests)
}

fn program(out: &mut String, program: &ProgramReport) -> fmt::Result {
    let ProgramReport { version, platform, cores, features, ffmpeg } = program;
    writeln!(out, "pchr-view {version}")?;
    let cores = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    writeln!(out, "  machine    {platform}, {cores}")?;
    writeln!(out, "  built with {}", features.join(", "))?;
    let ffmpeg = ffmpeg.as_ref().map(|ffmpeg| {
        let path = ffmpeg.path.display().to_string();
        let version = ffmpeg.version.as_deref();
        format!("{path} ({})", version.unwrap_or("it does not run"))
    });
    let ffmpeg = ffmpeg.unwrap_or_else(|| "not on the PATH".to_owned());
    writeln!(out, "  ffmpeg     {}", visible(&ffmpeg))
}

fn adapters(out: &mut String, report: &AdaptersReport) -> fmt::Result {
    writeln!(out, "\nAdapters")?;
    for backend in &report.backends {
        if let Some(problem) = &backend.problem {
            writeln!(out, "  {:8} {}", backend.name, visible(problem))?;
        }
        for adapter in &backend.adapters {
            self::adapter(out, backend.name, adapter)?;
        }
    }
    for variable in &report.environment {
        let text = format!("{}={}: {}", variable.name, variable.value, variable.effect);
        writeln!(out, "  {}", visible(&text))?;
    }
    match (&report.used_adapter, &report.none_because) {
        (Some(used), _) => {
            writeln!(out, "  used: {} ({})", visible(&used.name), used.backend)?;
            writeln!(out, "        {}", visible(&used.reason))
        }
        (None, reason) => {
            writeln!(out, "  used: none; the CPU renderer is used")?;
            writeln!(out, "        {}", visible(reason.as_deref().unwrap_or_default()))
        }
    }
}

fn adapter(out: &mut String, backend: &str, adapter: &AdapterReport) -> fmt::Result {
    let AdapterReport { name, kind, driver, used, refused, .. } = adapter;
    let mark = if *used { '*' } else { ' ' };
    writeln!(out, "{mark} {backend:8} {}, {kind}", visible(name))?;
    if !driver.is_empty() {
        writeln!(out, "           {}", visible(driver))?;
    }
    writeln!(out, "           {}", limits(adapter))?;
    match refused {
        Some(reason) => writeln!(out, "           cannot be used: {}", visible(reason)),
        None => Ok(()),
    }
}

fn limits(adapter: &AdapterReport) -> String {
    let side = number(adapter.texture_side);
    let buffers = if adapter.buffer_bytes >= ANY_BUFFER {
        "of any size".to_owned()
    } else {
        format!("up to {}", HumanBytes(adapter.buffer_bytes))
    };
    let has = |there: bool, what: &str| {
        if there { what.to_owned() } else { format!("no {what}") }
    };
    [
        format!("pictures up to {side} x {side}"),
        format!("buffers {buffers}"),
        has(adapter.float_textures, "float textures"),
        has(adapter.four_samples, "4 samples"),
        has(adapter.timestamps, "timestamps"),
    ]
    .join(", ")
}

fn displays(out: &mut String, displays: &[DisplayReport], has_window: bool) -> fmt::Result {
    if displays.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nDisplays")?;
    for display in displays {
        let DisplayReport { name, variable, value, problem, used } = display;
        let mark = if *used { '*' } else { ' ' };
        let found = match (value, problem) {
            (None, _) => format!("{variable} is not set"),
            (Some(value), None) => format!("{variable}={value} responds"),
            (Some(value), Some(problem)) => {
                format!("{variable}={value} does not respond: {problem}")
            }
        };
        writeln!(out, "{mark} {name:8} {}", visible(&found))?;
    }
    let others = displays.iter().filter(|display| !display.used);
    let mut answering =
        others.filter(|display| display.value.is_some() && display.problem.is_none());
    let used = displays.iter().find(|display| display.used);
    let used = match (used, used.and_then(|used| used.problem.as_ref())) {
        _ if !has_window => "none, this program was built without the window".to_owned(),
        (None, _) => "none, so no window can open; captures need no display".to_owned(),
        (Some(used), None) => format!("{} for the window; captures need no display", used.name),
        (Some(used), Some(_)) => match answering.next() {
            Some(other) => {
                let (used, variable, other) = (used.name, used.variable, other.name);
                format!(
                    "{used} for the window, but the window will not open; unset {variable} to use {other}"
                )
            }
            None => format!(
                "{} for the window, which will not open; captures need no display",
                used.name
            ),
        },
    };
    writeln!(out, "  used: {used}")
}

fn self_tests(out: &mut String, tests: &[SelfTestReport]) -> fmt::Result {
    writeln!(out, "\nSelf-test")?;
    for test in tests {
        let SelfTestReport { renderer, result, said, milliseconds, .. } = test;
        write!(out, "  {renderer}  {result}: {}", visible(said))?;
        match milliseconds {
            Some(milliseconds) => writeln!(out, " ({milliseconds:.0} ms)")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
