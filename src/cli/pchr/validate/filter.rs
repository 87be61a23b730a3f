//! Which rules count.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, Command, Error};

use crate::finding::Rule;
use crate::format::rules;
use crate::text::nearest;

/// The rules that are asked about, and those that are not.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct FilterArgs {
    /// Count no findings but those of this rule: PCHR-E012, E012 or bone-parent-order (repeatable, or separated by commas)
    #[arg(long, value_name = "ID", value_delimiter = ',', value_parser = RuleParser, ignore_case = true)]
    #[arg(hide_possible_values = true)]
    pub(super) only: Vec<Rule>,
    /// Do not count findings of this rule (likewise)
    #[arg(long, value_name = "ID", value_delimiter = ',', value_parser = RuleParser, ignore_case = true)]
    #[arg(hide_possible_values = true)]
    pub(super) ignore: Vec<Rule>,
}

impl FilterArgs {
    /// Whether a rule counts.
    pub(super) fn keeps(&self, rule: Rule) -> bool {
        (self.only.is_empty() || self.only.contains(&rule)) && !self.ignore.contains(&rule)
    }
}

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
    type Value = Rule;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Rule, Error> {
        let is = |text: &str| value.eq_ignore_ascii_case(text);
        let named = |rule: &Rule| {
            let id = rule.id();
            is(id) || id.strip_prefix("PCHR-").is_some_and(is) || is(rule.name())
        };
        if let Some(rule) = rules().find(named) {
            return Ok(rule);
        }
        let Err(mut error) = PossibleValuesParser::new(Self::values()).parse_ref(cmd, arg, value)
        else {
            return Err(Error::new(clap::error::ErrorKind::InvalidValue).with_cmd(cmd));
        };
        // All of them would fill the screen: those that are meant perhaps are enough.
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

/// The ids that are nearest, or names: what was typed looks like one or the other.
fn near(typed: &str) -> Vec<String> {
    let is_id = typed.chars().any(|c| c.is_ascii_digit());
    let full = match is_id && !typed.to_ascii_uppercase().starts_with("PCHR-") {
        true => format!("PCHR-{typed}"),
        false => typed.to_owned(),
    };
    let names = rules().map(|rule| if is_id { rule.id() } else { rule.name() });
    nearest(&full, names)
        .into_iter()
        .map(str::to_owned)
        .collect()
}
