//! The parameters of a search.

use super::Stage;
use super::proof::SolverParams;
use leitai_base::settings::{Group, choice, settings};

choice! {
    /// The search algorithm.
    #[non_exhaustive]
    pub enum Algorithm {
        /// Two functions, one maximising and one minimising: searches every move of every position
        /// (Shannon 1950).
        Minimax = "minimax",
        /// The same with one function and a change of sign.
        Negamax = "negamax",
        /// Negamax with the parent's best reply so far as an upper bound: only shallow cut-offs, no
        /// deep ones.
        BetaOnly = "beta-only",
        /// Alpha-beta whose scores stay within the window.
        FailHard = "fail-hard",
        /// Alpha-beta whose scores may lie beyond the window: better bounds for
        /// the transposition table.
        FailSoft = "fail-soft",
        /// Principal variation search (fail-soft): moves after the first are searched with an empty
        /// window, and again if they fail high.
        Pvs = "pvs",
    }

    /// The entry that a new one replaces in a full bucket of the table. An entry of the same
    /// position is always replaced, and one of an earlier game first.
    #[non_exhaustive]
    pub enum Replacement {
        /// An entry of an earlier search, else the shallowest.
        Aged = "aged",
        /// The shallowest, if it is not deeper than the new one; otherwise none.
        Depth = "depth",
        /// Half of the bucket is kept by depth; entries without a place there replace any entry of
        /// the other half.
        TwoTier = "two-tier",
        /// The entry selected by the key, regardless of its content.
        Always = "always",
    }

    /// The index of a history score.
    pub enum HistoryIndex {
        /// The piece and its target square.
        PieceTo = "piece-to",
        /// The start and target squares.
        FromTo = "from-to",
    }

    /// The amount that a cut-off adds to a history score.
    pub enum HistoryBonus {
        /// The depth of the search, squared.
        DepthSquared = "depth-squared",
        /// The depth.
        Depth = "depth",
        /// 1.
        One = "one",
        /// `slope` for each ply of depth, at most `most`.
        Linear = "linear",
    }

    /// The choice of killers among the quiet moves of a ply.
    #[non_exhaustive]
    pub enum KillerKind {
        /// The latest moves that cut off.
        Recent = "recent",
        /// The moves that have cut off most often (Yue & Feng 2009, section 3.3.2).
        Count = "count",
    }

    /// The way to find a move for a position without one in the table.
    #[non_exhaustive]
    pub enum DeepeningKind {
        /// A shallower search of the position with the same window.
        Plain = "plain",
        /// As `plain`, and a second search with the window open below if the first failed low (Yue
        /// & Feng 2009, section 4.2).
        EnlargedWindow = "enlarged-window",
        /// No search for a move: the position is searched less deeply instead.
        Reduce = "reduce",
    }
}

settings! {
    /// Search of captures, and evasions of check, beyond the nominal depth.
    pub struct Quiescence {
        /// Plies beyond the horizon in which quiet checks are searched too.
        checks: u32 = 0, 0 to 16;
        /// Leave out captures that lose material by static exchange.
        skip_losing: bool = false;
        /// Leave out captures whose victim cannot raise the score to within this many evaluation
        /// units of alpha; 0 searches them all.
        delta: u32 = 0, 0 to 9000;
        /// Look positions up in the transposition table, and store them.
        table: bool = false;
    }

    /// A narrow window around the last iteration's score, widened when the score is outside.
    pub struct Aspiration {
        /// Half the first window's width, in evaluation units.
        delta: u32 = 30, 1 to 9000;
        /// The first iteration with a narrow window, in plies.
        min_depth: u32 = 4, 2 to 64;
        /// Part of the mean score change between iterations that is added to the width, in
        /// hundredths.
        swing: u32 = 0, 0 to 1000;
    }

    /// Storage of history scores.
    pub struct History {
        /// The index of a score.
        index: HistoryIndex = HistoryIndex::PieceTo;
        /// The amount that a cut-off, or a best move, adds.
        bonus: HistoryBonus = HistoryBonus::DepthSquared;
        /// Divisor of the scores at the start of each new search of the same game; 1 keeps them.
        ageing: u32 = 2, 1 to 1_000_000;
        /// Subtract the bonus from the quiet moves tried before the one that cut off, and let
        /// scores saturate.
        penalty: bool = false;
        /// Amount for each ply of depth, with the bonus `linear`.
        slope: u32 = 200, 1 to 4000;
        /// Maximum amount, with the bonus `linear`.
        most: u32 = 1600, 1 to 16000;
        /// Credit of a move to which the opponent found no reply above alpha, in hundredths of the
        /// bonus.
        prior: u32 = 0, 0 to 400;
        /// Also use the move four plies back, in the stage `continuation-history`.
        far: bool = false;
        /// Credit of a best move that did not cut off, in hundredths of the bonus, without `penalty`.
        #[serde(skip_serializing_if = "is_whole")]
        best: u32 = 100, 0 to 400;
        /// Credit of a capture, in hundredths of the bonus, without `penalty`.
        #[serde(skip_serializing_if = "is_whole")]
        captures: u32 = 100, 0 to 400;
        /// Debit of the moves tried before the one that cut off, in hundredths of the bonus, with
        /// `penalty`.
        #[serde(skip_serializing_if = "is_whole")]
        debit: u32 = 100, 0 to 400;
        /// Credit and debit of a move as a reply, for the stage `continuation-history`, in
        /// hundredths of its other credit.
        #[serde(skip_serializing_if = "is_whole")]
        replies: u32 = 100, 0 to 400;
    }

    /// Xiangqi: values of pieces for the order of captures, and for exchanges. They are no part of
    /// the evaluation, and the king's is always 100. In `capture_history`, victims of 15 or more
    /// share their scores.
    pub struct CaptureValues {
        /// Value of a rook.
        rook: u32 = 10, 0 to 100;
        /// Value of a cannon.
        cannon: u32 = 5, 0 to 100;
        /// Value of a horse.
        horse: u32 = 4, 0 to 100;
        /// Value of an advisor.
        advisor: u32 = 2, 0 to 100;
        /// Value of an elephant.
        elephant: u32 = 2, 0 to 100;
        /// Value of a pawn on its own side of the river.
        pawn: u32 = 1, 0 to 100;
        /// Value of a pawn beyond the river.
        crossed_pawn: u32 = 2, 0 to 100;
    }

    /// Xiangqi: weights of the kinds of pieces in the stages `by-piece`, `static-quiets` and
    /// `fastest-first`; the greatest comes first. Of kinds with the same weight, the first in this
    /// list comes first.
    pub struct QuietOrder {
        /// Weight of a rook.
        rook: u32 = 70, 0 to 100;
        /// Weight of a cannon.
        cannon: u32 = 60, 0 to 100;
        /// Weight of a horse.
        horse: u32 = 50, 0 to 100;
        /// Weight of a pawn.
        pawn: u32 = 40, 0 to 100;
        /// Weight of an advisor.
        advisor: u32 = 30, 0 to 100;
        /// Weight of an elephant.
        elephant: u32 = 20, 0 to 100;
        /// Weight of a king.
        king: u32 = 10, 0 to 100;
        /// Addition to the weight of a move forward, and subtraction from that of a move back; 0
        /// ignores the direction. Has no effect in the stage `by-piece`.
        forward_first: i32 = 1, -100 to 100;
    }

    /// Capture history: captures of equal victims are tried in the order of their success in
    /// earlier searches.
    pub struct CaptureHistory {
        /// History score that equals one unit of the victim's value.
        unit: u32 = 4000, 1 to 1_000_000;
    }

    /// Correction history: corrects the static evaluation of a position by the errors of similar
    /// positions, compared with search results.
    pub struct CorrectionHistory {
        /// Weight, in hundredths, of the error of positions with the same pawns.
        pawns: u32 = 50, 0 to 200;
        /// The same for positions in which one side's pieces are on the same squares, for each
        /// side.
        pieces: u32 = 50, 0 to 200;
        /// The same for positions after the same two moves.
        moves: u32 = 50, 0 to 200;
        /// Maximum error of each, in evaluation units; more than 127 counts as 127.
        limit: u32 = 100, 1 to 9000;
    }

    /// Storage of killer moves.
    pub struct Killers {
        /// The choice of killers.
        kind: KillerKind = KillerKind::Recent;
        /// Number of killers per ply.
        slots: u32 = 2, 1 to 2;
    }

    /// Internal iterative deepening: a shallower search finds the first move for positions without
    /// a table move.
    pub struct InternalDeepening {
        /// The way to find a move.
        kind: DeepeningKind = DeepeningKind::Plain;
        /// The least depth at which it applies.
        min_depth: u32 = 4, 2 to 64;
        /// Plies by which the search is shallower.
        reduction: u32 = 2, 1 to 64;
    }

    /// The stage `shallow-search`: depth of the search that orders a position's moves. For a
    /// position to be searched d plies deep it is d - `reduction` plies, at least one: at one ply
    /// the value of a move is the evaluation of the position after it. Each move is searched with
    /// an open window.
    pub struct ShallowSearch {
        /// The least depth at which the stage `shallow-search` applies.
        min_depth: u32 = 3, 2 to 64;
        /// Plies by which the ordering search is shallower than the search that follows; its depth
        /// is at least one.
        reduction: u32 = 2, 1 to 64;
        /// Maximum depth of the ordering search, in plies.
        max_plies: u32 = 1, 1 to 64;
    }

    /// Deeper search of positions in check.
    pub struct CheckExtension {
        /// Maximum extension per line, in plies.
        limit: u32 = 16, 1 to 64;
        /// Extend only checks that lose nothing by static exchange.
        safe: bool = false;
    }

    /// Null move: if passing already beats beta, some move will too.
    pub struct NullMove {
        /// The least depth at which it is tried.
        min_depth: u32 = 2, 1 to 64;
        /// Plies by which the search after the pass is shallower.
        reduction: u32 = 2, 1 to 16;
        /// One more ply of reduction for each this many plies of depth; 0 for none.
        depth_divisor: u32 = 0, 0 to 64;
        /// One more ply of reduction for each this many evaluation units by which the static
        /// evaluation beats beta (at most 3 more); 0 for none.
        margin_divisor: u32 = 0, 0 to 9000;
        /// Depth from which a search to the reduced depth without the pass must confirm the
        /// cut-off; 0 for no confirmation.
        verification: u32 = 10, 0 to 64;
    }

    /// Late move reductions: quiet moves late in the order are searched less deeply first.
    pub struct LateMoveReductions {
        /// The least depth at which moves are reduced.
        min_depth: u32 = 3, 2 to 64;
        /// Number of moves searched in full first.
        full_moves: u32 = 3, 1 to 128;
        /// Reduction before depth and move count are added, in hundredths of a ply.
        base: u32 = 50, 0 to 1000;
        /// Factor of the product of the logarithms (to base 2) of depth and move number, in
        /// hundredths of a ply.
        slope: u32 = 22, 0 to 1000;
        /// History score that changes the reduction by one ply; 0 ignores history.
        history: u32 = 0, 0 to 1_000_000;
        /// Less reduction where the score may become part of the principal variation, in hundredths
        /// of a ply.
        pv: u32 = 100, 0 to 400;
        /// More reduction where the static evaluation is no better than two plies before, in
        /// hundredths of a ply.
        worsening: u32 = 50, 0 to 400;
        /// Less reduction for killers and counter moves, in hundredths of a ply.
        hint: u32 = 100, 0 to 400;
        /// More reduction where a move is expected to cut off, in hundredths of a ply.
        cut: u32 = 0, 0 to 400;
        /// Evaluation units by which a reduced search must beat the best score so far for the move
        /// to be searched a ply deeper than usual; 0 for never.
        deeper: u32 = 0, 0 to 9000;
        /// Evaluation units above the best score so far within which the result of a reduced search
        /// makes the full search a ply shallower; 0 for never.
        shallower: u32 = 0, 0 to 9000;
        /// Also reduce captures, by this many hundredths of a ply less; 0 reduces none.
        captures: u32 = 0, 0 to 1000;
    }

    /// Late move pruning: close to the horizon, quiet moves late in the order are not searched at
    /// all.
    pub struct LateMovePruning {
        /// The greatest depth at which moves are pruned.
        max_depth: u32 = 4, 1 to 16;
        /// Number of quiet moves searched at depth 0.
        base: u32 = 4, 0 to 128;
        /// Additional quiet moves for the square of the depth, in hundredths.
        slope: u32 = 100, 0 to 10000;
    }

    /// History pruning: close to the horizon, quiet moves with a bad history are left out.
    pub struct HistoryPruning {
        /// The greatest depth at which moves are pruned.
        max_depth: u32 = 4, 1 to 16;
        /// Distance below zero of the history score of a pruned move, for each ply of depth.
        slope: u32 = 4000, 0 to 1_000_000;
    }

    /// Singular extension: if all other moves are worse than the table move by a margin, the table
    /// move is searched deeper.
    pub struct SingularExtension {
        /// The least depth at which it applies.
        min_depth: u32 = 7, 4 to 64;
        /// The margin for each ply of depth, in hundredths of an evaluation unit.
        slope: u32 = 200, 0 to 10_000;
        /// Extend by two plies if the others are worse by this many evaluation units more; 0 for
        /// never.
        double: u32 = 0, 0 to 9000;
        /// Cut off at once if another move would cut off too.
        multi_cut: bool = true;
        /// Plies of reduction of the move if it is not singular but expected to cut off.
        negative: u32 = 0, 0 to 3;
        /// Maximum extension per line, in plies.
        limit: u32 = 16, 1 to 64;
    }

    /// Probabilistic cut-off: a capture cuts off if a shallower search of it beats beta by a
    /// margin.
    pub struct ProbCut {
        /// The least depth at which it is tried.
        min_depth: u32 = 5, 3 to 64;
        /// The margin, in evaluation units.
        margin: u32 = 150, 0 to 9000;
        /// Plies by which the search is shallower.
        reduction: u32 = 4, 1 to 16;
        /// Cut off without a search if the table has a score from a search of that depth that
        /// exceeds beta by this many evaluation units; 0 for never.
        known: u32 = 0, 0 to 9000;
    }

    /// Multi-ProbCut: cuts off where a search to half the depth is far outside the window (Buro
    /// 1997).
    pub struct MultiProbCut {
        /// The least depth at which it is tried.
        min_depth: u32 = 4, 3 to 64;
        /// Distance from the window at depth 0, in evaluation units.
        base: u32 = 100, 0 to 9000;
        /// Additional distance for each ply of depth.
        slope: u32 = 10, 0 to 9000;
    }

    /// Futility: close to the horizon, quiet moves are left out if the static evaluation is too far
    /// below alpha.
    pub struct Futility {
        /// The greatest depth at which moves are pruned.
        max_depth: u32 = 3, 1 to 16;
        /// The margin at depth 0, in evaluation units.
        base: u32 = 100, 0 to 9000;
        /// Additional margin for each ply of depth.
        slope: u32 = 100, 0 to 9000;
    }

    /// Reverse futility: close to the horizon, a static evaluation far above beta is used as the
    /// score.
    pub struct ReverseFutility {
        /// The greatest depth at which it applies.
        max_depth: u32 = 6, 1 to 16;
        /// The margin for each ply of depth, in evaluation units.
        slope: u32 = 100, 0 to 9000;
    }

    /// Razoring: close to the horizon, if the static evaluation is far below alpha, the quiescence
    /// search replaces the search.
    pub struct Razoring {
        /// The greatest depth at which it applies.
        max_depth: u32 = 2, 1 to 16;
        /// The margin at depth 0, in evaluation units.
        base: u32 = 200, 0 to 9000;
        /// Additional margin for each ply of depth.
        slope: u32 = 200, 0 to 9000;
    }

    /// Exchange pruning: close to the horizon, moves that lose material by
    /// static exchange are left out.
    pub struct ExchangePruning {
        /// The greatest depth at which moves are pruned.
        max_depth: u32 = 6, 1 to 16;
        /// Loss allowed to a quiet move for each ply of depth, in the ordering's values (a rook is
        /// 10, a pawn 1).
        quiet: u32 = 1, 0 to 100;
        /// Loss allowed to a capture for each ply of depth.
        capture: u32 = 2, 0 to 100;
    }

    /// An exact solver plays positions out near the end of the game, in games that have one. Its
    /// nodes count towards the limits. The first three iterations of a search run without it, so
    /// that there is a move to play if the solver needs more than the limits allow.
    pub struct Endgame {
        /// Maximum number of empty squares in positions that are played out.
        empties: u32 = 12, 1 to 30;
    }

    /// The auxiliary search (Du & Cheng 2007, section 4): when the main search has chosen a move,
    /// the position at the end of its line is searched further. If its value falls below that of
    /// another move, the best of the others is checked in the same way, until one remains the best.
    /// It needs exact values for all root moves: their windows are open.
    pub struct Auxiliary {
        /// Plies by which the end of a line is searched further.
        plies: u32 = 1, 1 to 16;
        /// Percentage of a node limit reserved for it.
        reserve: u32 = 10, 1 to 90;
    }

    /// The parameters of one search. The defaults disable everything that prunes, reduces or
    /// extends: plain alpha-beta with the ordering of Yue & Feng 2009 (figure 2), a table and
    /// quiescence.
    pub struct SearchParams {
        /// The search algorithm.
        algorithm: Algorithm = Algorithm::FailSoft;
        /// Iterative deepening; without it the search goes to the depth limit at once.
        deepening: bool = true;
        /// Size of the transposition table in MiB; 0 for no table. The number of entries is the
        /// largest power of two that fits.
        table_mb: u32 = 4, 0 to 4096;
        /// Use only table scores from a search of exactly the required depth, not deeper ones:
        /// without history rules every ordering then finds the same scores.
        table_same_depth: bool = false;
        /// The entry that a new one replaces in a full bucket of the table.
        table_replacement: Replacement = Replacement::Aged;
        /// Apply repetition, move limit and material rules inside the tree.
        rules: bool = true;
        /// Mate distance pruning: no search for a mate longer than one already found.
        mate_distance: bool = false;
        /// Distance from the window, in evaluation units, beyond which an evaluation omits its
        /// costly terms; 0 for never.
        lazy_evaluation: u32 = 0, 0 to 9000;
        /// Seed of the stage `shuffled`.
        shuffle_seed: u32 = 0;
    }
    {
        /// The ordering stages, first to last, without repetition.
        ordering: Vec<Stage> = vec![
            Stage::Tt,
            Stage::GoodCaptures,
            Stage::Killers,
            Stage::History,
        ];
        /// Storage of history scores.
        history: History = History::default();
        /// Values of pieces for the order of captures. Serialised only if they differ from the
        /// default, as are the next.
        #[serde(skip_serializing_if = "is_usual")]
        capture_values: CaptureValues = CaptureValues::default();
        /// Weights of pieces for the order of quiet moves.
        #[serde(skip_serializing_if = "is_usual")]
        quiet_order: QuietOrder = QuietOrder::default();
        /// Storage of killer moves.
        killers: Killers = Killers::default();
        /// Search of captures beyond the nominal depth.
        quiescence: Option<Quiescence> = Some(Quiescence::default());
        /// Aspiration windows.
        aspiration: Option<Aspiration> = None;
        /// Internal iterative deepening.
        internal_deepening: Option<InternalDeepening> = None;
        /// The search of the stage `shallow-search`. Serialised only if it differs from the
        /// default.
        #[serde(skip_serializing_if = "is_usual")]
        shallow_search: ShallowSearch = ShallowSearch::default();
        /// The auxiliary search.
        #[serde(skip_serializing_if = "Option::is_none")]
        auxiliary: Option<Auxiliary> = None;
        /// Capture history.
        #[serde(skip_serializing_if = "Option::is_none")]
        capture_history: Option<CaptureHistory> = None;
        /// Correction history.
        #[serde(skip_serializing_if = "Option::is_none")]
        correction_history: Option<CorrectionHistory> = None;
        /// Singular extension.
        #[serde(skip_serializing_if = "Option::is_none")]
        singular_extension: Option<SingularExtension> = None;
        /// Probabilistic cut-off.
        #[serde(skip_serializing_if = "Option::is_none")]
        prob_cut: Option<ProbCut> = None;
        /// Multi-ProbCut.
        #[serde(skip_serializing_if = "Option::is_none")]
        multi_prob_cut: Option<MultiProbCut> = None;
        /// History pruning.
        #[serde(skip_serializing_if = "Option::is_none")]
        history_pruning: Option<HistoryPruning> = None;
        /// Check extension.
        check_extension: Option<CheckExtension> = None;
        /// Null move.
        null_move: Option<NullMove> = None;
        /// Late move reductions.
        late_move_reductions: Option<LateMoveReductions> = None;
        /// Late move pruning.
        late_move_pruning: Option<LateMovePruning> = None;
        /// Futility.
        futility: Option<Futility> = None;
        /// Reverse futility.
        reverse_futility: Option<ReverseFutility> = None;
        /// Razoring.
        razoring: Option<Razoring> = None;
        /// Exchange pruning.
        exchange_pruning: Option<ExchangePruning> = None;
        /// Exact endgames. Serialised only if enabled.
        #[serde(skip_serializing_if = "Option::is_none")]
        endgame: Option<Endgame> = None;
        /// A solver instead of the alpha-beta search, in games that are problems with a goal (Go
        /// block capture). Serialised only if enabled.
        #[serde(skip_serializing_if = "Option::is_none")]
        solver: Option<SolverParams> = None;
    }
}

impl Algorithm {
    /// Returns whether every node has both ends of a window, as aspiration and the techniques that
    /// depend on alpha or beta need.
    pub const fn has_window(self) -> bool {
        matches!(
            self,
            Algorithm::FailHard | Algorithm::FailSoft | Algorithm::Pvs
        )
    }
}

fn is_usual<T: Default + PartialEq>(settings: &T) -> bool {
    *settings == T::default()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_whole(hundredths: &u32) -> bool {
    *hundredths == 100
}

impl SearchParams {
    /// The groups that set a game's [`OrderValues`](super::OrderValues): without effect in others.
    pub const ORDER_VALUES: [&str; 2] = ["capture_values", "quiet_order"];

    /// All groups of settings, by name.
    pub fn groups(&mut self) -> [(&'static str, Group<'_>); 25] {
        use Group::{Always, Switch};
        [
            ("history", Always(&mut self.history)),
            ("capture_values", Always(&mut self.capture_values)),
            ("quiet_order", Always(&mut self.quiet_order)),
            ("killers", Always(&mut self.killers)),
            ("quiescence", Switch(&mut self.quiescence)),
            ("aspiration", Switch(&mut self.aspiration)),
            ("internal_deepening", Switch(&mut self.internal_deepening)),
            ("shallow_search", Always(&mut self.shallow_search)),
            ("auxiliary", Switch(&mut self.auxiliary)),
            ("capture_history", Switch(&mut self.capture_history)),
            ("correction_history", Switch(&mut self.correction_history)),
            ("singular_extension", Switch(&mut self.singular_extension)),
            ("prob_cut", Switch(&mut self.prob_cut)),
            ("multi_prob_cut", Switch(&mut self.multi_prob_cut)),
            ("history_pruning", Switch(&mut self.history_pruning)),
            ("check_extension", Switch(&mut self.check_extension)),
            ("null_move", Switch(&mut self.null_move)),
            (
                "late_move_reductions",
                Switch(&mut self.late_move_reductions),
            ),
            ("late_move_pruning", Switch(&mut self.late_move_pruning)),
            ("futility", Switch(&mut self.futility)),
            ("reverse_futility", Switch(&mut self.reverse_futility)),
            ("razoring", Switch(&mut self.razoring)),
            ("exchange_pruning", Switch(&mut self.exchange_pruning)),
            ("endgame", Switch(&mut self.endgame)),
            ("solver", Switch(&mut self.solver)),
        ]
    }
}
