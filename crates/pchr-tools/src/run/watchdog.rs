//! Ends the program if a graphics driver does not answer. Its calls can block for ever (if it gets no threads, or its device
//! hangs), and a blocked call cannot be cancelled.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::Builder;
use std::time::Duration;

use pchr::render::{GpuError, patience};

use super::Failure;
use super::messages::Messages;

/// A thread that ends the program unless it is notified in time. It ends when this is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Watchdog {
    /// Time until the next notification; `None` while no driver is at work.
    orders: Sender<Option<Duration>>,
}

impl Watchdog {
    /// Starts the thread; `None` if the system refuses it. A driver would not get its threads either.
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

    /// Expects an answer within the time limit for a picture of a size.
    pub(crate) fn expect(&self, size: [u32; 2]) {
        self.expect_within(patience(size));
    }

    /// Expects an answer within a time limit.
    pub(crate) fn expect_within(&self, limit: Duration) {
        let _ = self.orders.send(Some(limit)); // its thread lives as long as this
    }

    /// Suspends the time limit.
    pub(crate) fn rest(&self) {
        let _ = self.orders.send(None);
    }
}
