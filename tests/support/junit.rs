//! JUnit reports, read back.

use quick_junit::Report;

/// The report in a file of XML.
///
/// Ant's schema wants times without a zone, which this reader misses, and no sums above those of the suites.
pub(crate) fn parse(xml: &[u8]) -> Report {
    let xml = std::str::from_utf8(xml).unwrap();
    let mut parts = xml.split(" timestamp=\"");
    let mut zoned = parts.next().unwrap().to_owned();
    for part in parts {
        let (time, rest) = part.split_once('"').unwrap();
        zoned += &format!(" timestamp=\"{time}Z\"{rest}");
    }
    let mut report = Report::deserialize(zoned.as_bytes()).unwrap();
    let sum = |of: fn(&quick_junit::TestSuite) -> usize| report.test_suites.iter().map(of).sum();
    let (tests, failures, errors) = (
        sum(|of| of.tests),
        sum(|of| of.failures),
        sum(|of| of.errors),
    );
    (report.tests, report.failures, report.errors) = (tests, failures, errors);
    report
}
