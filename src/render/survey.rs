//! What this machine has to draw with, whether it can be used or not.

use super::gpu::{Loaded, open};
use super::{BackendChoice, Capabilities, Gpu};

/// A graphics interface, and what can be reached by it.
#[derive(Clone, Debug)]
pub struct BackendSurvey {
    /// Which one.
    pub backend: BackendChoice,
    /// Its adapters, hardware first; or why there are none.
    pub adapters: Result<Vec<AdapterSurvey>, String>,
}

/// An adapter.
#[derive(Clone, Debug)]
pub struct AdapterSurvey {
    /// Its name, kind and driver.
    pub info: wgpu::AdapterInfo,
    /// What it can do.
    pub capabilities: Capabilities,
    /// Why it cannot be used; `None` if it can.
    pub refused: Option<String>,
}

impl AdapterSurvey {
    /// Whether it draws on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        super::gpu::is_software(&self.info)
    }
}

/// Loads the drivers of all graphics interfaces that the program was built for, and opens all their adapters, one after
/// the other: each is asked, not guessed.
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
    let loaded = Loaded::new(backend, None).await?;
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
    /// Whether this is the adapter that was opened.
    #[must_use]
    pub fn is(&self, adapter: &AdapterSurvey) -> bool {
        self.info == adapter.info
    }
}
