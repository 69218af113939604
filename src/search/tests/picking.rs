//! The picker against the stages as they are described.

use std::cmp::Reverse;

use proptest::prelude::*;

use super::*;
use crate::search::Tactics;
use crate::search::history::History;
use crate::search::ordering::Ordering;
use crate::search::picker::{Hints, Picker};

/// The moves by the description: each stage takes the moves that it claims
/// from those left, and orders them.
fn described(stages: &[Stage], position: &Xiangqi, hints: Hints, history: &History) -> Vec<Move> {
    let mut left = legal_moves(position).to_vec();
    let mut order = Vec::new();
    for stage in stages {
        let mut claimed: Vec<Move> = match stage {
            Stage::Tt => hints.table.into_iter().collect(),
            Stage::Killers => hints.killers.into_iter().flatten().collect(),
            Stage::GoodCaptures => {
                let mut good = left.clone();
                good.retain(|&mv| position.is_capture(mv) && position.static_gain(mv) >= 0);
                good.sort_by_key(|&mv| Reverse(position.static_gain(mv)));
                good
            }
            Stage::History => {
                let mut all = left.clone();
                all.sort_by_key(|&mv| Reverse(history.score(position.history_slot(mv))));
                all
            }
            Stage::ByPiece => {
                let mut all = left.clone();
                all.sort_by_key(|&mv| position.piece_rank(mv));
                all
            }
            _ => vec![],
        };
        claimed.retain(|mv| left.contains(mv));
        claimed.dedup();
        left.retain(|mv| !claimed.contains(mv));
        order.append(&mut claimed);
    }
    order.append(&mut left);
    order
}

fn picked(
    mut picker: Picker,
    stages: &[Stage],
    position: &Xiangqi,
    history: &History,
) -> Vec<Move> {
    let ordering = Ordering::new(stages);
    std::iter::from_fn(|| picker.next(&ordering, position, history)).collect()
}

/// A history in which many moves have scores, some of them equal.
fn some_history(seed: u64) -> History {
    let mut history = History::new(Xiangqi::HISTORY_SLOTS);
    for slot in 0..Xiangqi::HISTORY_SLOTS {
        history.credit(slot, ((slot as u64).wrapping_mul(seed | 1) >> 7) as u32 % 5);
    }
    history
}

proptest! {
    #[test]
    fn moves_come_as_the_stages_are_described(
        line in any_line(0..120),
        stages in any_ordering(),
        seed: u64,
        choices in prop::array::uniform3(any::<u16>()),
    ) {
        let position = line.position();
        let moves = legal_moves(position);
        // Mostly legal moves, some of them equal, and now and then nonsense.
        let [table, first, second] = choices.map(|choice| match choice % 8 {
            0 => None,
            1 => Some(Move(choice)),
            _ => moves.get(usize::from(choice / 8) % moves.len().max(1)).copied(),
        });
        let hints = Hints { table, killers: [first, second] };
        let history = some_history(seed);
        prop_assert_eq!(
            picked(Picker::all(hints), &stages, position, &history),
            described(&stages, position, hints, &history)
        );
    }

    #[test]
    fn captures_come_best_first(line in any_line(0..120), stages in any_ordering(), seed: u64) {
        let position = line.position();
        let history = some_history(seed);
        let mut expected = legal_moves(position).to_vec();
        expected.retain(|&mv| position.is_capture(mv));
        let mut listed = MoveList::new();
        position.captures(&mut listed);
        prop_assert_eq!(&expected, &listed.to_vec());
        // Behind a stage that takes all moves it has no say.
        let takes_all = |stage: &Stage| matches!(stage, Stage::History | Stage::ByPiece);
        let mut heard = stages.iter().take_while(|stage| !takes_all(stage));
        if heard.any(|&stage| stage == Stage::GoodCaptures) {
            expected.sort_by_key(|&mv| Reverse(position.static_gain(mv)));
        } else {
            let order = described(&stages, position, Hints::default(), &history);
            expected.sort_by_key(|mv| order.iter().position(|other| other == mv));
        }
        let picker = Picker::captures(&Ordering::new(&stages), position, &history);
        prop_assert_eq!(picked(picker, &stages, position, &history), expected);
    }
}
