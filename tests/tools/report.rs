//! Tests of a report's page in a real browser, driven by real events and checked by the pixels on the screen.

#![cfg(unix)]

mod access;
mod bound;
mod list;
mod made;
mod page;
mod pictures;
