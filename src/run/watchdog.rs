//! Ends the program if a graphics driver does not answer. Its calls can block for ever (where it gets no threads, or its
//! device hangs), and a call that blocks cannot be taken back.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::Builder;
use std::time::Duration;

use super::Failure;
use super::messages::Messages;
use crate::render::{GpuError, patience};

/// A thread that waits to be told that all is well. It ends with this.
#[derive(Clone, Debug)]
pub(crate) struct Watchdog {
    /// The time within which it is told next; `None` as long as no driver is waited for.
    orders: Sender<Option<Duration>>,
}

impl Watchdog {
    /// `None` if the system refuses the thread. A driver would not get its threads, either.
    pub(crate) fn start(messages: &Messages) -> Option<Self> {
        let (orders, inbox) = mpsc::channel::<Option<Duration>>();
        let messages = *messages;
        let watch = move || {
            let mut limit = None;
            loop {
                let order = match limit {
                    Some(limit) => inbox.recv_timeout(limit),
                    None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                };
                match (order, limit) {
                    (Ok(order), _) => limit = order,
                    (Err(RecvTimeoutError::Timeout), Some(limit)) => {
                        let error = anyhow::Error::new(GpuError::Timeout(limit));
                        let failure = Failure::Running(error);
                        messages.failure(&failure);
                        std::process::exit(failure.code().into());
                    }
                    (Err(_), _) => return,
                }
            }
        };
        Builder::new().spawn(watch).ok().map(|_| Self { orders })
    }

    /// A driver is at work on a picture of a size.
    pub(crate) fn expect(&self, size: [u32; 2]) {
        self.expect_within(patience(size));
    }

    /// A driver is at work.
    pub(crate) fn expect_within(&self, limit: Duration) {
        let _ = self.orders.send(Some(limit)); // its thread lives as long as this
    }

    /// No driver is at work.
    pub(crate) fn rest(&self) {
        let _ = self.orders.send(None);
    }
}
