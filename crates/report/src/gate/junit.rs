//! A gate as `JUnit` XML, which CI servers show with the tests.
//!
//! There is no standard; this is the common ground of Jenkins, GitLab and the GitHub actions for
//! test reports. A rejected candidate is a failure, a failed player is an error, and an undecided
//! gate is skipped, since it has no result. A candidate that played like the baseline passes or
//! fails depending on its hypotheses.

use std::fmt::Write as _;

use super::{Candidate, GateSummary, Outcome};
use crate::gate::text::lines;
use crate::xml::escape;

/// The XML document; `config` is the name of the config file, `seconds` the total duration of the
/// games, if it is included: then the output differs between machines.
pub fn junit(summary: &GateSummary, config: &str, seconds: Option<f64>) -> String {
    let count = |wanted: &dyn Fn(&Candidate) -> bool| {
        let candidates = summary.candidates.iter();
        candidates.filter(|candidate| wanted(candidate)).count()
    };
    let failed = |candidate: &Candidate| candidate.verdict == Some(Outcome::Failed);
    let rejected = |candidate: &Candidate| candidate.passed == Some(false);
    let undecided = |candidate: &Candidate| candidate.passed.is_none() && !failed(candidate);
    let time = seconds.map_or_else(String::new, |seconds| format!(" time=\"{seconds:.3}\""));
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{time}",
        summary.candidates.len(),
        count(&rejected),
        count(&failed),
        count(&undecided),
    );
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"leitai gate\" {counts}>\n  \
         <testsuite name=\"{}\" {counts}>\n",
        escape(config)
    );
    for candidate in &summary.candidates {
        xml.push_str(&case(candidate, &summary.base));
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn case(candidate: &Candidate, base: &str) -> String {
    let sentence = escape(&candidate.sentence);
    let mut xml = format!(
        "    <testcase classname=\"leitai.gate\" name=\"{} against {}\">\n",
        escape(&candidate.name),
        escape(base)
    );
    let _ = match (candidate.passed, candidate.verdict) {
        (Some(true), _) => Ok(()),
        (Some(false), Some(verdict)) => writeln!(
            xml,
            "      <failure type=\"{}\" message=\"{sentence}\"/>",
            verdict.name()
        ),
        (None, Some(verdict @ Outcome::Failed)) => writeln!(
            xml,
            "      <error type=\"{}\" message=\"{sentence}\"/>",
            verdict.name()
        ),
        _ => writeln!(xml, "      <skipped message=\"{sentence}\"/>"),
    };
    let _ = writeln!(xml, "      <system-out>{sentence}");
    for (label, value) in lines(candidate) {
        let _ = writeln!(xml, "{}: {}", escape(label), escape(&value));
    }
    xml.push_str("</system-out>\n    </testcase>\n");
    xml
}
