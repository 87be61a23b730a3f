//! Findings about one file, at most one entry for each rule, and the selection of rules.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, Command, Error};
use schemars::JsonSchema;
use serde::Serialize;

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::document::{AnimationId, BoneId, Document, Images};
use pchr::finding::{Findings, Rule, Severity, quoted};
use pchr::image::decode_each;
use pchr::pose::BindChoice;
use pchr::scene::{ClipEnd, SmoothnessJob, SmoothnessRule, Subject};
use pchr_foreign::format::rules;

use super::ValidateArgs;
use super::budget::Limits;
use crate::cli::pchr::content::{self, Content};
use crate::cli::pchr::report::Fold;
use crate::run::{Disk, Failure};
use crate::text::{nearest, smoothness};

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
        (self.only.is_empty() || is_in(&self.only, rule)) && !is_in(&self.ignore, rule)
    }

    /// Ids of the rules in one of the lists.
    pub(super) fn ids(list: &[Meant]) -> Vec<&'static str> {
        list.iter().flat_map(|meant| &meant.0).map(|rule| rule.id()).collect()
    }
}

/// The rules that an id or a name means: without the format in front, one of each format that has it.
#[derive(Clone, Debug)]
pub(super) struct Meant(Vec<Rule>);

fn is_in(list: &[Meant], rule: Rule) -> bool {
    list.iter().any(|meant| meant.0.contains(&rule))
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
    nearest(typed, names).into_iter().map(str::to_owned).collect()
}

/// The verdict in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Word", title = "Verdict")]
pub(super) enum Grade {
    /// Nothing was found, or only notes.
    Valid,
    /// Only warnings were found.
    Warnings,
    /// Errors were found.
    Invalid,
    /// The file could not be read, and nothing is known about it.
    Unreadable,
}

/// Findings about a file.
#[derive(Debug)]
pub(super) struct FileVerdict {
    /// True if it loads. A file that does not is not fully checked.
    pub(super) loads: bool,
    /// Findings that count: errors first, then in the order of a file's sections.
    folds: Vec<Fold>,
    /// Number of them that are listed.
    listed: usize,
    /// True if notes count as warnings: their rules were named.
    counts_notes: bool,
    /// Number of findings of ignored rules.
    pub(super) ignored: Vec<(Rule, u64)>,
}

impl FileVerdict {
    /// Reads a file and judges all of it, its images within a budget. A file that is `alone` has all threads for its
    /// images; of many, each has one.
    pub(super) fn of(
        disk: &Disk,
        path: &Path,
        alone: bool,
        (args, limits): (&ValidateArgs, Option<&Limits>),
        budget: &Budget,
    ) -> Result<Self, Failure> {
        let (loads, findings) = match content::read_within(disk, path, args.input, budget) {
            Ok(content) => {
                let mut findings = all_findings(&content, disk, alone, &budget.sibling());
                let place = (disk, path, args.input);
                let mut smoothness = SmoothnessRule::ALL.iter();
                let is_named = smoothness.any(|rule| is_in(&args.filter.only, rule.rule()));
                let judges_motion = args.motion_quality || is_named;
                if judges_motion && !matches!(content, Content::Atlas(_)) {
                    let judged = content::judged(&content, place, "--motion-quality", motion_notes);
                    findings.extend(judged?);
                }
                if let Some(limits) = limits {
                    let overruns = |subject: &dyn Subject, document: Option<&Document>| {
                        limits.overruns(subject, document)
                    };
                    findings.extend(content::judged(&content, place, "--budget", overruns)?);
                }
                (true, findings)
            }
            Err(Failure::Invalid { findings, .. }) => (false, findings),
            Err(failure) => return Err(failure),
        };
        Ok(Self::new(loads, &findings, args))
    }

    fn new(loads: bool, findings: &Findings, args: &ValidateArgs) -> Self {
        let mut all = Fold::all(findings);
        all.sort_by_key(|fold| (Reverse(fold.rule.severity()), fold.rule));
        let (folds, ignored): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|fold| args.filter.keeps(fold.rule));
        Self {
            loads,
            folds,
            counts_notes: !args.filter.only.is_empty(),
            listed: args.max_findings.unwrap_or(usize::MAX),
            ignored: ignored.iter().map(|fold| (fold.rule, fold.count)).collect(),
        }
    }

    pub(super) fn grade(&self) -> Grade {
        match self.folds.first().map(|fold| fold.rule.severity()) {
            Some(Severity::Error) => Grade::Invalid,
            Some(Severity::Warning) => Grade::Warnings,
            Some(Severity::Note) if self.counts_notes => Grade::Warnings,
            Some(Severity::Note) | None => Grade::Valid,
        }
    }

    /// Returns the number of findings of a severity that count.
    pub(super) fn total(&self, severity: Severity) -> u64 {
        let of_severity = self.folds.iter().filter(|fold| fold.rule.severity() == severity);
        of_severity.map(|fold| fold.count).sum()
    }

    pub(super) fn listed(&self) -> impl Iterator<Item = &Fold> {
        self.folds.iter().take(self.listed)
    }

    pub(super) fn unlisted(&self) -> usize {
        self.folds.len().saturating_sub(self.listed)
    }

    /// Returns true if an ignored error kept the file from being loaded.
    pub(super) fn stopped_by_ignored(&self) -> bool {
        let mut ignored = self.ignored.iter();
        !self.loads && ignored.any(|(rule, _)| rule.severity() == Severity::Error)
    }
}

/// Findings about a whole file: also about what reading does not tell, its images' pixels and its bind pose.
fn all_findings(content: &Content, disk: &Disk, alone: bool, budget: &Budget) -> Findings {
    let decode = |images: &dyn Images, found: &mut Findings| {
        decode_each(images, budget, alone, found, |_, _, _| ());
    };
    match content {
        Content::Character(input) => {
            let mut all = input.document.warnings().clone();
            let mut later = Findings::default();
            decode(&*input.document, &mut later);
            let character = Character::new(input.document.clone(), BindChoice::Auto);
            character.bind().report(&input.document, &mut later);
            all.extend(input.in_file(later));
            all
        }
        Content::Atlas(file) => {
            let sheet = file.sheet(disk);
            let mut all = sheet.warnings().clone();
            decode(&sheet, &mut all);
            all
        }
        Content::Motion(input) => input.file.warnings.clone(),
        Content::Pxd(input) => input.file.warnings.clone(),
        Content::Gltf(input) => input.file.warnings.clone(),
    }
}

/// Returns the notes of `--motion-quality`, about loops and frames that jump.
fn motion_notes(subject: &dyn Subject, document: Option<&Document>) -> Findings {
    let mut found = Findings::default();
    let mut add =
        |rule: SmoothnessRule, id: AnimationId, (frame, bone): (u16, BoneId), text: &str| {
            let clip = document.and_then(|document| document.animation(id));
            let offset = clip.map_or(0, |clip| clip.record_offset(frame, bone));
            let path = || format!("animations[{}].frames[{frame}][{}]", id.0, bone.0);
            let name = quoted(subject.animation_name(id));
            found.add(rule, offset, path, || format!("{name}: {text}"));
        };
    for (id, clip) in subject.animation_ids().zip(&SmoothnessJob { subject }.run()) {
        let end = clip.seam.as_ref().and_then(|seam| {
            let rule = match seam.end {
                ClipEnd::Jumps => SmoothnessRule::Loop,
                ClipEnd::Repeats if subject.loops(id) != Some(false) => SmoothnessRule::Loop,
                ClipEnd::Elsewhere if subject.loops(id).is_none() => SmoothnessRule::End,
                ClipEnd::Elsewhere | ClipEnd::Repeats | ClipEnd::Closes => return None,
            };
            Some((rule, seam.bones.first()?.bone, smoothness::end(subject, id, clip)?))
        });
        if let Some((rule, bone, text)) = end {
            add(rule, id, (0, bone), &format!("loop {text}"));
        }
        for pop in &clip.pops {
            let place = (pop.frame, pop.jump.bone);
            add(SmoothnessRule::Pop, id, place, &smoothness::pop(subject, pop));
        }
        if let Some(frame) = clip.left_out {
            let text = format!("too large: frame {frame} and later were not measured");
            add(SmoothnessRule::LeftOut, id, (frame, BoneId(0)), &text);
        }
    }
    found
}
