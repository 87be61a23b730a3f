//! Rules of all formats, and the table of one.

use std::fmt;

/// Severity of a broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong with the file; only asked for.
    Note,
    /// The file is shown anyway.
    Warning,
    /// The file is not loaded.
    Error,
}

impl Severity {
    /// Returns the severity as a word, the same in all reports: `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule for files of a format. Rules are ordered by id: errors before warnings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(&'static RuleText);

/// Texts of a rule. Its id is a contract: it is never used for another rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleText {
    /// The stable id, like `PCHR-E012`.
    pub id: &'static str,
    /// A readable name, like `bone-parent-order`. It is as stable as the id, and rules of several formats with the same requirement
    /// share it.
    pub name: &'static str,
    /// Severity. Errors stop the load.
    pub severity: Severity,
    /// The requirement, in one sentence.
    pub about: &'static str,
    /// An example finding, as path and message, about a file that breaks the rule.
    pub example: &'static str,
    /// Advice to the author of the file.
    pub advice: &'static str,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.id)
    }
}

impl Rule {
    /// Returns the rule with these texts.
    #[must_use]
    pub const fn new(text: &'static RuleText) -> Self {
        Self(text)
    }

    /// Returns the stable id, like `PCHR-E012`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// Returns a readable name, like `bone-parent-order`; as stable as the id.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the severity. Errors stop the load.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.0.severity
    }

    /// Returns the requirement, in one sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.0.about
    }

    /// Returns an example finding, as path and message, about a file that breaks the rule.
    #[must_use]
    pub const fn example(self) -> &'static str {
        self.0.example
    }

    /// Returns advice to the author of the file.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        self.0.advice
    }
}

/// Defines the table of a format: an enum with a variant per rule, sorted by id, each of which is a [`Rule`].
#[doc(hidden)]
#[macro_export]
macro_rules! finding_rules {
    ($(#[doc = $of:literal])+ $table:ident $prefix:literal
    $($(#[doc = $doc:literal])+ $variant:ident = $severity:ident $number:literal $name:literal {
        example: $example:literal,
        advice: $advice:literal,
    })+) => {
        $(#[doc = $of])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $table {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $table {
            /// Every rule, errors first.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the rule with its texts.
            #[must_use]
            pub const fn rule(self) -> $crate::finding::Rule {
                match self {
                    $(Self::$variant => {
                        const TEXT: $crate::finding::RuleText = $crate::finding::RuleText {
                            id: $crate::finding::rules!(@id $severity $prefix $number),
                            name: $name,
                            severity: $crate::finding::Severity::$severity,
                            about: concat!($($doc),+).trim_ascii(),
                            example: $example,
                            advice: $advice,
                        };
                        $crate::finding::Rule::new(&TEXT)
                    })+
                }
            }
        }

        impl From<$table> for $crate::finding::Rule {
            fn from(rule: $table) -> Self {
                rule.rule()
            }
        }

        impl PartialEq<$table> for $crate::finding::Rule {
            fn eq(&self, rule: &$table) -> bool {
                *self == rule.rule()
            }
        }
    };
    (@id Error $prefix:literal $number:literal) => { concat!($prefix, "-E", $number) };
    (@id Note $prefix:literal $number:literal) => { concat!($prefix, "-N", $number) };
    (@id Warning $prefix:literal $number:literal) => { concat!($prefix, "-W", $number) };
}

pub use finding_rules as rules;
