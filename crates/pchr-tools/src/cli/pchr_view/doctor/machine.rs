//! The machine: the program itself and the external program that it may call, the graphics adapters with the one that would be used, and
//! the display servers that answer.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{DisplayReport, FfmpegReport, ProgramReport};

/// Looks at the program and the machine.
pub(super) fn program(has_window: bool) -> ProgramReport {
    let mut features = vec!["cli", "raster"];
    features.extend(cfg!(feature = "render").then_some("render"));
    features.extend(has_window.then_some("viewer"));
    ProgramReport {
        version: crate::version(),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        cores: std::thread::available_parallelism().map_or(1, NonZero::get),
        features,
        ffmpeg: on_path("ffmpeg").map(|path| FfmpegReport { version: version(&path), path }),
    }
}

/// The first file of that name in the folders of PATH.
fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH")?;
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(&file));
    paths.find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(path)
            .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}

/// `6.1.1` of `ffmpeg version 6.1.1 Copyright ...`.
fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("-version").stdin(Stdio::null()).output();
    let output = output.ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = text.lines().next()?.split_once(" version ")?;
    rest.split_whitespace().next().map(str::to_owned)
}

#[cfg(feature = "render")]
pub(super) use self::of_gpu::adapters;

/// The graphics adapters, and the one that would be used.
#[cfg(feature = "render")]
mod of_gpu {
    use pchr::render::{AdapterSurvey, BackendSurvey, Gpu, default_backends, survey};

    use crate::cli::pchr_view::doctor::{
        AdapterReport, AdaptersReport, BackendReport, UsedReport, VariableReport,
    };
    use crate::run::Failure;
    use crate::view::AdapterArgs;

    /// Variables that drivers and their loaders read, and that affect the list of adapters.
    const OF_DRIVERS: [&str; 6] = [
        "VK_DRIVER_FILES",
        "VK_ICD_FILENAMES",
        "VK_LOADER_DRIVERS_SELECT",
        "LIBGL_ALWAYS_SOFTWARE",
        "GALLIUM_DRIVER",
        "DRI_PRIME",
    ];

    /// Opens every adapter once, and then the one that would be used as everything else does.
    pub(in super::super) fn adapters(
        args: &AdapterArgs,
    ) -> Result<(AdaptersReport, Option<Gpu>), Failure> {
        let options = args.gpu_options()?;
        let survey = survey();
        let (environment, wishes) = wishes(args);
        let mut report = AdaptersReport { environment, ..AdaptersReport::default() };
        let gpu = match Gpu::headless(&options) {
            Ok(gpu) => {
                report.used_adapter = Some(UsedReport {
                    name: gpu.info.name.clone(),
                    backend: gpu.info.backend.to_string(),
                    reason: reason(&gpu, &survey, &wishes),
                });
                Some(gpu)
            }
            Err(error) => {
                report.none_because = Some(error.to_string());
                None
            }
        };
        report.backends =
            survey.into_iter().map(|backend| backend_report(backend, gpu.as_ref())).collect();
        Ok((report, gpu))
    }

    /// The variables that are set, and the requests in order of precedence.
    fn wishes(args: &AdapterArgs) -> (Vec<VariableReport>, Vec<String>) {
        let mut environment = Vec::new();
        let mut wishes = Vec::new();
        for (option, asked, name) in [
            ("--backend", &args.backend, "WGPU_BACKEND"),
            ("--adapter", &args.adapter, "WGPU_ADAPTER_NAME"),
        ] {
            let value = variable(name);
            let asked = asked.as_ref().map(|asked| format!("{option} {asked}"));
            let effect = if asked.is_some() { "overridden by the command line" } else { "kept" };
            wishes.extend(asked.or_else(|| Some(format!("{name}={}", value.as_ref()?))));
            environment.extend(value.map(|value| VariableReport { name, value, effect }));
        }
        let of_drivers = OF_DRIVERS.into_iter().filter_map(|name| {
            variable(name).map(|value| VariableReport { name, value, effect: "read by drivers" })
        });
        environment.extend(of_drivers);
        (environment, wishes)
    }

    fn variable(name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }

    fn reason(gpu: &Gpu, survey: &[BackendSurvey], wishes: &[String]) -> String {
        let mut hardware = survey
            .iter()
            .flat_map(|backend| backend.adapters.iter().flatten())
            .filter(|adapter| !adapter.is_software());
        let names: Vec<_> = default_backends().iter().map(|backend| backend.to_str()).collect();
        let order = match &names[..] {
            [] | [_] => String::new(),
            names => format!(" (tried in this order: {})", names.join(", ")),
        };
        if !wishes.is_empty() {
            format!("set by {}", wishes.join(" and "))
        } else if !gpu.is_software() {
            format!("the first hardware adapter that opens{order}")
        } else if hardware.next().is_none() {
            format!("software, because no hardware adapter was found{order}")
        } else {
            format!("software, because no hardware adapter can be used{order}")
        }
    }

    fn backend_report(survey: BackendSurvey, used: Option<&Gpu>) -> BackendReport {
        let problem = survey.adapters.as_ref().err().cloned();
        let adapters = survey.adapters.into_iter().flatten();
        let adapters = adapters.map(|adapter| adapter_report(adapter, used)).collect();
        BackendReport { name: survey.backend.to_str(), problem, adapters }
    }

    fn adapter_report(adapter: AdapterSurvey, used: Option<&Gpu>) -> AdapterReport {
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu, Other, VirtualGpu};

        let used = used.is_some_and(|gpu| gpu.is(&adapter));
        let AdapterSurvey { info, capabilities, refused } = adapter;
        AdapterReport {
            kind: match info.device_type {
                DiscreteGpu => "discrete",
                IntegratedGpu => "integrated",
                VirtualGpu => "virtual",
                Cpu => "software",
                Other => "other",
            },
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            name: info.name,
            used,
            refused,
            texture_side: capabilities.texture_side,
            buffer_bytes: capabilities.buffer_bytes,
            float_textures: capabilities.float_textures,
            four_samples: capabilities.four_samples,
            timestamps: capabilities.timestamps,
        }
    }
}

/// Returns nothing where the system has a display of its own.
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
pub(super) fn displays(_: bool) -> Vec<DisplayReport> {
    Vec::new()
}

#[cfg(all(unix, not(target_vendor = "apple")))]
pub(super) use self::of_unix::displays;

/// Display servers. Nothing is sent to them: accepting the connection is enough.
#[cfg(all(unix, not(target_vendor = "apple")))]
mod of_unix {
    use std::io;
    use std::net::{TcpStream, ToSocketAddrs as _};
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::DisplayReport;

    /// As long as another machine may take.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// The port of display 0.
    const X11_PORT: u16 = 6000;

    /// Looks for display servers where the environment says that they are. The window uses X11 where there are both.
    pub(in super::super) fn displays(has_window: bool) -> Vec<DisplayReport> {
        let read = |variable| std::env::var(variable).ok().filter(|value| !value.is_empty());
        let [x11, wayland, handed] = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].map(read);
        let problem = |answer: io::Result<()>| answer.err().map(|error| error.to_string());
        let is_x11 = x11.is_some();
        let display = |name, variable, value: Option<String>, answer: Option<_>, used: bool| {
            let problem = answer.and_then(problem);
            DisplayReport { name, variable, problem, value, used: has_window && used }
        };
        let answer = x11.as_deref().map(self::x11);
        let x11 = display("X11", "DISPLAY", x11, answer, is_x11);
        // A connection that was handed over is not tried: it would be used up.
        let wayland = if handed.is_some() {
            display("Wayland", "WAYLAND_SOCKET", handed, None, !is_x11)
        } else {
            let (answer, used) = (wayland.as_deref().map(self::wayland), wayland.is_some());
            display("Wayland", "WAYLAND_DISPLAY", wayland, answer, !is_x11 && used)
        };
        vec![x11, wayland]
    }

    /// Connects to `HOST:DISPLAY.SCREEN`; without a host, to this machine.
    fn x11(display: &str) -> io::Result<()> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "it does not name a display");
        let (host, number) = display.rsplit_once(':').ok_or_else(wrong)?;
        let number = number.split('.').next().unwrap_or_default();
        let number: u16 = number.parse().map_err(|_| wrong())?;
        if host.is_empty() || host == "unix" {
            return local(&format!("/tmp/.X11-unix/X{number}"));
        }
        let port = X11_PORT.checked_add(number).ok_or_else(wrong)?;
        let mut last = wrong();
        for address in (host, port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(_) => return Ok(()),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn local(path: &str) -> io::Result<()> {
        let answer = UnixStream::connect(path);
        #[cfg(target_os = "linux")]
        if answer.is_err() {
            use std::os::linux::net::SocketAddrExt as _;
            let name = std::os::unix::net::SocketAddr::from_abstract_name(path);
            if name.is_ok_and(|name| UnixStream::connect_addr(&name).is_ok()) {
                return Ok(());
            }
        }
        answer.map(drop)
    }

    /// A path, or a name in the folder that `XDG_RUNTIME_DIR` says.
    fn wayland(display: &str) -> io::Result<()> {
        let folder = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let folder = folder.filter(|folder| folder.is_dir());
        let path = match folder {
            Some(folder) => folder.join(display), // a path stays as it is
            None if display.starts_with('/') => display.into(),
            None => {
                let text = "XDG_RUNTIME_DIR does not name a folder";
                return Err(io::Error::new(io::ErrorKind::NotFound, text));
            }
        };
        UnixStream::connect(path).map(drop)
    }
}
