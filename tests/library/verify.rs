//! Replaying a record: differences are found and named.

use std::num::{NonZeroU64, NonZeroUsize};

use leitai_config::parse;
use leitai_game::{Cause, Verdict};
use leitai_players::play::Cancel;
use leitai_players::schedule::Book;
use leitai_runs::store::{Mode, PairRow, Store};
use leitai_runs::tournament::{Ending, Plan, ReplayOptions, play, verify};

const CONFIG: &str = r#"
game = "xiangqi"
[limits]
nodes = 200
[adjudication]
max_plies = 12
[tournament]
pairs = 1
[[variant]]
name = "a"
[[variant]]
name = "b"
search = { ordering = ["by-piece"] }
"#;

fn plan() -> Plan {
    let config = parse(CONFIG, "test.toml", &leitai_games::all())
        .expect("a good config")
        .config;
    Plan::new(config, Book::initial(leitai_games::xiangqi::card())).expect("enough openings")
}

/// Records `row` as the run's only pair in a new store and replays it.
fn replay(plan: &Plan, row: &PairRow) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("s.sqlite"), Mode::Write).expect("a store");
    let stop = Cancel::new();
    stop.set();
    play(plan, &store, NonZeroUsize::MIN, &stop, &mut ()).expect("begun");
    let run = store.run("latest").expect("the run").handle;
    let opening = |index| plan.stored_opening(index);
    let appended = store.append_all(&run, &[(row, &[])], opening);
    appended.expect("recorded");
    let go = Cancel::new();
    let how = ReplayOptions {
        every: NonZeroU64::MIN,
        threads: NonZeroUsize::MIN,
        cancel: &go,
        progress: &mut |_, _| (),
    };
    let verified = verify(plan, &store, &run, how).expect("replayed");
    assert_eq!(verified.pairs, 1);
    verified
        .mismatches
        .into_iter()
        .map(|mismatch| mismatch.what)
        .collect()
}

#[test]
fn a_forged_pair_is_found_and_the_difference_named() {
    let plan = plan();
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("s.sqlite"), Mode::Write).expect("a store");
    let go = Cancel::new();
    let (ending, standings) = play(&plan, &store, NonZeroUsize::MIN, &go, &mut ()).expect("played");
    assert_eq!((ending, standings.played), (Ending::Complete, 1));
    let run = store.run("latest").expect("the run").handle;
    let row = store.pair(&run, 0).expect("read").expect("recorded");
    assert_eq!(replay(&plan, &row), Vec::<String>::new());

    let mut other_result = row.clone();
    other_result.record.games[1].verdict = Verdict::draw(Cause::Repetition);
    assert!(replay(&plan, &other_result)[0].contains("game 2 ended 1/2-1/2 by repetition"));

    let mut other_move = row.clone();
    let plies = &mut other_move.record.games[0].plies;
    plies[2].mv = plies[4].mv;
    assert!(replay(&plan, &other_move)[0].contains("game 1 has another move at ply 3"));

    let mut shorter = row.clone();
    shorter.record.games[0].plies.pop();
    assert!(replay(&plan, &shorter)[0].contains("game 1 has 11 plies, now 12"));

    let mut other_effort = row;
    other_effort.record.games[0].plies[1].nodes += 1;
    assert!(
        replay(&plan, &other_effort)[0].contains("another score, depth or node count at ply 2")
    );
}
