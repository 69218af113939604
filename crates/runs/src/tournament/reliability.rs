//! Players whose failures decide games: their failure counts, and the limits beyond which their
//! games do not measure strength.

use std::collections::BTreeMap;

use serde::Serialize;

use leitai_base::count::count;
use leitai_config::{FailurePolicies, FailurePolicy, Share};
use leitai_game::Cause;
use leitai_players::play::{Fault, PairRecord};
use leitai_stats::binomial_tail;

/// A player that fails in all of this number of first games counts as failing always.
const FIRST_GAMES: u64 = 10;

/// Before there is a verdict, the share of failures is judged from this number of games on.
const MIN_GAMES: u64 = 50;

/// Before there is a verdict, a share above the tolerated one ends the games only if chance does
/// not explain it: the probability of at least as many failures for a player that fails in exactly
/// the tolerated share must be below this. Without this test, 1 % tolerated and the share checked
/// after every pair, one of six players that fail in one game of 200 would be ended.
const CHANCE: f64 = 0.01;

/// A player that failed so often that its games do not measure its strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Failing {
    /// Index of the variant; of a tune 0 for the plus side, 1 for the minus side.
    pub variant: usize,
    /// The cause of its last failure.
    pub cause: Cause,
    /// The number of the pair of its last failure.
    pub pair: u64,
    /// The game of that pair, 0 or 1.
    pub game: usize,
    /// Games ended by its failures; losses on time are included only if it always fails.
    pub failed: u64,
    /// Games that it played.
    pub games: u64,
    /// True if none of its games ended without a failure.
    pub always: bool,
}

impl Failing {
    /// Describes the failures of the player with that name. `at` specifies the player, as in ` on
    /// the plus side`.
    pub fn sentence(&self, name: &str, at: &str, tolerate: Share) -> String {
        let (failed, games) = (self.failed, self.games);
        let last = format!(
            "last: {} in game {} of pair {}",
            self.cause,
            self.game + 1,
            self.pair
        );
        if !self.always {
            return format!(
                "`{name}`{at} failed in {failed} of {} ({:.1} %; {last}), and `tolerate` is \
                 {tolerate}",
                count(games, "game", "games"),
                100.0 * failed as f64 / games as f64,
            );
        }
        let all = if failed < games {
            format!(
                "{failed} of its first {games} games by its own failure; its opponent failed in the others"
            )
        } else {
            format!("each of its first {games} games by its own failure")
        };
        format!("`{name}`{at} lost {all} ({last}); these games do not measure its strength")
    }
}

/// The failures of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailedGames {
    /// Games that it played.
    pub games: u64,
    /// Games ended by its failures, except losses on time.
    pub failed: u64,
    /// Games that it lost on time.
    pub late: u64,
    /// Games ended by a failure of either player.
    spoilt: u64,
    /// The last failure of any kind, and the last that is no loss on time: pair and fault.
    last: [Option<(u64, Fault)>; 2],
}

impl FailedGames {
    /// Adds the failures of the other player in the same games.
    #[must_use]
    pub fn with_opponent(self, other: &Self) -> Self {
        Self {
            games: self.games,
            ..self.with_later(other)
        }
    }

    /// Adds later games.
    #[must_use]
    pub fn with_later(self, later: &Self) -> Self {
        let [any, own] = [0, 1].map(|kind| later.last[kind].or(self.last[kind]));
        Self {
            games: self.games + later.games,
            failed: self.failed + later.failed,
            late: self.late + later.late,
            spoilt: self.spoilt + later.spoilt,
            last: [any, own],
        }
    }

    /// The player as failing, if all its games, at least `fewest`, ended by failures and at least
    /// half of them by its own: if both players are dead, the first to move fails.
    fn always(&self, variant: usize, fewest: u64) -> Option<Failing> {
        let own = self.failed + self.late;
        let all = self.games >= fewest && self.spoilt == self.games && 2 * own >= self.games;
        let last = self.last[0].filter(|_| all)?;
        Some(self.failing(variant, last, own, true))
    }

    /// The player as failing, if its failures exceed the tolerated share and, with `chance`, there
    /// are fifty games or more and chance does not explain the share.
    pub(super) fn beyond(
        &self,
        variant: usize,
        tolerate: Share,
        chance: Option<f64>,
    ) -> Option<Failing> {
        let (failed, games) = (self.failed, self.games);
        let is_clear = |chance: f64| {
            games >= MIN_GAMES && binomial_tail(failed, games, tolerate.into()) < chance
        };
        let is_beyond = !tolerate.allows(failed, games) && chance.is_none_or(is_clear);
        let last = self.last[1].filter(|_| is_beyond)?;
        Some(self.failing(variant, last, failed, false))
    }

    fn failing(
        &self,
        variant: usize,
        (pair, fault): (u64, Fault),
        failed: u64,
        always: bool,
    ) -> Failing {
        Failing {
            variant,
            cause: fault.cause,
            pair,
            game: fault.game,
            failed,
            games: self.games,
            always,
        }
    }
}

/// The failures of each player of some games. Tournaments, trials and tunes all use this to judge
/// failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reliability {
    players: BTreeMap<usize, FailedGames>,
}

impl Reliability {
    /// Counts a pair (its number, and that of its games) between these players, with the failures that ended counted
    /// games.
    pub fn take(
        &mut self,
        players: [usize; 2],
        (pair, games): (u64, u64),
        faults: impl Iterator<Item = Fault>,
    ) {
        let faults: Vec<Fault> = faults.collect();
        for player in players {
            let own = self.players.entry(player).or_default();
            own.games += games;
            own.spoilt += faults.len() as u64;
        }
        for fault in faults {
            let own = self.players.entry(fault.variant).or_default();
            let is_late = fault.cause == Cause::TimeForfeit;
            own.late += u64::from(is_late);
            own.failed += u64::from(!is_late);
            own.last[0] = Some((pair, fault));
            if !is_late {
                own.last[1] = own.last[0];
            }
        }
    }

    /// The failures of a player.
    pub fn of(&self, player: usize) -> FailedGames {
        self.players.get(&player).copied().unwrap_or_default()
    }

    /// The first player with ten games or more that all ended by failures, at least half of them
    /// its own.
    pub fn always_failing(&self) -> Option<Failing> {
        let mut players = self.players.keys();
        players.find_map(|&player| self.is_always_failing(player))
    }

    /// The player as failing, if it always fails.
    pub fn is_always_failing(&self, player: usize) -> Option<Failing> {
        self.of(player).always(player, FIRST_GAMES)
    }

    /// The player as failing, if failures ended all its games, however few.
    pub fn finished_no_game(&self, player: usize) -> Option<Failing> {
        self.of(player).always(player, 1)
    }

    /// The first of two players that finished no game.
    pub fn without_finished(&self, players: [usize; 2]) -> Option<Failing> {
        let mut players = players.into_iter();
        players.find_map(|player| self.finished_no_game(player))
    }

    /// The first player that failed in more than the tolerated share of its games. Before the end
    /// this needs fifty games and a share that chance does not explain.
    pub fn beyond(&self, tolerate: Share, is_end: bool) -> Option<Failing> {
        let chance = (!is_end).then_some(CHANCE);
        let mut players = self.players.iter();
        players.find_map(|(&player, own)| own.beyond(player, tolerate, chance))
    }
}

/// Returns whether a recorded pair would have the same result under these policies.
pub fn has_same_result(record: &PairRecord, policies: &FailurePolicies) -> bool {
    let counts = |fault: &Fault, replays: u32| match policies.of(fault.cause) {
        FailurePolicy::Lose => true,
        FailurePolicy::Replay => replays >= policies.replays,
        FailurePolicy::Stop => false,
    };
    let mut replays = 0;
    let attempts = &record.spoilt;
    for attempt in attempts.chunk_by(|one, next| one.attempt == next.attempt) {
        let Some((last, before)) = attempt.split_last() else {
            continue;
        };
        if !before.iter().all(|fault| counts(fault, replays)) {
            return false;
        }
        if last.cause == Cause::Pause {
            continue;
        }
        let is_replayed = policies.of(last.cause) == FailurePolicy::Replay;
        if !is_replayed || replays >= policies.replays {
            return false;
        }
        replays += 1;
    }
    record.faults().all(|fault| counts(&fault, replays))
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::{Side, Verdict};
    use leitai_players::play::{GameRecord, MoveTimes};

    fn fault(variant: usize, cause: Cause) -> Fault {
        Fault {
            attempt: 1,
            game: 0,
            variant,
            cause,
        }
    }

    /// The reliability after pairs of players 0 and 1 with these failures.
    fn after(pairs: &[&[Fault]]) -> Reliability {
        let mut all = Reliability::default();
        for (pair, faults) in (0..).zip(pairs) {
            all.take([0, 1], (pair, 2), faults.iter().copied());
        }
        all
    }

    #[test]
    fn ten_failed_games_show_that_a_player_always_fails() {
        let both = &[fault(1, Cause::IllegalMove), fault(1, Cause::TimeForfeit)][..];
        let failing = after(&[both; 5]).always_failing();
        let wanted = Failing {
            variant: 1,
            cause: Cause::TimeForfeit,
            pair: 4,
            game: 0,
            failed: 10,
            games: 10,
            always: true,
        };
        assert_eq!(failing, Some(wanted));
        assert_eq!(after(&[both; 4]).always_failing(), None);
        let one = &both[..1];
        assert_eq!(
            after(&[both, both, one, both, both, both]).always_failing(),
            None
        );
    }

    #[test]
    fn of_two_dead_players_each_fails_where_it_moves_first() {
        let both = &[fault(0, Cause::Crash), fault(1, Cause::Crash)][..];
        let failing = after(&[both; 5]).always_failing();
        let of = |it: Failing| (it.variant, it.failed, it.games, it.always);
        assert_eq!(failing.map(of), Some((0, 5, 10, true)));
        let one = &both[..1];
        assert_eq!(
            after(&[both, both, one, both, both, both]).always_failing(),
            None
        );
        // The failures of its opponent do not count against a sound player.
        let other = &[fault(1, Cause::Crash), fault(1, Cause::Crash)][..];
        let failing = after(&[other, other, both, other, other]).always_failing();
        assert_eq!(failing.map(of), Some((1, 9, 10, true)));
    }

    #[test]
    fn a_pair_comes_out_the_same_where_its_failures_meet_the_same_end() {
        let policies = |table: &str| {
            let text = format!(
                "game = \"othello\"\nlimits = {{ depth = 1 }}\ntournament = {{ pairs = 1 }}\n\
                 failures = {{ {table} }}\nvariant = [{{ name = \"a\" }}, {{ name = \"b\" }}]\n"
            );
            let config = leitai_config::parse(&text, "t.toml", &leitai_games::all());
            config.unwrap().config.failures
        };
        let game = |cause| GameRecord {
            first: 0,
            second: 1,
            plies: Vec::new(),
            verdict: Verdict::win(Side::Second, cause),
            drawn_by: None,
            times: MoveTimes::default(),
            pv_warnings: Vec::new(),
        };
        let pair = |spoilt: &[(u32, Cause)], last: Cause| PairRecord {
            index: 0,
            games: [game(last), game(Cause::Checkmate)].into(),
            hashes: [0, 1].into(),
            spoilt: spoilt
                .iter()
                .map(|&(attempt, cause)| Fault {
                    attempt,
                    ..fault(0, cause)
                })
                .collect(),
            evidence: leitai_players::play::EvidenceList::default(),
        };
        let (lose, stop) = ("otherwise = \"lose\"", "crash = \"stop\"");
        let once = "crash = \"replay\", replays = 1";
        let crash = Cause::Crash;
        for (spoilt, last, table, is_same) in [
            (&[][..], Cause::Checkmate, stop, true),
            (&[], crash, lose, true),
            (&[], crash, stop, false),
            (&[], crash, once, false),
            (&[(1, crash)], Cause::Checkmate, once, true),
            (&[(1, crash)], Cause::Checkmate, lose, false),
            (&[(1, crash)], crash, once, true),
            (&[(1, crash), (2, crash)], Cause::Checkmate, once, false),
            (&[(1, Cause::Pause)], Cause::Checkmate, stop, true),
            (&[(1, Cause::Pause), (2, crash)], crash, once, true),
            (
                &[(1, crash), (1, Cause::Pause)],
                Cause::Checkmate,
                lose,
                true,
            ),
            (
                &[(1, crash), (1, Cause::Pause)],
                Cause::Checkmate,
                stop,
                false,
            ),
        ] {
            let found = has_same_result(&pair(spoilt, last), &policies(table));
            assert_eq!(found, is_same, "{spoilt:?}, {last:?}: {table}");
        }
    }

    #[test]
    fn losses_on_time_are_no_part_of_the_share() {
        let late = [fault(0, Cause::TimeForfeit), fault(0, Cause::TimeForfeit)];
        let crash = [fault(0, Cause::Crash)];
        let none: &[Fault] = &[];
        let mut pairs = vec![none; 20];
        pairs.extend([&late[..]; 4]);
        pairs.push(&crash);
        assert_eq!(after(&pairs).beyond(Share::DEFAULT, true), None);
        pairs.push(&crash);
        let failing = after(&pairs).beyond(Share::DEFAULT, true);
        let failing = failing.map(|it| (it.variant, it.cause, it.failed, it.games));
        assert_eq!(failing, Some((0, Cause::Crash, 2, 52)));
        let few = after(&[&crash, &crash]);
        assert_eq!(few.beyond(Share::DEFAULT, false), None, "too few games");
        assert!(few.beyond(Share::DEFAULT, true).is_some(), "but at the end");
    }

    #[test]
    fn before_the_end_a_share_must_be_more_than_chance() {
        let crash = [fault(0, Cause::Crash)];
        let none: &[Fault] = &[];
        let failed = |failed: usize, pairs: usize, share| {
            let mut all = vec![none; pairs - failed];
            all.extend(vec![&crash[..]; failed]);
            after(&all).beyond(share, false).map(|it| it.failed)
        };
        // P(X ≥ 3) and P(X ≥ 4) of 50 games at 1 %: 0.014 and 0.0016.
        assert_eq!(failed(3, 25, Share::DEFAULT), None);
        assert_eq!(failed(4, 25, Share::DEFAULT), Some(4));
        assert_eq!(failed(4, 24, Share::DEFAULT), None, "48 games");
        assert_eq!(failed(1, 25, Share::NONE), Some(1));
    }

    #[test]
    fn a_sentence_has_player_number_and_kind_of_failures() {
        let failing = Failing {
            variant: 1,
            cause: Cause::Crash,
            pair: 4,
            game: 0,
            failed: 10,
            games: 10,
            always: true,
        };
        let words = |failing: Failing| failing.sentence("a", "", Share::DEFAULT);
        assert_eq!(
            words(failing),
            "`a` lost each of its first 10 games by its own failure (last: crash in game 1 of pair \
             4); these games do not measure its strength"
        );
        let half = Failing {
            failed: 5,
            ..failing
        };
        assert_eq!(
            words(half),
            "`a` lost 5 of its first 10 games by its own failure; its opponent failed in the \
             others (last: crash in game 1 of pair 4); these games do not measure its strength"
        );
        let share = Failing {
            always: false,
            ..half
        };
        assert_eq!(
            share.sentence("a", " on the plus side", Share::DEFAULT),
            "`a` on the plus side failed in 5 of 10 games (50.0 %; last: crash in game 1 of pair \
             4), and `tolerate` is 1 %"
        );
    }
}
