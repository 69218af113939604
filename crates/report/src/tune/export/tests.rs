//! Tests of exported values.

use super::*;
use leitai_config::{Config, Loaded, parse};
use leitai_games as games;

fn loaded(text: &str) -> Config {
    let loaded: Loaded = parse(text, "c.toml", &games::all()).expect("a config");
    loaded.config
}

/// The texts of a tune in all forms, with one unit more for each dimension.
fn exported(text: &str, form: ExportForm) -> String {
    let config = loaded(text);
    let tune = config.tune.expect("a tune");
    let before = &config.variants[tune.variant];
    let dimensions = tune
        .texel
        .as_ref()
        .map_or(&tune.dimensions, |it| &it.dimensions);
    let values: Vec<i64> = dimensions.iter().map(|it| it.start + 1).collect();
    let after = match &tune.texel {
        Some(texel) => texel.apply(before, &values),
        None => tune.apply(before, &values),
    };
    export(form, &tune, before, &after).expect("a text")
}

const XIANGQI: &str = r#"
game = "xiangqi"
limits = { nodes = 9 }
openings = { file = "b.epd" }
[tune]
games = 100
[[tune.parameter]]
path = "eval.material.rook"
min = 800
max = 1300
[[tune.parameter]]
path = "eval.pst.pawn[0][0]"
range = 30
[[tune.parameter]]
path = "search.null_move.reduction"
range = 2
step = 1
[[variant]]
name = "mine"
search = { null_move = {} }
eval = { material = { rook = 1000 } }
"#;

const PROGRAM: &str = r#"
game = "chess"
limits = { nodes = 9 }
openings = { file = "b.epd" }
[tune]
games = 100
[[tune.parameter]]
path = "options.C PUCT"
min = 0.5
max = 3
step = 0.05
[[tune.parameter]]
path = "options.Contempt"
min = -100
max = 100
[[variant]]
name = "mine"
command = ["./engine"]
protocol = "uci"
options = { "C PUCT" = "1.745", Contempt = 12 }
"#;

#[test]
fn lines_of_options_and_of_spsa() {
    let uci = exported(PROGRAM, ExportForm::Uci);
    let lines = "setoption name C PUCT value 1.746\nsetoption name Contempt value 13\n";
    assert_eq!(uci, lines);
    let openbench = exported(PROGRAM, ExportForm::OpenBench);
    assert_eq!(
        openbench,
        "C PUCT, float, 1.746, 0.500, 3.000, 0.12500, 0.002\n\
         Contempt, int, 13, -100, 100, 10.00, 0.002\n"
    );
    let fishtest = exported(PROGRAM, ExportForm::Fishtest);
    assert_eq!(
        fishtest,
        "C PUCT,1.746,0.500,3.000,0.12500,0.002\nContempt,13,-100,100,10.00,0.002\n"
    );
    let comma = PROGRAM.replace("C PUCT", "C,PUCT");
    let config = loaded(&comma);
    let tune = config.tune.expect("a tune");
    let mine = &config.variants[0];
    let refused = export(ExportForm::Fishtest, &tune, mine, mine);
    assert_eq!(refused, Err(ExportError::Comma("C,PUCT".to_owned())));
    let forms = [ExportForm::OpenBench, ExportForm::Uci];
    let [comma, uci] = forms.map(|form| check_export(form, &tune).is_err());
    assert!(comma && !uci);
}

#[test]
fn a_table_is_an_array_of_c() {
    let text = exported(XIANGQI, ExportForm::C);
    let rook = "int eval_material_rook = 1001;  /* start: 1000 */\n";
    assert!(text.contains(rook), "{text}");
    assert!(
        text.contains("int eval_search_") || text.contains("int search_null_move_reduction = ")
    );
    let declared = "int eval_pst_pawn[10][9] = {\n    {";
    assert_eq!(text.matches(declared).count(), 1, "{text}");
    // The endgame has a table of its own, which moves along.
    assert!(text.contains("int eval_end_pst_pawn[10][9] = {"), "{text}");
    let start = text.find("/* start:\n    {").expect("the start");
    assert!(start < text.find(declared).expect("the array"));
    for name in text.lines().filter_map(|line| line.strip_prefix("int ")) {
        let name = name.split([' ', '[']).next().expect("a name");
        assert!(
            name.bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'_')
        );
    }
    let double = exported(PROGRAM, ExportForm::C);
    let expected = "double options_C_PUCT = 1.746;  /* start: 1.745 */\n\
                    int options_Contempt = 13;  /* start: 12 */\n";
    assert_eq!(double, expected);
}

#[test]
fn data_forms_have_starts_and_values() {
    let csv = exported(XIANGQI, ExportForm::Csv);
    let head = "path,start,value,dimension,min,max\n\
                eval.material.rook,1000,1001,eval.material.rook,800,1300\n";
    assert!(csv.starts_with(head), "{csv}");
    let mirror = csv
        .lines()
        .filter(|line| line.contains(",eval.pst.pawn[0][0],"));
    // The square, its mirror image, and both in the endgame.
    assert_eq!(mirror.count(), 4, "{csv}");
    let json = exported(PROGRAM, ExportForm::Json);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json[0]["numbers"][0]["path"], "options.C PUCT");
    assert_eq!(json[0]["value"], 1.746);
    assert_eq!(json[1]["start"], 12);
    let toml = exported(PROGRAM, ExportForm::Toml);
    let variant = "[[variant]]\nname = \"mine-tuned\"\nbase = \"mine\"\n\n\
                   [variant.options]\n\"C PUCT\" = \"1.746\"\n\"Contempt\" = 13\n";
    assert_eq!(toml, variant);
}

#[test]
fn a_fit_has_values_too() {
    let text = XIANGQI
        .replace(
            "games = 100\n[[tune.parameter]]",
            "[tune.texel]\ngames = 100\n[[tune.texel.parameter]]",
        )
        .replace(
            "[[tune.parameter]]\npath = \"eval.pst",
            "[[tune.texel.parameter]]\npath = \"eval.pst",
        );
    let text = text.replace(
        "[[tune.parameter]]\npath = \"search.null_move.reduction\"\nrange = 2\nstep = 1\n",
        "",
    );
    let uci = exported(&text, ExportForm::Uci);
    assert!(
        uci.starts_with("setoption name eval.material.rook value 1001\n"),
        "{uci}"
    );
}
