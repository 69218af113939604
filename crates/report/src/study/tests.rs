//! Tests of the renderings, on a study with invented cells that do not depend on the search.

use crate::Room;
use leitai_games as games;
use std::time::Duration;

use super::{NodeCount, cells_csv, plots, render_study, summary_csv};
use crate::xml::{check_xml, escape};
use leitai_config::{Variant, parse};
use leitai_game::Move;
use leitai_game::card::GameChoice;
use leitai_game::search::Counters;
use leitai_players::schedule::Book;
use leitai_runs::study::{Cells, Figures, GameFigures, GameLimit, Iteration, Strength, Task};
use leitai_stats::Ranged;

const SUITE: &str = include_str!("../../../../openings/xiangqi-midgame20.epd");

fn variants(names: [&str; 3]) -> Vec<Variant> {
    let mut text = String::from("game = \"xiangqi\"\n[study]\nsuite = \"s\"\ndepth = 3\n");
    text.extend(names.map(|name| format!("[[variant]]\nname = {name:?}\n")));
    parse(&text, "study.toml", &games::all())
        .unwrap()
        .config
        .variants
}

/// Cells whose nodes grow with the depth and fall with the variant's index.
fn cells(positions: u64) -> Cells {
    let cell = |position: u64, variant: u64| {
        let mut total = 0;
        let iteration = |depth: u64| {
            let nodes = (37 + 11 * position) * 20_u64.pow(depth as u32 - 1) / (1 + variant);
            total += nodes;
            Iteration {
                nodes,
                total_nodes: total,
                score: 10 * depth as i32 - i32::from(variant == 2 && position == 1),
                best: Some(Move(0)),
                counters: Counters {
                    quiescence_nodes: nodes / 3,
                    cutoffs: nodes / 2,
                    first_move_cutoffs: nodes / 3,
                    cutoff_numbers: nodes,
                    ..Counters::default()
                },
                time: Duration::from_micros(nodes),
                total_time: Duration::from_micros(total),
            }
        };
        let depth = if position == 0 && variant == 0 { 2 } else { 3 };
        Some((1..=depth).map(iteration).collect())
    };
    let all =
        (0..positions).flat_map(|position| (0..3).map(move |variant| cell(position, variant)));
    Cells::new(3, all.collect())
}

/// Calls `check` with the figures of the invented study.
fn with_figures<R>(names: [&str; 3], times: bool, check: impl FnOnce(&Figures, String) -> R) -> R {
    let suite = Book::parse(leitai_xiangqi::card(), SUITE, "suite").unwrap();
    let variants = variants(names);
    let task = Task {
        game: GameChoice::usual(leitai_xiangqi::card()),
        variants: &variants,
        suite: &suite,
        depth: 3,
        nodes: Some(1_000_000),
    };
    let cells = cells(suite.len() as u64);
    let mut figures = Figures::new(&task, &cells, (1, 500), times);
    let strength = |name: &str, low| Strength {
        name: name.to_owned(),
        nodes: Some(5_000),
        elo: Ranged::new(Some(30.0), low, Some(70.0)),
        wins: 20,
        draws: 10,
        losses: 10,
    };
    figures.games.push(GameFigures {
        terms: GameLimit::Nodes(5_000),
        run: "cafe".to_owned(),
        pairs: 20,
        pairs_played: 40,
        games: 80,
        time_forfeits: 0,
        strengths: vec![strength(names[1], Some(-10.0)), strength(names[2], None)],
    });
    check(&figures, cells_csv(&task, &cells, times))
}

const NAMES: [&str; 3] = ["first", "second", "the third"];

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../../tests/data/study",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn games_decided_by_the_clock_are_reported() {
    let text = with_figures(NAMES, false, |figures, _| {
        let mut figures = figures.clone();
        figures.games[0].time_forfeits = 3;
        render_study(&figures, NodeCount::Iteration).text(Room::Unlimited)
    });
    assert!(
        text.contains("5000 nodes per move; 3 of 80 games lost on time"),
        "{text}"
    );
}

#[test]
fn a_study_on_a_terminal() {
    let text = with_figures(NAMES, false, |figures, _| {
        render_study(figures, NodeCount::Iteration).text(Room::Unlimited)
    });
    snapshot("terminal", &text);
}

#[test]
fn a_study_as_markdown_and_with_totals_and_times() {
    let text = with_figures(NAMES, true, |figures, _| {
        render_study(figures, NodeCount::Total).markdown()
    });
    let quality = text
        .split("\n\n")
        .skip_while(|part| !part.starts_with("How well"));
    let quality: Vec<&str> = quality.take(2).collect();
    let nodes = text.split("\n\n").nth(2).unwrap();
    snapshot("markdown", &format!("{nodes}\n\n{}", quality.join("\n\n")));
}

#[test]
fn csv_has_a_header_and_equal_rows() {
    for times in [false, true] {
        let (cells, summary) =
            with_figures(NAMES, times, |figures, cells| (cells, summary_csv(figures)));
        for (text, rows) in [(&cells, 3 * 20 * 3 - 1), (&summary, 3 * 3)] {
            let columns = |line: &str| line.split(',').count();
            let header = text.lines().next().unwrap();
            assert_eq!(text.lines().count(), rows + 1);
            assert!(text.lines().all(|line| columns(line) == columns(header)));
            assert_eq!(header.contains("seconds"), times);
        }
        assert!(cells.contains("\nsecond,xq-mid-02,2,480,504,20,a0a0,160,0,0,0,240,160,480"));
        let column = |name| {
            summary
                .lines()
                .next()
                .unwrap()
                .split(',')
                .position(|c| c == name)
        };
        let ratio = column("nodes_ratio").unwrap();
        let field = |line: &str| line.split(',').nth(ratio).unwrap().to_owned();
        assert_eq!(
            field(summary.lines().nth(1).unwrap()),
            "",
            "the first has no ratio"
        );
        let third: f64 = field(summary.lines().nth(9).unwrap()).parse().unwrap();
        assert!((third - 1.0 / 3.0).abs() < 0.01, "{third}");
    }
}

#[test]
fn names_with_commas_and_quotes_are_fields() {
    let names = ["a,b", "say \"c\"", "d"];
    let cells = with_figures(names, false, |_, cells| cells);
    assert!(cells.contains("\n\"a,b\",xq-mid-01,1,"));
    assert!(cells.contains("\n\"say \"\"c\"\"\",xq-mid-01,1,"));
}

#[test]
fn plots_are_well_formed_and_the_same_each_time() {
    let names = [
        "<a> & \"b\"",
        "second",
        "a name that is longer than the legend is wide",
    ];
    let draw = || {
        with_figures(names, false, |figures, _| {
            plots(figures, NodeCount::Iteration)
        })
    };
    let drawn = draw();
    assert_eq!(drawn, draw());
    let files: Vec<&str> = drawn.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(files, ["nodes.svg", "ratio.svg", "elo-at-equal-nodes.svg"]);
    for plot in &drawn {
        check_xml(&plot.svg).unwrap_or_else(|error| panic!("{}: {error}", plot.name));
        assert!(
            !plot.svg.contains("NaN") && !plot.svg.contains("inf"),
            "{}",
            plot.name
        );
    }
    assert!(drawn[0].svg.contains("&lt;a&gt; &amp; &quot;b&quot;"));
    // One mark per depth and variant, and one per variant in the legend.
    let count = |text: &str, what: &str| text.matches(what).count();
    assert_eq!(count(&drawn[0].svg, "<circle"), 4);
    assert_eq!(count(&drawn[1].svg, "<polygon"), 2 * 4);
}

#[test]
fn names_cannot_break_a_drawing() {
    assert_eq!(escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
}
