//! Tests of the page with invented tunes that do not depend on the search.

use proptest::prelude::*;

use super::*;
use crate::xml::check_xml;
use leitai_config::{GameChoice, Number, Variant, default_variant, parse};
use leitai_games as games;
use leitai_stats::Ranged;
use leitai_stats::tune::{Correlation, Trajectory, TrajectoryPoint};
use leitai_xiangqi::Kind;
use leitai_xiangqi::eval::{Phase, numbers};

fn othello() -> Variant {
    default_variant(GameChoice::usual(leitai_othello::card())).expect("a variant")
}

/// Sets the value of a class of squares in all stages.
fn set_square(variant: &mut Variant, class: u8, value: i64) {
    for stage in ["", "middle.", "late.", "end."] {
        let number = Number::parse(&format!("eval.{stage}squares[{class}]"), variant);
        let number = number.expect("a number");
        assert!(number.set(variant, value));
    }
}

fn xiangqi() -> Variant {
    let text = "game = \"xiangqi\"\nlimits = { depth = 1 }\n[tournament]\npairs = 1\n\
                [[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n";
    let config = parse(text, "c.toml", &games::all())
        .expect("a config")
        .config;
    config.variants.into_iter().next().expect("a variant")
}

fn row(name: &str, start: i64, value: i64, error: Option<f64>) -> DimensionRow {
    DimensionRow {
        name: name.to_owned(),
        start: start.into(),
        min: (-100).into(),
        max: 100.into(),
        value: value.into(),
        error,
        interval: None,
        effect_seen: None,
        parabola: None,
        most_elo_per_step: None,
        at_bound: value.saturating_abs() == 100,
    }
}

/// A trajectory in a straight line from the start to the end.
fn line(rows: &[DimensionRow], games: u64) -> Trajectory {
    let point = |share: f64| TrajectoryPoint {
        games: (share * games as f64) as u64,
        values: rows
            .iter()
            .map(|row| row.start.value() + share * row.difference().value())
            .collect(),
        errors: rows.iter().map(|row| row.error).collect(),
    };
    Trajectory {
        points: [0.0, 0.5, 1.0].map(point).into(),
    }
}

fn report(dimensions: Vec<DimensionRow>, before: Variant, after: Variant) -> TuneReport {
    TuneReport {
        title: "squares-tuned".to_owned(),
        config: "mine.toml".to_owned(),
        run: "cafe".to_owned(),
        command: "leitai tune mine.toml".to_owned(),
        algorithm: "regression".to_owned(),
        games: 10_000,
        budget: 10_000,
        seed: 3,
        trajectory: line(&dimensions, 10_000),
        dimensions,
        correlations: Vec::new(),
        before,
        after,
        ratings: Vec::new(),
        references: Vec::new(),
        stages: Vec::new(),
        notes: Vec::new(),
    }
}

fn small() -> TuneReport {
    let before = othello();
    let mut after = before.clone();
    set_square(&mut after, 0, 97);
    set_square(&mut after, 4, -100);
    let rows = vec![
        row("eval.squares[0]", 0, 97, Some(6.3)),
        row("eval.squares[4]", 0, -100, Some(8.0)),
        row("eval.squares[9]", 3, 1, None),
    ];
    let at = |games, elo| Checkpoint {
        games,
        elo: Ranged::new(Some(elo), Some(elo - 20.0), Some(elo + 20.0)),
    };
    TuneReport {
        ratings: vec![at(0, -40.0), at(10_000, 60.5)],
        references: vec![Reference {
            name: "classic".to_owned(),
            elo: Some(-20.0),
        }],
        stages: vec![StageRow {
            name: "proof".to_owned(),
            games: 1_200,
            seconds: Some(83.0),
            outcome: Outcome::Accepted,
            words: "`squares-tuned` is stronger than `squares`".to_owned(),
            command: Some("leitai gate mine.tuned.toml".to_owned()),
        }],
        correlations: vec![Correlation {
            first: "eval.squares[0]".to_owned(),
            second: "eval.squares[4]".to_owned(),
            correlation: -0.125,
        }],
        notes: vec!["a note".to_owned()],
        ..report(rows, before, after)
    }
}

/// The visible part of the page, as one XML element.
fn body(page: &str) -> String {
    let body = page.split_once("<body>").expect("a body").1;
    let body = body.split_once("</body>").expect("its end").0;
    body.trim().replace("<br>", "<br/>")
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn a_small_page() {
    let page = html(&small());
    assert_eq!(page, html(&small()));
    check_xml(&body(&page)).unwrap_or_else(|error| panic!("{error}"));
    // The text without drawings.
    let mut words = String::new();
    let mut rest = body(&page);
    while let Some((before, after)) = rest.split_once("<svg") {
        words += before;
        words.push_str("(drawing)");
        rest = after.split_once("</svg>").expect("its end").1.to_owned();
    }
    insta::with_settings!({
        snapshot_path => "../../tests/data/tune_report",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("words", (words + &rest).replace("><", ">\n<"));
    });
}

#[test]
fn a_page_needs_nothing_else() {
    let page = html(&small());
    for word in ["<script", "src=", "url(", "@import", "http:", "https:"] {
        assert!(!page.contains(word), "{word}");
    }
    assert_eq!(count(&page, "<svg"), count(&page, "</svg>"));
}

#[test]
fn nothing_that_is_typed_breaks_the_page() {
    let bad = "<script>\"&'</style>\u{0}]]>";
    let mut report = small();
    for text in [
        &mut report.title,
        &mut report.config,
        &mut report.run,
        &mut report.command,
        &mut report.algorithm,
        &mut report.dimensions[0].name,
        &mut report.references[0].name,
        &mut report.notes[0],
        &mut report.before.name,
        &mut report.after.name,
    ] {
        bad.clone_into(text);
    }
    bad.clone_into(&mut report.stages[0].name);
    bad.clone_into(&mut report.stages[0].words);
    report.stages[0].command = Some(bad.to_owned());
    report.references.push(Reference {
        name: bad.to_owned(),
        elo: None,
    });
    let page = html(&report);
    check_xml(&body(&page)).unwrap_or_else(|error| panic!("{error}"));
    assert!(!page.contains("<script"));
    assert_eq!(count(&page, "</style>"), 1);
}

#[test]
fn values_at_a_bound_are_reported_with_advice() {
    let page = html(&small());
    assert!(page.contains("<li><code>eval.squares[4]</code> is at <code>min = -100</code></li>"));
    let rows = vec![row("eval.squares[4]", 0, 5, None)];
    let page = html(&report(rows, othello(), othello()));
    assert!(!page.contains("At a bound"));
    assert!(!page.contains("Square tables"), "none has changed");
    assert!(!page.contains("standard errors; "), "no error, no band");
}

#[test]
fn classes_of_othello_are_expanded() {
    let page = html(&small());
    for corner in ["a1", "h1", "a8", "h8"] {
        assert!(page.contains(&format!("<title>{corner}: 100 → 97 (−3)</title>")));
    }
    assert_eq!(count(&page, "class=\"square\""), 3 * 64);
    assert!(page.contains("8 of 64 squares changed"));
}

#[test]
fn stages_of_othello_are_reported_where_they_differ() {
    let mut report = small();
    let mut set = |path: &str, value: i64| {
        let number = Number::parse(path, &report.before).expect(path);
        assert!(number.set(&mut report.after, value), "{path}");
    };
    for stage in ["", "middle.", "late.", "end."] {
        set(&format!("eval.{stage}mobility"), 5);
        set(&format!("eval.{stage}tuples2[3][1]"), -4);
    }
    set("eval.late.mobility", 8);
    set("eval.end.tuples2[3][2]", 7);
    set("eval.end.squares[0]", 90);
    let page = html(&report);
    check_xml(&body(&page)).unwrap_or_else(|error| panic!("{error}"));
    for told in [
        "<code>eval.mobility</code></th><td class=\"number\">0</td><td class=\"number\">5<",
        "<code>eval.late.mobility</code></th><td class=\"number\">0</td><td class=\"number\">8<",
        "<code>eval.tuples2</code></th><td class=\"number\" colspan=\"2\">1 of 288 changed",
        "<code>eval.end.tuples2</code></th><td class=\"number\" colspan=\"2\">1 of 288 changed",
        "each square, opening <small>",
        "each square, end <small>",
        "<title>a1: 100 → 90 (−10)</title>",
    ] {
        assert!(page.contains(told), "{told}");
    }
    assert!(!page.contains("eval.middle.mobility"));
    assert_eq!(count(&page, "class=\"square\""), 4 * 3 * 64);
}

/// Returns a variant whose square numbers in each phase are replaced by `change`.
fn changed(variant: &Variant, change: impl Fn(Phase, Kind, usize) -> Option<i64>) -> Variant {
    let mut after = variant.clone();
    for (phase, kind) in Phase::BOTH
        .into_iter()
        .flat_map(|phase| Kind::ALL.iter().map(move |&it| (phase, it)))
    {
        for place in 0..90 {
            if let Some(value) = change(phase, kind, place) {
                let index = numbers::square(phase, kind, place);
                let number = numbers::TABLE.entry(index).expect("a square");
                assert!(Number::Eval(number).set(&mut after, value));
            }
        }
    }
    after
}

#[test]
fn tables_of_xiangqi_are_drawn_where_they_have_changed() {
    let before = changed(&xiangqi(), |_, _, _| Some(0));
    let discs = |page: &str| count(page, "class=\"disc\"");
    let both = changed(&before, |_, kind, _| (kind == Kind::Advisor).then_some(7));
    let page = html(&report(Vec::new(), before.clone(), both));
    assert_eq!(discs(&page), 3 * 5, "an advisor reaches five squares");
    assert!(page.contains("Advisor <small>5 of 5 squares changed"));
    assert!(page.contains("楚 河") && page.contains("漢 界"));
    let one = changed(&before, |phase, kind, place| {
        (phase == Phase::End && kind == Kind::Horse && place == 31).then_some(-12)
    });
    let page = html(&report(Vec::new(), before, one));
    assert!(page.contains("Horse, endgame <small>1 of 90 squares changed"));
    assert!(!page.contains("middlegame"), "it has not changed");
    assert_eq!(discs(&page), 3 * 90);
    assert_eq!(count(&page, "<title>e6: 0 → −12 (−12)</title>"), 3);
    check_xml(&body(&page)).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn other_changed_numbers_are_reported_once() {
    let put = |variant: &mut Variant, path: &str, value| {
        let number = Number::parse(path, variant).expect("a path");
        assert!(number.set(variant, value), "{path}");
    };
    // Equal values in both phases.
    let mut before = xiangqi();
    put(&mut before, "eval.end.material.rook", 1000);
    let mut after = before.clone();
    let mut set = |path: &str, value| put(&mut after, path, value);
    set("eval.material.rook", 1234);
    set("eval.end.material.rook", 1234);
    set("eval.end.material.horse", 321);
    set("eval.material.cannon", 555);
    let rows = vec![row("eval.material.cannon", 0, 100, None)];
    let page = html(&report(rows, before, after));
    assert!(page.contains("<code>eval.material.rook</code>"));
    assert!(
        !page.contains("eval.end.material.rook"),
        "the same as before"
    );
    assert!(page.contains("<code>eval.end.material.horse</code>"));
    let others = page.split_once("Other numbers").expect("a section").1;
    assert!(
        !others.contains("<code>eval.material.cannon"),
        "listed above"
    );
}

/// All squares of three tables: the page stays short enough to read.
#[test]
fn many_dimensions_are_shown_as_a_table() {
    let rows: Vec<DimensionRow> = ["horse", "rook", "cannon"]
        .into_iter()
        .flat_map(|kind| {
            (0..60).map(move |place| {
                let name = format!("eval.pst.{kind}[{}][{}]", place / 9, place % 9);
                row(&name, 0, place - 20, Some(5.0))
            })
        })
        .chain([row("eval.material.rook", 50, 60, Some(1.0))])
        .collect();
    let page = html(&report(rows, xiangqi(), xiangqi()));
    check_xml(&body(&page)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(count(&page, "<svg class=\"plot\""), 12 + 3);
    assert_eq!(count(&page, "<details>"), 4);
    assert!(page.contains("59 of 60 moved, by 16.5 on average; 39 by more than two"));
}

#[test]
fn an_unfinished_tune_is_marked() {
    let mut report = small();
    report.budget = 20_000;
    assert!(html(&report).contains("10\u{202f}000 of 20\u{202f}000"));
}

#[test]
fn the_trajectory_as_csv() {
    let rows = [row("a, \"b\"", 0, 10, Some(0.5)), row("c", -4, 0, None)];
    let mut trajectory = line(&rows, 200);
    trajectory.points[1].errors = Some(vec![0.5, f64::NAN]);
    let names = rows.each_ref().map(|row| row.name.as_str());
    let text = trajectory_csv(&names, &trajectory);
    let want = "games,\"a, \"\"b\"\"\",\"a, \"\"b\"\" error\",c,c error\n\
                0,0,,-4,\n100,5,0.5,-2,\n200,10,,0,\n";
    assert_eq!(text, want);
    assert_eq!(
        trajectory_csv::<&str>(&[], &Trajectory::default()),
        "games\n"
    );
}

/// The numbers in drawings.
fn numbers(page: &str) -> impl Iterator<Item = &str> {
    let attributes = page.split('"').collect::<Vec<_>>();
    let named: Vec<&str> = attributes
        .windows(2)
        .filter(|pair| {
            [
                " x=",
                " y=",
                " cx=",
                " cy=",
                " r=",
                " points=",
                " width=",
                " height=",
                " viewBox=",
            ]
            .iter()
            .any(|name| pair[0].ends_with(name))
        })
        .map(|pair| pair[1])
        .collect();
    let paths = attributes
        .windows(2)
        .filter(|pair| pair[0].ends_with(" d="));
    let paths: Vec<&str> = paths.map(|pair| pair[1]).collect();
    named
        .into_iter()
        .chain(paths)
        .flat_map(|value| value.split([',', ' ', 'M', 'H', 'V']))
        .filter(|number| !number.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_number_of_a_drawing_is_finite(
        ends in prop::collection::vec((any::<i64>(), any::<i64>(), any::<Option<f64>>()), 1..16),
        games: u64,
        values in prop::collection::vec(any::<f64>(), 0..40),
        elo: (f64, f64, f64),
    ) {
        let rows: Vec<DimensionRow> = ends
            .iter()
            .enumerate()
            .map(|(index, &(start, value, error))| DimensionRow {
                min: start.min(value).into(),
                max: start.max(value).into(),
                ..row(&format!("eval.pst.horse[0][{index}]"), start, value, error)
            })
            .collect();
        let mut report = report(rows, othello(), othello());
        set_square(&mut report.after, 2, 9_000);
        let points = values.chunks(5).enumerate().map(|(index, values)| TrajectoryPoint {
            games: games / (index as u64 + 1),
            values: values.to_vec(),
            errors: Some(values.to_vec()),
        });
        report.trajectory.points = points.collect();
        report.games = games;
        report.ratings = vec![Checkpoint {
            games,
            elo: Ranged::new(Some(elo.0), Some(elo.1), Some(elo.2)),
        }];
        report.references = vec![Reference { name: "r".to_owned(), elo: Some(elo.1) }];
        let page = html(&report);
        prop_assert!(check_xml(&body(&page)).is_ok());
        for number in numbers(&page) {
            let number: f64 = number.parse().expect(number);
            prop_assert!(number.is_finite());
        }
    }
}

#[test]
fn unknown_values_have_no_rank() {
    let mut report = small();
    assert!(html(&report).contains(">Time of all games</th>"));
    report.stages[0].seconds = None;
    report.references.clear();
    report.run.clear();
    let page = html(&report);
    check_xml(&body(&page)).unwrap_or_else(|error| panic!("{error}"));
    for word in [">Time of all games</th>", "dashed lines", ", run "] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn an_empty_report_is_a_page() {
    let mut report = report(Vec::new(), othello(), othello());
    report.trajectory = Trajectory::default();
    let page = html(&report);
    check_xml(&body(&page)).unwrap_or_else(|error| panic!("{error}"));
    assert!(!page.contains("<svg"));
    assert_eq!(report.before.eval.table().game, "othello");
}

#[test]
fn changes_without_effect_are_reported() {
    let kept = DimensionRow {
        effect_seen: Some(false),
        most_elo_per_step: Some(3.0),
        ..row("eval.squares[0]", 0, 0, None)
    };
    let flat = "no effect seen; 95 %: at most 3.0 Elo per step";
    assert_eq!(kept.flat().as_deref(), Some(flat));
    let moved = DimensionRow {
        value: 20.into(),
        parabola: Some(false),
        ..kept.clone()
    };
    let words = "no effect seen by itself, moved with the others";
    assert!(moved.flat().is_some_and(|flat| flat.starts_with(words)));
    assert_eq!(kept.doubtful(), None);
    assert!(moved.doubtful().is_some());
    let seen = row("eval.squares[4]", 0, 7, Some(1.0));
    let rows = [kept, moved, seen];
    let told = "Changed, 2 of 3: eval.squares[0], eval.squares[4]";
    assert_eq!(DimensionRow::changed(&rows), told);
    assert_eq!(DimensionRow::changed(&rows[..1]), "Unchanged");
    let page = html(&report(rows.to_vec(), othello(), othello()));
    assert!(page.contains(told) && page.contains(words), "{page}");
    assert!(page.contains("no parabola: do not rely on the error"));
}

/// Errors extend over the bounds, axes do not.
#[test]
fn trajectories_end_at_the_bounds() {
    let wide = DimensionRow {
        min: 0.into(),
        max: 1437.into(),
        ..row("eval.material.rook", 300, 900, Some(700.0))
    };
    let panel = html(&report(vec![wide], xiangqi(), xiangqi()));
    let ticks = |text: &str| count(&panel, &format!(">{text}</text>"));
    assert_eq!(
        (ticks("1000"), ticks("1500"), ticks("\u{2212}500")),
        (1, 0, 0)
    );
}
