//! Answers to problems, as text and JSON.

use serde_json::Value;

use crate::cli::prelude::*;
use leitai_base::foreign::Foreign;
use leitai_game::search::proof::{End, SolveLimits};
use leitai_game::{Move, Position};
use leitai_games::go::reading::{Captures, KoFight, Need};
use leitai_games::go::{Capture, CaptureVerdict, Goal, Problem, point_of, reading};
use leitai_go_problems::certify::Certify as _;
use leitai_go_problems::formats::ProblemError;
use leitai_go_problems::proof::{Effort, check_until};

/// The answer to a problem, or the reason why there is none.
#[derive(Debug, Default, Serialize)]
pub(super) struct SolveOutput {
    number: u64,
    id: Option<Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<String>,
    verdict: Option<CaptureVerdict>,
    #[serde(rename = "move")]
    best: Option<String>,
    nodes: u64,
    expanded: u64,
    generated: u64,
    depth: u32,
    ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<CaptureVerdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ko: Option<Ko>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<Proof>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl SolveOutput {
    pub(super) fn new(
        number: u64,
        problem: &Problem,
        found: &reading::Reading,
        time: Duration,
    ) -> Self {
        let size = problem.board.size();
        let known = |verdict: CaptureVerdict| verdict != CaptureVerdict::Unknown;
        let expected = problem.expected.filter(|&expected| known(expected));
        let (against, with) = match problem.goal {
            Goal::Capture => (None, None),
            Goal::Semeai(against) => (Some(against.name(size)), None),
            Goal::Connect(with) => (None, Some(with.name(size))),
        };
        let best = found.best.filter(|_| known(found.verdict));
        let right = expected.map(|expected| expected == found.verdict);
        Self {
            number,
            id: Some(problem.id.clone().into()),
            goal: problem.goal.other().map(|_| problem.goal.name()),
            against,
            with,
            verdict: Some(found.verdict),
            best: best.map(|mv| move_name(mv, size)),
            nodes: found.effort.visited,
            expanded: found.effort.expanded,
            generated: found.effort.generated,
            depth: found.effort.depth,
            ms: milliseconds(time),
            expected,
            right: right.filter(|_| known(found.verdict)),
            ..Self::default()
        }
    }

    /// An answer for a problem that could not be read.
    pub(super) fn unreadable(error: &ProblemError) -> Self {
        Self {
            number: error.number as u64,
            id: error.id.clone(),
            line: Some(error.line),
            error: Some(error.reason.clone()),
            ..Self::default()
        }
    }

    pub(super) fn is_known(&self) -> bool {
        self.verdict != Some(CaptureVerdict::Unknown)
    }

    /// Records the limit that was reached before a verdict.
    pub(super) fn unknown_by(&mut self, end: End, is_late: bool) {
        let why = match end {
            _ if is_late => "the time was reached first",
            End::Memory => "the solver's tree is full: raise --table",
            End::Depth => "alpha-beta has searched as deep as `search.solver.max_depth` lets it",
            End::Nodes | End::Stopped => "the limit of nodes was reached first",
            End::Decided => "neither side's moves prove anything",
        };
        self.note = Some(why.to_owned());
    }

    /// Withdraws a verdict without a certificate.
    pub(super) fn doubt(&mut self, why: &str) {
        let name = self.verdict.map_or("", CaptureVerdict::name);
        self.note = Some(format!(
            "{name} by the search, but without a certificate: {why}"
        ));
        self.verdict = Some(CaptureVerdict::Unknown);
        (self.best, self.right, self.ko) = (None, None, None);
    }

    /// The answer as a line of text.
    pub(super) fn text(&self) -> String {
        let id = self.id.as_ref().map_or("-", Foreign::raw);
        let id = shown(id);
        if let Some(error) = &self.error {
            let line = self.line.unwrap_or_default();
            return format!(
                "{id:24} error: line {line}, problem {}: {error}",
                self.number
            );
        }
        let verdict = self.verdict.map_or("", CaptureVerdict::name);
        let best = self.best.as_deref().unwrap_or("-");
        let mut text = format!(
            "{id:24} {verdict:9} {best:5} {:>9} nodes {:>9.2} ms",
            self.nodes, self.ms
        );
        if let Some(ko) = &self.ko {
            let _ = write!(text, "  {}", ko.text());
        }
        if let Some(proof) = &self.proof {
            let _ = write!(text, "  certificate of {} nodes, checked", proof.steps);
        }
        if self.right == Some(false) {
            let expected = self.expected.map_or("", CaptureVerdict::name);
            let _ = write!(text, "  (the file says {expected})");
        }
        if let Some(note) = &self.note {
            let _ = write!(text, "  ({note})");
        }
        text
    }
}

fn move_name(mv: Move, size: u8) -> String {
    point_of(mv).map_or_else(|| "pass".to_owned(), |point| point.name(size))
}

/// The course of a ko.
#[derive(Debug, Serialize)]
pub(super) struct Ko {
    first: Option<&'static str>,
    threats: NeededThreats,
    #[serde(rename = "move")]
    best: Option<String>,
    proved: bool,
    nodes: u64,
}

/// The external threats that each side needs.
#[derive(Debug, Serialize)]
struct NeededThreats {
    attacker: Value,
    defender: Value,
}

/// A number of threats as JSON, null if unknown.
fn threats(need: Need) -> Value {
    match need {
        Need::Threats(count) => count.into(),
        Need::Many => "many".into(),
        Need::Unknown => Value::Null,
    }
}

/// A number of threats as text.
fn threats_text(count: &Value) -> String {
    match count {
        Value::Null => "?".to_owned(),
        Value::String(many) => many.clone(),
        number => number.to_string(),
    }
}

impl Ko {
    pub(super) fn new(problem: &Problem, fight: &KoFight) -> Self {
        Self {
            first: fight.first.map(|side| Capture::SIDE_NAMES[side.index()]),
            threats: NeededThreats {
                attacker: threats(fight.attacker),
                defender: threats(fight.defender),
            },
            best: fight.best.map(|mv| move_name(mv, problem.board.size())),
            proved: fight.is_proved,
            nodes: fight.effort.visited,
        }
    }

    fn text(&self) -> String {
        let first = self
            .first
            .map_or_else(String::new, |side| format!("{side} takes first, "));
        let NeededThreats { attacker, defender } = &self.threats;
        let [attacker, defender] = [attacker, defender].map(threats_text);
        let how = if self.proved { "" } else { " (judged)" };
        format!("{first}threats needed{how}: attacker {attacker}, defender {defender}")
    }
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// The limit of a certificate's check: some 300 MB and 20 seconds.
const EFFORT: Effort = Effort {
    positions: 1_000_000,
    exhaustive: false,
};

/// Statistics of a certificate.
#[derive(Debug, Serialize)]
pub(super) struct Proof {
    steps: usize,
    positions: u64,
    ms: f64,
}

impl Proof {
    /// Writes the certificates of a verdict to `text`, once the checker accepts them.
    pub(super) fn of(
        captures: &mut Captures,
        problem: &Problem,
        found: &reading::Reading,
        limits: SolveLimits<'_>,
        text: &mut String,
    ) -> Result<Self, String> {
        let certificates = captures.certify(problem, found, limits);
        let certificates = certificates.map_err(|why| why.to_string())?;
        let mut positions = 0;
        for certificate in &certificates {
            let checked = check_until(certificate, EFFORT, limits.stop);
            positions += checked.map_err(|why| why.to_string())?.positions;
        }
        let mut steps = 0;
        for certificate in certificates {
            let shrunk = certificate.shrunk();
            steps += shrunk.nodes.len();
            text.push_str(&shrunk.to_string());
        }
        Ok(Self {
            steps,
            positions,
            ms: 0.0,
        })
    }

    pub(super) fn after(self, time: Duration) -> Self {
        Self {
            ms: milliseconds(time),
            ..self
        }
    }
}

/// The verdicts of a set.
#[derive(Debug, Default)]
pub(super) struct Tally {
    verdicts: [u64; CaptureVerdict::ALL.len()],
    wrong: u64,
    unreadable: u64,
    nodes: u64,
    ms: f64,
}

impl Tally {
    pub(super) fn add(&mut self, answer: &SolveOutput) {
        if answer.error.is_some() {
            self.unreadable += 1;
        }
        if let Some(verdict) = answer.verdict {
            self.verdicts[verdict as usize] += 1;
        }
        self.wrong += u64::from(answer.right == Some(false));
        self.nodes += answer.nodes;
        self.ms += answer.ms;
    }

    pub(super) fn exit(&self) -> Exit {
        if self.unreadable > 0 {
            Exit::Usage
        } else if self.wrong > 0 {
            Exit::Failure
        } else if self.verdicts[CaptureVerdict::Unknown as usize] > 0 {
            Exit::Inconclusive
        } else {
            Exit::Success
        }
    }

    pub(super) fn text(&self) -> String {
        // Verdicts of captures always, those of other goals if there are any.
        let is_told =
            |it: CaptureVerdict| it <= CaptureVerdict::Unknown || self.verdicts[it as usize] > 0;
        let all = CaptureVerdict::ALL.iter().filter(|&&it| is_told(it));
        let counted = all.map(|&it| format!("{} {}", self.verdicts[it as usize], it.name()));
        let counted: Vec<_> = counted.collect();
        let mut text = format!(
            "{}; {} nodes, {:.1} ms",
            counted.join(", "),
            self.nodes,
            self.ms
        );
        if self.wrong > 0 {
            let _ = write!(text, "; {} not as the file says", self.wrong);
        }
        if self.unreadable > 0 {
            let _ = write!(text, "; {} could not be read", self.unreadable);
        }
        text
    }
}
