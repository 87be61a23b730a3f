//! Which rules count.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, Command, Error};

use super::RULES_PAGE;
use crate::document::Rule;

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
        let ids = Rule::ALL
            .iter()
            .map(|rule| PossibleValue::new(rule.id()).help(rule.about()));
        let names = Rule::ALL
            .iter()
            .map(|rule| PossibleValue::new(rule.name()).help(rule.about()));
        ids.chain(names)
    }
}

impl TypedValueParser for RuleParser {
    type Value = Rule;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Rule, Error> {
        let is = |text: &str| value.eq_ignore_ascii_case(text);
        let named = |rule: &&Rule| {
            let id = rule.id();
            is(id) || id.strip_prefix("PCHR-").is_some_and(is) || is(rule.name())
        };
        if let Some(rule) = Rule::ALL.iter().find(named) {
            return Ok(*rule);
        }
        let Err(mut error) = PossibleValuesParser::new(Self::values()).parse_ref(cmd, arg, value)
        else {
            return Err(Error::new(clap::error::ErrorKind::InvalidValue).with_cmd(cmd));
        };
        // All of them would fill the screen: those that are meant perhaps are enough.
        error.remove(ContextKind::ValidValue);
        let near = near(&value.to_string_lossy());
        if !near.is_empty() {
            error.remove(ContextKind::SuggestedValue);
            error.insert(ContextKind::ValidValue, ContextValue::Strings(near));
        } else if error.get(ContextKind::SuggestedValue).is_none() {
            let tip = format!("{RULES_PAGE} lists the rules");
            let tips = ContextValue::StyledStrs(vec![tip.into()]);
            error.insert(ContextKind::Suggested, tips);
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::values()))
    }
}

/// Names that share a word with what was typed, or ids that share all but the end.
fn near(typed: &str) -> Vec<String> {
    const KIND_AND_TEN: usize = 3; // of `E012`: rules that belong together lie in one ten
    let typed = typed.to_ascii_lowercase();
    let id = typed.strip_prefix("pchr-").unwrap_or(&typed);
    let id = id.get(..KIND_AND_TEN).unwrap_or(id);
    let words = typed.split(['-', '_', ' ']).filter(|word| word.len() > 2);
    let near = Rule::ALL.iter().filter_map(|rule| {
        let by_id = id.len() > 1 && rule.id().to_ascii_lowercase().contains(id);
        let by_name = words.clone().any(|word| rule.name().contains(word));
        by_id
            .then_some(rule.id())
            .or(by_name.then_some(rule.name()))
    });
    near.map(str::to_owned).collect()
}
