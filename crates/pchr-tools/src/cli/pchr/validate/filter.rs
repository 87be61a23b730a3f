//! Selection of rules.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, Command, Error};

use pchr::finding::Rule;
use pchr_foreign::format::rules;

use crate::text::nearest;

/// The rules to report, and those to ignore.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct FilterArgs {
    /// Count only findings of this rule: PCHR-E012, bone-parent-order, or just E012 for that id in every format (repeatable, or
    /// separated by commas)
    #[arg(long, value_name = "ID", value_delimiter = ',', value_parser = RuleParser, ignore_case = true)]
    #[arg(hide_possible_values = true)]
    pub(super) only: Vec<Meant>,
    /// Ignore findings of this rule (repeatable, or separated by commas)
    #[arg(long, value_name = "ID", value_delimiter = ',', value_parser = RuleParser, ignore_case = true)]
    #[arg(hide_possible_values = true)]
    pub(super) ignore: Vec<Meant>,
}

impl FilterArgs {
    /// Returns whether a rule counts.
    pub(super) fn keeps(&self, rule: Rule) -> bool {
        let is_in = |list: &[Meant]| list.iter().any(|meant| meant.0.contains(&rule));
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.ignore)
    }

    /// Ids of the rules in one of the lists.
    pub(super) fn ids(list: &[Meant]) -> Vec<&'static str> {
        let rules = list.iter().flat_map(|meant| &meant.0);
        rules.map(|rule| rule.id()).collect()
    }
}

/// The rules that an id or a name means: without the format in front, one of each format that has it.
#[derive(Clone, Debug)]
pub(super) struct Meant(Vec<Rule>);

/// Reads a rule's id or name, and lists them for completions.
#[derive(Clone, Copy, Debug)]
struct RuleParser;

impl RuleParser {
    fn values() -> impl Iterator<Item = PossibleValue> {
        let ids = rules().map(|rule| PossibleValue::new(rule.id()).help(rule.about()));
        let names = rules().map(|rule| PossibleValue::new(rule.name()).help(rule.about()));
        ids.chain(names)
    }
}

impl TypedValueParser for RuleParser {
    type Value = Meant;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Meant, Error> {
        let is = |text: &str| value.eq_ignore_ascii_case(text);
        let named = |rule: &Rule| {
            let id = rule.id();
            is(id) || number(id).is_some_and(is) || is(rule.name())
        };
        let meant: Vec<Rule> = rules().filter(named).collect();
        if !meant.is_empty() {
            return Ok(Meant(meant));
        }
        let Err(mut error) = PossibleValuesParser::new(Self::values()).parse_ref(cmd, arg, value)
        else {
            return Err(Error::new(clap::error::ErrorKind::InvalidValue).with_cmd(cmd));
        };
        // All of them would fill the screen; the closest ones are enough.
        error.remove(ContextKind::ValidValue);
        let near = near(&value.to_string_lossy());
        if !near.is_empty() {
            error.insert(ContextKind::SuggestedValue, ContextValue::Strings(near));
        } else if error.get(ContextKind::SuggestedValue).is_none() {
            let tips = ContextValue::StyledStrs(vec!["docs/RULES.md lists the rules".into()]);
            error.insert(ContextKind::Suggested, tips);
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::values()))
    }
}

/// An id without its format: `E012` of `PCHR-E012`.
fn number(id: &'static str) -> Option<&'static str> {
    id.rsplit_once('-').map(|(_, number)| number)
}

/// Returns the closest ids or names, depending on which the text resembles.
fn near(typed: &str) -> Vec<String> {
    let is_id = typed.chars().any(|c| c.is_ascii_digit());
    let names = rules().filter_map(|rule| match is_id {
        true if typed.contains('-') => Some(rule.id()),
        true => number(rule.id()),
        false => Some(rule.name()),
    });
    nearest(typed, names)
        .into_iter()
        .map(str::to_owned)
        .collect()
}
