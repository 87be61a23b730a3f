//! Reading of JUnit reports, and checks against the common schemas.

use quick_junit::Report;

/// Reads a JUnit report and checks it against the schemas.
///
/// Ant's schema has times without a zone, but the reader needs one. It also allows no totals for all suites, so they are
/// summed here.
pub(crate) fn parse(xml: &[u8]) -> Report {
    let xml = std::str::from_utf8(xml).unwrap();
    assert_conforms(xml);
    let mut parts = xml.split(" timestamp=\"");
    let mut zoned = parts.next().unwrap().to_owned();
    for part in parts {
        let (time, rest) = part.split_once('"').unwrap();
        zoned += &format!(" timestamp=\"{time}Z\"{rest}");
    }
    let mut report = Report::deserialize(zoned.as_bytes()).unwrap();
    let sum = |of: fn(&quick_junit::TestSuite) -> usize| report.test_suites.iter().map(of).sum();
    let (tests, failures, errors) =
        (sum(|of| of.tests), sum(|of| of.failures), sum(|of| of.errors));
    (report.tests, report.failures, report.errors) = (tests, failures, errors);
    report
}

/// Elements that Ant's `JUnit.xsd` and Jenkins' `junit-10.xsd` allow: name, required attributes, and children in order.
/// `?` marks an optional child and `*` a repeated one. The alternatives in one entry exclude each other.
const ELEMENTS: [(&str, &str, &[&str]); 9] = [
    ("testsuites", "", &["testsuite*"]),
    (
        "testsuite",
        "name timestamp hostname tests failures errors skipped time id package",
        &["properties", "testcase*", "system-out", "system-err"],
    ),
    ("properties", "", &["property*"]),
    ("property", "name value", &[]),
    ("testcase", "name classname time", &["skipped|failure|error?"]),
    ("skipped", "message", &[]),
    ("failure", "message type", &[]),
    ("error", "message type", &[]),
    ("system-out", "", &[]),
];

struct Element<'a> {
    name: &'a str,
    children: Vec<&'a str>,
}

/// Panics if a report violates one of the schemas or XML 1.0.
#[track_caller]
fn assert_conforms(xml: &str) {
    let forbidden =
        |c: char| (c < ' ' && !"\t\n\r".contains(c)) || matches!(c, '\u{fffe}' | '\u{ffff}');
    assert!(!xml.contains(forbidden), "{xml:?}");
    let mut open = vec![Element { name: "", children: Vec::new() }];
    for tag in xml.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        if tag.starts_with('?') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            close(&open.pop().unwrap(), name);
            continue;
        }
        let whole = tag.strip_suffix('/');
        let (name, attributes) = start(whole.unwrap_or(tag));
        check_attributes(name, &attributes, open.last().unwrap());
        open.last_mut().unwrap().children.push(name);
        let element = Element { name, children: Vec::new() };
        match whole {
            Some(_) => close(&element, name),
            None => open.push(element),
        }
    }
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].children, ["testsuites"]);
}

fn start(tag: &str) -> (&str, Vec<(&str, &str)>) {
    let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut parts: Vec<&str> = rest.split('"').collect();
    assert_eq!(parts.pop().map(str::trim), Some(""), "{tag}");
    let pairs = parts.chunks(2).map(|pair| (pair[0].trim().trim_end_matches('='), pair[1]));
    (name, pairs.collect())
}

#[track_caller]
fn check_attributes(name: &str, attributes: &[(&str, &str)], parent: &Element<'_>) {
    let known: Vec<&str> = rule(name).1.split_whitespace().collect();
    let names: Vec<&str> = attributes.iter().map(|(name, _)| *name).collect();
    assert!(known.iter().all(|name| names.contains(name)), "{name}: {names:?}");
    assert!(names.iter().all(|name| known.contains(name)), "{name}: {names:?}");
    for (key, value) in attributes {
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match *key {
            "time" => assert!(value.split('.').all(digits), "{value}"),
            "tests" | "failures" | "errors" | "skipped" => assert!(digits(value), "{key}={value}"),
            "id" => {
                let before = parent.children.iter().filter(|child| **child == name).count();
                assert_eq!(*value, before.to_string());
            }
            "timestamp" => {
                assert_eq!(value.replace(|c: char| c.is_ascii_digit(), "0"), "0000-00-00T00:00:00");
            }
            "name" | "classname" => assert!(!value.is_empty(), "{name} has no {key}"),
            _ => {}
        }
    }
}

#[track_caller]
fn close(element: &Element<'_>, name: &str) {
    assert_eq!(element.name, name);
    let mut children = element.children.iter().peekable();
    for wanted in rule(name).2 {
        let names = wanted.trim_end_matches(['?', '*']);
        let is = |child: &&&str| names.split('|').any(|name| name == **child);
        let first = children.next_if(is);
        let all = &element.children;
        assert!(first.is_some() || names != *wanted, "{name} has no {names}: {all:?}");
        if wanted.ends_with('*') {
            while children.next_if(is).is_some() {}
        }
    }
    assert_eq!(children.next(), None, "{name}: {:?}", element.children);
}

fn rule(name: &str) -> (&'static str, &'static str, &'static [&'static str]) {
    let name = if name == "system-err" { "system-out" } else { name };
    let mut rules = ELEMENTS.iter();
    *rules.find(|(of, ..)| *of == name).unwrap_or_else(|| panic!("<{name}>"))
}
