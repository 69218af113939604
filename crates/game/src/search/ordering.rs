//! The configured stages, prepared for the move picker.

use arrayvec::ArrayVec;

use super::{OrderValues, SearchParams, Stage};

/// The picker's plan for each kind of node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordering {
    /// Plan for all moves.
    pub(super) all: Plan,
    /// Plan for all moves without the table and the path's memory.
    pub(super) evasions: Plan,
    /// Plan for the captures of a quiescence search.
    pub(super) captures: Plan,
    /// Plan for the captures and then the quiet moves that give check.
    pub(super) captures_and_checks: Plan,
    /// The values of pieces and ranks of moves.
    pub(super) values: OrderValues,
}

/// The steps of the picker. Each step returns those of its moves that no earlier one has returned.
pub(super) type Plan = ArrayVec<Step, 12>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The stage of this step; `None` for the moves that no stage claims.
    pub(super) stage: Option<Stage>,
    pub(super) source: Source,
    pub(super) rank: Rank,
    pub(super) test: Test,
}

/// Source of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Table,
    Killers,
    CounterMove,
    Response,
    Captures,
    Quiets,
    QuietChecks,
    All,
}

/// Order of moves. Equal moves keep the order of their source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    Equal,
    Gain,
    /// By gain, without losing moves.
    GainOnly,
    VictimAttacker,
    Exchange,
    History,
    Continuation,
    Static,
    Piece,
    /// By the number of the opponent's replies.
    Replies,
    /// By the values of a search, which the caller supplies to the picker.
    Searched,
    /// In random order with this seed.
    Shuffled(u32),
}

/// A test that a move must pass when its turn comes; if it fails, later steps may return it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    None,
    /// The move is legal here and has not been returned.
    Legal,
    /// The move loses nothing by static exchange.
    NoLoss,
}

/// Kinds of moves that no step has claimed yet.
#[derive(Clone, Copy, Debug)]
struct Unclaimed {
    captures: bool,
    quiets: bool,
}

impl Unclaimed {
    fn source(self) -> Option<Source> {
        match (self.captures, self.quiets) {
            (true, true) => Some(Source::All),
            (true, false) => Some(Source::Captures),
            (false, true) => Some(Source::Quiets),
            (false, false) => None,
        }
    }
}

impl Ordering {
    /// Plans for these parameters, with the game's values for them. A repeated stage gets one step,
    /// and a stage without remaining moves gets none.
    pub fn new(params: &SearchParams, values: OrderValues) -> Self {
        let all = plan(&params.ordering, params.shuffle_seed);
        let mut evasions = all.clone();
        evasions.retain(|step| !step.needs_tree());
        let quiescence = params.quiescence.as_ref();
        let skip_losing = quiescence.is_some_and(|quiescence| quiescence.skip_losing);
        let captures = captures(&all, skip_losing);
        let mut captures_and_checks = captures.clone();
        captures_and_checks.push(Step {
            stage: None,
            source: Source::QuietChecks,
            rank: Rank::Equal,
            test: Test::None,
        });
        Self {
            all,
            evasions,
            captures,
            captures_and_checks,
            values,
        }
    }

    /// Returns whether the stage has a step.
    pub(super) fn has_stage(&self, stage: Stage) -> bool {
        self.all.iter().any(|step| step.stage == Some(stage))
    }
}

impl Step {
    /// Returns whether it needs data that exist only within the horizon: memory, the preceding
    /// move, depth for a search.
    fn needs_tree(self) -> bool {
        let is_remembered = matches!(
            self.source,
            Source::Table | Source::Killers | Source::CounterMove | Source::Response
        );
        is_remembered || self.rank == Rank::Searched
    }
}

fn plan(stages: &[Stage], seed: u32) -> Plan {
    let mut plan = Plan::new();
    let mut left = Unclaimed {
        captures: true,
        quiets: true,
    };
    for &stage in stages {
        let Some(rest) = left.source() else {
            break;
        };
        let step = step(stage, rest, seed);
        let is_left = match step.source {
            Source::Captures => left.captures,
            Source::Quiets | Source::QuietChecks => left.quiets,
            _ => true,
        };
        if !is_left || plan.iter().any(|earlier| earlier.stage == step.stage) {
            continue;
        }
        plan.push(step);
        let may_leave = matches!(
            stage,
            Stage::GoodCaptures | Stage::GoodExchanges | Stage::ShallowSearch
        );
        if !may_leave {
            left.captures &= !matches!(step.source, Source::Captures | Source::All);
            left.quiets &= !matches!(step.source, Source::Quiets | Source::All);
        }
    }
    if let Some(source) = left.source() {
        plan.push(Step {
            stage: None,
            source,
            rank: Rank::Equal,
            test: Test::None,
        });
    }
    plan
}

/// The step of a stage; `rest` is the source of a stage that claims all remaining moves.
fn step(stage: Stage, rest: Source, seed: u32) -> Step {
    let (source, rank, test) = match stage {
        Stage::Tt => (Source::Table, Rank::Equal, Test::Legal),
        Stage::Killers => (Source::Killers, Rank::Equal, Test::Legal),
        Stage::CounterMove => (Source::CounterMove, Rank::Equal, Test::Legal),
        Stage::CornerResponse => (Source::Response, Rank::Equal, Test::Legal),
        Stage::SafeChecks => (Source::QuietChecks, Rank::Equal, Test::NoLoss),
        Stage::ShallowSearch => (rest, Rank::Searched, Test::None),
        Stage::FastestFirst => (rest, Rank::Replies, Test::None),
        Stage::GoodCaptures => (Source::Captures, Rank::GainOnly, Test::None),
        Stage::LosingCaptures => (Source::Captures, Rank::Gain, Test::None),
        Stage::MvvLva => (Source::Captures, Rank::VictimAttacker, Test::None),
        Stage::GoodExchanges => (Source::Captures, Rank::VictimAttacker, Test::NoLoss),
        Stage::LosingExchanges => (Source::Captures, Rank::Exchange, Test::None),
        Stage::StaticQuiets => (Source::Quiets, Rank::Static, Test::None),
        Stage::History => (rest, Rank::History, Test::None),
        Stage::ContinuationHistory => (rest, Rank::Continuation, Test::None),
        Stage::ByPiece => (rest, Rank::Piece, Test::None),
        Stage::Shuffled => (rest, Rank::Shuffled(seed), Test::None),
    };
    Step {
        stage: Some(stage),
        source,
        rank,
        test,
    }
}

/// All captures in the order of the first stage for captures, or if there is none, in generator
/// order.
fn captures(all: &Plan, skip_losing: bool) -> Plan {
    let first = all
        .iter()
        .find(|step| matches!(step.source, Source::Captures | Source::All) && !step.needs_tree());
    let by = |stage| step(stage, Source::Captures, 0);
    let mut plan = Plan::new();
    match first.and_then(|step| step.stage) {
        Some(Stage::GoodCaptures) => plan.push(by(Stage::LosingCaptures)),
        Some(Stage::GoodExchanges) => {
            plan.push(by(Stage::GoodExchanges));
            if !skip_losing {
                plan.push(by(Stage::LosingExchanges));
            }
        }
        _ => plan.extend(first.map(|&step| Step {
            source: Source::Captures,
            ..step
        })),
    }
    if skip_losing {
        for step in &mut plan {
            step.test = Test::NoLoss;
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use Stage::{
        ByPiece, GoodCaptures, GoodExchanges, History, Killers, LosingCaptures, LosingExchanges,
        MvvLva, StaticQuiets, Tt,
    };

    use super::*;
    use crate::search::Quiescence;

    fn ordering(stages: &[Stage], skip_losing: bool) -> Ordering {
        let params = SearchParams {
            ordering: stages.to_vec(),
            quiescence: Some(Quiescence {
                skip_losing,
                ..Quiescence::default()
            }),
            ..SearchParams::default()
        };
        Ordering::new(&params, OrderValues::NONE)
    }

    fn stages(plan: &Plan) -> Vec<Option<Stage>> {
        plan.iter().map(|step| step.stage).collect()
    }

    #[test]
    fn stages_to_which_nothing_is_left_have_no_turn() {
        for (list, expected) in [
            (&[][..], &[None][..]),
            (&[Tt, Tt, History], &[Some(Tt), Some(History)]),
            (
                &[Killers, ByPiece, GoodCaptures, Tt],
                &[Some(Killers), Some(ByPiece)],
            ),
            (&[MvvLva, GoodCaptures, Tt], &[Some(MvvLva), Some(Tt), None]),
            (
                &[GoodExchanges, StaticQuiets, LosingExchanges, History, Tt],
                &[
                    Some(GoodExchanges),
                    Some(StaticQuiets),
                    Some(LosingExchanges),
                ],
            ),
        ] {
            let ordering = ordering(list, false);
            assert_eq!(stages(&ordering.all), expected, "{list:?}");
            assert_eq!(ordering.has_stage(Tt), expected.contains(&Some(Tt)));
        }
        let every = ordering(Stage::ALL, false);
        assert_eq!(
            every.all.len(),
            9,
            "three for captures are too late, five come after `fastest-first`"
        );
    }

    #[test]
    fn the_rest_decides_the_generated_moves() {
        let last = |list| ordering(list, false).all.last().map(|step| step.source);
        assert_eq!(last(&[GoodCaptures, History]), Some(Source::All));
        assert_eq!(last(&[LosingCaptures, History]), Some(Source::Quiets));
        assert_eq!(last(&[MvvLva]), Some(Source::Quiets));
        assert_eq!(last(&[Tt, StaticQuiets]), Some(Source::Captures));
    }

    #[test]
    fn quiescence_has_the_first_stage_for_captures() {
        for (list, expected) in [
            (
                &[Tt, GoodCaptures, History][..],
                &[Some(LosingCaptures)][..],
            ),
            (&[Tt, MvvLva, GoodCaptures, History], &[Some(MvvLva)]),
            (
                &[GoodExchanges, Tt],
                &[Some(GoodExchanges), Some(LosingExchanges)],
            ),
            (&[Killers, History, GoodCaptures], &[Some(History)]),
            (&[StaticQuiets, Tt], &[None]),
        ] {
            assert_eq!(
                stages(&ordering(list, false).captures),
                expected,
                "{list:?}"
            );
            let skipping = ordering(list, true);
            assert_eq!(stages(&skipping.captures), expected[..1], "{list:?}");
            assert!(
                skipping
                    .captures
                    .iter()
                    .all(|step| step.test == Test::NoLoss)
            );
            assert_eq!(skipping.captures_and_checks.len(), 2);
        }
        let default = ordering(&[Tt, GoodCaptures, Killers, History], false);
        assert_eq!(
            stages(&default.evasions),
            [Some(GoodCaptures), Some(History)]
        );
    }
}
