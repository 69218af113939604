//! Results of an examination.

use serde::Serialize;
use serde_json::{Map, Value};

use leitai_base::count::alternatives;
use leitai_protocols::Protocol;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// As it should be.
    Ok,
    /// Worth knowing; games can still be played.
    Warning,
    /// The player would lose games by it, or play them differently from the config.
    Failure,
}

/// One check of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// A short name that does not change between versions.
    pub id: &'static str,
    /// The result.
    pub status: Status,
    /// The finding, in plain words.
    pub text: String,
    /// A remedy; lines of the config are in backticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The kind of limit that the check found broken.
    #[serde(skip)]
    broken: Option<LimitKind>,
    /// The numbers and names behind the text; times in milliseconds, memory in MiB.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub figures: Map<String, Value>,
}

impl Check {
    pub(super) fn new(id: &'static str, status: Status, text: impl Into<String>) -> Self {
        Self {
            id,
            status,
            text: text.into(),
            help: None,
            broken: None,
            figures: Map::new(),
        }
    }

    pub(super) fn ok(id: &'static str, text: impl Into<String>) -> Self {
        Self::new(id, Status::Ok, text)
    }

    pub(super) fn warning(id: &'static str, text: impl Into<String>) -> Self {
        Self::new(id, Status::Warning, text)
    }

    pub(super) fn failure(id: &'static str, text: impl Into<String>) -> Self {
        Self::new(id, Status::Failure, text)
    }

    /// A failure if the config needs the feature, otherwise a warning.
    pub(super) fn wrong(is_needed: bool, id: &'static str, text: impl Into<String>) -> Self {
        let status = [Status::Warning, Status::Failure][usize::from(is_needed)];
        Self::new(id, status, text)
    }

    pub(super) fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }

    /// Marks this kind of limit as broken: other kinds help.
    pub(super) fn breaks(mut self, kind: LimitKind) -> Self {
        self.broken = Some(kind);
        self
    }

    pub(super) fn figure(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.figures.insert(name.to_owned(), value.into());
        self
    }
}

/// A kind of limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitKind {
    Nodes,
    Depth,
    /// Time per move, or a clock.
    Time,
}

impl LimitKind {
    /// Its keys in configs.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Nodes => &["nodes"],
            Self::Depth => &["depth"],
            Self::Time => &["movetime", "clock"],
        }
    }
}

/// Adds advice to checks that found a limit broken: other kinds that the protocol has and that no
/// check found broken.
pub(super) fn advise_other_limits(checks: &mut [Check], protocol: &Protocol) {
    let broken: Vec<LimitKind> = checks.iter().filter_map(|check| check.broken).collect();
    let is_broken = |key: &&str| broken.iter().any(|kind| kind.keys().contains(key));
    let others = alternatives(protocol.limit_keys().filter(|key| !is_broken(key)));
    let help = format!("limit the games by something else under `limits`: {others}");
    let help = (!others.is_empty()).then_some(help);
    for check in checks {
        if check.broken.is_some() && check.status == Status::Failure && check.help.is_none() {
            check.help.clone_from(&help);
        }
    }
}

const MARGIN_LINE: [&str; 2] = ["write `margin = \"", "ms\"` under `limits`"];

/// The config line for a margin in milliseconds.
pub(super) fn margin_line(milliseconds: u64) -> String {
    let [before, behind] = MARGIN_LINE;
    format!("{before}{milliseconds}{behind}")
}

/// Replaces different margins in the advice of several checks by the largest.
pub(super) fn unify_margins(checks: &mut [Check]) {
    // The milliseconds, and the text after the line.
    let advised = |check: &Check| {
        let [before, behind] = MARGIN_LINE;
        let help = check.help.as_deref()?.strip_prefix(before)?;
        let (number, rest) = help.split_once(behind)?;
        Some((number.parse::<u64>().ok()?, rest.to_owned()))
    };
    let margins = checks.iter().filter_map(advised);
    let Some(largest) = margins.map(|(margin, _)| margin).max() else {
        return;
    };
    for check in checks {
        if let Some((_, rest)) = advised(check) {
            check.help = Some(margin_line(largest) + &rest);
        }
    }
}

/// The kind of an examined player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Another program.
    Program,
    /// A search of this process.
    Search,
    /// A player of this process other than a Leitai search.
    Player,
}

/// The examination of one player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examination {
    /// The variant.
    pub variant: String,
    /// The kind of player.
    pub kind: Kind,
    /// The command of a program, as in the config.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// True if no check failed.
    pub fit: bool,
    /// A one-sentence summary.
    pub sentence: String,
    /// The checks in order.
    pub checks: Vec<Check>,
}

impl Examination {
    pub(super) fn new(
        variant: &str,
        kind: Kind,
        command: Option<String>,
        checks: Vec<Check>,
    ) -> Self {
        let fit = checks.iter().all(|check| check.status < Status::Failure);
        Self {
            sentence: sentence(variant, &checks),
            variant: variant.to_owned(),
            kind,
            command,
            fit,
            checks,
        }
    }
}

fn sentence(variant: &str, checks: &[Check]) -> String {
    let of = |status| checks.iter().filter(move |check| check.status == status);
    let failures = of(Status::Failure).count();
    if failures == 0 {
        return match of(Status::Warning).count() {
            0 => format!("`{variant}` is fit to play"),
            1 => format!("`{variant}` is fit to play, with a warning"),
            more => format!("`{variant}` is fit to play, with {more} warnings"),
        };
    }
    let mut fixes: Vec<&str> = Vec::new();
    for help in of(Status::Failure).filter_map(|check| check.help.as_deref()) {
        match fixes.iter_mut().find(|known| help.starts_with(**known)) {
            // An advice that extends a known one.
            Some(known) => *known = help,
            None => fixes.push(help),
        }
    }
    match fixes.join("; ") {
        fixes if fixes.is_empty() => {
            format!("`{variant}` is not fit to play, and no line of the config fixes it")
        }
        fixes => format!("`{variant}` is not fit to play: {fixes}"),
    }
}

/// The examination of all players of a config.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Health {
    /// True if all players are fit.
    pub fit: bool,
    /// A one-sentence summary.
    pub sentence: String,
    /// The players, in the order of the config.
    pub players: Vec<Examination>,
}

impl Health {
    /// Combines the examinations of the players.
    pub fn new(players: Vec<Examination>) -> Self {
        let unfit = players.iter().filter(|player| !player.fit);
        let unfit = unfit.map(|player| format!("`{}`", player.variant));
        let unfit: Vec<_> = unfit.collect();
        let is_warned =
            |player: &&Examination| player.checks.iter().any(|it| it.status == Status::Warning);
        let warned = players.iter().filter(is_warned).count();
        let sentence = match unfit.as_slice() {
            [] if warned > 0 => format!("all players are fit to play, {warned} with warnings"),
            [] => "all players are fit to play".to_owned(),
            [one] => format!("{one} is not fit to play"),
            _ => format!("{} are not fit to play", unfit.join(", ")),
        };
        Self {
            fit: unfit.is_empty(),
            sentence,
            players,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_protocols::{GTP, NBOARD, UCI};

    /// Limits that one check found broken are not advised by another check either.
    #[test]
    fn limits_that_are_broken_are_not_advised() {
        let mut checks = [
            Check::failure("positions", "").breaks(LimitKind::Nodes),
            Check::failure("depth", "").breaks(LimitKind::Depth),
            Check::failure("game", "")
                .breaks(LimitKind::Nodes)
                .help("a".to_owned()),
        ];
        advise_other_limits(&mut checks, UCI);
        let help = "limit the games by something else under `limits`: `movetime` or `clock`";
        let helps = checks.map(|check| check.help.unwrap_or_default());
        assert_eq!(helps, [help, help, "a"]);
        let mut depth = [Check::failure("depth", "").breaks(LimitKind::Depth)];
        advise_other_limits(&mut depth, NBOARD);
        assert!(
            depth[0]
                .help
                .as_ref()
                .unwrap()
                .ends_with("`limits`: `clock`")
        );
        let mut time = [Check::failure("movetime", "").breaks(LimitKind::Time)];
        advise_other_limits(&mut time, GTP);
        assert_eq!(time[0].help, None);
    }

    fn examined(checks: Vec<Check>) -> Examination {
        Examination::new("x", Kind::Search, None, checks)
    }

    #[test]
    fn a_warning_does_not_make_unfit_and_a_failure_does() {
        let fine = examined(vec![Check::ok("a", ""), Check::warning("b", "slow")]);
        assert!(fine.fit);
        assert_eq!(fine.sentence, "`x` is fit to play, with a warning");
        let help = "write `rank_base = 1`".to_owned();
        let sick = examined(vec![Check::failure("a", "wrong").help(help)]);
        assert!(!sick.fit);
        assert_eq!(
            sick.sentence,
            "`x` is not fit to play: write `rank_base = 1`"
        );
        let all = Health::new(vec![fine, sick]);
        assert_eq!(
            (all.fit, all.sentence.as_str()),
            (false, "`x` is not fit to play")
        );
        assert!(Health::new(Vec::new()).fit);
    }
}
