//! The meaning of good configs.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use leitai_base::settings::{Group, Kind as SettingKind, Settings};
use leitai_config::{
    Clock, Config, ConfigError, Control, Exhausted, FailurePolicy, Format, GameChoice, GateModel,
    OpeningOrder, TestKind, TimeControl, eval_preset, load, parse, search_preset,
};
use leitai_game::card::{Game, Rules};
use leitai_game::search::proof::SolverKind;
use leitai_game::search::{Algorithm, Futility, HistoryIndex, NullMove, SearchParams, Stage};
use leitai_game::{Cause, Position};
use leitai_games::go::reading::{CaptureParams, Second};
use leitai_games::go::{Capture, GoRules};
use leitai_games::othello::eval::{OthelloParams, Stage as GameStage, numbers};
use leitai_games::othello::{EmptySquares, Othello, OthelloRules};
use leitai_games::xiangqi::eval::{Terms, Weights, XiangqiParams};
use leitai_games::xiangqi::{Kind, RepetitionRule, Xiangqi, XiangqiRules};
use leitai_players::schedule::{Book, Schedule};
use leitai_stats::Model;

const SMALL: &str = r#"
game = "xiangqi"
limits = { nodes = 100 }
tournament = { pairs = 1 }
[[variant]]
name = "a"
[[variant]]
name = "b"
"#;

fn config(text: &str) -> Config {
    match parse(text, "test.toml", &leitai_games::all()) {
        Ok(loaded) => {
            assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
            loaded.config
        }
        Err(error) => panic!("{error}"),
    }
}

fn xiangqi_preset(name: &str) -> Option<XiangqiParams> {
    XiangqiParams::of(&eval_preset(Xiangqi::numbers(), name).ok()?)
}

fn othello_preset(name: &str) -> Option<OthelloParams> {
    OthelloParams::of(&eval_preset(Othello::numbers(), name).ok()?)
}

fn capture_preset(name: &str) -> Option<CaptureParams> {
    CaptureParams::of(&eval_preset(Capture::numbers(), name).ok()?)
}

fn xiangqi(config: &Config, variant: usize) -> XiangqiParams {
    XiangqiParams::of(&config.variants[variant].eval).expect("an evaluation of another game")
}

#[test]
fn omitted_keys_have_defaults() {
    let config = config(SMALL);
    assert_eq!(config.seed, 0);
    assert_eq!(config.openings.file, None);
    assert_eq!(config.openings.order, OpeningOrder::Random);
    assert_eq!(config.openings.exhausted, Exhausted::Error);
    assert_eq!(
        config.tournament.as_ref().map(|t| t.format),
        Some(Format::RoundRobin)
    );
    assert_eq!(config.variants[0].search, SearchParams::default());
    assert_eq!(Some(xiangqi(&config, 0)), xiangqi_preset("leitai"));
    assert_eq!(config.game.name(), Xiangqi::NAME);
    let rules: XiangqiRules = config.game.rules.typed();
    assert_eq!(rules.repetition, RepetitionRule::Computer);
}

#[test]
fn the_example_of_the_manual_is_understood() {
    let text = fs::read_to_string("tests/data/config_good.toml").unwrap();
    let config = config(&text);
    assert_eq!(config.seed, 20_261_121);
    assert_eq!(config.limits.nodes, Some(20_000));
    assert_eq!(config.limits.depth, Some(12));
    let (base, increment) = (Duration::from_secs(10), Duration::from_millis(100));
    let clock = TimeControl::Clock(Clock::new(base, increment));
    assert_eq!(config.limits.time, Some(clock));
    assert_eq!(config.adjudication.max_plies, Some(300));
    let names: Vec<&str> = config.variants.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["child", "base", "tutor"]);

    let [child, base, tutor] = [0, 1, 2].map(|index| xiangqi(&config, index));
    let usual = xiangqi_preset("leitai").unwrap();
    let rook = Kind::Rook.index();
    // The base comes after its child; the child inherits the rook and the ordering, and changes the
    // horse.
    assert_eq!(
        (base.middle.material[rook], child.middle.material[rook]),
        (1100, 1100)
    );
    assert_eq!(child.middle.material[Kind::Horse.index()], 450);
    assert_eq!(
        base.middle.material[Kind::Horse.index()],
        usual.middle.material[Kind::Horse.index()]
    );
    assert_eq!(child.middle.pst[Kind::King.index()], [[1; 9]; 10]);
    assert_eq!(config.variants[0].search.ordering, [Stage::ByPiece]);
    assert_eq!(
        (
            config.variants[0].search.table_mb,
            config.variants[1].search.table_mb
        ),
        (0, 16)
    );
    // A preset replaces every inherited number, but none from its own table.
    assert_eq!(tutor.middle.material[rook], 0);
    assert_eq!((child.tempo, tutor.tempo), (7, 9));
    assert_eq!(tutor.middle, xiangqi_preset("tutorial").unwrap().middle);
}

#[test]
fn equal_meaning_gives_equal_bytes() {
    let spelled = r#"
        # Says at length what SMALL leaves to the defaults.
        seed = 0
        game = "xiangqi"
        [openings]
        order = "random"
        [limits]
        nodes = 1_00
        [rules]
        material = true
        [tournament]
        pairs = 0x1
        format = "round-robin"
        [[variant]]
        name = "a"
        eval = { preset = "leitai" }
        search = { quiescence = true }
        [[variant]]
        base = "a"
        name = "b"
    "#;
    let resolved = |text| config(text).resolved().unwrap();
    assert_eq!(resolved(SMALL), resolved(spelled));
    assert_ne!(resolved(SMALL), resolved(&SMALL.replace("100", "101")));
}

/// A change of these bytes separates every recorded run from its config.
#[test]
fn the_resolved_form_is_pinned() {
    let text = SMALL.replace("\"xiangqi\"", "\"othello\"") + "eval = { discs = 3 }";
    insta::with_settings!({
        snapshot_path => "../data/config_resolved",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("othello", config(&text).resolved().unwrap());
        insta::assert_snapshot!("xiangqi", config(SMALL).resolved().unwrap());
    });
}

#[test]
fn the_empty_squares_follow_the_config() {
    let othello = SMALL.replace("\"xiangqi\"", "\"othello\"");
    let with = |who: &str| config(&format!("rules = {{ empties = \"{who}\" }}\n{othello}"));
    let resolved = |config: Config| config.resolved().unwrap();
    let usual = resolved(config(&othello));
    assert!(usual.starts_with("{\"game\":\"othello\","), "{usual}");
    assert_eq!(resolved(with("winner")), usual);
    let nobody = with("nobody");
    assert_eq!(
        nobody.game,
        GameChoice {
            card: leitai_games::othello::card(),
            rules: Rules::of(&OthelloRules {
                empties: EmptySquares::Nobody
            })
        }
    );
    assert!(resolved(nobody).starts_with("{\"game\":{\"othello\":{\"empties\":\"nobody\"}},"));
}

#[test]
fn a_gate_is_understood() {
    let text = |table: &str| {
        let table = format!("openings = {{ file = \"b.epd\" }}\ngate = {{ {table} }}");
        SMALL.replace("tournament = { pairs = 1 }", &table)
    };
    let gate = |table: &str| config(&text(table)).gate.expect("a gate");
    let usual = gate("");
    assert_eq!((usual.base, usual.candidates.as_slice()), (0, &[1][..]));
    assert_eq!(usual.test, TestKind::Gsprt { overshoot: true });
    assert_eq!(
        (usual.hypotheses.elo0(), usual.hypotheses.elo1()),
        (0.0, 5.0)
    );
    assert_eq!(usual.hypotheses.model(), Model::Logistic);
    assert_eq!((usual.errors.alpha(), usual.errors.beta()), (0.05, 0.05));
    assert_eq!((usual.max_pairs, usual.control), (None, Control::None));
    let looks = |table: &str| match gate(table).test {
        TestKind::GroupSequential { looks } => looks,
        other => panic!("{other:?}"),
    };
    assert_eq!(looks("test = \"group-sequential\", max_pairs = 9"), 6);
    let three = "test = \"group-sequential\", max_pairs = 9, looks = 3";
    assert_eq!(looks(three), 3);
    let bayesian = gate("model = \"bayesian\", elo1 = 20");
    assert_eq!(bayesian.test, TestKind::Trinomial);
    assert_eq!(bayesian.stated(), (GateModel::Bayesian, [0.0, 20.0]));
    assert_eq!(bayesian.hypotheses.model(), Model::Logistic);
    assert!(bayesian.hypotheses.elo1() < 20.0);
    let swapped = gate("base = \"b\", elo0 = -0.0, elo1 = 5.0, overshoot = true");
    assert_eq!((swapped.base, swapped.candidates.as_slice()), (1, &[0][..]));
    // Independent of the notation.
    let resolved = |table: &str| config(&text(table)).resolved().unwrap();
    let spelled = "candidate = \"b\", elo0 = -0.0, elo1 = 5e0, alpha = 5e-2, test = \"gsprt\"";
    assert_eq!(resolved(""), resolved(spelled));
    assert_ne!(resolved(""), resolved("elo1 = 5.5"));
    let shown = resolved("");
    let (_, shown) = shown.split_once("\"gate\":").unwrap();
    let (shown, _) = shown.split_once(",\"variants\"").unwrap();
    assert_eq!(
        shown,
        "{\"base\":0,\"candidates\":[1],\"test\":{\"gsprt\":{\"overshoot\":true}},\
         \"hypotheses\":{\"elo0\":0.0,\"elo1\":5.0,\"model\":\"logistic\"},\
         \"errors\":{\"alpha\":0.05,\"beta\":0.05},\"max_pairs\":null,\
         \"control\":\"none\"}"
    );
}

#[test]
fn policies_for_failures_are_part_of_the_config_where_they_are_not_the_usual() {
    use FailurePolicy::{Lose, Replay, Stop};
    let with = |table: &str| {
        SMALL.replace(
            "[[variant]]\nname = \"a\"",
            &format!("[failures]\n{table}\n[[variant]]\nname = \"a\""),
        )
    };
    let resolved = |text: &str| config(text).resolved().unwrap();
    for usual in [
        "",
        "otherwise = \"lose\"",
        "crash = \"lose\"\nstall = \"lose\"",
        // The setting judges games and changes none.
        "tolerate = \"25 %\"",
    ] {
        assert_eq!(resolved(&with(usual)), resolved(SMALL));
    }
    let table = "otherwise = \"replay\"\nillegal-move = \"stop\"\ntime-forfeit = \"lose\"";
    let policies = config(&with(table)).failures;
    let of = [Cause::Crash, Cause::IllegalMove, Cause::TimeForfeit].map(|cause| policies.of(cause));
    assert_eq!((of, policies.replays), ([Replay, Stop, Lose], 3));
    assert_eq!(policies.of(Cause::Resignation), Lose);
    // Independent of the notation.
    let spelled = "crash = \"replay\"\ndisconnect = \"replay\"\nstall = \"replay\"\n\
                   malformed-output = \"replay\"\nnode-overrun = \"replay\"\n\
                   illegal-move = \"stop\"\nreplays = 3";
    let shown = resolved(&with(table));
    assert_eq!(shown, resolved(&with(spelled)));
    assert_ne!(shown, resolved(&with(&format!("{table}\nreplays = 4"))));
    assert!(
        shown.contains(
            "\"failures\":{\"crash\":\"replay\",\"disconnect\":\"replay\",\"stall\":\"replay\",\
             \"malformed-output\":\"replay\",\"illegal-move\":\"stop\",\
             \"node-overrun\":\"replay\",\"time-forfeit\":\"lose\",\"replays\":3}"
        ),
        "{shown}"
    );
    assert!(!resolved(&with("crash = \"stop\"")).contains("replays"));
}

#[test]
fn presets_are_symmetric_from_left_to_right() {
    for name in [
        "leitai",
        "tutorial",
        "teaching-2018",
        "teaching-2018-corrected",
    ] {
        let params = xiangqi_preset(name).unwrap();
        for weights in [&params.middle, &params.end] {
            for row in weights.pst.as_flattened() {
                assert!(row.iter().eq(row.iter().rev()), "{name}: {row:?}");
            }
        }
        if name != "leitai" {
            assert_eq!(params.middle, params.end, "{name}");
        }
    }
    let tutorial = xiangqi_preset("tutorial").unwrap();
    assert_eq!((tutorial.tempo, tutorial.middle.material), (3, [0; 7]));
    assert_eq!(othello_preset("squares"), Some(OthelloParams::default()));
    assert_eq!(othello_preset("leitai"), None);
    let mobility = othello_preset("mobility").unwrap();
    let first = mobility.stage(GameStage::Opening);
    assert_eq!((first[numbers::term(0)], mobility.is_constant()), (5, true));
    assert!(othello_preset("du-cheng-2007").is_some());
    assert!(capture_preset("zhang-chen-2007").is_some());
}

/// A number applies to both phases, unless `end` sets another.
#[test]
fn the_endgame_has_the_values_of_end_or_inherits_them() {
    let text = SMALL.to_owned()
        + r#"
        [variant.eval]
        material = { horse = 410, rook = 990 }
        mobility = { rook = 3, horse = 5 }
        end = { material.rook = 980, mobility.horse = 6, guards.complete = 7 }
        [[variant]]
        name = "c"
        base = "b"
        eval = { material.rook = 970, mobility.horse = 4 }
        "#;
    let config = config(&text);
    let usual = xiangqi_preset("leitai").unwrap();
    let numbers = |variant: usize| {
        let params = xiangqi(&config, variant);
        [&params.middle, &params.end].map(|weights| {
            let material = [Kind::Horse, Kind::Rook].map(|kind| weights.material[kind.index()]);
            let mobility = &weights.terms.mobility;
            (
                material,
                mobility.rook,
                mobility.horse,
                weights.terms.guards.complete,
            )
        })
    };
    let complete = usual.middle.terms.guards.complete;
    assert_eq!(
        numbers(1),
        [([410, 990], 3, 5, complete), ([410, 980], 3, 6, 7)]
    );
    // A variant's number for both phases overrides its base's number for `end`.
    assert_eq!(
        numbers(2),
        [([410, 970], 3, 4, complete), ([410, 970], 3, 4, 7)]
    );
}

/// A number applies to all stages of Othello, unless a stage sets another.
#[test]
fn a_stage_has_its_values_or_inherits_them() {
    let head = SMALL.replace("\"xiangqi\"", "\"othello\"");
    let rows = |corner: i32| {
        let mut rows = vec![vec![1; 8]; 8];
        for (row, file) in [(0, 0), (0, 7), (7, 0), (7, 7)] {
            rows[row][file] = corner;
        }
        rows
    };
    let text = format!(
        "{head}\n[variant.eval]\nmobility = 5\nedges.wedges = 2\nsquares = {:?}\n\
         late = {{ mobility = 8, discs = 3 }}\nend = {{ squares = {:?} }}\n\
         [[variant]]\nname = \"c\"\nbase = \"b\"\neval = {{ mobility = 6 }}\n",
        rows(9),
        rows(7).concat(),
    );
    let config = config(&text);
    let numbers = |variant: usize| {
        let params = OthelloParams::of(&config.variants[variant].eval).unwrap();
        GameStage::ALL.map(|stage| {
            let weights = params.stage(stage);
            let [mobility, wedges] = [0, 11].map(|place| weights[numbers::term(place)]);
            (weights[0], weights[numbers::DISCS], mobility, wedges)
        })
    };
    assert_eq!(
        numbers(1),
        [(9, 0, 5, 2), (9, 0, 5, 2), (9, 3, 8, 2), (7, 0, 5, 2)]
    );
    // A variant's number for all stages overrides its base's number for one.
    assert_eq!(
        numbers(2),
        [(9, 0, 6, 2), (9, 0, 6, 2), (9, 3, 6, 2), (7, 0, 6, 2)]
    );
}

/// Some numbers of the published program that are easily misread.
#[test]
fn the_presets_of_the_student_read_tables_from_their_home_rank() {
    let [printed, fixed] = ["teaching-2018", "teaching-2018-corrected"]
        .map(|name| xiangqi_preset(name).unwrap().middle);
    let row = |weights: &Weights, kind: Kind, rank: usize| weights.pst[kind.index()][9 - rank];
    let material = [80, 0, 0, 300, 500, 300, 100];
    for weights in [&printed, &fixed] {
        assert_eq!(weights.material, material);
        assert_eq!(row(weights, Kind::King, 0), [0, 0, 0, 1, 5, 1, 0, 0, 0]);
        assert_eq!(row(weights, Kind::Rook, 0), [-6, 6, 4, 12, 0, 12, 4, 6, -6]);
        assert_eq!(row(weights, Kind::Cannon, 3), [0; 9]);
        assert_eq!(row(weights, Kind::Pawn, 3), [-2, 0, -2, 0, 6, 0, -2, 0, -2]);
    }
    // The last of eleven rows is never used, nor is the duplicated row.
    assert_eq!(row(&printed, Kind::Horse, 9), [2, 8, 15, 9, 6, 9, 15, 8, 2]);
    assert_eq!(row(&fixed, Kind::Horse, 9), [2, 2, 2, 8, 2, 8, 2, 2, 2]);
    assert_eq!(row(&fixed, Kind::Horse, 8), row(&printed, Kind::Horse, 9));
    assert_eq!(row(&printed, Kind::Horse, 5), row(&printed, Kind::Horse, 4));
    // The cannon's table overlaps the pawn's.
    assert_eq!(row(&printed, Kind::Cannon, 4), row(&fixed, Kind::Pawn, 3));
    assert_eq!(row(&printed, Kind::Cannon, 8), row(&fixed, Kind::Pawn, 7));
    assert_eq!(row(&fixed, Kind::Cannon, 4), [0; 9]);
    // The pawn's table has nine rows.
    assert_eq!(row(&printed, Kind::Pawn, 9), [0; 9]);
    assert_eq!(row(&printed, Kind::Pawn, 8), [0, 0, 0, 2, 4, 2, 0, 0, 0]);
    assert_eq!(row(&fixed, Kind::Pawn, 9), row(&printed, Kind::Pawn, 8));
    // Added for both sides, the printed threats cancel.
    assert_eq!(printed.terms, Terms::default());
    let threats = &fixed.terms.threats;
    assert_eq!(
        (
            threats.king,
            threats.rook,
            threats.horse,
            threats.cannon,
            threats.pawn
        ),
        (4000, 500, 100, 100, -20)
    );
}

/// The shipped configs and books fit together.
#[test]
fn the_ready_configs_make_schedules() {
    let games = |file: &str, book: fn(&Path) -> usize| {
        let loaded = load(Path::new(file), &[], &leitai_games::all())
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
        let openings = loaded.config.openings.file.clone().unwrap();
        let schedule = Schedule::new(&loaded.config, book(&openings)).unwrap();
        2 * schedule.len()
    };
    let xiangqi = |path: &Path| {
        Book::parse(
            leitai_games::xiangqi::card(),
            &std::fs::read_to_string(path).unwrap(),
            "book",
        )
        .unwrap()
        .len()
    };
    let othello = |path: &Path| {
        Book::parse(
            leitai_games::othello::card(),
            &std::fs::read_to_string(path).unwrap(),
            "book",
        )
        .unwrap()
        .len()
    };
    assert_eq!(games("configs/ordering.toml", xiangqi), 2_040);
    assert_eq!(games("configs/xiangqi-programs.toml", xiangqi), 1_600);
    assert_eq!(games("configs/othello.toml", othello), 600);
    assert_eq!(games("configs/othello-external.toml", othello), 200);
    assert_eq!(games("configs/othello-du-cheng-2007.toml", othello), 150);
}

#[test]
fn files_are_looked_for_beside_the_config_first() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str| {
        let text = SMALL.replace(
            "limits",
            &format!("openings = {{ file = \"{file}\" }}\nlimits"),
        );
        let path = folder.path().join("run.toml");
        fs::write(&path, text).unwrap();
        load(&path, &[], &leitai_games::all()).map(|loaded| loaded.config.openings.file)
    };
    fs::write(folder.path().join("Cargo.toml"), "").unwrap();
    assert_eq!(
        write("Cargo.toml").unwrap(),
        Some(folder.path().join("Cargo.toml"))
    );
    // The working directory of the tests is the package's folder.
    assert_eq!(write("src/lib.rs").unwrap(), Some("src/lib.rs".into()));
    let Err(ConfigError::Invalid(diagnostics)) = write("no/such.epd") else {
        panic!("found");
    };
    assert_eq!(
        diagnostics.problems[0].message,
        "no such file: `no/such.epd`"
    );
    let error = load(&folder.path().join("other.toml"), &[], &leitai_games::all()).unwrap_err();
    assert!(error.to_string().starts_with("cannot read the config `"));
}

#[test]
fn switches_are_turned_on_and_off_and_inherit() {
    let config = config(
        r#"
game = "xiangqi"
limits = { nodes = 100 }
tournament = { pairs = 1 }
[[variant]]
name = "a"
search = { preset = "full", null_move = { reduction = 5 }, futility = false, algorithm = "fail-hard" }
[[variant]]
name = "b"
base = "a"
search = { null_move = { verification = 7 }, futility = true, aspiration = false }
[[variant]]
name = "c"
base = "a"
search = { null_move = true, history = { index = "from-to" }, preset = "plain" }
"#,
    );
    let full = search_preset(Some(leitai_games::xiangqi::card()), "full").unwrap();
    let [a, b, c] = [0, 1, 2].map(|index| &config.variants[index].search);
    let reduced = |params: &SearchParams| params.null_move.as_ref().map(|null| null.reduction);
    assert_eq!((reduced(a), reduced(b)), (Some(5), Some(5)));
    assert_eq!(a.algorithm, Algorithm::FailHard);
    assert_eq!((&a.futility, &a.razoring), (&None, &full.razoring));
    assert_eq!(b.null_move.as_ref().map(|null| null.verification), Some(7));
    assert_eq!(b.futility, Some(Futility::default()));
    assert_eq!(b.aspiration, None);
    // A preset is applied before all other keys of its table.
    assert_eq!(c.null_move, Some(NullMove::default()));
    assert_eq!(c.history.index, HistoryIndex::FromTo);
    assert_eq!((&c.razoring, c.algorithm), (&None, Algorithm::FailSoft));
}

#[test]
fn the_plain_preset_is_the_default_and_turns_nothing_on() {
    let plain = search_preset(None, "plain").unwrap();
    assert_eq!(plain, SearchParams::default());
    assert!(!plain.is_selective());
    for card in leitai_games::all().iter() {
        let full = search_preset(Some(card), "full").unwrap();
        assert!(full.is_selective());
        assert_eq!(full.conflict(), None);
    }
}

/// The rows of one group of settings.
fn rows(path: &str, settings: &dyn Settings) -> String {
    let mut rows = String::new();
    for (place, setting) in settings.list().iter().enumerate() {
        let number = settings.get(place);
        let (values, default) = match setting.kind {
            SettingKind::Number { least, most } => {
                (format!("{least} to {most}"), number.to_string())
            }
            SettingKind::Flag => ("true, false".to_owned(), (number != 0).to_string()),
            SettingKind::Choice(names) => (
                format!("`\"{}\"`", names.join("\"`, `\"")),
                format!("`\"{}\"`", names[number as usize]),
            ),
        };
        let (name, meaning) = (setting.name, setting.meaning.trim());
        writeln!(
            rows,
            "| `{path}{name}` | {values} | {default} | {meaning} |"
        )
        .expect("text");
    }
    rows
}

/// The text with this table between its marks.
fn with_table(text: &str, name: &str, rows: &str) -> String {
    let head = "| key | values | default | meaning |\n|---|---|---|---|\n";
    let (begin, end) = (format!("<!-- settings of {name} -->\n"), "<!-- end -->");
    let (before, rest) = text.split_once(&begin).expect("the place is marked");
    let (_, after) = rest.split_once(end).expect("its end is marked");
    format!("{before}{begin}{head}{rows}{end}{after}")
}

/// The tables of settings in docs/config.md match the program; `UPDATE_DOCS=1` rewrites them.
#[test]
fn the_reference_lists_every_setting() {
    let mut params = SearchParams::default();
    let mut search = rows("search.", &params);
    for (name, group) in params.groups() {
        let path = format!("search.{name}.");
        match group {
            Group::Always(settings) => search += &rows(&path, settings),
            Group::Switch(switch) => {
                switch.turn(true);
                if let Some(settings) = switch.settings() {
                    search += &rows(&path, settings);
                }
            }
        }
    }
    let capture = rows("eval.", &CaptureParams::default());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/config.md");
    let text = fs::read_to_string(&path).unwrap();
    let wanted = with_table(&text, "the search", &search);
    let wanted = with_table(&wanted, "block capture", &capture);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &wanted).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        wanted,
        "run with UPDATE_DOCS=1"
    );
}

const BLOCKS: &str = r#"
game = "go"
rules = { escape_liberties = 0, ply_limit = 40 }
limits = { nodes = 100 }
tournament = { pairs = 1 }
[[variant]]
name = "solver"
search = { solver = { kind = "df-pn", epsilon = 0 } }
eval = { eval_first = 16, chain_dead = false, second = "augmented" }
[[variant]]
name = "heir"
base = "solver"
search = { solver = { table = 12 } }
eval = { eval_second = 8 }
[[variant]]
name = "search"
base = "solver"
search = { solver = false }
eval = { preset = "zhang-chen-2007" }
"#;

#[test]
fn block_capture_has_rules_solvers_and_knowledge_of_its_own() {
    let config = config(BLOCKS);
    assert_eq!(config.game.name(), Capture::NAME);
    let rules: GoRules = config.game.rules.typed();
    assert_eq!((rules.escape_liberties, rules.ply_limit), (0, 40));
    let [solver, heir, search] = &config.variants[..] else {
        panic!("three variants");
    };
    let of = |variant: &leitai_config::Variant| CaptureParams::of(&variant.eval).unwrap();
    let first = solver.search.solver.clone().unwrap();
    assert_eq!((first.kind, first.epsilon), (SolverKind::DfPn, 0));
    let second = heir.search.solver.clone().unwrap();
    assert_eq!(
        (second.kind, second.epsilon, second.table),
        (SolverKind::DfPn, 0, 12)
    );
    assert_eq!((of(heir).eval_first, of(heir).eval_second), (16, 8));
    assert_eq!(
        (of(heir).chain_dead, of(heir).second),
        (false, Second::Augmented)
    );
    assert_eq!(search.search, SearchParams::default());
    assert_eq!(of(search), capture_preset("zhang-chen-2007").unwrap());
    let usual = capture_preset("leitai").unwrap();
    assert_eq!(of(solver).escape_ahead, usual.escape_ahead);
    assert_eq!(usual, CaptureParams::default());
    let richer = capture_preset("chen-zhang-2006").unwrap();
    assert_eq!((richer.eval_first, richer.escape_liberties), (16, 5));
    let resolved = config.resolved().unwrap();
    assert!(resolved.contains("\"go\":{\"escape_liberties\":0,\"ply_limit\":40}"));
    assert_eq!(resolved.matches("\"solver\":{").count(), 2);
}

/// Records of other games are identified by their resolved form.
#[test]
fn other_games_do_not_mention_solvers() {
    for game in ["xiangqi", "othello"] {
        let resolved = config(&SMALL.replace("xiangqi", game)).resolved().unwrap();
        assert!(!resolved.contains("solver"), "{resolved}");
    }
}
