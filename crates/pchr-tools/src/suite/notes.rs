//! Notes on a case as a whole.

use std::collections::BTreeSet;

use super::baseline::{describe, same_class};
use super::cases::Case;
use super::record::Record;
use crate::run::device::DrawnBy;
use crate::text::words::{count, number};
use crate::view::Setting;

/// Returns a note with the share of each picture that is not compared.
pub(super) fn of_ignored(case: &Case) -> Option<String> {
    let ignored = case.ignored.as_ref()?.count();
    let [width, height] = case.shown.size().map(u64::from);
    let pixels = count(width * height, "pixel", "pixels");
    let are = if ignored == 1 { "is" } else { "are" };
    Some(format!(
        "{} of {pixels} {are} ignored in each picture",
        number(ignored)
    ))
}

/// Returns notes about a case, to be read before its pictures.
pub(super) fn of_baselines(record: &Record, case: &Case, now: &DrawnBy) -> Vec<String> {
    let mut notes = Vec::new();
    for maker in &record.made_by {
        let then = &maker.drawn_by;
        if !same_class(then, now) {
            notes.push(format!(
                "baselines were drawn by {}, these pictures by {}, another class of adapter",
                describe(then),
                describe(now)
            ));
        } else if then.driver != now.driver {
            let version = |by: &DrawnBy| by.driver.clone().unwrap_or_default();
            notes.push(format!(
                "baselines were drawn with driver {}, these pictures with {}",
                version(then),
                version(now)
            ));
        }
    }
    let options = case.options.settings();
    let keys: BTreeSet<&str> = record.options.names().chain(options.names()).collect();
    for key in keys.into_iter().filter(|key| *key != "renderer") {
        let (then, now) = (record.options.get(key), options.get(key));
        if then != now {
            let say =
                |value: Option<&Setting>| value.map_or("not given".to_owned(), ToString::to_string);
            notes.push(format!(
                "{key} was {} when the baselines were made, and is {} now",
                say(then),
                say(now)
            ));
        }
    }
    notes
}
