//! The graphics adapters, and the one that would be used.

use pchr::render::{AdapterSurvey, BackendChoice, BackendSurvey, Gpu, survey};

use super::{AdapterReport, AdaptersReport, BackendReport, UsedReport, VariableReport};
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
pub(super) fn look(args: &AdapterArgs) -> Result<(AdaptersReport, Option<Gpu>), Failure> {
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
        wishes.extend(match (asked, &value) {
            (Some(asked), _) => Some(format!("{option} {asked}")),
            (None, Some(value)) => Some(format!("{name}={value}")),
            (None, None) => None,
        });
        if let Some(value) = value {
            let effect = match asked {
                Some(_) => "overridden by the command line",
                None => "kept",
            };
            environment.push(VariableReport { name, value, effect });
        }
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
    let names: Vec<_> = BackendChoice::by_default().iter().map(|choice| choice.name()).collect();
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
    let name = survey.backend.name();
    let (adapters, problem) = match survey.adapters {
        Ok(adapters) => (adapters, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    let adapters = adapters.into_iter();
    BackendReport {
        name,
        problem,
        adapters: adapters.map(|adapter| adapter_report(adapter, used)).collect(),
    }
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
