//! The differences between the rules of repetition, as data.

use crate::kind::Kind;
use crate::rules::RepetitionRule;

/// How a rule judges a cycle in which neither side alone gave check with every move.
pub(super) struct RuleBook {
    /// The effect of a check on chases in the same cycle.
    pub(super) check_effect: CheckEffect,
    /// The pieces that a side may not threaten with every move.
    pub(super) prey: Prey,
    /// The captures that threaten something.
    pub(super) gain: Gain,
    /// True if a threat of mate is an attack.
    pub(super) counts_mate_threats: bool,
    /// True if a chase by new attacks is worse than one that only takes protection away.
    pub(super) ranks_chases: bool,
    /// True if the side that loses must also be the worse one in each round of the cycle.
    pub(super) needs_each_round: bool,
}

/// The effect of a check on chases in the same cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckEffect {
    /// Neither side chases.
    ExcusesBoth,
    /// The side that gave it does not chase.
    ExcusesChecker,
    /// It is an attack, as a chase is.
    Attacks,
}

/// The pieces that a side may not threaten with every move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prey {
    /// One and the same piece.
    OnePiece,
    /// Any pieces, also in turn.
    Any,
}

/// The captures that threaten something.
#[derive(Clone, Copy)]
pub(super) enum Gain {
    /// Captures of unprotected pieces, and of protected ones if the function accepts the kinds of
    /// attacker and victim.
    Protection(fn(Kind, Kind) -> bool),
    /// Captures that win material after all captures on the square, unless mate follows at once.
    Exchange,
}

const COMPUTER: RuleBook = RuleBook {
    check_effect: CheckEffect::ExcusesBoth,
    prey: Prey::OnePiece,
    gain: Gain::Protection(|attacker, victim| {
        use Kind::{Advisor, Cannon, Elephant, Horse, Rook};
        matches!(
            (attacker, victim),
            (Horse | Cannon, Rook) | (Advisor | Elephant, Rook | Horse | Cannon)
        )
    }),
    counts_mate_threats: false,
    ranks_chases: false,
    needs_each_round: false,
};

const ASIAN: RuleBook = RuleBook {
    check_effect: CheckEffect::ExcusesChecker,
    prey: Prey::OnePiece,
    gain: Gain::Protection(|attacker, victim| {
        matches!(attacker, Kind::Horse | Kind::Cannon) && victim == Kind::Rook
    }),
    counts_mate_threats: false,
    ranks_chases: true,
    needs_each_round: true,
};

const CHINESE: RuleBook = RuleBook {
    check_effect: CheckEffect::Attacks,
    prey: Prey::Any,
    gain: Gain::Exchange,
    counts_mate_threats: true,
    ranks_chases: false,
    needs_each_round: true,
};

impl RuleBook {
    /// The rule book of a rule; `None` if the rule forbids perpetual check alone.
    pub(super) fn of(rule: RepetitionRule) -> Option<&'static RuleBook> {
        match rule {
            RepetitionRule::Check => None,
            RepetitionRule::Computer => Some(&COMPUTER),
            RepetitionRule::Asian => Some(&ASIAN),
            RepetitionRule::Chinese => Some(&CHINESE),
        }
    }
}
