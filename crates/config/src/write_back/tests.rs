//! Writes evaluations of Othello and reads them back.

use proptest::prelude::*;

use super::*;
use crate::{games, parse};

const TEXT: &str = "game = \"othello\"\nlimits = { depth = 1 }\ntournament = { pairs = 1 }\n\n\
                    [[variant]]\nname = \"a\"\n\n[[variant]]\nname = \"b\"\nbase = \"a\"\n\
                    eval = { mobility = 3, late = { mobility = 4, edges.wedges = 2 } }\n";

/// The text written for `b` with these numbers.
fn written(values: &[(Number, i64)]) -> Result<String, WriteBackError> {
    let config = parse(TEXT, "a.toml", &games::all()).unwrap().config;
    let base = &config.variants[1];
    let mut tuned = base.clone();
    for (number, value) in values {
        assert!(number.set(&mut tuned, *value), "{number}");
    }
    let sequel = NextConfig {
        games: crate::games::all(),
        seed: 1,
        start: None,
        second_limits: false,
        variants: vec![AddedVariant {
            name: "tuned",
            comment: "",
            base,
            variant: &tuned,
        }],
        play: NextGames::Table("tournament", vec![("pairs", "1".to_owned())]),
    };
    next_config_text(TEXT, &sequel)
}

fn numbers() -> Vec<Number> {
    let config = parse(TEXT, "a.toml", &games::all()).unwrap().config;
    let all = Number::all(&config.variants[0]).into_iter();
    all.filter(Number::is_eval).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Reading the written text restores the tuned numbers: `next_config_text` compares.
    #[test]
    fn every_number_of_othello_is_written(
        places in prop::collection::vec((any::<prop::sample::Index>(), -9_000_i64..=9_000), 0..40),
    ) {
        let numbers = numbers();
        // Half of the numbers are not in tuples.
        let few: Vec<&Number> = numbers.iter().filter(|it| !it.path().contains("tuples")).collect();
        let values = places.iter().enumerate().map(|(turn, (index, value))| {
            let number = if turn % 2 == 0 { index.get(&numbers) } else { *index.get(&few) };
            (number.clone(), *value)
        });
        let values: Vec<_> = values.collect();
        prop_assert!(written(&values).is_ok());
    }
}

#[test]
fn stages_are_written_where_they_differ() {
    let config = parse(TEXT, "a.toml", &crate::games::all()).unwrap().config;
    let of = |path: &str, value: i64| (Number::parse(path, &config.variants[0]).unwrap(), value);
    let text = written(&[
        of("eval.late.mobility", 9),
        of("eval.edges.balanced", 6),
        of("eval.end.squares[0]", 80),
    ]);
    let text = text.unwrap();
    let (_, said) = text.split_once("base = \"b\"").unwrap();
    let (said, _) = said.split_once("[tournament]").unwrap();
    // Stages that differ from the first are written, because the first line overrides them.
    assert_eq!(
        said.trim(),
        "[variant.eval.edges]\nbalanced = 6\n\n\
         [variant.eval.middle.edges]\nbalanced = 0\n\n\
         [variant.eval.late.edges]\nbalanced = 0\n\n\
         [variant.eval.end.edges]\nbalanced = 0\n\n\
         [variant.eval]\nmobility = 3\n\
         squares = [100, -20, 10, 5, -50, -2, -2, -1, -1, -1]\n\n\
         [variant.eval.late]\nmobility = 9\n\n\
         [variant.eval.end]\nsquares = [80, -20, 10, 5, -50, -2, -2, -1, -1, -1]"
    );
}

// The separators of paths and of their lists are those of Unix.
#[cfg(unix)]
#[test]
fn paths_follow_a_config_to_another_folder() {
    let text = "openings = { file = \"a.epd\" } # book\n\
                [tune.texel]\npositions = [\"b.csv\", \"c.csv\"]\n\
                [adjudication.syzygy]\npath = \"d:e\"\n\
                [[variant]]\ncommand = [\"./f\", \"./g\"]\nfolder = \"h/\"\n\
                [[variant]]\ncommand = [\"cat\"]\n";
    let moved = with_paths(text, &|path| Path::new("/x").join(path)).unwrap();
    assert_eq!(
        moved,
        text.replace("a.epd", "/x/a.epd")
            .replace("b.csv", "/x/b.csv")
            .replace("c.csv", "/x/c.csv")
            .replace("d:e", "/x/d:/x/e")
            .replace("./f", "/x/./f")
            .replace("h/", "/x/h/")
    );
    let shipped = "[openings]\nfile = \"leitai:othello\"\n";
    assert_eq!(with_paths(shipped, &|_| "x".into()).unwrap(), shipped);
}
