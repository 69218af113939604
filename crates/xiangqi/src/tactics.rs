//! Classification and values of Xiangqi moves for the search.

use crate::{Kind, Piece, Square, Xiangqi};
use leitai_game::search::{OrderValues, SearchParams, Tactics};
use leitai_game::{Move, MoveList, Position, Side};

/// The kinds in the order that breaks ties (Yue & Feng 2009, section 3.2).
const KINDS: [Kind; 7] = [
    Kind::Rook,
    Kind::Cannon,
    Kind::Horse,
    Kind::Pawn,
    Kind::Advisor,
    Kind::Elephant,
    Kind::King,
];

/// Index of the value of a pawn beyond the river; that of another piece is the index of its kind.
const CROSSED: usize = 7;

/// Value of a king.
const KING: i32 = 100;

impl Tactics for Xiangqi {
    const HAS_CAPTURES: bool = true;
    const HAS_CHECKS: bool = true;
    const HISTORY_SLOTS: usize = Piece::COUNT * Square::COUNT;
    const FROM_TO_SLOTS: usize = 2 * Square::COUNT * Square::COUNT;
    const USUAL_ORDER: OrderValues = {
        let (mut kinds, mut ways) = ([u8::MAX; 8], [[u8::MAX; 3]; 8]);
        let mut rank = 0;
        while rank < KINDS.len() as u8 {
            let kind = KINDS[rank as usize].index();
            kinds[kind] = rank;
            ways[kind] = [3 * rank, 3 * rank + 1, 3 * rank + 2];
            rank += 1;
        }
        OrderValues {
            worths: [KING, 2, 2, 4, 10, 5, 1, 2],
            kinds,
            ways,
        }
    };

    fn order_values(params: &SearchParams) -> OrderValues {
        let (values, weights) = (&params.capture_values, &params.quiet_order);
        let weight = [
            weights.rook,
            weights.cannon,
            weights.horse,
            weights.pawn,
            weights.advisor,
            weights.elephant,
            weights.king,
        ]
        .map(|weight| weight as i32);
        // The number of moves with a greater weight, or the same and a kind that is listed first.
        let rank = |place: usize, way: i32, ways: &[i32]| {
            let of = |place: usize, way| (weight[place] + way * weights.forward_first, place);
            let (own, _) = of(place, way);
            let all =
                (0..KINDS.len()).flat_map(|other| ways.iter().map(move |&way| of(other, way)));
            let is_before = |&(other, at): &(i32, usize)| other > own || other == own && at < place;
            all.filter(is_before).count() as u8
        };
        let mut order = Self::USUAL_ORDER;
        for (place, kind) in KINDS.into_iter().enumerate() {
            order.kinds[kind.index()] = rank(place, 0, &[0]);
            order.ways[kind.index()] = [1, 0, -1].map(|way| rank(place, way, &[1, 0, -1]));
        }
        let pieces = [
            (Kind::Advisor, values.advisor),
            (Kind::Elephant, values.elephant),
            (Kind::Horse, values.horse),
            (Kind::Rook, values.rook),
            (Kind::Cannon, values.cannon),
            (Kind::Pawn, values.pawn),
        ];
        for (kind, value) in pieces {
            order.worths[kind.index()] = value as i32;
        }
        order.worths[CROSSED] = values.crossed_pawn as i32;
        order
    }

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

    #[inline]
    fn static_gain(&self, mv: Move, order: &OrderValues) -> i32 {
        let Some((from, to)) = Self::squares_of(mv) else {
            return 0;
        };
        let victim = worth_on(self, to, order);
        if self.can_take_back(mv) {
            victim - worth_on(self, from, order)
        } else {
            victim
        }
    }

    /// Ignores pins and checks.
    #[inline]
    fn exchange(&self, mv: Move, order: &OrderValues) -> i32 {
        self.swap_off(mv, |piece, square| worth(piece, square, order))
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: i32, order: &OrderValues) -> bool {
        self.swap_off_at_least(mv, threshold, |piece, square| worth(piece, square, order))
    }

    #[inline]
    fn victim_and_attacker(&self, mv: Move, order: &OrderValues) -> (i32, i32) {
        Self::squares_of(mv).map_or((0, 0), |(from, to)| {
            (worth_on(self, to, order), worth_on(self, from, order))
        })
    }

    #[inline]
    fn structure(&self) -> [u64; 3] {
        let [pawns, red, black, _] = self.parts;
        [pawns, red, black]
    }

    #[inline]
    fn piece_rank(&self, mv: Move, order: &OrderValues) -> u8 {
        Self::squares_of(mv)
            .and_then(|(from, _)| self.piece_at(from))
            .map_or(u8::MAX, |piece| order.kinds[piece.kind.index()])
    }

    #[inline]
    fn static_rank(&self, mv: Move, order: &OrderValues) -> u8 {
        let Some((from, to)) = Self::squares_of(mv) else {
            return u8::MAX;
        };
        let way = match self.side_to_move() {
            Side::First => from.rank().cmp(&to.rank()),
            Side::Second => to.rank().cmp(&from.rank()),
        };
        self.piece_at(from).map_or(u8::MAX, |piece| {
            order.ways[piece.kind.index()][(way as i8 + 1) as usize]
        })
    }
}

#[inline]
fn worth_on(position: &Xiangqi, square: Square, order: &OrderValues) -> i32 {
    position
        .piece_at(square)
        .map_or(0, |piece| worth(piece, square, order))
}

#[inline]
fn worth(piece: Piece, square: Square, order: &OrderValues) -> i32 {
    let is_crossed = piece.kind == Kind::Pawn && Xiangqi::is_across(piece.side, square.rank());
    order.worths[piece.kind.index() + usize::from(is_crossed)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::Position;
    use leitai_game::search::{CaptureValues, QuietOrder};

    const USUAL: &OrderValues = &Xiangqi::USUAL_ORDER;

    #[test]
    fn ranks_follow_the_weights_and_ties_the_documented_order() {
        let params = |quiet_order| SearchParams {
            quiet_order,
            ..SearchParams::default()
        };
        let usual = Xiangqi::order_values(&SearchParams::default());
        assert_eq!(usual, Xiangqi::USUAL_ORDER);
        let kinds = |order: &OrderValues| KINDS.map(|kind| order.kinds[kind.index()]);
        let ways = |order: &OrderValues| KINDS.map(|kind| order.ways[kind.index()]);
        // Equal weights of rook and horse, and no direction.
        let tied = Xiangqi::order_values(&params(QuietOrder {
            cannon: 80,
            horse: 70,
            forward_first: 0,
            ..QuietOrder::default()
        }));
        assert_eq!(kinds(&tied), [1, 0, 2, 3, 4, 5, 6]);
        assert_eq!(ways(&tied)[..3], [[3; 3], [0; 3], [6; 3]]);
        // A move of a cannon forward comes before a move of a rook to the side.
        let forward = Xiangqi::order_values(&params(QuietOrder {
            forward_first: 15,
            ..QuietOrder::default()
        }));
        assert_eq!(kinds(&forward), kinds(&usual));
        assert_eq!(ways(&forward)[..2], [[0, 2, 5], [1, 4, 8]]);
        let back = Xiangqi::order_values(&params(QuietOrder {
            forward_first: -1,
            ..QuietOrder::default()
        }));
        assert_eq!(ways(&back)[0], [2, 1, 0]);
    }

    #[test]
    fn gains_have_the_values_of_the_parameters() {
        let order = Xiangqi::order_values(&SearchParams {
            capture_values: CaptureValues {
                rook: 90,
                horse: 45,
                crossed_pawn: 15,
                ..CaptureValues::default()
            },
            ..SearchParams::default()
        });
        for (fen, mv, gain) in [
            ("3k5/9/9/2n6/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 45),
            ("3k5/9/9/2n5r/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 45 - 90),
            ("3k5/9/9/9/2R6/9/2p6/9/9/4K4 w - - 0 1", "c5c3", 15),
        ] {
            let position = Xiangqi::from_fen(fen).unwrap();
            let mv = position.parse_move(mv).unwrap();
            assert_eq!(position.static_gain(mv, &order), gain, "{fen}");
            assert_eq!(position.exchange(mv, &order), gain, "{fen}");
            assert!(!position.exchange_at_least(mv, gain + 1, &order), "{fen}");
        }
    }

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
            assert_eq!(position.static_gain(mv, USUAL), gain, "{fen}");
        }
    }

    #[test]
    fn slots_and_ranks_fit_the_moves() {
        let position = Xiangqi::initial();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        assert!(moves.is_sorted_by_key(|&mv| position.piece_rank(mv, USUAL)));
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
        assert_eq!(position.static_gain(Move(u16::MAX), USUAL), 0);
        assert_eq!(position.piece_rank(Move(u16::MAX), USUAL), u8::MAX);
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
                let (victim, attacker) = position.victim_and_attacker(mv, USUAL);
                assert_eq!(victim > 0, is_capture);
                assert_eq!(attacker > 0, position.static_rank(mv, USUAL) <= 20);
                let exchange = position.exchange(mv, USUAL);
                assert!(position.exchange_at_least(mv, exchange, USUAL));
                assert!(!position.exchange_at_least(mv, exchange + 1, USUAL));
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
            let ranks =
                moves.map(|text| position.static_rank(position.parse_move(text).unwrap(), USUAL));
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
        assert_eq!(position.static_rank(Move(u16::MAX), USUAL), u8::MAX);
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
            assert_eq!(position.victim_and_attacker(mv, USUAL), values, "{fen}");
        }
    }
}
