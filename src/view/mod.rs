//! What a picture shows: options, their values, the pictures that they mean, and what draws them.

pub(crate) mod args;
pub(crate) mod device;
pub(crate) mod plan;
pub(crate) mod prepare;
pub(crate) mod report;
pub(crate) mod select;
pub(crate) mod values;
#[cfg(feature = "render")]
pub(crate) mod watchdog;
