//! Classification and values of Xiangqi moves for the search.

use crate::{Kind, Piece, Square, Xiangqi};
use leitai_game::search::Tactics;
use leitai_game::{Move, MoveList, Position, Side};

impl Tactics for Xiangqi {
    const HAS_CAPTURES: bool = true;
    const HAS_CHECKS: bool = true;
    const HISTORY_SLOTS: usize = Piece::COUNT * Square::COUNT;
    const FROM_TO_SLOTS: usize = 2 * Square::COUNT * Square::COUNT;

    #[inline]
    fn history_slot(&self, mv: Move) -> usize {
        Self::squares_of(mv)
            .and_then(|(from, to)| Some(self.piece_at(from)?.index() * Square::COUNT + to.index()))
            .unwrap_or(0)
    }

    #[inline]
    fn from_to_slot(&self, mv: Move) -> usize {
        Self::squares_of(mv).map_or(0, |(from, to)| {
            let origin = self.side_to_move().index() * Square::COUNT + from.index();
            origin * Square::COUNT + to.index()
        })
    }

    /// False in check, and for a side that has only pawns, advisors and elephants: there zugzwang
    /// is common, and a stalemate is a loss.
    #[inline]
    fn can_pass(&self) -> bool {
        !self.in_check() && self.has_strong_piece(self.side_to_move())
    }

    #[inline]
    fn key_after(&self, mv: Move) -> Option<u64> {
        Some(self.key_after_move(mv))
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        Self::squares_of(mv).is_some_and(|(_, to)| self.piece_at(to).is_some())
    }

    #[inline]
    fn captures(&self, moves: &mut MoveList) {
        self.legal_captures(moves);
    }

    #[inline]
    fn quiets(&self, moves: &mut MoveList) {
        self.legal_quiets(moves);
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        self.is_check(mv)
    }

    #[inline]
    fn quiet_checks(&self, moves: &mut MoveList) {
        self.legal_quiet_checks(moves);
    }

    /// Fixed values: rook 10, cannon 5, horse 4, advisor and elephant 2, pawn 1 before and 2 beyond
    /// the river, king 100. They only order moves and are not part of the evaluation, so tuning one
    /// does not change the other.
    #[inline]
    fn static_gain(&self, mv: Move) -> i32 {
        let Some((from, to)) = Self::squares_of(mv) else {
            return 0;
        };
        let victim = worth_on(self, to);
        if self.can_take_back(mv) {
            victim - worth_on(self, from)
        } else {
            victim
        }
    }

    /// Ignores pins and checks.
    #[inline]
    fn exchange(&self, mv: Move) -> i32 {
        self.swap_off(mv, worth)
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        self.swap_off_at_least(mv, threshold, worth)
    }

    #[inline]
    fn victim_and_attacker(&self, mv: Move) -> (i32, i32) {
        Self::squares_of(mv).map_or((0, 0), |(from, to)| {
            (worth_on(self, to), worth_on(self, from))
        })
    }

    #[inline]
    fn structure(&self) -> [u64; 3] {
        let [pawns, red, black, _] = self.parts;
        [pawns, red, black]
    }

    /// In order: rook, cannon, horse, pawn, advisor, elephant, king (Yue & Feng 2009, section 3.2).
    #[inline]
    fn piece_rank(&self, mv: Move) -> u8 {
        Self::squares_of(mv)
            .and_then(|(from, _)| self.piece_at(from))
            .map_or(u8::MAX, |piece| match piece.kind {
                Kind::Rook => 0,
                Kind::Cannon => 1,
                Kind::Horse => 2,
                Kind::Pawn => 3,
                Kind::Advisor => 4,
                Kind::Elephant => 5,
                Kind::King => 6,
            })
    }

    /// Among moves of one kind: forward first, then sideways, then back.
    #[inline]
    fn static_rank(&self, mv: Move) -> u8 {
        let kind = self.piece_rank(mv);
        Self::squares_of(mv).map_or(u8::MAX, |(from, to)| {
            let way = match self.side_to_move() {
                Side::First => from.rank().cmp(&to.rank()),
                Side::Second => to.rank().cmp(&from.rank()),
            };
            kind.saturating_mul(3).saturating_add_signed(way as i8 + 1)
        })
    }
}

#[inline]
fn worth_on(position: &Xiangqi, square: Square) -> i32 {
    position
        .piece_at(square)
        .map_or(0, |piece| worth(piece, square))
}

#[inline]
fn worth(piece: Piece, square: Square) -> i32 {
    match piece.kind {
        Kind::King => 100,
        Kind::Rook => 10,
        Kind::Cannon => 5,
        Kind::Horse => 4,
        Kind::Advisor | Kind::Elephant => 2,
        Kind::Pawn => 1 + i32::from(Xiangqi::is_across(piece.side, square.rank())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::Position;

    #[test]
    fn gains_weigh_the_attacker_only_where_the_victim_is_protected() {
        // A rook that can capture an unprotected horse, a horse protected by a rook, and pawns
        // before and beyond the river.
        for (fen, mv, gain) in [
            ("3k5/9/9/2n6/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 4),
            ("3k5/9/9/2n5r/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 4 - 10),
            ("3k5/9/9/2p6/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 1),
            ("3k5/9/9/9/2R6/9/2p6/9/9/4K4 w - - 0 1", "c5c3", 2),
            ("3k5/9/9/9/2R5r/2r6/9/9/9/4K4 w - - 0 1", "c5c4", 10),
        ] {
            let position = Xiangqi::from_fen(fen).unwrap();
            let mv = position.parse_move(mv).unwrap();
            assert!(position.is_capture(mv));
            assert_eq!(position.static_gain(mv), gain, "{fen}");
        }
    }

    #[test]
    fn slots_and_ranks_fit_the_moves() {
        let position = Xiangqi::initial();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        assert!(moves.is_sorted_by_key(|&mv| position.piece_rank(mv)));
        let mut slots: Vec<usize> = moves.iter().map(|&mv| position.history_slot(mv)).collect();
        assert!(slots.iter().all(|&slot| slot < Xiangqi::HISTORY_SLOTS));
        slots.sort_unstable();
        slots.dedup();
        // Moves of both elephants to e2 share a slot, moves of both horses do not; moves of both
        // advisors to e1 share one.
        assert!(slots.len() < moves.len());
        // Invalid moves are harmless.
        assert_eq!(position.history_slot(Move(u16::MAX)), 0);
        assert!(!position.is_capture(Move(u16::MAX)));
        assert_eq!(position.static_gain(Move(u16::MAX)), 0);
        assert_eq!(position.piece_rank(Move(u16::MAX)), u8::MAX);
    }

    fn listed(list: impl Fn(&mut MoveList)) -> Vec<Move> {
        let mut moves = MoveList::new();
        list(&mut moves);
        moves.to_vec()
    }

    #[test]
    fn any_bits_get_a_slot_and_a_rank() {
        let mut position = Xiangqi::initial();
        for _ in Side::BOTH {
            for mv in (0..=u16::MAX).map(Move) {
                assert!(position.history_slot(mv) < Xiangqi::HISTORY_SLOTS);
                assert!(position.from_to_slot(mv) < Xiangqi::FROM_TO_SLOTS);
                let is_capture = position.is_capture(mv);
                let (victim, attacker) = position.victim_and_attacker(mv);
                assert_eq!(victim > 0, is_capture);
                assert_eq!(attacker > 0, position.static_rank(mv) <= 20);
                let exchange = position.exchange(mv);
                assert!(position.exchange_at_least(mv, exchange));
                assert!(!position.exchange_at_least(mv, exchange + 1));
                let _ = position.gives_check(mv);
            }
            position.make_null();
        }
    }

    #[test]
    fn slots_by_origin_and_target_separate_moves_and_sides() {
        let mut position = Xiangqi::initial();
        let mut slots = Vec::new();
        for _ in Side::BOTH {
            let moves = listed(|moves| position.legal_moves(moves));
            slots.extend(moves.iter().map(|&mv| position.from_to_slot(mv)));
            position.make_null();
        }
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), 88);
    }

    #[test]
    fn quiet_moves_are_those_that_take_nothing() {
        let position = Xiangqi::initial();
        let mut expected = listed(|moves| position.legal_moves(moves));
        expected.retain(|&mv| !position.is_capture(mv));
        assert_eq!(listed(|moves| position.quiets(moves)), expected);
        assert_eq!(expected.len(), 42);
    }

    #[test]
    fn quiet_moves_rank_by_kind_and_then_by_the_way_they_go() {
        let order = |fen: &str, moves: [&str; 9]| {
            let position = Xiangqi::from_fen(fen).unwrap();
            let ranks = moves.map(|text| position.static_rank(position.parse_move(text).unwrap()));
            assert!(ranks.is_sorted(), "{ranks:?} {fen}");
            let (rook, cannon) = (&ranks[..3], &ranks[3..5]);
            assert!(rook.is_sorted_by(|a, b| a < b), "{ranks:?} {fen}");
            assert!(cannon.is_sorted_by(|a, b| a < b), "{ranks:?} {fen}");
        };
        order(
            "3k5/9/9/r8/1c7/1C3N3/R5P2/4B4/9/5K3 w - - 0 1",
            [
                "a3a4", "a3b3", "a3a2", "b4c4", "b4b3", "f4g6", "g3g4", "e2g4", "f0f1",
            ],
        );
        order(
            "5k3/9/4b4/r5p2/1c3n3/1C7/R8/9/9/3K5 b - - 0 1",
            [
                "a6a5", "a6b6", "a6a7", "b5c5", "b5b6", "f5g3", "g6g5", "e7g5", "f9f8",
            ],
        );
        let position = Xiangqi::initial();
        assert_eq!(position.static_rank(Move(u16::MAX)), u8::MAX);
    }

    #[test]
    fn a_side_passes_with_a_strong_piece_and_out_of_check() {
        for (fen, can) in [
            ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", true),
            ("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1", false),
            ("3k5/9/9/9/9/9/9/9/9/C3K4 w - - 0 1", true),
            ("3k5/9/9/9/9/9/9/9/9/N3K4 w - - 0 1", true),
            ("3k5/9/9/P8/9/9/9/4B4/4A4/4KA3 w - - 0 1", false),
            ("3k5/9/9/9/9/9/4r4/9/9/R3K4 w - - 0 1", false),
        ] {
            assert_eq!(Xiangqi::from_fen(fen).unwrap().can_pass(), can, "{fen}");
        }
    }

    #[test]
    fn keys_after_a_move_are_known_before_the_move() {
        let mut position = Xiangqi::initial();
        let mut choice = 7_usize;
        for _ in 0..300 {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            for &mv in &moves {
                let told = position.key_after(mv);
                let undo = position.make(mv);
                assert_eq!(told, Some(position.key()));
                position.unmake(mv, undo);
            }
            choice = choice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let Some(&mv) = moves.get((choice >> 33) % moves.len().max(1)) else {
                break;
            };
            position.make(mv);
        }
    }

    #[test]
    fn victims_and_attackers_have_their_values() {
        for (fen, mv, values) in [
            ("3k5/9/9/2n6/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", (4, 10)),
            ("3k5/9/9/2n6/9/2R6/9/9/9/4K4 w - - 0 1", "c4c5", (0, 10)),
            ("3k5/9/9/2p6/2P6/9/9/9/9/4K4 w - - 0 1", "c5c6", (1, 2)),
        ] {
            let position = Xiangqi::from_fen(fen).unwrap();
            let mv = position.parse_move(mv).unwrap();
            assert_eq!(position.victim_and_attacker(mv), values, "{fen}");
        }
    }
}
