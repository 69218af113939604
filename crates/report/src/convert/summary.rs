//! The summary of a conversion.

use std::fmt::Write as _;

use serde::Serialize;

use leitai_base::count::count;
use leitai_interchange::pgn::{Game, ResultDoubt};

/// Counts over all files of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConvertSummary {
    /// Files read.
    pub files: u64,
    /// Games read, each legal from its first move to its last.
    pub games: u64,
    /// Games that could not be read.
    pub damaged_games: u64,
    /// Plies of the games read.
    pub plies: u64,
    /// Games whose recorded result is the referee's verdict.
    pub confirmed: u64,
    /// Games whose recorded result differs from the referee's verdict.
    pub contradicted: u64,
    /// Games whose tag `Result` differs from the result after their moves.
    pub contradicted_tags: u64,
    /// Games whose tag `Result` has no valid value.
    pub unknown_results: u64,
    /// Games with a result that the referee cannot confirm: no rule ends them.
    pub undecided: u64,
    /// Games without a result.
    pub unfinished: u64,
    /// Games that continued after the referee's verdict.
    pub played_on: u64,
    /// Words between moves that are no moves.
    pub remarks: u64,
    /// Moves with a score.
    pub scores: u64,
    /// Moves whose comments seem to have a score of an unknown form.
    pub unread_scores: u64,
    /// Positions read from EPD.
    pub positions: u64,
    /// Lines of EPD that could not be read.
    pub damaged_positions: u64,
    /// Games or positions written.
    pub written: u64,
    /// Positions omitted as duplicates, up to symmetry.
    pub duplicates: u64,
    /// Games omitted because they are shorter than the requested opening.
    pub short: u64,
    /// Positions omitted because the game is over, or neither side can win.
    pub no_openings: u64,
}

impl ConvertSummary {
    /// Counts a parsed game.
    pub fn game(&mut self, game: &Game) {
        self.games += 1;
        self.plies += game.play.len() as u64;
        self.played_on += u64::from(game.played_on() > 0);
        self.remarks += game.unread.words;
        let scored = game.searched.iter().filter(|move_| move_.score.is_some());
        self.scores += scored.count() as u64;
        self.unread_scores += game.unread.scores;
        match game.doubt {
            Some(ResultDoubt::Contradicted) => self.contradicted_tags += 1,
            Some(ResultDoubt::Unknown) => self.unknown_results += 1,
            None => {}
        }
        match (game.points, game.agrees()) {
            (None, _) => self.unfinished += 1,
            (_, None) => self.undecided += 1,
            (_, Some(true)) => self.confirmed += 1,
            (_, Some(false)) => self.contradicted += 1,
        }
    }

    /// Adds the counts of games from another summary.
    pub fn add_games(&mut self, other: &Self) {
        for (own, other) in [
            (&mut self.games, other.games),
            (&mut self.plies, other.plies),
            (&mut self.played_on, other.played_on),
            (&mut self.remarks, other.remarks),
            (&mut self.scores, other.scores),
            (&mut self.unread_scores, other.unread_scores),
            (&mut self.contradicted_tags, other.contradicted_tags),
            (&mut self.unknown_results, other.unknown_results),
            (&mut self.unfinished, other.unfinished),
            (&mut self.undecided, other.undecided),
            (&mut self.confirmed, other.confirmed),
            (&mut self.contradicted, other.contradicted),
        ] {
            *own += other;
        }
    }

    /// Games with an unreliable tag `Result`.
    pub fn doubtful(&self) -> u64 {
        self.contradicted_tags + self.unknown_results
    }

    /// Games and lines that could not be read.
    pub fn damaged(&self) -> u64 {
        self.damaged_games + self.damaged_positions
    }

    /// The counts in words, without a line end after the last line. Counts of zero are omitted.
    pub fn render(&self) -> String {
        let mut text = String::new();
        if self.games + self.damaged_games > 0 {
            let games = count(self.games, "game", "games");
            let plies = count(self.plies, "ply", "plies");
            let _ = write!(text, "{games} read, {plies}, all legal");
            if self.damaged_games > 0 {
                let games = count(self.damaged_games, "game", "games");
                let _ = write!(text, "; {games} damaged and left out");
            }
            let results = [
                (self.confirmed, "confirmed by the referee"),
                (self.contradicted, "against the referee"),
                (self.undecided, "where no rule ends the game"),
                (self.unfinished, "without a result"),
            ];
            let results = results.iter().filter(|(count, _)| *count > 0);
            let results: Vec<_> = results
                .map(|(count, kind)| format!("{count} {kind}"))
                .collect();
            if !results.is_empty() {
                let _ = write!(text, "\nresults: {}", results.join(", "));
            }
        }
        for (number, one, many, rest) in [
            (
                self.contradicted_tags,
                "tag Result says",
                "tags Result say",
                "another result than the end of the moves",
            ),
            (
                self.unknown_results,
                "tag Result is",
                "tags Result are",
                "invalid",
            ),
            (
                self.played_on,
                "game",
                "games",
                "went on after the referee's verdict",
            ),
            (
                self.remarks,
                "word",
                "words",
                "between moves (such as `mate`) passed over",
            ),
            (self.scores, "move has", "moves have", "a score"),
            (
                self.unread_scores,
                "comment seems",
                "comments seem",
                "to have a score, in a form that is not read",
            ),
            (self.positions, "position", "positions", "read"),
            (
                self.damaged_positions,
                "line is not a position",
                "lines are not positions",
                "and left out",
            ),
            (
                self.duplicates,
                "position came before, up to symmetry, and is",
                "positions came before, up to symmetry, and are",
                "left out",
            ),
            (
                self.short,
                "game is",
                "games are",
                "shorter than that and left out",
            ),
            (
                self.no_openings,
                "position is not an opening",
                "positions are not openings",
                "(the game is over, or drawn) and left out",
            ),
        ] {
            if number > 0 {
                let separator = if text.is_empty() { "" } else { "\n" };
                let _ = write!(text, "{separator}{} {rest}", count(number, one, many));
            }
        }
        text
    }
}
