use crate::{
    Adjudication, Config, DrawReset, DrawRule, DrawStart, ResignBy, ResignRule, TableResults,
    games, parse,
};

const CHESS: &str = "chess";

fn load(game: &str, adjudication: &str) -> Result<Config, String> {
    let text = format!(
        "game = \"{game}\"\n{adjudication}\nlimits = {{ nodes = 10 }}\n\
         tournament = {{ pairs = 1 }}\n[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n"
    );
    let loaded = parse(&text, "t.toml", &games::all());
    loaded
        .map(|loaded| loaded.config)
        .map_err(|error| error.to_string())
}

fn rules(adjudication: &str) -> Adjudication {
    load(CHESS, adjudication).expect("a config").adjudication
}

fn resolved(adjudication: &str) -> String {
    let config = load(CHESS, adjudication).expect("a config");
    serde_json::to_string(&config.adjudication).expect("JSON")
}

/// The warnings of a chess config with these rules.
fn warnings(adjudication: &str) -> String {
    let text = format!(
        "game = \"chess\"\n{adjudication}\nlimits = {{ nodes = 10 }}\n\
         tournament = {{ pairs = 1 }}\n[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n"
    );
    let loaded = parse(&text, "t.toml", &games::all()).expect("a config");
    loaded.warnings.to_string()
}

#[test]
fn rules_that_cannot_end_a_game_are_warned_of() {
    let rule = |resign: &str, draw: &str, most: &str| {
        warnings(&format!(
            "adjudication = {{ resign = {{ {resign} }}, draw = {{ {draw} }}{most} }}"
        ))
    };
    let (resign, draw) = (
        "score = 900, plies = 6",
        "score = 15, plies = 16, after_ply = 80",
    );
    let short = ", max_plies = 40";
    for (resign, draw, most, warned) in [
        (
            "score = 9999, plies = 6",
            draw,
            "",
            "this score counts as 9000",
        ),
        (
            resign,
            "score = 9000, plies = 16, after_ply = 8",
            "",
            "every score except a mate is level",
        ),
        (resign, draw, short, "this rule never ends a game"),
        (
            resign,
            "score = 15, plies = 41, after_ply = 8",
            short,
            "it needs 41 plies",
        ),
        (
            "score = 900, plies = 41",
            "score = 15, plies = 1, after_ply = 8",
            short,
            "it needs 41",
        ),
        (
            "score = 900, plies = 21, by = \"loser\"",
            "score = 15, plies = 1, after_ply = 8",
            short,
            "it needs 41",
        ),
    ] {
        let told = rule(resign, draw, most);
        assert!(told.contains(warned), "{resign} {draw} {most}: {told}");
    }
    assert_eq!(rule(resign, draw, ", max_plies = 80"), "");
    assert_eq!(
        rule("score = 9000, plies = 40", draw, ", max_plies = 80"),
        ""
    );
}

#[test]
fn old_defaults_are_written_as_before() {
    let text = "adjudication = { resign = { score = 900, plies = 6 }, \
                draw = { score = 15, plies = 16, after_ply = 80 }, max_plies = 300 }";
    let before = "{\"resign\":{\"score\":900,\"plies\":6},\
                  \"draw\":{\"score\":15,\"plies\":16,\"after_ply\":80},\"max_plies\":300}";
    assert_eq!(resolved(text), before);
    let same = text.replace("plies = 6", "plies = 6, by = \"both\"");
    let same = same.replace("after_ply = 80", "after_ply = 80, reset = \"never\"");
    assert_eq!(resolved(&same), before);
    assert_eq!(
        resolved(""),
        "{\"resign\":null,\"draw\":null,\"max_plies\":null}"
    );
}

#[test]
fn new_keys_are_written() {
    let text = "adjudication = { resign = { score = 900, plies = 6, by = \"loser\" }, \
                draw = { score = 15, plies = 16, after_move = 34, reset = \"irreversible\" } }";
    assert_eq!(
        resolved(text),
        "{\"resign\":{\"score\":900,\"plies\":6,\"by\":\"loser\"},\
         \"draw\":{\"score\":15,\"plies\":16,\"after_move\":34,\"reset\":\"irreversible\"},\
         \"max_plies\":null}"
    );
}

#[test]
fn presets_are_their_numbers() {
    let rule = |resign: (i32, u32, ResignBy), draw: (i32, u32, u32)| {
        let resign = ResignRule {
            score: resign.0,
            plies: resign.1,
            by: resign.2,
        };
        let draw = DrawRule {
            score: draw.0,
            plies: draw.1,
            start: DrawStart::AfterMove(draw.2),
            reset: DrawReset::Irreversible,
        };
        (Some(resign), Some(draw))
    };
    for (name, expected) in [
        ("tcec", rule((1000, 10, ResignBy::Both), (8, 10, 35))),
        ("tcec-6", rule((650, 8, ResignBy::Both), (5, 10, 40))),
        ("fishtest", rule((600, 3, ResignBy::Loser), (20, 16, 34))),
        ("openbench", rule((400, 3, ResignBy::Loser), (10, 16, 40))),
    ] {
        let rules = rules(&format!("adjudication.preset = \"{name}\""));
        assert_eq!((rules.resign, rules.draw), expected, "{name}");
        assert_eq!(rules.max_plies, None);
    }
    // A rule next to the preset replaces it, and the name leaves no trace.
    let own = "resign = { score = 1, plies = 2 }";
    let both = rules(&format!("adjudication = {{ preset = \"tcec\", {own} }}"));
    assert_eq!(
        both.resign,
        rules(&format!("adjudication = {{ {own} }}")).resign
    );
    assert_eq!(both.draw, rules("adjudication.preset = \"tcec\"").draw);
    assert!(!resolved("adjudication.preset = \"tcec\"").contains("tcec"));
}

#[test]
fn tables_have_their_usual_terms_and_places() {
    let tables = rules("adjudication.syzygy.path = \"here\"")
        .syzygy
        .expect("tables");
    assert_eq!(tables.folders, [std::path::Path::new("here")]);
    assert_eq!((tables.pieces, tables.fifty), (None, true));
    assert_eq!(tables.results, TableResults::All);
    let paths = std::env::join_paths(["one", "two/"]).expect("paths");
    let text = format!(
        "adjudication.syzygy = {{ path = '{}', pieces = 5, fifty = false, results = \"wins\" }}",
        paths.to_str().expect("UTF-8")
    );
    let tables = rules(&text).syzygy.expect("tables");
    assert_eq!(tables.folders, ["one", "two"].map(std::path::PathBuf::from));
    assert_eq!((tables.pieces, tables.fifty), (Some(5), false));
    assert_eq!(tables.results, TableResults::Wins);
    // The location of the tables does not affect play, and their contents do.
    assert!(
        resolved(&text)
            .ends_with("\"syzygy\":{\"pieces\":5,\"fifty\":false,\"results\":\"wins\"}}")
    );
}

#[test]
fn impossible_settings_are_refused_with_help() {
    let draw = |rest: &str| format!("adjudication.draw = {{ score = 1, plies = 2{rest} }}");
    for (game, text, what) in [
        (CHESS, draw(""), "a draw rule without a start"),
        (
            CHESS,
            draw(", after_ply = 1, after_move = 1"),
            "exclude each other",
        ),
        (CHESS, draw(", after_move = -1"), "out of range"),
        (
            CHESS,
            draw(", after_ply = 1, reset = \"often\""),
            "unknown value of `reset` `often`",
        ),
        ("othello", draw(", after_move = 34"), "do not count moves"),
        (
            "othello",
            "adjudication.preset = \"tcec\"".to_owned(),
            "do not count moves",
        ),
        (CHESS, "adjudication.preset = \"tcek\"".to_owned(), "`tcec`"),
        (
            CHESS,
            "adjudication.resign = { score = 1, plies = 2, by = \"winner\" }".to_owned(),
            "unknown value of `by` `winner`",
        ),
        (
            "othello",
            "adjudication.syzygy.path = \"x\"".to_owned(),
            "no endgame tables",
        ),
        (
            CHESS,
            "adjudication.syzygy.path = \"\"".to_owned(),
            "is empty",
        ),
        (
            CHESS,
            "adjudication.syzygy = { path = \"x\", pieces = 8 }".to_owned(),
            "out of range",
        ),
        (CHESS, "adjudication.syzygy.pieces = 5".to_owned(), "path"),
    ] {
        let error = load(game, &text).expect_err(what);
        assert!(error.contains(what), "{text}: {error}");
    }
    // A separate rule counts from the opening, independently of the preset.
    assert!(
        load(
            "othello",
            "adjudication = { preset = \"tcec\", draw = { score = 1, plies = 2, after_ply = 3 } }"
        )
        .is_ok()
    );
}
