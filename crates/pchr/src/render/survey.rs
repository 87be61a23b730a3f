//! Survey of this machine's adapters, usable or not, and their capabilities.

use super::gpu::Capabilities;
use super::gpu::{LoadedBackend, open};
use super::{BackendChoice, Gpu};

/// A backend and its adapters.
#[derive(Clone, Debug)]
pub struct BackendSurvey {
    /// The backend.
    pub backend: BackendChoice,
    /// Its adapters, hardware first, or the reason why there are none.
    pub adapters: Result<Vec<AdapterSurvey>, String>,
}

/// An adapter.
#[derive(Clone, Debug)]
pub struct AdapterSurvey {
    /// Name, type and driver.
    pub info: wgpu::AdapterInfo,
    /// Its capabilities.
    pub capabilities: Capabilities,
    /// Reason why it cannot be used; `None` if it can.
    pub refused: Option<String>,
}

impl AdapterSurvey {
    /// Returns true if it draws on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        super::gpu::is_software(&self.info)
    }
}

/// Loads the drivers of all backends that the program was built with, and opens each of their adapters in turn.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn survey() -> Vec<BackendSurvey> {
    let built = BackendChoice::ALL.into_iter().filter(|it| it.is_built());
    built
        .map(|backend| BackendSurvey {
            backend,
            adapters: pollster::block_on(adapters(backend)),
        })
        .collect()
}

#[cfg(not(target_family = "wasm"))]
async fn adapters(backend: BackendChoice) -> Result<Vec<AdapterSurvey>, String> {
    let loaded = LoadedBackend::new(backend, None).await?;
    let mut adapters = Vec::new();
    for (adapter, info) in loaded.adapters {
        adapters.push(AdapterSurvey {
            capabilities: Capabilities::of(&adapter),
            refused: open(&adapter).await.err(),
            info,
        });
    }
    Ok(adapters)
}

impl Gpu {
    /// Returns true if `adapter` is the one that was opened.
    #[must_use]
    pub fn is(&self, adapter: &AdapterSurvey) -> bool {
        self.info == adapter.info
    }
}
