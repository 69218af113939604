use super::*;
use crate::tournament::{Goal, Replay};
use leitai_config::{EarlierBook, parse};
use leitai_game::{Cause, Move, Side, Verdict as GameVerdict};
use leitai_games as games;
use leitai_players::play::{GameRecord, PairRecord, Ply};
use leitai_players::schedule::{PairSpec, Schedule};
use leitai_stats::gsprt::{draw_elo, in_logistic};
use leitai_stats::{Decision, Hypotheses, Model, SequentialTest, Trinomial};

/// A gate of `k` candidates against variant 0, and its schedule.
struct Bench {
    schedule: Schedule,
    trials: Trials,
}

impl Bench {
    fn new(k: usize, book: usize, more: &str) -> Self {
        Self::of("strict", k, book, more)
    }

    fn of(test: &str, k: usize, book: usize, more: &str) -> Self {
        let mut text = format!(
            "game = \"othello\"\nlimits = {{ depth = 1 }}\n\
             openings = {{ file = \"book.epd\", exhausted = \"repeat\" }}\n\
             gate = {{ test = \"{test}\", {more} }}\n"
        );
        text.extend((0..=k).map(|name| format!("[[variant]]\nname = \"v{name}\"\n")));
        let config = parse(&text, "test.toml", &games::all())
            .unwrap_or_else(|error| panic!("{error}"))
            .config;
        let schedule = Schedule::new(&config, book).unwrap();
        let trials = Trials::new(&config.gate.unwrap(), config.failures, &schedule).unwrap();
        Self { schedule, trials }
    }

    /// Plays the next pair of a candidate with the given outcome.
    fn play(&mut self, pair: u64, cell: usize) -> bool {
        let spec = self.schedule.pair(pair);
        let record = record(&spec, cell);
        self.trials.take(&spec, &record, &Replay::default())
    }

    fn verdict(&self, candidate: usize) -> Option<Verdict> {
        self.trials.candidates[candidate].verdict
    }

    fn wanted(&self) -> Vec<bool> {
        let all = 0..self.trials.candidates.len();
        all.map(|pairing| self.trials.wants(pairing)).collect()
    }
}

/// Two unique games with the given outcome for the first variant.
fn record(spec: &PairSpec, cell: usize) -> PairRecord {
    // Half points of the first variant in the two games.
    let halves = [[0, 0], [0, 1], [2, 0], [2, 1], [2, 2]][cell];
    let game = |number: usize| {
        let winner = match halves[number] {
            2 => Some(Side::BOTH[number]),
            1 => None,
            _ => Some(Side::BOTH[number].other()),
        };
        let [a, b] = spec.variants;
        let [first, second] = [[a, b], [b, a]][number];
        GameRecord {
            first,
            second,
            plies: vec![Ply {
                mv: Move(1),
                score: None,
                depth: 1,
                nodes: 1,
            }],
            verdict: GameVerdict {
                winner,
                cause: Cause::Checkmate,
            },
            drawn_by: None,
            times: leitai_players::play::MoveTimes::default(),
            pv_warnings: Vec::new(),
        }
    };
    PairRecord {
        index: spec.index,
        games: [game(0), game(1)].into(),
        hashes: [2 * spec.index, 2 * spec.index + 1].into(),
        spoilt: Vec::new(),
        evidence: leitai_players::play::EvidenceList::default(),
    }
}

#[test]
fn one_candidate_is_judged_by_its_test_alone() {
    for (cell, verdict, decision) in [
        (4, Verdict::Accepted, Decision::Accepted),
        (1, Verdict::Rejected, Decision::Rejected),
    ] {
        let mut bench = Bench::new(1, 500, "elo0 = 0, elo1 = 50");
        let mut alone = Test::new(&bench.trials.gate, 500).unwrap();
        let mut pair = 0;
        while alone.decision().is_none() {
            assert_eq!((bench.wanted(), bench.verdict(0)), (vec![true], None));
            alone.record(cell).expect("a cell");
            let changed = bench.play(pair, cell);
            assert_eq!(changed, alone.decision().is_some());
            pair += 1;
        }
        assert_eq!(alone.decision(), Some(decision));
        let trial = &bench.trials.candidates[0];
        assert_eq!((trial.verdict, trial.pairs()), (Some(verdict), pair));
        assert_eq!(trial.last_pair, Some(pair - 1));
        assert_eq!(trial.test.level(), alone.level());
        assert_eq!(bench.wanted(), [false]);
        assert!(bench.trials.is_over());
        assert_eq!(bench.trials.verdict(), Some(verdict));
    }
}

/// Looks happen where the schedule puts them, repeated pairs included, and the last look decides. A
/// book shorter than the cap acts as the cap.
#[test]
fn a_group_sequential_gate_always_decides() {
    for (book, more, end) in [
        (500, "elo1 = 30, max_pairs = 60, looks = 3", 60),
        (45, "elo1 = 30, max_pairs = 60, looks = 3", 45),
    ] {
        let mut bench = Bench::of("group-sequential", 1, book, more);
        let mut pairs = 0;
        while !bench.trials.is_over() {
            // Equal numbers of wins and losses; every fifth pair is no evidence.
            let spec = bench.schedule.pair(pairs);
            let mut pair = record(&spec, if pairs % 2 == 0 { 3 } else { 1 });
            if pairs % 5 == 4 {
                pair.hashes = [0, 1].into();
            }
            bench.trials.take(&spec, &pair, &Replay::default());
            pairs += 1;
        }
        let trial = &bench.trials.candidates[0];
        assert_eq!((pairs, bench.verdict(0)), (end, Some(Verdict::Rejected)));
        assert!(trial.test.is_at_end());
        let Test::GroupSequential(test) = &trial.test else {
            panic!("another test")
        };
        let counted: Vec<u64> = test.looks().iter().map(|look| look.pairs).collect();
        assert_eq!(counted, [1, 2, 3].map(|look| look * end / 3 * 4 / 5));
        let after = test.after_stop().expect("an estimate");
        assert!(
            after.elo_median_unbiased.expect("some").abs() < 20.0,
            "{after:?}"
        );
    }
    let mut bench = Bench::of("group-sequential", 1, 500, "elo1 = 30, max_pairs = 300");
    for pair in 0..50 {
        assert_eq!(bench.verdict(0), None);
        bench.play(pair, if pair % 3 == 0 { 2 } else { 4 });
    }
    assert_eq!(bench.verdict(0), Some(Verdict::Accepted));
}

#[test]
fn a_pair_that_repeats_another_is_no_evidence() {
    let mut bench = Bench::new(1, 500, "elo1 = 50");
    bench.play(0, 4);
    let level = bench.trials.candidates[0].test.level();
    for pair in 1..400 {
        let spec = bench.schedule.pair(pair);
        let repeated = PairRecord {
            hashes: [0, 1].into(),
            ..record(&spec, 4)
        };
        bench.trials.take(&spec, &repeated, &Replay::default());
    }
    let trial = &bench.trials.candidates[0];
    assert_eq!(trial.test.level(), level);
    assert_eq!((trial.pairs(), trial.duplicates), (1, 399));
    assert_eq!(trial.verdict, None);
}

/// Plays a pair of a candidate with the given outcome, whose games passed through the given
/// positions.
fn play_through(bench: &mut Bench, pair: u64, cell: usize, passed: &[u64]) {
    let spec = bench.schedule.pair(pair);
    let replay = Replay {
        start: passed[0],
        passed: passed.to_vec(),
        ..Replay::default()
    };
    bench.trials.take(&spec, &record(&spec, cell), &replay);
}

#[test]
fn a_pair_that_runs_into_another_is_no_evidence() {
    for test in ["strict", "gsprt"] {
        let mut bench = Bench::of(test, 1, 500, "elo1 = 50");
        play_through(&mut bench, 0, 4, &[1000, 7]);
        let level = bench.trials.candidates[0].test.level();
        for pair in 1..400 {
            play_through(&mut bench, pair, 4, &[1000 + pair, 7]);
        }
        let trial = &bench.trials.candidates[0];
        assert_eq!((trial.test.level(), trial.verdict), (level, None));
        assert_eq!((trial.pairs(), trial.related), (1, 399));
        assert!(!trial.openings_repeat);
    }
}

/// Twenty-four lines of openings, each with a position after every ply: three games in four
/// transpose into the next position of their line and have the same result. Equal players pass a
/// gate in at most 5 % of all trials. (A quarter of them did with pairs treated as independent.)
#[test]
fn null_gates_on_openings_that_lead_into_each_other_pass_as_rarely_as_promised() {
    use leitai_players::schedule::{Stream, below, generator};
    const RUNS: u64 = 60;
    for test in ["strict", "gsprt"] {
        let mut passed = 0;
        for run in 0..RUNS {
            let mut random = generator(run, Stream::Openings);
            let mut below = |n| below(&mut random, n);
            let mut bench = Bench::of(test, 1, 480, "elo1 = 30, beta = 0.000001");
            let plies: Vec<Vec<(u64, usize)>> = (0..24)
                .map(|line| {
                    let mut end = (line * 100, below(5) as usize);
                    let ends = (0..20).rev().map(|ply| {
                        if below(4) == 0 {
                            end = (line * 100 + ply, below(5) as usize);
                        }
                        end
                    });
                    ends.collect()
                })
                .collect();
            for pair in 0..480 {
                if bench.trials.is_over() {
                    break;
                }
                let opening = bench.schedule.pair(pair).opening;
                let (end, cell) = plies[opening / 20][opening % 20];
                let start = 10_000 + opening as u64;
                play_through(&mut bench, pair, cell, &[start, end]);
            }
            passed += u64::from(bench.verdict(0) == Some(Verdict::Accepted));
        }
        // 5 % plus three standard errors.
        assert!(passed <= RUNS * 5 / 100 + 5, "{test}: {passed} of {RUNS}");
    }
}

/// Plays the next pair of a candidate with two identical games.
fn play_alike(bench: &mut Bench, pair: u64) {
    let spec = bench.schedule.pair(pair);
    let mut record = record(&spec, 2);
    record.games[1].verdict = record.games[0].verdict;
    record.hashes = [pair; 2].into();
    bench.trials.take(&spec, &record, &Replay::default());
}

#[test]
fn variants_that_play_alike_have_nothing_to_be_tested() {
    for (test, more, after, passes) in [
        ("strict", "elo1 = 5", 30, false),
        ("gsprt", "elo1 = 5", 30, false),
        // The level pairs alone would have rejected or accepted earlier.
        ("gsprt", "elo1 = 200", 30, false),
        ("gsprt", "elo0 = -200, elo1 = 0", 30, true),
        ("gsprt", "elo0 = -200, elo1 = -100", 30, true),
        ("gsprt", "elo1 = 5, model = \"normalized\"", 30, false),
        ("gsprt", "elo1 = 5, alike_pairs = 7", 7, false),
    ] {
        let mut bench = Bench::of(test, 1, 500, more);
        for pair in 0..after {
            assert_eq!(bench.verdict(0), None, "{more} at {pair}");
            play_alike(&mut bench, pair);
        }
        let verdict = Some(Verdict::PlayedAlike { passes });
        assert_eq!(
            (bench.verdict(0), bench.trials.verdict()),
            (verdict, verdict)
        );
        assert_eq!(bench.trials.candidates[0].alike, after);
    }
    // One differing pair is a difference, and `alike_pairs = 0` disables the wait.
    for more in ["elo1 = 5", "elo1 = 5, alike_pairs = 0"] {
        let mut bench = Bench::of("strict", 1, 500, more);
        if !more.contains("alike") {
            bench.play(0, 2);
        }
        for pair in 1..100 {
            play_alike(&mut bench, pair);
        }
        assert_eq!(bench.verdict(0), None, "{more}");
    }
}

/// The cap, the last look or the end of the book comes before the required number of pairs:
/// identical play does not count as weakness.
#[test]
fn equal_players_are_not_judged_by_level_pairs() {
    for (test, book, more, passes) in [
        (
            "group-sequential",
            500,
            "elo0 = -10, elo1 = 5, max_pairs = 12",
            true,
        ),
        (
            "group-sequential",
            500,
            "elo0 = -5, elo1 = 0, max_pairs = 12",
            true,
        ),
        ("gsprt", 500, "elo0 = -5, elo1 = 200, max_pairs = 12", true),
        ("strict", 500, "elo0 = -5, elo1 = 400, max_pairs = 12", true),
        ("strict", 12, "elo0 = -5, elo1 = 0", true),
        ("group-sequential", 500, "elo1 = 5, max_pairs = 12", false),
        ("gsprt", 12, "elo1 = 5", false),
    ] {
        let mut bench = Bench::of(test, 1, book, more);
        for pair in 0..12 {
            assert_eq!(bench.verdict(0), None, "{test}, {more} at {pair}");
            play_alike(&mut bench, pair);
        }
        let verdict = Some(Verdict::PlayedAlike { passes });
        assert_eq!(bench.verdict(0), verdict, "{test}, {more}");
    }
    // With one differing pair, identical pairs are evidence like others.
    let mut bench = Bench::of("gsprt", 1, 500, "elo1 = 5, max_pairs = 12");
    bench.play(0, 3);
    for pair in 1..12 {
        play_alike(&mut bench, pair);
    }
    let verdict = Some(Verdict::Inconclusive(Shortage::Cap));
    assert_eq!(bench.verdict(0), verdict);
}

/// Several candidates, each judged separately, in rounds.
#[test]
fn a_candidate_that_plays_alike_is_dropped_and_the_others_go_on() {
    let mut bench = Bench::new(2, 500, "elo1 = 50, alike_pairs = 3");
    for round in 0..3 {
        assert_eq!(bench.wanted(), [true; 2]);
        play_alike(&mut bench, 2 * round);
        bench.play(2 * round + 1, 3);
    }
    assert_eq!(bench.wanted(), [false, true]);
    let verdict = Some(Verdict::PlayedAlike { passes: false });
    assert_eq!(bench.verdict(0), verdict);
}

#[test]
fn without_more_pairs_the_missing_verdict_is_explained() {
    for (max, book, why) in [
        ("max_pairs = 5", 9, Shortage::Cap),
        ("max_pairs = 9", 9, Shortage::Cap),
        ("max_pairs = 10", 9, Shortage::Openings),
        ("elo0 = 0", 9, Shortage::Openings),
    ] {
        let mut bench = Bench::new(1, book, max);
        for pair in 0..bench.schedule.len() {
            assert!(!bench.trials.is_over());
            bench.play(pair, 2);
        }
        assert_eq!(bench.verdict(0), Some(Verdict::Inconclusive(why)), "{max}");
    }
}

/// A gate that continues with random plies ends after as many consecutive pairs without evidence as
/// the book has openings, and at least 64, counted from the growth of the book.
#[test]
fn a_used_up_book_ends_the_gate() {
    for (book, former, idle_from, enough) in [
        (5, None, 20, 64),
        (100, None, 110, 100),
        (9, Some((5, 300)), 300, 64),
    ] {
        let text = "game = \"othello\"\nlimits = { depth = 1 }\n\
                    openings = { file = \"book.epd\", exhausted = \"vary\" }\n\
                    gate = { test = \"strict\", max_pairs = 1000 }\n\
                    variant = [{ name = \"v0\" }, { name = \"v1\" }]\n";
        let mut config = parse(text, "test.toml", &games::all()).unwrap().config;
        let former = former.map(|(openings, rounds)| EarlierBook { openings, rounds });
        config.openings.earlier_books = former.into_iter().collect();
        let schedule = Schedule::new(&config, book).unwrap();
        let trials = Trials::new(&config.gate.unwrap(), config.failures, &schedule).unwrap();
        let mut bench = Bench { schedule, trials };
        let mut pair = 0;
        while !bench.trials.is_over() {
            let mut same = record(&bench.schedule.pair(pair), 3 - 2 * (pair as usize % 2));
            // New pairs come first, and one more when the gate is about to end.
            if pair >= 20 && pair != idle_from - 1 {
                same.hashes = [0, 1].into();
            }
            let spec = bench.schedule.pair(pair);
            bench.trials.take(&spec, &same, &Replay::default());
            pair += 1;
        }
        assert_eq!(pair, idle_from + enough, "{book}");
        let verdict = Verdict::Inconclusive(Shortage::Openings);
        assert_eq!(bench.verdict(0), Some(verdict));
    }
}

/// The last permitted pair can still decide.
#[test]
fn the_cap_comes_after_the_decision() {
    let mut bench = Bench::new(1, 500, "elo1 = 50");
    let mut pairs = 0;
    while bench.verdict(0).is_none() {
        bench.play(pairs, 4);
        pairs += 1;
    }
    let mut bench = Bench::new(1, 500, &format!("elo1 = 50, max_pairs = {pairs}"));
    for pair in 0..pairs {
        bench.play(pair, 4);
    }
    assert_eq!(bench.verdict(0), Some(Verdict::Accepted));
}

/// A pair in which the first side loses the given game by a failure.
fn fail(spec: &PairSpec, game: usize) -> PairRecord {
    let mut record = record(spec, 2);
    record.games[game].verdict = GameVerdict {
        winner: Some(Side::Second),
        cause: Cause::IllegalMove,
    };
    record
}

/// Plays pairs of all candidates in order, drawn except for failures. `fails` returns the games of
/// a pair in which the player with the first side fails: in game 0 the candidate, in game 1 the
/// baseline. Ends with the gate, or after `rounds` rounds.
fn play_failing(bench: &mut Bench, rounds: u64, fails: &dyn Fn(&PairSpec) -> Vec<usize>) -> u64 {
    let candidates = bench.trials.candidates.len() as u64;
    for pair in 0..rounds * candidates {
        let spec = bench.schedule.pair(pair);
        if !bench.trials.wants(spec.pairing) {
            continue;
        }
        let mut record = record(&spec, 2);
        for game in fails(&spec) {
            record.games[game] = fail(&spec, game).games[game].clone();
        }
        bench.trials.take(&spec, &record, &Replay::default());
        if bench.trials.is_over() {
            return pair / candidates + 1;
        }
    }
    rounds
}

fn failed(verdict: Option<Verdict>) -> Option<(usize, u64, u64)> {
    match verdict {
        Some(Verdict::Failed(it)) => Some((it.variant, it.failed, it.games)),
        _ => None,
    }
}

/// A player that fails only on one side fails in half of its games. Here all failures belong to one
/// player.
fn all_of(spec: &PairSpec, variant: usize) -> PairRecord {
    let mut record = record(spec, 2);
    for (number, game) in record.games.iter_mut().enumerate() {
        let side = if game.first == variant {
            Side::First
        } else {
            Side::Second
        };
        game.verdict = GameVerdict {
            winner: Some(side.other()),
            cause: [Cause::Stall, Cause::TimeForfeit][number],
        };
    }
    record
}

#[test]
fn a_dead_candidate_ends_its_trial_and_a_dead_base_all() {
    for (dead, rounds, others) in [(2, 5, [true, false, true]), (0, 2, [false; 3])] {
        let mut bench = Bench::new(3, 500, "elo1 = 50");
        for pair in 0..3 * rounds {
            assert_eq!(bench.wanted(), [true; 3], "before pair {pair}");
            let spec = bench.schedule.pair(pair);
            let record = if spec.variants.contains(&dead) {
                all_of(&spec, dead)
            } else {
                record(&spec, 2)
            };
            bench.trials.take(&spec, &record, &Replay::default());
        }
        assert_eq!(bench.wanted(), others);
        let games = if dead == 0 { 12 } else { 10 };
        assert_eq!(failed(bench.verdict(1)), Some((dead, games, games)));
    }
}

/// The result is the same whether the failures win the trial or lose it.
#[test]
fn no_verdict_rests_on_failures_alone() {
    for cell in [0, 4] {
        let mut bench = Bench::new(1, 500, "elo1 = 400, alike_pairs = 0");
        let mut pair = 0;
        while !bench.trials.is_over() {
            let spec = bench.schedule.pair(pair);
            let mut record = record(&spec, cell);
            // One game in two.
            record.games[0].verdict.cause = Cause::Crash;
            bench.trials.take(&spec, &record, &Replay::default());
            pair += 1;
        }
        let (_, failures, games) = failed(bench.verdict(0)).expect("failed");
        assert_eq!((failures, games), (pair, 2 * pair), "at the verdict");
        assert!(pair < 25, "before fifty games: {pair}");
    }
}

#[test]
fn a_share_of_games_is_tolerated_and_one_more() {
    for (share, failing, wanted) in [
        // Failures in 400 games: one; the tolerated number plus one; one too many.
        ("1 %", &[3][..], None),
        ("1 %", &[0, 60, 120, 160, 199], None),
        ("1 %", &[0, 60, 120, 160, 180, 199], Some((1, 6, 400, 200))),
        // A cluster of failures is judged at the fiftieth game; a chance number at the end.
        ("1 %", &[0, 1, 2, 3], Some((1, 4, 50, 25))),
        ("1 %", &[0, 1, 2], None),
        ("1 %", &[0, 50], None),
        ("100 %", &[0, 1, 5, 20, 40, 80, 100], None),
        ("0 %", &[3], Some((1, 1, 50, 25))),
    ] {
        let more = format!(
            "elo1 = 5, max_pairs = 200, alike_pairs = 0 }}\nfailures = {{ tolerate = \"{share}\""
        );
        let mut bench = Bench::new(1, 500, &more);
        let rounds = play_failing(&mut bench, 200, &|spec| {
            let is = failing.contains(&spec.index);
            is.then_some(0).into_iter().collect()
        });
        let found = failed(bench.verdict(0)).map(|(who, lost, games)| (who, lost, games, rounds));
        assert_eq!(found, wanted, "{share}: {failing:?}");
        if wanted.is_none() {
            assert_eq!(bench.verdict(0), Some(Verdict::Inconclusive(Shortage::Cap)));
            let trial = &bench.trials.candidates[0];
            assert_eq!(trial.pairs(), 200, "failures are lost games");
        }
    }
}

#[test]
fn the_cap_brings_a_verdict_before_fifty_games_only_where_failures_are_few() {
    for (failing, wanted) in [(&[3][..], None), (&[3, 9], Some((1, 2, 30)))] {
        let mut bench = Bench::new(1, 500, "elo1 = 5, max_pairs = 15, alike_pairs = 0");
        play_failing(&mut bench, 15, &|spec| {
            let is = failing.contains(&spec.index);
            is.then_some(0).into_iter().collect()
        });
        assert!(bench.verdict(0).is_some());
        assert_eq!(failed(bench.verdict(0)), wanted);
    }
}

#[test]
fn verdicts_come_at_the_end_of_a_round_and_shorten_the_next() {
    let mut bench = Bench::new(3, 500, "elo1 = 50, control = \"none\"");
    let mut pair = 0;
    loop {
        // Candidate 0 wins everything; the others are equal to the baseline.
        for cell in [4, 2, 2] {
            assert_eq!(bench.wanted(), [true; 3]);
            bench.play(pair, cell);
            pair += 1;
        }
        if bench.verdict(0).is_some() {
            break;
        }
    }
    assert_eq!(bench.wanted(), [false, true, true]);
    let played = bench.trials.candidates[0].pairs();
    // Its pair of the next round is neither played nor awaited.
    bench.play(pair + 1, 2);
    bench.play(pair + 2, 2);
    let pairs: Vec<u64> = bench.trials.candidates.iter().map(Trial::pairs).collect();
    assert_eq!(pairs, [played, played + 1, played + 1]);
    assert_eq!(bench.trials.verdict(), None);
}

/// Rounds until the first candidate is accepted, given the outcomes of all.
fn rounds_to_accept(control: &str, cells: &[usize]) -> u64 {
    let more = format!("elo1 = 50, control = \"{control}\"");
    let mut bench = Bench::new(cells.len(), 5_000, &more);
    for round in 0.. {
        for (candidate, &cell) in cells.iter().enumerate() {
            if bench.wanted()[candidate] {
                bench.play(round * cells.len() as u64 + candidate as u64, cell);
            }
        }
        if bench.verdict(0) == Some(Verdict::Accepted) {
            return round + 1;
        }
    }
    unreachable!("it wins every pair")
}

#[test]
fn candidates_are_judged_together() {
    let alone = rounds_to_accept("family-wise", &[4]);
    let none = rounds_to_accept("none", &[4, 2, 2]);
    assert_eq!(alone, none);
    for control in ["family-wise", "false-discovery"] {
        // A winner among losers needs more evidence; a winner among winners does not.
        assert!(rounds_to_accept(control, &[4, 2, 2]) > alone, "{control}");
        assert_eq!(rounds_to_accept(control, &[4, 4, 4]), alone, "{control}");
    }
}

/// Four candidates that are no better than the baseline, with all pairs of a round dependent on one
/// opening: at most 5 % of all gates accept one of them.
#[test]
fn the_family_wise_rate_is_kept() {
    use leitai_players::schedule::{Stream, below, generator};
    let runs: u64 = 160;
    let mut wrong = 0;
    for run in 0..runs {
        let mut generator = generator(run, Stream::Openings);
        let more = "elo1 = 60, max_pairs = 60, beta = 0.000001";
        let mut bench = Bench::new(4, 60, more);
        for round in 0..60 {
            // Three openings in four give every candidate the same result.
            let shared = below(&mut generator, 5) as usize;
            for candidate in 0..4 {
                let own = below(&mut generator, 20) as usize;
                let cell = if own < 5 { own } else { shared };
                if bench.wanted()[candidate] {
                    bench.play(round * 4 + candidate as u64, cell);
                }
            }
        }
        let accepted = |trial: &Trial| trial.verdict == Some(Verdict::Accepted);
        wrong += u64::from(bench.trials.candidates.iter().any(accepted));
    }
    // 5 % plus three standard errors.
    assert!(wrong <= runs * 5 / 100 + 8, "{wrong} of {runs}");
}

#[test]
fn pairs_that_cannot_stand_for_the_hypotheses_are_not_gone_by() {
    let mut bench = Bench::new(1, 200, "elo1 = 10, max_pairs = 60");
    for pair in 0..40 {
        bench.play(pair, if pair % 2 == 0 { 4 } else { 3 });
    }
    let usual = UsualSpread {
        draw_rate: 0.2,
        opening_bias: 0.0,
    };
    let threads = std::num::NonZeroUsize::MIN;
    let forecast = Forecast::new(&bench.trials, usual, threads).expect("a forecast");
    assert_eq!(forecast.spread, Spread::Assumed(usual));
    assert!(forecast.note.is_some_and(|note| note.contains("one-sided")));
    let [low, _] = Rehearsal::of(&bench.trials, usual).expect("a rehearsal");
    assert_eq!(low.spread, Spread::Assumed(usual));
    // Sixty pairs cannot resolve 10 Elo.
    for point in forecast.points {
        assert!(point.inconclusive > 0.9 && point.pairs <= 60.0, "{point:?}");
    }
}

#[test]
fn normalized_elo_of_single_games_is_that_of_games() {
    let more = "model = \"normalized\", elo1 = 40 }\npairs = { games = 1, swap = false";
    let mut bench = Bench::of("gsprt", 1, 400, more);
    let hypotheses = Hypotheses::new(0.0, 40.0, Model::Normalized).expect("in order");
    assert_eq!(bench.trials.gate.hypotheses, hypotheses);
    let mut games = Trinomial::default();
    let results = [4, 2, 4, 0, 2, 2, 4, 0, 2, 4].repeat(3);
    for (pair, cell) in (0..).zip(results) {
        bench.play(pair, cell);
        *[&mut games.losses, &mut games.draws, &mut games.wins][cell / 2] += 1;
    }
    let by_pairs = bench.trials.candidates[0].test.level().value;
    let by_games = leitai_stats::gsprt::llr(games, &hypotheses);
    // Outcomes that did not occur count as a thousandth of a unit.
    assert!((by_pairs - by_games).abs() < 1e-3, "{by_pairs} {by_games}");
}

#[test]
fn a_trinomial_test_counts_games() {
    let hypotheses = Hypotheses::new(0.0, 40.0, Model::Normalized).expect("in order");
    let results = [4, 2, 3, 0, 2, 1, 4, 3, 2, 4].repeat(3);
    for model in ["normalized", "bayesian"] {
        let more = format!("model = \"{model}\", elo1 = 40");
        let mut bench = Bench::of("trinomial", 1, 400, &more);
        let mut games = Trinomial::default();
        for (pair, &cell) in (0..).zip(&results) {
            bench.play(pair, cell);
            let pair = record(&bench.schedule.pair(pair), cell);
            pair.games
                .iter()
                .for_each(|game| games.record(game.half_points(1)));
        }
        let bayesian = in_logistic([0.0, 40.0], draw_elo(games).expect("games"));
        let hypotheses =
            [hypotheses, bayesian.expect("in order")][usize::from(model != "normalized")];
        let level = bench.trials.candidates[0].test.level().value;
        let by_games = leitai_stats::gsprt::llr(games, &hypotheses);
        assert!((level - by_games).abs() < 1e-9, "{level} {by_games}");
        let usual = games::othello::card().facts().usual_spread;
        let pairs = Forecast::uncapped_pairs(&bench.trials, usual);
        assert_eq!(pairs, Err(NoForecast::CountsGames));
    }
}

#[test]
fn equal_games_without_a_swap_do_not_show_equal_players() {
    let bench = Bench::new(1, 5, "elo1 = 10");
    let mut pair = record(&bench.schedule.pair(0), 2);
    pair.hashes = [7, 7].into();
    pair.games[1].verdict = pair.games[0].verdict;
    assert!(pair.is_alike());
    pair.games[1] = pair.games[0].clone();
    assert!(!pair.is_alike());
}
