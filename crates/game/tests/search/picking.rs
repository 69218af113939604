//! Compares the picker with the descriptions of the stages.

use std::cmp::Reverse;

use proptest::prelude::*;

use super::*;
use leitai_game::search::internals::Memory;
use leitai_game::search::internals::Ordering;
use leitai_game::search::internals::Picker;
use leitai_game::search::internals::shuffled;
use leitai_game::search::{
    History, HistoryBonus, HistoryIndex, KillerKind, Killers, Quiescence, Tactics,
};
use leitai_game::{MoveBuffer as _, legal_moves};
use leitai_othello::Othello;

/// The ply of the position in the tests.
const PLY: u32 = 5;

/// A position with the inputs of an ordering.
struct Node<'a, P: Tactics> {
    position: &'a P,
    params: SearchParams,
    ordering: Ordering,
    memory: Memory,
    table: Option<Move>,
    last: Option<Move>,
    /// True if a search supplies values.
    searches: bool,
}

/// The random content of the memory: a choice of moves for each step.
type Choices = Vec<(u16, u16, u8)>;

impl<'a, P: Tactics> Node<'a, P> {
    /// A node whose memory contains data about many of its moves, and some invalid moves.
    fn new(position: &'a P, params: SearchParams, choices: &Choices) -> Self {
        let ordering = Ordering::new(&params, P::order_values(&params));
        let mut memory = Memory::new::<P>(&params, &ordering);
        let moves = legal_moves(position);
        let chosen = |choice: u16| match choice % 8 {
            0 => Move(choice),
            _ => *moves
                .get(usize::from(choice / 8) % moves.len().max(1))
                .unwrap_or(&Move(choice)),
        };
        for &(first, second, depth) in choices {
            let (first, second) = (chosen(first), chosen(second));
            let before = chosen(u16::from(depth / 16) * 8 + 1);
            memory.enter(position, PLY - 2, before);
            memory.enter(position, PLY - 1, second);
            let depth = u32::from(depth % 16);
            memory.learn(position, PLY, depth, first, depth % 4 > 0, &[second]);
        }
        let table = choices.first().map(|&(first, _, _)| chosen(first));
        // Usually one of the twelve squares next to a corner of Othello.
        let beside = [1, 6, 8, 9, 14, 15, 48, 49, 54, 55, 57, 62, 30, u16::MAX];
        let last = choices.first();
        let last = last.map(|&(_, second, _)| Move(beside[usize::from(second) % beside.len()]));
        Self {
            position,
            params,
            ordering,
            memory,
            table,
            last,
            searches: !choices.len().is_multiple_of(3),
        }
    }

    /// A substitute for the value by a search; many moves have equal values.
    fn searched(&self, mv: Move) -> i32 {
        shuffled(3, self.position.key(), mv) as i32 >> 29
    }

    fn is_claimed(&self, stage: Stage, mv: Move) -> bool {
        let is_capture = self.position.is_capture(mv);
        match stage {
            Stage::Tt => self.table == Some(mv),
            Stage::Killers => self.memory.killers(PLY).contains(&Some(mv)),
            Stage::CounterMove => self.memory.counter_move(PLY) == Some(mv),
            Stage::GoodCaptures => {
                is_capture && self.position.static_gain(mv, &P::USUAL_ORDER) >= 0
            }
            Stage::GoodExchanges => is_capture && self.position.exchange(mv, &P::USUAL_ORDER) >= 0,
            Stage::LosingCaptures | Stage::MvvLva | Stage::LosingExchanges => is_capture,
            Stage::StaticQuiets => !is_capture,
            Stage::SafeChecks => {
                !is_capture
                    && self.position.gives_check(mv)
                    && self.position.exchange(mv, &P::USUAL_ORDER) >= 0
            }
            Stage::CornerResponse => {
                self.last.and_then(|last| self.position.response(last)) == Some(mv)
            }
            Stage::ShallowSearch => self.searches,
            Stage::FastestFirst
            | Stage::History
            | Stage::ContinuationHistory
            | Stage::ByPiece
            | Stage::Shuffled => true,
            other => panic!("describe {other:?}"),
        }
    }

    /// Rank of a move; higher is earlier.
    fn rank(&self, stage: Stage, mv: Move) -> (i32, i32) {
        let position = self.position;
        let one = match stage {
            Stage::Tt | Stage::CounterMove | Stage::CornerResponse | Stage::SafeChecks => 0,
            Stage::ShallowSearch => self.searched(mv),
            Stage::FastestFirst => {
                let mut after = self.position.clone();
                after.make(mv);
                let mut replies = legal_moves(&after);
                replies.retain(|&mut reply| !is_pass(reply));
                let rank = i32::from(position.static_rank(mv, &P::USUAL_ORDER));
                return (-(replies.len() as i32), -rank);
            }
            Stage::Killers => i32::from(self.memory.killers(PLY)[0] == Some(mv)),
            Stage::GoodCaptures | Stage::LosingCaptures => {
                position.static_gain(mv, &P::USUAL_ORDER)
            }
            Stage::LosingExchanges => position.exchange(mv, &P::USUAL_ORDER),
            Stage::MvvLva | Stage::GoodExchanges => {
                let (victim, attacker) = position.victim_and_attacker(mv, &P::USUAL_ORDER);
                return (victim, -attacker);
            }
            Stage::StaticQuiets => -i32::from(position.static_rank(mv, &P::USUAL_ORDER)),
            Stage::ByPiece => -i32::from(position.piece_rank(mv, &P::USUAL_ORDER)),
            Stage::History => self.memory.history(position, mv),
            Stage::ContinuationHistory => self.memory.score(position, PLY, mv),
            Stage::Shuffled => shuffled(self.params.shuffle_seed, position.key(), mv) as i32,
            other => panic!("describe {other:?}"),
        };
        (one, 0)
    }

    /// The moves in the order of the first stages that claim them, each with its stage.
    fn described(&self, stages: &[Stage]) -> Vec<(Option<Stage>, Move)> {
        let mut moves: Vec<_> = legal_moves(self.position)
            .into_iter()
            .map(|mv| {
                let claims = |&stage: &Stage| self.is_claimed(stage, mv);
                (stages.iter().position(claims).unwrap_or(99), mv)
            })
            .collect();
        moves.sort_by_key(|&(place, mv)| {
            let rank = stages.get(place).map(|&stage| self.rank(stage, mv));
            (place, Reverse(rank))
        });
        moves
            .into_iter()
            .map(|(place, mv)| (stages.get(place).copied(), mv))
            .collect()
    }

    /// The ordered captures of a quiescence search.
    fn described_captures(&self) -> Vec<Move> {
        let stages = unremembered(&self.params.ordering);
        let mut heard = stages.iter().take_while(|stage| !stage.claims_all());
        let order = match heard.find(|stage| CAPTURES.contains(stage)) {
            Some(Stage::GoodCaptures) => vec![Stage::LosingCaptures],
            Some(Stage::GoodExchanges) => vec![Stage::GoodExchanges, Stage::LosingExchanges],
            Some(&first) => vec![first],
            None => stages,
        };
        let mut moves: Vec<Move> = self
            .described(&order)
            .into_iter()
            .map(|(_, mv)| mv)
            .filter(|&mv| self.position.is_capture(mv))
            .collect();
        let quiescence = self.params.quiescence.as_ref();
        if quiescence.is_some_and(|quiescence| quiescence.skip_losing) {
            moves.retain(|&mv| self.position.exchange(mv, &P::USUAL_ORDER) >= 0);
        }
        moves
    }

    fn pick(&self, picker: &mut Picker<'_, P>) -> Option<(Option<Stage>, Move)> {
        let mut mv = picker.next(self.position, &self.memory);
        while mv.is_none() && picker.waits() {
            let mut moves = picker.awaited(self.position);
            moves.retain(|_| self.searches);
            picker.set_values(moves.into_iter().map(|mv| (mv, self.searched(mv))));
            mv = picker.next(self.position, &self.memory);
        }
        Some((picker.stage(), mv?))
    }

    fn picked(&self, mut picker: Picker<'_, P>) -> Vec<(Option<Stage>, Move)> {
        std::iter::from_fn(|| self.pick(&mut picker)).collect()
    }

    /// Leaves out quiet moves from some move on, and checks that all remaining captures and checks
    /// come once, and no other moves except those of stages that generate none.
    fn check_without_quiets(&self) {
        let stages = &self.params.ordering;
        let whole = self.described(stages);
        for from in [0, 1, whole.len() / 2] {
            let mut picker = Picker::all(&self.ordering, self.table, PLY, self.last);
            let mut early = Vec::new();
            while early.len() < from
                && let Some((_, mv)) = self.pick(&mut picker)
            {
                early.push(mv);
            }
            picker.prune_quiets(self.position);
            let rest = self.picked(picker);
            let is_forcing =
                |mv: Move| self.position.is_capture(mv) || self.position.gives_check(mv);
            let known = [
                Stage::Tt,
                Stage::Killers,
                Stage::CounterMove,
                Stage::CornerResponse,
            ];
            for (stage, mv) in &rest {
                let offered = stage.is_some_and(|stage| known.contains(&stage));
                assert!(offered || is_forcing(*mv), "{stages:?}");
            }
            let sorted = |moves: &mut dyn Iterator<Item = Move>| {
                let mut moves: Vec<Move> = moves.filter(|mv| is_forcing(*mv)).collect();
                moves.sort_unstable_by_key(|mv| mv.0);
                moves
            };
            let left = whole.iter().map(|&(_, mv)| mv);
            let mut left = left.filter(|mv| !early.contains(mv));
            let mut rest = rest.iter().map(|&(_, mv)| mv);
            assert_eq!(sorted(&mut rest), sorted(&mut left), "{stages:?}");
        }
    }

    fn check(&self) {
        let stages = &self.params.ordering;
        let all = Picker::all(&self.ordering, self.table, PLY, self.last);
        assert_eq!(self.picked(all), self.described(stages), "{stages:?}");
        let evasions = Picker::evasions(&self.ordering, PLY);
        let described = self.described(&unremembered(stages));
        assert_eq!(self.picked(evasions), described, "{stages:?}");
        let moves =
            |picker| -> Vec<Move> { self.picked(picker).into_iter().map(|(_, mv)| mv).collect() };
        let mut described = self.described_captures();
        let captures = moves(Picker::captures(&self.ordering, PLY));
        assert_eq!(captures, described, "{stages:?}");
        let mut checks = P::Moves::default();
        self.position.quiet_checks(&mut checks);
        described.extend(checks);
        let checks_too = moves(Picker::captures_and_checks(&self.ordering, PLY));
        assert_eq!(checks_too, described, "{stages:?}");
        if !stages.contains(&Stage::ShallowSearch) {
            self.check_without_quiets();
        }
    }
}

const CAPTURES: [Stage; 5] = [
    Stage::GoodCaptures,
    Stage::LosingCaptures,
    Stage::MvvLva,
    Stage::GoodExchanges,
    Stage::LosingExchanges,
];

/// The stages that need no memory of the position or the ply, and no search.
fn unremembered(stages: &[Stage]) -> Vec<Stage> {
    let remembered = [
        Stage::Tt,
        Stage::Killers,
        Stage::CounterMove,
        Stage::CornerResponse,
        Stage::ShallowSearch,
    ];
    let mut others = stages.to_vec();
    others.retain(|stage| !remembered.contains(stage));
    others
}

/// Returns whether the move is Othello's pass, which is no move of Xiangqi.
fn is_pass(mv: Move) -> bool {
    mv == leitai_othello::PASS
}

fn any_params() -> impl Strategy<Value = SearchParams> {
    // In half of the cases, all stages that claim some moves come before those that claim all.
    let some_first = any_ordering().prop_map(|mut stages| {
        stages.sort_by_key(|stage| stage.claims_all());
        stages
    });
    let history = (
        prop::sample::select(HistoryIndex::ALL),
        prop::sample::select(HistoryBonus::ALL),
        any::<bool>(),
    )
        .prop_map(|(index, bonus, penalty)| History {
            index,
            bonus,
            penalty,
            ..History::default()
        });
    let killers = (prop::sample::select(KillerKind::ALL), 1_u32..=2)
        .prop_map(|(kind, slots)| Killers { kind, slots });
    let ordering = prop_oneof![any_ordering(), some_first];
    (ordering, history, killers, any::<(u32, bool)>()).prop_map(
        |(ordering, history, killers, (shuffle_seed, skip_losing))| SearchParams {
            ordering,
            history,
            killers,
            shuffle_seed,
            quiescence: Some(Quiescence {
                skip_losing,
                ..Quiescence::default()
            }),
            ..SearchParams::default()
        },
    )
}

fn any_choices() -> impl Strategy<Value = Choices> {
    prop::collection::vec(any::<(u16, u16, u8)>(), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn moves_come_as_the_stages_are_described(
        line in any_line(0..120),
        params in any_params(),
        choices in any_choices(),
    ) {
        Node::new(line.position(), params, &choices).check();
    }

    #[test]
    fn so_they_do_in_othello(
        plies in prop::collection::vec(any::<u8>(), 0..60),
        params in any_params(),
        choices in any_choices(),
    ) {
        let mut position = Othello::initial();
        for choice in plies {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.make(moves[usize::from(choice) % moves.len()]);
        }
        Node::new(&position, params, &choices).check();
    }
}

#[test]
fn every_stage_alone_comes_as_described() {
    let choices: Choices = (0_u16..60)
        .map(|n| (n * 1009, n * 733, (n * 5 % 256) as u8))
        .collect();
    for fen in LARGE.iter().chain(&SMALL) {
        for &stage in Stage::ALL {
            let params = SearchParams {
                ordering: vec![stage],
                ..SearchParams::default()
            };
            Node::new(line(fen).position(), params, &choices).check();
        }
    }
}

#[test]
fn a_seed_shuffles_each_position_once_and_for_all() {
    let order = |fen: &str, shuffle_seed| {
        let params = SearchParams {
            ordering: vec![Stage::Shuffled],
            shuffle_seed,
            ..SearchParams::default()
        };
        let line = line(fen);
        let node = Node::new(line.position(), params, &vec![]);
        let picker = Picker::all(&node.ordering, None, PLY, None);
        node.picked(picker)
    };
    for fen in LARGE {
        assert_eq!(order(fen, 1), order(fen, 1));
        assert_ne!(order(fen, 1), order(fen, 2));
    }
}
