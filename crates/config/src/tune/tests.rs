use super::*;
use crate::{ConfigError, Loaded, Number, games, parse};

const XIANGQI: &str = "game = \"xiangqi\"\nlimits = { nodes = 100 }\n\
    openings = { file = \"b.epd\" }\n[[variant]]\nname = \"mine\"\n";

fn load(head: &str, table: &str) -> Result<Loaded, ConfigError> {
    parse(
        &format!("{head}\n[tune]\ngames = 100\n{table}"),
        "t.toml",
        &games::all(),
    )
}

fn tune_of(head: &str, table: &str) -> Tune {
    match load(head, table) {
        Ok(loaded) => {
            assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
            loaded.config.tune.expect("a tune")
        }
        Err(error) => panic!("{error}"),
    }
}

fn parameters(lines: &[&str]) -> Tune {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| format!("[[tune.parameter]]\n{line}\n"))
        .collect();
    tune_of(XIANGQI, &lines.concat())
}

fn names(tune: &Tune) -> Vec<&str> {
    tune.dimensions.iter().map(|d| d.name.as_str()).collect()
}

fn paths(dimension: &TunedDimension) -> Vec<String> {
    dimension.members.iter().map(|m| m.number.path()).collect()
}

#[test]
fn the_free_squares_of_xiangqi_are_194() {
    let of = |path: &str, phases: usize| {
        let tune = parameters(&[&format!("path = \"{path}\"")]);
        let unreachable: usize = tune.frozen.iter().map(|f| f.numbers.len()).sum();
        let moved: usize = tune.dimensions.iter().map(|d| d.members.len()).sum();
        assert!(tune.frozen.iter().all(|f| f.why.name == "unreachable"));
        assert_eq!((unreachable + moved) % (phases * 90), 0, "{path}");
        tune.dimensions.len()
    };
    let kinds = [
        "king", "advisor", "elephant", "pawn", "rook", "horse", "cannon",
    ];
    let counts = kinds.map(|kind| of(&format!("eval.pst.{kind}[*][*]"), 2));
    assert_eq!(counts, [6, 3, 4, 31, 50, 50, 50]);
    assert_eq!(of("eval.pst.*[*][*]", 2), 194);
    assert_eq!(of("eval.end.pst.*[*][*]", 1), 194);
    let alone = parameters(&["path = \"eval.pst.*[*][*]\"\nmirror = false"]);
    assert_eq!(alone.dimensions.len(), 9 + 5 + 7 + 55 + 3 * 90);
}

#[test]
fn a_path_without_end_moves_both_phases_unless_end_is_named_too() {
    let both = parameters(&["path = \"eval.material.rook\""]);
    assert_eq!(
        paths(&both.dimensions[0]),
        ["eval.material.rook", "eval.end.material.rook"]
    );
    let apart = parameters(&[
        "path = \"eval.material.*\"",
        "path = \"eval.end.material.rook\"",
    ]);
    let rook = apart
        .dimensions
        .iter()
        .find(|d| d.name == "eval.material.rook");
    assert_eq!(paths(rook.unwrap()), ["eval.material.rook"]);
    assert_eq!(names(&apart).last(), Some(&"eval.end.material.rook"));
    // An entry can exclude the endgame stage alone.
    let held =
        parameters(&["path = \"eval.material.rook\"\nexcept = [\"eval.end.material.rook\"]"]);
    assert_eq!(paths(&held.dimensions[0]), ["eval.material.rook"]);
}

#[test]
fn values_become_numbers_by_their_offsets() {
    let head = XIANGQI.to_owned() + "eval = { material.rook = 900, end.material.rook = 950 }\n";
    let table = "[[tune.parameter]]\npath = \"eval.material.rook\"\nrange = 200\n\
                 [[tune.parameter]]\npath = \"eval.pst.horse[4][7]\"\nmin = -50\nmax = 100\n\
                 [[tune.parameter]]\npath = \"search.history.ageing\"\nstep = 2\n";
    let config = load(&head, table).unwrap().config;
    let (tune, start) = (config.tune.unwrap(), &config.variants[0]);
    let [rook, horse, ageing] = &tune.dimensions[..] else {
        panic!("{:?}", names(&tune));
    };
    assert_eq!(
        (rook.start, rook.min, rook.max, rook.step),
        (900, 700, 1100, 50.0)
    );
    assert_eq!(rook.members[1].offset, 50);
    assert_eq!(horse.members.len(), 4);
    assert_eq!((horse.min, horse.max), (-50, 100));
    // 2 is the start, 1 the minimum of the range, and 2 + 4 steps the maximum.
    assert_eq!((ageing.start, ageing.min, ageing.max), (2, 1, 10));
    let tuned = tune.apply(start, &[910, 7, 3]);
    let get = |path: &str| Number::parse(path, &tuned).unwrap().get(&tuned);
    assert_eq!(get("eval.material.rook"), Some(910));
    assert_eq!(get("eval.end.material.rook"), Some(960));
    assert_eq!(get("eval.pst.horse[4][1]"), get("eval.pst.horse[4][7]"));
    assert_eq!(get("eval.pst.horse[4][1]"), Some(7));
    assert_eq!(get("search.history.ageing"), Some(3));
    // No values give the start variant; values beyond the bounds are clamped.
    assert_eq!(&tune.apply(start, &[]), start);
    let far = tune.apply(start, &[i64::MAX, i64::MIN, 5]);
    let rook = Number::parse("eval.material.rook", start).unwrap();
    assert_eq!(rook.get(&far), Some(1100));
}

#[test]
fn a_group_moves_by_one_amount() {
    let tune = parameters(&["path = \"eval.mobility.*\"\ngroup = \"mobility\"\nrange = 8"]);
    assert_eq!(names(&tune), ["mobility"]);
    let group = &tune.dimensions[0];
    assert_eq!(
        (group.start, group.min, group.max, group.step),
        (0, -8, 8, 2.0)
    );
    assert_eq!(group.members.len(), 6);
    let config = load(XIANGQI, "[[tune.parameter]]\npath = \"eval.mobility.*\"").unwrap();
    let start = &config.config.variants[0];
    let tuned = tune.apply(start, &[3]);
    for member in &group.members {
        let (before, after) = (member.number.get(start), member.number.get(&tuned));
        assert_eq!(before.map(|before| before + 3), after);
    }
}

#[test]
fn numbers_that_no_other_setting_uses_are_frozen() {
    let quiet = "[[tune.parameter]]\npath = \"search.quiet_order.horse\"\n";
    let others = "[[tune.parameter]]\npath = \"search.history.best\"\n\
         [[tune.parameter]]\npath = \"search.history.captures\"\n";
    let of = |search: &str, table: &str| {
        let head = format!("{XIANGQI}search = {{ {search} }}\n");
        let tune = load(&head, table)?.config.tune.unwrap();

        assert!(tune.frozen.iter().all(|frozen| frozen.why.name == "unused"));
        let frozen = tune.frozen.iter().map(|frozen| frozen.numbers[0].path());
        Ok::<_, ConfigError>((tune.dimensions.len(), frozen.collect::<Vec<_>>()))
    };
    let both = format!("{quiet}{others}");
    let ordering = "ordering = [\"tt\", \"static-quiets\"]";
    let (moving, frozen) = of(ordering, &both).unwrap();
    assert_eq!(moving, 1);
    assert_eq!(frozen.len(), 2);
    let (moving, frozen) = of("", &both).unwrap();
    assert_eq!(moving, 2);
    assert_eq!(frozen, ["search.quiet_order.horse"]);
    let said = of(ordering, others).unwrap_err().to_string();
    assert!(said.contains("uses the history"), "{said}");
    let captures = format!("{ordering}, capture_history = true");
    let (moving, frozen) = of(&captures, &both).unwrap();
    assert_eq!((moving, frozen.len()), (3, 0));
}

#[test]
fn immovable_dimensions_are_frozen_with_a_reason() {
    let entry = "[[tune.parameter]]\npath = \"eval.material.*\"\n\
                 except = [\"eval.material.pawn\"]\n\
                 [[tune.parameter]]\npath = \"search.*.*\"\n";
    let table = format!("anchor = \"eval.material.rook\"\n{entry}");
    let tune = tune_of(XIANGQI, &table);
    let reasons: Vec<(&str, usize)> = tune
        .frozen
        .iter()
        .map(|f| (f.why.name, f.numbers.len()))
        .collect();
    assert_eq!(reasons[..3], [("king", 2), ("anchor", 2), ("except", 2)]);
    assert_eq!(reasons[3..4], [("unused", 8)]);
    // `history.prior`, `quiescence.checks` and `delta` start at 0, their minimum, `max_plies` of
    // the shallow search at 1, and `killers.slots` at 2, its maximum.
    let limited = tune.frozen[4].numbers.iter().map(Number::path);
    let limited: Vec<String> = limited.collect();
    assert_eq!(
        limited,
        [
            "search.history.prior",
            "search.killers.slots",
            "search.quiescence.checks",
            "search.quiescence.delta",
            "search.shallow_search.max_plies"
        ]
    );
    // Four weights of history and seven values of captures among them.
    assert_eq!(names(&tune).len(), 4 + 5 + 11);
}

#[test]
fn a_program_is_tuned_by_its_options() {
    let head = "game = \"xiangqi\"\nlimits = { nodes = 100 }\n\
        openings = { file = \"b.epd\" }\n[[variant]]\nname = \"p\"\ncommand = [\"p\"]\n\
        protocol = \"uci\"\noptions = { \"Skill Level\" = 3, Hash = 16 }\n";
    let entry = "[[tune.parameter]]\npath = \"options.Skill Level\"\nmin = 0\nmax = 20\n";
    let tune = tune_of(head, entry);
    let skill = &tune.dimensions[0];
    assert_eq!(
        (skill.name.as_str(), skill.start),
        ("options.Skill Level", 3)
    );
    assert_eq!((skill.min, skill.max, skill.step), (0, 20, 1.0));
    let said = load(head, "[[tune.parameter]]\npath = \"options.*\"").unwrap_err();
    assert!(
        said.to_string().contains("an option needs bounds"),
        "{said}"
    );
}

/// The text with the most decimals sets the unit, and whole numbers stay whole.
#[test]
fn options_have_decimals() {
    let head = "game = \"xiangqi\"\nlimits = { nodes = 100 }\n\
        openings = { file = \"b.epd\" }\n[[variant]]\nname = \"p\"\ncommand = [\"p\"]\n\
        protocol = \"uci\"\noptions = { Rate = \"1.5\", Share = 0.25, Hash = 16, Net = \"1e3\" }\n";
    let entry =
        |name: &str, more: &str| format!("[[tune.parameter]]\npath = \"options.{name}\"\n{more}\n");
    let tune = tune_of(head, &entry("Rate", "min = 0\nmax = 3\nstep = 0.125"));
    let rate = &tune.dimensions[0];
    assert_eq!((rate.start, rate.min, rate.max), (1500, 0, 3000));
    assert_eq!((rate.decimals(), rate.step), (3, 125.0));
    let loaded = load(head, &entry("Rate", "range = 1")).expect("a config");
    let tuned = loaded.config.tune.expect("a tune");
    let variant = &loaded.config.variants[0];
    let moved = tuned.apply(variant, &[17]);
    let options = |variant: &Variant| {
        let program = variant.program.as_ref().expect("a program");
        program.profile.options["Rate"].clone()
    };
    assert_eq!(
        (options(variant), options(&moved)),
        ("1.5".into(), "1.7".into())
    );
    assert_eq!(tuned.dimensions[0].nearest_units(1.66), 17);
    let whole = tune_of(head, &entry("Hash", "range = 4"));
    assert_eq!(
        (whole.dimensions[0].start, whole.dimensions[0].decimals()),
        (16, 0)
    );
    let share = tune_of(head, &entry("Share", "min = 0.1\nmax = 0.9"));
    assert_eq!(
        (share.dimensions[0].start, share.dimensions[0].max),
        (25, 90)
    );
    let numbers = Number::all(variant).into_iter().map(|number| number.path());
    let numbers: Vec<String> = numbers.collect();
    assert_eq!(numbers, ["options.Hash", "options.Rate", "options.Share"]);

    let json =
        |tune: &Tune| serde_json::to_value(&tune.dimensions[0]).unwrap()["members"][0].clone();
    assert_eq!(json(&tune)["decimals"], 3);
    assert!(json(&whole).get("decimals").is_none());
    for (table, cause) in [
        (
            "path = \"eval.material.rook\"\nmin = 0.5",
            "`min` is not a whole number",
        ),
        (
            "path = \"eval.tempo\"\nstep = 0.5",
            "`step` is below one unit",
        ),
        (
            "path = \"eval.tempo\"\nrange = 2.5",
            "`range` is not a whole number",
        ),
    ] {
        let said = load(XIANGQI, &format!("[[tune.parameter]]\n{table}")).unwrap_err();
        assert!(said.to_string().contains(cause), "{said}");
    }
    let said = load(head, &entry("Net", "range = 1"))
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("`Net` is set to `1e3`") && said.contains("up to 9 decimals"),
        "{said}"
    );
}

#[test]
fn values_of_options_have_limits_and_keep_their_text() {
    let head = "game = \"xiangqi\"\nlimits = { nodes = 100 }\n\
        openings = { file = \"b.epd\" }\n[[variant]]\nname = \"p\"\ncommand = [\"p\"]\n\
        protocol = \"uci\"\noptions = { A = 0, B = 1099511627776, Rate = \"1\", Zero = \"-0.0\" }\n";
    let entry = |table: &str| format!("[[tune.parameter]]\n{table}\n");
    for (table, cause) in [
        (
            "path = \"options.*\"\nrange = 5\ngroup = \"g\"",
            "`options.B` with 1 decimal may be",
        ),
        (
            "path = \"options.B\"\nrange = 5",
            "-2147483648 to 2147483647",
        ),
        (
            "path = \"options.B\"\nrange = 0.000000005",
            "with 9 decimals",
        ),
        (
            "path = \"options.Rate\"\nrange = 0.5\nstep = 0.0000000001",
            "from 0.000000001 to",
        ),
        ("path = \"options.C*\"\nrange = 5", "\"NAME\" = 0.25"),
        ("path = \"options.C\"\nrange = 5", "{ \"C\" = 0.25 }"),
    ] {
        let said = load(head, &entry(table)).unwrap_err().to_string();
        assert!(said.contains(cause), "{said}");
    }
    let finest = tune_of(
        head,
        &entry("path = \"options.Rate\"\nrange = 0.5\nstep = 0.00001"),
    );
    assert_eq!(finest.dimensions[0].step.to_bits(), 1_f64.to_bits());
    for (name, text) in [("Rate", "1"), ("Zero", "-0.0")] {
        let table = format!("path = \"options.{name}\"\nrange = 0.05");
        let loaded = load(head, &entry(&table)).expect("a config");
        let (tune, start) = (
            loaded.config.tune.expect("a tune"),
            &loaded.config.variants[0],
        );
        let same = tune.apply(start, &[tune.dimensions[0].start]);
        assert_eq!(same, *start, "{text}");
        assert_ne!(tune.apply(start, &[tune.dimensions[0].start + 1]), *start);
    }
    // Only the error of the variant: it is a program.
    let broken = head.replace("protocol = \"uci\"\n", "protocol = 3\n");
    let said = load(&broken, &entry("path = \"options.A\"\nrange = 5")).unwrap_err();
    assert!(!said.to_string().contains("has no options"), "{said}");
    let infinite = head.replace("A = 0", "A = inf");
    let said = load(&infinite, &entry("path = \"options.Rate\"\nrange = 5")).unwrap_err();
    assert!(
        said.to_string().contains("`A` is not a finite number"),
        "{said}"
    );
}

#[test]
fn othello_has_eleven() {
    let head = XIANGQI.replace("xiangqi", "othello");
    let table = "[[tune.parameter]]\npath = \"eval.squares[*]\"\n\
                 [[tune.parameter]]\npath = \"eval.discs\"";
    let tune = tune_of(&head, table);
    assert_eq!(tune.dimensions.len(), 11);
    let corner = &tune.dimensions[0];
    assert_eq!((corner.start, corner.min, corner.max), (100, 60, 140));
}

/// A path without a stage ties all stages, except those that an entry names itself or excludes.
#[test]
fn stages_of_othello_move_together() {
    let head = XIANGQI.replace("xiangqi", "othello");
    let dimensions = |table: &str| tune_of(&head, table).dimensions;
    let paths = |dimension: &TunedDimension| -> Vec<String> {
        let members = dimension.members.iter();
        members.map(|member| member.number.path()).collect()
    };
    let mobility = "[[tune.parameter]]\npath = \"eval.mobility\"\n";
    let tied = dimensions(mobility);
    let all = [
        "eval.mobility",
        "eval.middle.mobility",
        "eval.late.mobility",
        "eval.end.mobility",
    ];
    assert_eq!(
        (tied.len(), paths(&tied[0])),
        (1, all.map(str::to_owned).to_vec())
    );
    let late = "[[tune.parameter]]\npath = \"eval.late.mobility\"\n";
    let two = dimensions(&format!("{mobility}{late}"));
    assert_eq!(paths(&two[0]), [all[0], all[1], all[3]]);
    assert_eq!(paths(&two[1]), [all[2]]);
    let some = dimensions(&format!("{mobility}except = [\"eval.*.mobility\"]"));
    assert_eq!(paths(&some[0]), [all[0]]);
    let alone = dimensions(late);
    assert_eq!(
        (alone.len(), paths(&alone[0])),
        (1, vec![all[2].to_owned()])
    );
    // A tuple that is its own mirror image: its reversed patterns move with it.
    let two = dimensions("[[tune.parameter]]\npath = \"eval.tuples2[*][*]\"\n");
    assert_eq!(two.len(), 288 - 8 * 3);
    assert!(two.iter().all(|it| [4, 8].contains(&it.members.len())));
    let alone = "[[tune.parameter]]\npath = \"eval.tuples2[*][*]\"\nmirror = false\n";
    assert_eq!(dimensions(alone).len(), 288);
}

/// Othello's tunes are older than its stages, and their records must remain valid.
#[test]
fn stages_that_move_together_are_not_written() {
    let head = XIANGQI.replace("xiangqi", "othello");
    let written = |table: &str| {
        let tune = tune_of(&head, table);
        let members = tune.dimensions.iter().map(|dimension| {
            let value = serde_json::to_value(dimension).unwrap();
            value["members"].to_string()
        });
        members.collect::<Vec<_>>().join(" ")
    };
    let corner = "[[tune.parameter]]\npath = \"eval.squares[0]\"\n";
    assert_eq!(
        written(corner),
        r#"[{"number":"eval.squares[0]","offset":0}]"#
    );
    assert_eq!(
        written(&format!("{corner}except = [\"eval.end.squares[*]\"]")),
        r#"[{"alone":true,"number":"eval.squares[0]","offset":0},{"number":"eval.middle.squares[0]","offset":0},{"number":"eval.late.squares[0]","offset":0}]"#
    );
    let late = "[[tune.parameter]]\npath = \"eval.late.discs\"\n";
    assert_eq!(
        written(late),
        r#"[{"number":"eval.late.discs","offset":0}]"#
    );
}

#[test]
fn equal_tunes_have_equal_bytes() {
    let resolved = |table: &str| load(XIANGQI, table).unwrap().config.resolved().unwrap();
    let entry = "[[tune.parameter]]\npath = \"eval.material.rook\"\nstep = ";
    let spelled = "variant = \"mine\"\nalgorithm = \"regression\"\nhandicap = \"off\"\n\
                   proof = { elo0 = -0.0, elo1 = 7 }\n";
    assert_eq!(
        resolved(&format!("{entry}30")),
        resolved(&format!("{spelled}{entry}30.0"))
    );
    assert_ne!(
        resolved(&format!("{entry}30")),
        resolved(&format!("{entry}31"))
    );
    let text = resolved(&format!("{entry}30"));
    let (_, text) = text.split_once("\"tune\":").unwrap();
    let (text, _) = text
        .split_once(",\"failures\"")
        .or(text.split_once(",\"variants\""))
        .unwrap();
    let rook = load(XIANGQI, &format!("{entry}30"))
        .unwrap()
        .config
        .tune
        .unwrap();
    let start = rook.dimensions[0].start;
    let (min, max) = (start - 120, start + 120);
    let offset = rook.dimensions[0].members[1].offset;
    assert_eq!(
        text,
        format!(
            "{{\"variant\":0,\"algorithm\":\"regression\",\"games\":100,\"batch\":null,\
             \"window\":null,\"handicap\":null,\"dimensions\":[{{\"name\":\"eval.material.rook\",\
             \"members\":[{{\"number\":\"eval.material.rook\",\"offset\":0}},\
             {{\"number\":\"eval.end.material.rook\",\"offset\":{offset}}}],\
             \"start\":{start},\"min\":{min},\"max\":{max},\"step\":30.0}}]}}"
        )
    );
}

#[test]
fn dimensions_without_effect_are_kept_unless_requested() {
    use leitai_stats::tune::NoEffect;
    let entry = "[[tune.parameter]]\npath = \"eval.material.rook\"\n";
    let of = |table: &str| tune_of(XIANGQI, &format!("{table}\n{entry}")).no_effect;
    assert_eq!(of(""), NoEffect::Keep);
    assert_eq!(of("no_effect = \"keep\""), NoEffect::Keep);
    assert_eq!(of("no_effect = \"move\""), NoEffect::Move);
}

#[test]
fn an_algorithm_without_a_handicap_has_none() {
    let entry = "[[tune.parameter]]\npath = \"eval.material.rook\"";
    let handicap = |table: &str| tune_of(XIANGQI, &format!("{table}\n{entry}")).handicap;
    assert_eq!(handicap(""), None);
    assert_eq!(handicap("handicap = 50"), Some(50));
    assert_eq!(handicap("handicap = \"off\""), None);
    assert_eq!(handicap("algorithm = \"spsa\"\nhandicap = 40"), Some(40));
    assert_eq!(handicap("algorithm = \"hill-climb\""), None);
    assert_eq!(
        handicap("algorithm = \"fishtest\"\nhandicap = \"off\""),
        None
    );
}

/// A tune with a preceding fit.
fn fitted(table: &str) -> Tune {
    tune_of(
        XIANGQI,
        &format!("{table}\n[[tune.parameter]]\npath = \"eval.tempo\"\n"),
    )
}

#[test]
fn a_fit_has_its_numbers_and_defaults() {
    let tune = fitted(
        "anchor = \"eval.material.rook\"\n[tune.texel]\ngames = 400\n\
         [[tune.texel.parameter]]\npath = \"eval.material.*\"\n\
         [[tune.texel.parameter]]\npath = \"eval.tempo\"\nmin = -20\nmax = 40\n",
    );
    assert_eq!(names(&tune), ["eval.tempo"]);
    let texel = tune.texel.expect("a fit");
    let counts = (
        texel.games(),
        texel.epochs,
        texel.patience,
        texel.least_visits,
    );
    assert_eq!(counts, (400, 2000, 50, 1));
    assert_eq!((texel.k, &texel.gate), (None, &tune.proof));
    assert!((texel.pull - 1.0).abs() < 1e-12);
    // Six kinds of pieces without the rook, which the anchor holds, plus the tempo.
    assert_eq!(texel.dimensions.len(), 6);
    assert!(
        texel
            .frozen
            .iter()
            .any(|frozen| frozen.why == tuned::ANCHOR)
    );
    let horse = texel
        .dimensions
        .iter()
        .find(|d| d.name == "eval.material.horse");
    let horse = horse.expect("the horse");
    assert_eq!(
        paths(horse),
        ["eval.material.horse", "eval.end.material.horse"]
    );
    let start = &load(XIANGQI, "[[tune.parameter]]\npath = \"eval.tempo\"").unwrap();
    let start = &start.config.variants[0];
    let values: Vec<i64> = (0..6)
        .map(|index| if index == 5 { 1000 } else { 7 })
        .collect();
    let after = texel.apply(start, &values);
    let tempo = Number::parse("eval.tempo", start).unwrap();
    assert_eq!(tempo.get(&after), Some(40));
}

#[test]
fn nothing_need_be_played_after_a_fit() {
    let text = format!(
        "{XIANGQI}\n[[variant]]\nname = \"old\"\n[tune]\n[tune.texel]\ngames = 400\n\
         [[tune.texel.parameter]]\npath = \"eval.tempo\"\n\
         [tune.pool]\nvariants = [\"old\"]\n[tune.second]\nlimits = {{ nodes = 900 }}\nelo1 = 9"
    );
    let loaded = parse(&text, "t.toml", &games::all()).unwrap();
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    let tune = loaded.config.tune.unwrap();
    assert_eq!((tune.games, tune.dimensions.len()), (0, 0));
    let pool = tune.pool.unwrap();
    assert_eq!(
        (pool.variants, pool.pairs, pool.checkpoints),
        (vec![1], 200, 0)
    );
    let second = tune.second.unwrap();
    assert_eq!(second.limits.nodes, Some(900));
    assert!((second.proof.hypotheses.elo1() - 9.0).abs() < 1e-12);
}

#[test]
fn a_program_cannot_be_fitted_nor_be_proven_where_its_own_limits_hold() {
    let program = "game = \"xiangqi\"\nlimits = { nodes = 100 }\n\
        openings = { file = \"b.epd\" }\n[[variant]]\nname = \"p\"\n";
    let texel = "[tune.texel]\ngames = 400\n[[tune.texel.parameter]]\npath = \"eval.tempo\"\n\
        [[tune.parameter]]\npath = \"options.Hash\"\nrange = 3\n";
    let head = format!("{program}command = [\"p\"]\nprotocol = \"uci\"\noptions.Hash = 4\n");
    let said = load(&head, texel).unwrap_err().to_string();
    assert!(
        said.contains("cannot fit the evaluation of a program"),
        "{said}"
    );
    let table = "[[tune.parameter]]\npath = \"eval.tempo\"\n[tune.second]\nlimits = { depth = 3 }";
    let said = load(&format!("{program}limits = {{ depth = 2 }}"), table).unwrap_err();
    assert!(said.to_string().contains("has limits of its own"), "{said}");
}

/// Preceding and following stages are not part of the tune's games.
#[test]
fn other_stages_leave_the_games_of_a_tune_alone() {
    let entry = "[[tune.parameter]]\npath = \"eval.material.rook\"\n";
    let resolved = |table: &str| load(XIANGQI, table).unwrap().config.resolved().unwrap();
    let more = format!(
        "{entry}[tune.texel]\ngames = 400\n[[tune.texel.parameter]]\npath = \"eval.tempo\"\n\
         [tune.second]\nlimits = {{ depth = 3 }}\n"
    );
    assert_eq!(resolved(entry), resolved(&more));
}
