//! The graphics adapter of a run.

use super::cases::Case;
use super::file::Suite;
use crate::run::Failure;
use crate::run::device::{Device, ReadyDevice};
use crate::run::messages::Messages;
use crate::view::{AdapterArgs, RendererArg};

/// Opens the adapter, if a case needs one. Returns `None` if it is missing and `--allow-skip` is given.
pub(super) fn open<'a>(
    (asked, allow_skip): (&AdapterArgs, bool),
    suite: &Suite,
    mut cases: impl Iterator<Item = &'a Case>,
    messages: &Messages,
) -> Result<Option<ReadyDevice>, Failure> {
    if cases.all(|case| case.by.renderer == RendererArg::Cpu) {
        if asked.asked() {
            messages.warning(
                "--backend and --adapter have no effect: the CPU renderer uses no adapter",
            );
        }
        return Ok(Some(ReadyDevice::Cpu));
    }
    let mut wanted = asked.clone();
    let said = |key: &str| suite.defaults.options.text(key).map(str::to_owned);
    wanted.backend = wanted.backend.or_else(|| said("backend"));
    wanted.adapter = wanted.adapter.or_else(|| said("adapter"));
    match Device::start(RendererArg::Gpu, &wanted).and_then(|device| device.open(None, messages)) {
        Err(Failure::NoAdapter(why)) if allow_skip && !is_another(&wanted, messages) => {
            messages.warning(&format!("{why}; cases that need one are skipped"));
            Ok(None)
        }
        opened => opened.map(Some),
    }
}

/// Returns true if the backend belongs to another system, or its adapters have other names. A typing mistake is an error, and skips nothing.
fn is_another(wanted: &AdapterArgs, messages: &Messages) -> bool {
    #[cfg(feature = "render")]
    if let Ok(options) = wanted.gpu_options()
        && options.backend.is_some_and(|backend| !backend.is_built())
    {
        return true;
    }
    let of_any_name = AdapterArgs {
        adapter: None,
        ..wanted.clone()
    };
    wanted.adapter.is_some()
        && Device::start(RendererArg::Gpu, &of_any_name)
            .and_then(|device| device.open(None, messages))
            .is_ok()
}
