//! The switches of a search, as data.

use super::Stage;
use super::proof::SolverParams;
use leitai_base::settings::{Group, choice, settings};

choice! {
    /// How the tree is searched.
    pub enum Algorithm {
        /// Two functions, one maximising and one minimising: every move of
        /// every position (Shannon 1950).
        Minimax = "minimax",
        /// The same with one function and a change of sign.
        Negamax = "negamax",
        /// Negamax that is given the best reply so far of its parent as an
        /// upper bound: shallow cut-offs only, no deep ones.
        BetaOnly = "beta-only",
        /// Alpha-beta whose scores stay within the window.
        FailHard = "fail-hard",
        /// Alpha-beta whose scores may lie beyond the window: better bounds for
        /// the transposition table.
        FailSoft = "fail-soft",
        /// Principal variation search (fail-soft): moves after the first are
        /// searched with an empty window, and again if they surprise.
        Pvs = "pvs",
    }
}

choice! {
    /// Whose place a new entry of a full bucket of the table takes. An entry of
    /// the same position is always replaced, and one of an earlier game first.
    pub enum Replacement {
        /// An entry of an earlier search, else the shallowest.
        Aged = "aged",
        /// The shallowest, if it is not deeper than the new one; else nobody's.
        Depth = "depth",
        /// Half of the bucket goes by depth; what has no place there takes the
        /// place of any in the other half.
        TwoTier = "two-tier",
        /// The one that its key points at, whatever it holds.
        Always = "always",
    }
}

choice! {
    /// What a history score belongs to.
    pub enum HistoryIndex {
        /// The piece and the square it goes to.
        PieceTo = "piece-to",
        /// The squares it goes from and to.
        FromTo = "from-to",
    }
}

choice! {
    /// What a cut-off adds to a history score.
    pub enum HistoryBonus {
        /// The depth of the search, squared.
        DepthSquared = "depth-squared",
        /// The depth.
        Depth = "depth",
        /// 1.
        One = "one",
        /// `slope` for each ply of depth, `most` at the most.
        Linear = "linear",
    }
}

choice! {
    /// Which quiet moves of a ply are its killers.
    pub enum KillerKind {
        /// Those that cut off last.
        Recent = "recent",
        /// Those that have cut off most often (Yue & Feng 2009, section 3.3.2).
        Count = "count",
    }
}

choice! {
    /// How a move is found for a position that the table has none for.
    pub enum DeepeningKind {
        /// A shallower search of the position with the same window.
        Plain = "plain",
        /// And once more with the window open below if that search failed low
        /// (Yue & Feng 2009, section 4.2).
        EnlargedWindow = "enlarged-window",
        /// None is looked for: the position is searched less deeply instead.
        Reduce = "reduce",
    }
}

settings! {
    /// Captures, and evasions of check, beyond the nominal depth.
    pub struct Quiescence {
        /// Plies beyond the horizon in which quiet checks are tried too.
        checks: u32 = 0, 0 to 16;
        /// Leave out captures that lose material by static exchange.
        skip_losing: bool = false;
        /// Leave out captures whose victim cannot raise the score to within this many
        /// evaluation units of alpha; 0 tries them all.
        delta: u32 = 0, 0 to 9000;
        /// Look positions up in the transposition table, and store them.
        table: bool = false;
    }
}

settings! {
    /// A narrow window about the last iteration's score, widened when the score
    /// lies outside.
    pub struct Aspiration {
        /// Half the first window's width, in evaluation units.
        delta: u32 = 30, 1 to 9000;
        /// The first iteration that has one, in plies.
        min_depth: u32 = 4, 2 to 64;
        /// What the mean change from one iteration to the next adds to the width, in
        /// hundredths of it.
        swing: u32 = 0, 0 to 1000;
    }
}

settings! {
    /// How history scores are kept.
    pub struct History {
        /// What a score belongs to.
        index: HistoryIndex = HistoryIndex::PieceTo;
        /// What a cut-off, or a best move, adds.
        bonus: HistoryBonus = HistoryBonus::DepthSquared;
        /// Scores are divided by this when a new search of the same game
        /// begins; 1 keeps them.
        ageing: u32 = 2, 1 to 1_000_000;
        /// Take the bonus away from the quiet moves that were tried before the
        /// one that cut off, and let scores saturate.
        penalty: bool = false;
        /// What each ply of depth adds, with the bonus `linear`.
        slope: u32 = 200, 1 to 4000;
        /// The most that is added, with the bonus `linear`.
        most: u32 = 1600, 1 to 16000;
        /// What a move earns that the opponent has no answer to above alpha, in
        /// hundredths of the bonus.
        prior: u32 = 0, 0 to 400;
        /// Look four plies back too, in the stage `continuation-history`.
        far: bool = false;
    }
}

settings! {
    /// Capture history: captures of one victim are tried in the order in which such
    /// captures have cut off.
    pub struct CaptureHistory {
        /// What makes up for one unit of the victim's value.
        unit: u32 = 4000, 1 to 1_000_000;
    }
}

settings! {
    /// Correction history: the static evaluation of a position is corrected by how far
    /// those of positions like it lay from what a search found.
    pub struct CorrectionHistory {
        /// The part, in hundredths, of what positions with the same pawns say.
        pawns: u32 = 50, 0 to 200;
        /// The same of those where the pieces of one side stand alike, for each side.
        pieces: u32 = 50, 0 to 200;
        /// The same of those after the same two moves.
        moves: u32 = 50, 0 to 200;
        /// The most that one of them says, in evaluation units; what is above 127 counts as 127.
        limit: u32 = 100, 1 to 9000;
    }
}

settings! {
    /// Which moves are killers.
    pub struct Killers {
        /// By what they are chosen.
        kind: KillerKind = KillerKind::Recent;
        /// How many a ply has.
        slots: u32 = 2, 1 to 2;
    }
}

settings! {
    /// Internal iterative deepening: a shallower search finds the first move
    /// where the transposition table has none.
    pub struct InternalDeepening {
        /// The kind.
        kind: DeepeningKind = DeepeningKind::Plain;
        /// The least depth at which it is done.
        min_depth: u32 = 4, 2 to 64;
        /// Plies by which the search is shallower.
        reduction: u32 = 2, 1 to 64;
    }
}

settings! {
    /// The stage `shallow-search`: how deep a position's moves are searched to
    /// be put in order. A position that is to be searched d plies deep has d -
    /// `reduction` plies for it, at least one: at one ply a move is worth what the
    /// evaluation says of the position after it. Each move has an open window.
    pub struct ShallowSearch {
        /// The least depth at which the stage `shallow-search` takes the moves.
        min_depth: u32 = 3, 2 to 64;
        /// Plies by which the search that orders is shallower than the one to
        /// come; it has one at least.
        reduction: u32 = 2, 1 to 64;
        /// The most plies that it has.
        max_plies: u32 = 1, 1 to 64;
    }
}

settings! {
    /// Positions in check are searched deeper.
    pub struct CheckExtension {
        /// Extensions that one line may have, in plies.
        limit: u32 = 16, 1 to 64;
        /// Only checks that lose nothing by static exchange.
        safe: bool = false;
    }
}

settings! {
    /// Null move: if passing still beats beta, a move will.
    pub struct NullMove {
        /// The least depth at which it is tried.
        min_depth: u32 = 2, 1 to 64;
        /// Plies by which the search after the pass is shallower.
        reduction: u32 = 2, 1 to 16;
        /// One more ply of reduction for so many plies of depth; 0 for none.
        depth_divisor: u32 = 0, 0 to 64;
        /// One more ply of reduction for so many evaluation units by which the
        /// static evaluation beats beta (at most 3 more); 0 for none.
        margin_divisor: u32 = 0, 0 to 9000;
        /// From this depth on a search to the reduced depth without the pass
        /// must confirm the cut-off; 0 never asks for it.
        verification: u32 = 10, 0 to 64;
    }
}

settings! {
    /// Late move reductions: quiet moves far down the list are searched less
    /// deeply first.
    pub struct LateMoveReductions {
        /// The least depth at which moves are reduced.
        min_depth: u32 = 3, 2 to 64;
        /// Moves that are searched in full first.
        full_moves: u32 = 3, 1 to 128;
        /// Reduction in hundredths of a ply before depth and move count add
        /// to it.
        base: u32 = 50, 0 to 1000;
        /// What the product of the logarithms (to base 2) of depth and move
        /// number adds, in hundredths of a ply.
        slope: u32 = 22, 0 to 1000;
        /// History score that makes up for one ply; 0 ignores history.
        history: u32 = 0, 0 to 1_000_000;
        /// Hundredths of a ply less where the score may become part of the principal
        /// variation.
        pv: u32 = 100, 0 to 400;
        /// Hundredths of a ply more where the static evaluation is no better than two
        /// plies before.
        worsening: u32 = 50, 0 to 400;
        /// Hundredths of a ply less for killers and counter moves.
        hint: u32 = 100, 0 to 400;
        /// Hundredths of a ply more where a move is expected to cut off.
        cut: u32 = 0, 0 to 400;
        /// How far above the best score so far a reduced search must lie for the move to be
        /// searched a ply deeper than usual, in evaluation units; 0 never.
        deeper: u32 = 0, 0 to 9000;
        /// How near to the best score so far a reduced search must lie for it to be a ply
        /// less; 0 never.
        shallower: u32 = 0, 0 to 9000;
        /// Reduce captures too that come after so many hundredths of a ply; 0 reduces none.
        captures: u32 = 0, 0 to 1000;
    }
}

settings! {
    /// Late move pruning: close to the horizon, quiet moves far down the list
    /// are not searched at all.
    pub struct LateMovePruning {
        /// The greatest depth at which moves are left out.
        max_depth: u32 = 4, 1 to 16;
        /// Quiet moves that are searched at depth 0.
        base: u32 = 4, 0 to 128;
        /// What the square of the depth adds to them, in hundredths.
        slope: u32 = 100, 0 to 10000;
    }
}

settings! {
    /// History pruning: close to the horizon, quiet moves that have done badly are
    /// left out.
    pub struct HistoryPruning {
        /// The greatest depth at which moves are left out.
        max_depth: u32 = 4, 1 to 16;
        /// How far below zero the history score of such a move lies for each ply of
        /// depth.
        slope: u32 = 4000, 0 to 1_000_000;
    }
}

settings! {
    /// Singular extension: where every other move is worse than the table's by a
    /// margin, that move is searched deeper.
    pub struct SingularExtension {
        /// The least depth at which it is looked for.
        min_depth: u32 = 7, 4 to 64;
        /// The margin for each ply of depth, in hundredths of an evaluation unit.
        slope: u32 = 200, 0 to 10_000;
        /// From this many evaluation units more, two plies; 0 never.
        double: u32 = 0, 0 to 9000;
        /// Where another move would cut off too, that is believed.
        multi_cut: bool = true;
        /// Plies by which the move is searched less deeply if it is not singular but
        /// expected to cut off.
        negative: u32 = 0, 0 to 3;
        /// Extensions that one line may have, in plies.
        limit: u32 = 16, 1 to 64;
    }
}

settings! {
    /// Probabilistic cut-off: a capture whose shallower search beats beta by a
    /// margin is believed to beat it.
    pub struct ProbCut {
        /// The least depth at which it is tried.
        min_depth: u32 = 5, 3 to 64;
        /// The margin, in evaluation units.
        margin: u32 = 150, 0 to 9000;
        /// Plies by which the search is shallower.
        reduction: u32 = 4, 1 to 16;
        /// A score of the table from a search that shallow, so far above beta in evaluation
        /// units, is believed without a search; 0 never.
        known: u32 = 0, 0 to 9000;
    }
}

settings! {
    /// Multi-ProbCut: what a search to half of the depth finds far outside the window is
    /// believed to lie outside (Buro 1997).
    pub struct MultiProbCut {
        /// The least depth at which it is tried.
        min_depth: u32 = 4, 3 to 64;
        /// How far outside at depth 0, in evaluation units.
        base: u32 = 100, 0 to 9000;
        /// What each ply of depth adds to it.
        slope: u32 = 10, 0 to 9000;
    }
}

settings! {
    /// Futility: close to the horizon, quiet moves are left out where the
    /// static evaluation lies too far below alpha.
    pub struct Futility {
        /// The greatest depth at which moves are left out.
        max_depth: u32 = 3, 1 to 16;
        /// The margin at depth 0, in evaluation units.
        base: u32 = 100, 0 to 9000;
        /// What each ply of depth adds to it.
        slope: u32 = 100, 0 to 9000;
    }
}

settings! {
    /// Reverse futility: close to the horizon, a static evaluation far above
    /// beta is taken for the score.
    pub struct ReverseFutility {
        /// The greatest depth at which it is done.
        max_depth: u32 = 6, 1 to 16;
        /// The margin for each ply of depth, in evaluation units.
        slope: u32 = 100, 0 to 9000;
    }
}

settings! {
    /// Razoring: close to the horizon, where the static evaluation lies far
    /// below alpha, only the quiescence search is asked.
    pub struct Razoring {
        /// The greatest depth at which it is done.
        max_depth: u32 = 2, 1 to 16;
        /// The margin at depth 0, in evaluation units.
        base: u32 = 200, 0 to 9000;
        /// What each ply of depth adds to it.
        slope: u32 = 200, 0 to 9000;
    }
}

settings! {
    /// Exchange pruning: close to the horizon, moves that lose material by
    /// static exchange are left out.
    pub struct ExchangePruning {
        /// The greatest depth at which moves are left out.
        max_depth: u32 = 6, 1 to 16;
        /// What a quiet move may lose for each ply of depth, in the ordering's
        /// values (a rook is 10, a pawn 1).
        quiet: u32 = 1, 0 to 100;
        /// What a capture may lose for each ply of depth.
        capture: u32 = 2, 0 to 100;
    }
}

settings! {
    /// Near the end of the game positions are played out by an exact solver, where
    /// the game has one. Its nodes count as any others. The first three iterations
    /// of a search do without, so that there is a move to play if the solver takes
    /// more than the limits allow.
    pub struct Endgame {
        /// The number of empty squares from which on a position is played out.
        empties: u32 = 12, 1 to 30;
    }
}

settings! {
    /// The parameters of one search. By default everything is off that prunes,
    /// reduces or extends: plain alpha-beta with the ordering of Yue & Feng 2009
    /// (figure 2), a table and quiescence.
    pub struct SearchParams {
        /// How the tree is searched.
        algorithm: Algorithm = Algorithm::FailSoft;
        /// Iterative deepening; without it a depth limit is searched at once.
        deepening: bool = true;
        /// Size of the transposition table in MiB; 0 is none. The number of
        /// entries is the largest power of two that fits.
        table_mb: u32 = 4, 0 to 4096;
        /// Believe only those scores of the table that come from a search of the
        /// very depth that is asked for, not those of deeper ones: without
        /// history rules every ordering then finds the same scores.
        table_same_depth: bool = false;
        /// What a full bucket of the table gives up.
        table_replacement: Replacement = Replacement::Aged;
        /// Repetition, move limit and material inside the tree.
        rules: bool = true;
        /// Mate distance pruning: no search for a mate that is longer than one
        /// already found.
        mate_distance: bool = false;
        /// Leave the costly terms out of an evaluation where the rest of it lies
        /// further than this beyond the window, in evaluation units; 0 never
        /// does.
        lazy_evaluation: u32 = 0, 0 to 9000;
        /// Seed of the stage `shuffled`.
        shuffle_seed: u32 = 0;
    }
    {
        /// The ordering stages, first to last; no stage twice.
        ordering: Vec<Stage> = vec![
            Stage::Tt,
            Stage::GoodCaptures,
            Stage::Killers,
            Stage::History,
        ];
        /// How history scores are kept.
        history: History = History::default();
        /// Which moves are killers.
        killers: Killers = Killers::default();
        /// Captures beyond the nominal depth.
        quiescence: Option<Quiescence> = Some(Quiescence::default());
        /// Aspiration windows.
        aspiration: Option<Aspiration> = None;
        /// Internal iterative deepening.
        internal_deepening: Option<InternalDeepening> = None;
        /// The search of the stage `shallow-search`. Part of the serialised form
        /// only where it is not the usual.
        #[serde(skip_serializing_if = "ShallowSearch::is_usual")]
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
        /// Exact endgames. Part of the serialised form only where it is on.
        #[serde(skip_serializing_if = "Option::is_none")]
        endgame: Option<Endgame> = None;
        /// A solver in place of the alpha-beta search, in games that are problems with
        /// a goal (Go block capture). Part of the serialised form only where it is on.
        #[serde(skip_serializing_if = "Option::is_none")]
        solver: Option<SolverParams> = None;
    }
}

impl Algorithm {
    /// Whether every node is given both ends of a window: what aspiration and
    /// the techniques that depend on alpha or beta need.
    pub const fn has_window(self) -> bool {
        matches!(
            self,
            Algorithm::FailHard | Algorithm::FailSoft | Algorithm::Pvs
        )
    }
}

settings! {
    /// The auxiliary search (Du & Cheng 2007, section 4): when the main search has
    /// chosen a move, the position at the end of its line is searched further. If
    /// its value falls below that of another move, the best of the others is taken
    /// and looked at in the same way, until one has held its place. All moves of
    /// the root need exact values for it: their windows are open.
    pub struct Auxiliary {
        /// Plies by which the end of a line is searched further.
        plies: u32 = 1, 1 to 16;
        /// Of a limit of nodes, the percentage that the main search leaves for it.
        reserve: u32 = 10, 1 to 90;
    }
}

impl ShallowSearch {
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl SearchParams {
    /// The groups of settings, by name.
    pub fn groups(&mut self) -> [(&'static str, Group<'_>); 23] {
        use Group::{Always, Switch};
        [
            ("history", Always(&mut self.history)),
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
