//! Messages about bad configs: one snapshot each, and never a panic.

use leitai_config::{Colour, ConfigError, Diagnostics, parse};
use proptest::prelude::*;

const GOOD: &str = include_str!("../data/config_good.toml");

const DUEL: &str = r#"game = "xiangqi"

[limits]
nodes = 5000

[tournament]
format = "duel"
pairs = 10

[[variant]]
name = "base"
search = { ordering = ["tt", "killers"], table_mb = 4 }

[[variant]]
name = "new"
base = "base"
eval = { preset = "leitai", material.rook = 950 }
"#;

/// A valid tune.
const TUNE: &str = r#"game = "xiangqi"
limits = { nodes = 5000 }
openings = { file = "b.epd" }

[tune]
algorithm = "spsa"
games = 1000
batch = 2
handicap = 40
anchor = "eval.material.rook"
proof = { elo0 = 0, elo1 = 5, max_pairs = 100 }

[[tune.parameter]]
path = "eval.material.*"
except = ["eval.material.king"]
range = 200
step = 30

[[tune.parameter]]
path = "eval.pst.horse[*][*]"
min = -200
max = 300

[[tune.parameter]]
path = "search.*.*"

[[tune.parameter]]
path = "eval.end.mobility.*"
group = "mobility"

[tune.texel]
games = 20000
k = 0.5
pull = 2
epochs = 100
patience = 10
least_visits = 20
gate = { elo0 = 0, elo1 = 10 }

[[tune.texel.parameter]]
path = "eval.material.*"
min = 1
max = 2000

[tune.second]
limits = { depth = 3 }
elo1 = 8

[tune.pool]
variants = ["old"]
pairs = 20
checkpoints = 2

[[variant]]
name = "mine"

[[variant]]
name = "old"
"#;

/// The problems of `text`, including warnings.
fn problems(text: &str) -> Diagnostics {
    match parse(text, "duel.toml", &leitai_games::all()) {
        Ok(loaded) => loaded.warnings,
        Err(ConfigError::Invalid(diagnostics)) => diagnostics,
        Err(error) => panic!("{error}"),
    }
}

/// Each case replaces something in `DUEL`; its messages are a snapshot.
macro_rules! messages {
    ($cases:ident: $($name:ident: $from:literal => $to:literal;)*) => {
        $(
            #[test]
            fn $name() {
                assert!(DUEL.contains($from), "nothing to replace");
                snapshot(stringify!($name), &DUEL.replacen($from, $to, 1));
            }
        )*

        /// The names of the cases, and their texts.
        fn $cases() -> Vec<Case> {
            vec![$((stringify!($name), DUEL.replacen($from, $to, 1)),)*]
        }
    };
}

type Case = (&'static str, String);

/// All cases with snapshots.
pub(super) fn cases() -> Vec<Case> {
    [duels(), othello(), programs()].concat()
}

messages! {
    duels:
    tune_beside_a_tournament: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tournament]\npairs = 1\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_beside_a_gate: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_without_openings: "[tournament]\nformat = \"duel\"\npairs = 10" => "[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_without_games: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_of_odd_games: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1001\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_a_nameless_group: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.*\"\ngroup = \"\"";
    tune_without_parameters: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n";
    tune_with_unknown_key: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nhandicaps = 3\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_unknown_variant: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nvariant = \"nev\"\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_unknown_algorithm: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nalgorithm = \"hillclimb\"\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_wrong_handicap: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nhandicap = \"of\"\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_useless_handicap: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nalgorithm = \"fishtest\"\nhandicap = 30\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_unknown_blocks: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nalgorithm = \"hill-climb\"\nclimb = { blocks = [\"rows\", \"lines\"] }\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_blocks_twice: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nalgorithm = \"hill-climb\"\nclimb = { blocks = [\"rows\", \"rows\"] }\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_climb_of_another_algorithm: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nclimb = { race = 0.1 }\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_idle_blocks: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nalgorithm = \"hill-climb\"\nclimb = { blocks = [\"rows\"] }\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_odd_generations: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\ngenerations = { max = 5, games = 3001 }\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_bad_proof: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nproof = { elo0 = 5, elo1 = 0 }\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_with_an_idle_anchor: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nanchor = \"eval.material.horse\"\n\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_parameter_with_unknown_key: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\nsteps = 3";
    tune_parameter_without_a_path: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\nstep = 3";
    tune_path_that_names_nothing: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.materials.*\"\n[[tune.parameter]]\npath = \"eval.pst.hose[*][*]\"";
    tune_path_that_is_none: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.ro*\"";
    tune_path_of_a_switch_that_is_off: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"search.null_move.reduction\"";
    tune_path_of_a_flag: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"search.quiescence.table\"";
    tune_path_of_an_option_without_a_program: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"options.Hash\"";
    tune_number_named_twice: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.*\"\n[[tune.parameter]]\npath = \"eval.material.rook\"";
    tune_square_named_twice: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.pst.horse[3][1]\"\n[[tune.parameter]]\npath = \"eval.pst.horse[3][7]\"";
    tune_group_named_twice: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.mobility.rook\"\ngroup = \"g\"\n[[tune.parameter]]\npath = \"eval.mobility.horse\"\ngroup = \"g\"";
    tune_with_crossed_bounds: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\nmin = 1200\nmax = 1000";
    tune_with_min_and_range: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\nmin = 500\nrange = 100";
    tune_with_a_start_on_a_bound: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.mobility.*\"\nmin = 0\nmax = 9\nexcept = [\"eval.mobility.rook\"]\n[[tune.parameter]]\npath = \"eval.material.rook\"\nmin = 950\nmax = 1000";
    tune_with_bounds_beyond_the_number: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\nmax = 9999";
    tune_with_a_step_below_one: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\nstep = 0.5";
    tune_with_too_large_a_step: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\nrange = 50\nstep = 60";
    tune_with_group_and_min: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\ngroup = \"g\"\nmin = 1";
    tune_of_a_useless_number: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.king\"\n[[tune.parameter]]\npath = \"eval.pst.elephant[0][0]\"";
    tune_with_mirror_of_nothing: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\nmirror = true";
    tune_by_nodes_without_a_depth: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nobjective = \"nodes\"\n\n[[tune.parameter]]\npath = \"search.capture_values.*\"";
    tune_by_nodes_of_an_evaluation: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nobjective = \"nodes\"\ndepth = 3\n\n[[tune.parameter]]\npath = \"eval.material.*\"";
    tune_by_nodes_with_a_handicap: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nobjective = \"nodes\"\ndepth = 3\nhandicap = 40\n\n[[tune.parameter]]\npath = \"search.capture_values.*\"";
    tune_with_an_unknown_objective: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\nobjective = \"node\"\n\n[[tune.parameter]]\npath = \"search.capture_values.*\"";
    tune_to_a_depth_by_games: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\ndepth = 3\n\n[[tune.parameter]]\npath = \"search.capture_values.rok\"";
    texel_without_games: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    texel_of_odd_games: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 401\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    texel_of_games_and_positions: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\npositions = [\"p.epd\"]\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    texel_of_no_positions: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\npositions = []\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    tune_with_a_fraction_of_a_whole_number: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n\n[[tune.parameter]]\npath = \"eval.material.rook\"\nmin = 500.5";
    texel_without_parameters: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\n";
    texel_with_unknown_key: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\nepoch = 3\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    texel_with_numbers_out_of_range: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\nk = 0\npull = -1\nepochs = 0\npatience = 0\nleast_visits = 0\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    texel_with_bad_gate: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\ngate = { elo0 = 5, elo1 = 0, max_pairs = 0 }\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    texel_of_the_search: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\n[[tune.texel.parameter]]\npath = \"search.*.*\"\n[[tune.texel.parameter]]\npath = \"options.Hash\"\n[[tune.texel.parameter]]\npath = \"*.lazy_evaluation\"\n";
    texel_path_that_names_nothing: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\n[[tune.texel.parameter]]\npath = \"eval.materials.*\"\n";
    texel_beside_half_a_tune: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[tune.texel]\ngames = 400\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    texel_beside_the_other_half_of_a_tune: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n[[tune.parameter]]\npath = \"eval.material.rook\"\n";
    texel_alone_with_keys_of_a_tune: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\nbatch = 3\nproof = { elo0 = 0, elo1 = 5 }\n[tune.texel]\ngames = 400\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n";
    texel_of_unknown_type: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ntexel = 400\n";
    tune_with_an_empty_pool: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[[tune.parameter]]\npath = \"eval.material.rook\"\n[tune.pool]\nvariants = []";
    tune_with_a_pool_without_variants: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[[tune.parameter]]\npath = \"eval.material.rook\"\n[tune.pool]\npairs = 3";
    tune_with_a_pool_of_strangers: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[[tune.parameter]]\npath = \"eval.material.rook\"\n[tune.pool]\nvariants = [\"base\", \"nev\", \"new\", \"new\"]\npairs = 0\ncheckpoints = 21";
    tune_with_checkpoints_of_nothing: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\n[tune.texel]\ngames = 400\n[[tune.texel.parameter]]\npath = \"eval.material.*\"\n[tune.pool]\nvariants = [\"new\"]\ncheckpoints = 3";
    tune_with_unknown_key_of_the_pool: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[[tune.parameter]]\npath = \"eval.material.rook\"\n[tune.pool]\nvariant = [\"new\"]";
    tune_with_a_second_proof_without_limits: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[[tune.parameter]]\npath = \"eval.material.rook\"\n[tune.second]\nelo1 = 3";
    tune_with_a_second_proof_of_the_same_limits: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[[tune.parameter]]\npath = \"eval.material.rook\"\n[tune.second]\nlimits = { nodes = 5000 }\n";
    tune_with_a_bad_second_proof: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[[tune.parameter]]\npath = \"eval.material.rook\"\n[tune.second]\nlimits = { node = 5000 }\n";
    tune_with_a_second_proof_of_bad_rates: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[tune]\ngames = 1000\n[[tune.parameter]]\npath = \"eval.material.rook\"\n[tune.second]\nlimits = { nodes = 50000 }\nelo0 = 5\nelo1 = 0\nmax_pairs = 0";
    gate_with_unknown_base: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nbase = \"bases\"";
    gate_of_the_base_itself: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nbase = \"new\"\ncandidate = \"new\"";
    gate_with_a_candidate_twice: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ncandidates = [\"new\", \"new\"]";
    gate_without_candidates: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ncandidates = []";
    gate_with_candidate_and_candidates: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ncandidate = \"new\"\ncandidates = [\"new\"]";
    gate_with_unknown_test: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ntest = \"sprt\"";
    gate_with_hypotheses_in_the_wrong_order: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nelo0 = 5\nelo1 = 0.5";
    gate_with_a_low_elo1: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nelo1 = -3";
    gate_with_elo_out_of_range: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nelo1 = 1e4";
    gate_with_infinite_elo: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nelo0 = -inf";
    gate_with_elo_of_wrong_type: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nelo1 = \"5\"";
    gate_with_too_large_an_alpha: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nalpha = 0.6";
    gate_with_rates_too_large_together: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nalpha = 0.5\nbeta = 0.5";
    gate_with_no_pairs: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nmax_pairs = 0";
    gate_strict_and_normalized: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ntest = \"strict\"\nmodel = \"normalized\"";
    gate_strict_with_overshoot: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ntest = \"strict\"\novershoot = true";
    gate_group_sequential_without_end: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ntest = \"group-sequential\"";
    gate_group_sequential_and_normalized: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ntest = \"group-sequential\"\nmax_pairs = 9\nmodel = \"normalized\"";
    gate_looks_out_of_range: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ntest = \"group-sequential\"\nmax_pairs = 9\nlooks = 21";
    gate_looks_of_gsprt: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nlooks = 3";
    gate_with_unknown_key: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nmax_games = 10";
    gate_with_failures_of_its_own: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nfailures = \"lose\"";
    gate_beside_a_tournament: "[tournament]" => "[openings]\nfile = \"b.epd\"\n\n[gate]\n\n[tournament]";
    gate_beside_a_study: "[tournament]\nformat = \"duel\"\npairs = 10" => "[openings]\nfile = \"b.epd\"\n\n[gate]\n\n[study]\nsuite = \"s.epd\"\ndepth = 3";
    gate_without_openings: "[tournament]\nformat = \"duel\"\npairs = 10" => "[gate]";
    gate_of_two_candidates_without_strict: "[tournament]\nformat = \"duel\"\npairs = 10\n\n[[variant]]" => "[openings]\nfile = \"b.epd\"\n\n[gate]\nelo1 = 3\n\n[[variant]]\nname = \"third\"\n\n[[variant]]";
    gate_of_two_candidates_under_control_without_strict: "[tournament]\nformat = \"duel\"\npairs = 10\n\n[[variant]]" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ncontrol = \"family-wise\"\n\n[[variant]]\nname = \"third\"\n\n[[variant]]";
    gate_of_two_candidates_without_control: "[tournament]\nformat = \"duel\"\npairs = 10\n\n[[variant]]" => "[openings]\nfile = \"b.epd\"\n\n[gate]\ntest = \"strict\"\ncontrol = \"none\"\nalpha = 0.1\n\n[[variant]]\nname = \"third\"\n\n[[variant]]";
    unknown_search_preset: "table_mb = 4" => "preset = \"ful\"";
    unknown_algorithm: "table_mb = 4" => "algorithm = \"pvss\"";
    algorithm_of_wrong_type: "table_mb = 4" => "algorithm = 3";
    switch_of_wrong_type: "table_mb = 4" => "null_move = 3";
    group_that_cannot_be_off: "table_mb = 4" => "history = false";
    unknown_key_of_a_switch: "table_mb = 4" => "null_move = { reductoin = 3 }";
    switch_out_of_range: "table_mb = 4" => "null_move = { reduction = 17 }";
    capture_value_out_of_range: "table_mb = 4" => "capture_values = { rook = 101 }";
    capture_value_of_another_game: "table_mb = 4" => "capture_values = { queen = 9 }";
    capture_values_that_are_none: "table_mb = 4" => "capture_values = false";
    quiet_order_of_wrong_type: "table_mb = 4" => "quiet_order = { forward_first = true }";
    switch_with_a_fraction: "table_mb = 4" => "null_move = { reduction = 2.5 }";
    switch_with_a_whole_fraction: "table_mb = 4" => "table_mb = 4.0";
    switch_with_a_fraction_far_off: "table_mb = 4" => "table_mb = 1e30";
    choice_with_a_fraction: "table_mb = 4" => "algorithm = 2.5";
    flag_with_a_fraction: "table_mb = 4" => "rules = 0.5";
    huge_setting: "table_mb = 4" => "table_mb = 99999999999999999999";
    setting_with_a_date: "table_mb = 4" => "table_mb = 2026-11-21";
    ordering_of_wrong_type: "ordering = [\"tt\", \"killers\"]" => "ordering = \"tt\"";
    stage_of_wrong_type: "ordering = [\"tt\", \"killers\"]" => "ordering = [1]";
    pruning_without_a_window: "table_mb = 4" => "algorithm = \"negamax\", null_move = true";
    deepening_without_its_stage: "ordering = [\"tt\", \"killers\"]" => "ordering = [\"killers\"], internal_deepening = true";
    shallow_search_beside_minimax: "ordering = [\"tt\", \"killers\"]" => "ordering = [\"shallow-search\"], algorithm = \"minimax\"";
    auxiliary_beside_aspiration: "table_mb = 4" => "auxiliary = true, aspiration = true";
    corners_in_xiangqi: "ordering = [\"tt\", \"killers\"]" => "ordering = [\"tt\", \"corner-response\"]";
    endgame_without_solver: "table_mb = 4 }" => "endgame = { empties = 14 } }";
    lazy_without_terms: "table_mb = 4 }" => "lazy_evaluation = 200 }\neval.preset = \"tutorial\"";
    no_game: "game = \"xiangqi\"\n\n" => "";
    unknown_game: "xiangqi" => "xianqi";
    game_of_wrong_type: "\"xiangqi\"" => "3";
    unknown_key_at_the_top: "[limits]" => "sede = 3\n[limits]";
    negative_seed: "[limits]" => "seed = -1\n[limits]";
    huge_seed: "[limits]" => "seed = 99999999999999999999\n[limits]";
    key_that_nobody_knows: "name = \"new\"" => "name = \"new\"\ncolour = 3";
    command_without_a_protocol: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]";
    command_of_wrong_type: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = \"x\"\nprotocol = \"uci\"";
    command_of_windows: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"C:\\engines\\x.exe\"]\nprotocol = \"uci\"";
    command_of_windows_as_a_text: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = \"C:\\engines\\x.exe\"\nprotocol = \"uci\"";
    command_of_windows_with_a_tab: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"C:\\tools\\new.exe\"]\nprotocol = \"uci\"";
    command_without_a_program: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = []\nprotocol = \"uci\"";
    command_beside_an_eval: "base = \"base\"" => "command = [\"x\"]\npreset = \"pikafish\"";
    command_beside_a_base: "eval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\npreset = \"pikafish\"";
    unknown_program_preset: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\npreset = \"pikafisch\"";
    unknown_protocol: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\nprotocol = \"uic\"";
    node_limit_of_cecp: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\npreset = \"hoixiangqi\"";
    options_that_are_none: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\nprotocol = \"uci\"\nletters = \"NB\"\nrank_base = 2\nfen_fields = 5\nstall = \"soon\"\noptions = { Hash = 1.5, Skill = \"a\\nb\" }";
    preset_beside_another_protocol: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\npreset = \"fairy-stockfish\"\nprotocol = \"ucci\"";
    keys_of_other_protocols: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\nprotocol = \"uci\"\nusermove = true\nmilliseconds = false\noptions = { Hash = 1, hash = 2 }\nenvironment = { \"A=B\" = 1 }";
    limits_of_its_own_without_one: "base = \"base\"" => "base = \"base\"\nlimits = { reference_nps = 1000000 }";
    option_without_a_command: "name = \"new\"" => "name = \"new\"\nstall = \"10s\"";
    rules_by_the_name_of_a_choice: "[limits]" => "rules = \"chinese\"\n[limits]";
    rules_by_the_name_of_a_flag: "[limits]" => "rules = \"move_limit\"\n[limits]";
    rules_of_wrong_type: "[limits]" => "rules = 3\n[limits]";
    rules_of_another_game: "[limits]" => "rules = { chess960 = true }\n[limits]";
    no_limits_table: "[limits]\nnodes = 5000\n" => "";
    no_limits: "nodes = 5000" => "";
    unknown_key_in_limits: "nodes = 5000" => "node = 5000";
    nodes_of_wrong_type: "nodes = 5000" => "nodes = \"5000\"";
    nodes_with_a_fraction: "nodes = 5000" => "nodes = 5e3";
    no_nodes: "nodes = 5000" => "nodes = 0";
    too_deep: "nodes = 5000" => "depth = 65";
    limits_of_wrong_type: "[limits]\nnodes = 5000\n" => "limits = 5000\n";
    time_without_unit: "nodes = 5000" => "movetime = \"100\"";
    clock_and_movetime: "nodes = 5000" => "movetime = \"1s\"\nclock = \"10s+0.1s\"";
    equal_time_without_nodes: "nodes = 5000" => "depth = 5\nequal_time = true";
    equal_time_beside_a_time: "nodes = 5000" => "nodes = 5000\nmovetime = \"1s\"\nequal_time = true";
    equal_time_of_one_variant: "base = \"base\"" => "base = \"base\"\nlimits = { nodes = 3, equal_time = true }";
    equal_time_beside_own_limits: "nodes = 5000" => "nodes = 5000\nequal_time = true\n[[variant]]\nname = \"odd\"\nlimits = { nodes = 3 }\n[[variant]]\nname = \"other\"\ncommand = [\"x\"]\nprotocol = \"uci\"";
    margin_without_a_time: "nodes = 5000" => "nodes = 5000\nmargin = \"1s\"";
    bad_margin: "nodes = 5000" => "movetime = \"1s\"\nmargin = \"0s\"";
    bad_clock: "nodes = 5000" => "clock = \"10s+fast\"";
    clock_of_no_moves: "nodes = 5000" => "clock = \"x/60+0.6\"";
    clock_of_two_periods: "nodes = 5000" => "clock = \"40/90/30\"";
    clock_of_a_stage_after_the_last: "nodes = 5000" => "clock = \"60, 20/30\"";
    clock_of_five_stages: "nodes = 5000" => "clock = \"5/1, 4/1, 3/1, 2/1, 1\"";
    clock_without_a_start: "nodes = 5000" => "clock = \"0+0.1\"";
    hourglass_with_an_increment: "nodes = 5000" => "clock = \"hourglass 60+1\"";
    stages_by_cecp: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\nprotocol = \"cecp\"\nlimits = { clock = \"40/60, 20/30\" }";
    ponder_without_a_clock: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\nprotocol = \"uci\"\nponder = true";
    ponder_beside_its_option: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\nprotocol = \"uci\"\nlimits = { clock = 9 }\nponder = true\noptions = { ponder = false }";
    ponder_without_a_program: "name = \"new\"" => "name = \"new\"\nponder = true";
    clock_beyond_all_numbers: "nodes = 5000" => "clock = 1e400";
    clock_that_is_no_number: "nodes = 5000" => "clock = nan";
    clock_of_wrong_type: "nodes = 5000" => "clock = [40, 60]";
    first_increment_without_a_clock: "nodes = 5000" => "movetime = \"1s\"\nfirst_increment = true";
    first_increment_without_an_increment: "nodes = 5000" => "clock = \"60s byoyomi 10s\"\nfirst_increment = true";
    periods_with_increment_by_ucci: "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "command = [\"x\"]\nprotocol = \"ucci\"\nlimits = { clock = \"40/60+1\" }";
    unknown_order: "[limits]" => "openings = { order = \"randomly\", exhausted = \"loop\" }\n[limits]";
    draw_rule_without_start: "[limits]" => "adjudication.draw = { score = 15, plies = 16 }\n[limits]";
    resign_out_of_range: "[limits]" => "adjudication.resign = { score = 0, plies = 0 }\n[limits]";
    resign_of_wrong_type: "[limits]" => "adjudication.resign = 900\n[limits]";
    unknown_repetition_rule: "[limits]" => "rules.repetition = \"sky\"\n[limits]";
    failures_of_unknown_cause: "[limits]" => "failures.crashed = \"replay\"\n[limits]";
    failures_that_are_none: "[limits]" => "failures.resignation = \"replay\"\n[limits]";
    failures_with_unknown_policy: "[limits]" => "failures = { crash = \"reply\", otherwise = \"draw\" }\n[limits]";
    failures_with_too_many_replays: "[limits]" => "failures = { crash = \"replay\", replays = 101 }\n[limits]";
    failures_with_replays_of_nothing: "[limits]" => "failures = { crash = \"stop\", replays = 2 }\n[limits]";
    failures_of_wrong_type: "[limits]" => "failures = \"replay\"\n[limits]";
    failures_tolerated_without_percent: "[limits]" => "failures = { tolerate = \"0.01\" }\n[limits]";
    failures_in_a_study_without_games: "[tournament]\nformat = \"duel\"\npairs = 10" => "[study]\nsuite = \"s.epd\"\ndepth = 3\n\n[failures]\nstall = \"replay\"";
    no_tournament: "[tournament]\nformat = \"duel\"\npairs = 10\n" => "";
    no_pairs: "pairs = 10" => "";
    unknown_format: "\"duel\"" => "\"roundrobin\"";
    duel_of_three: "[[variant]]\nname = \"base\"" => "[[variant]]\nname = \"third\"\n[[variant]]\nname = \"base\"";
    one_variant: "[[variant]]\nname = \"new\"\nbase = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }" => "";
    variant_as_table: "[[variant]]\nname = \"base\"\nsearch = { ordering = [\"tt\", \"killers\"], table_mb = 4 }\n\n[[variant]]" => "[variant]";
    no_name: "name = \"base\"" => "";
    empty_name: "\"new\"" => "\"  \"";
    name_twice: "\"new\"" => "\"base\"";
    unknown_base: "base = \"base\"" => "base = \"bass\"";
    base_in_a_circle: "name = \"base\"" => "name = \"base\"\nbase = \"new\"";
    base_is_itself: "base = \"base\"" => "base = \"new\"";
    unknown_stage: "killers" => "killer-moves";
    stage_twice: "\"killers\"" => "\"killers\", \"tt\"";
    stage_without_moves: "\"tt\", " => "\"history\", ";
    table_too_large: "table_mb = 4" => "table_mb = 5000";
    unknown_search_switch: "table_mb" => "tablemb";
    unknown_preset: "\"leitai\"" => "\"letai\"";
    unknown_term: "material.rook" => "mobility.rok";
    unknown_group_of_terms: "material.rook = 950" => "mobilty = { rook = 3 }";
    unknown_group_of_terms_in_the_endgame: "material.rook = 950" => "end.preset = \"leitai\"";
    weight_out_of_range: "material.rook = 950" => "end.mobility.rook = 950";
    weight_of_wrong_type: "material.rook = 950" => "mobility.rook = \"much\"";
    group_of_terms_of_wrong_type: "material.rook = 950" => "mobility = 3";
    endgame_of_wrong_type: "material.rook = 950" => "end = [3]";
    unknown_piece: "material.rook" => "material.chariot";
    value_out_of_range: "950" => "95000";
    table_with_nine_rows: "material.rook = 950" => "pst.rook = [[], [], [], [], [], [], [], [], []]";
    table_with_bad_rows: "material.rook = 950" => "pst.rook = [[0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0]]";
    crooked_table: "material.rook = 950" => "pst.rook = [[0,0,0,0,0,0,0,0,1], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0]]";
    eval_of_the_other_game: "xiangqi" => "othello";
    syntax: "nodes = 5000" => "nodes = = 5000";
    unclosed_string: "\"new\"" => "\"new";
    key_twice: "pairs = 10" => "pairs = 10\npairs = 20";
}

#[test]
fn programs_play_their_game_and_are_in_no_study() {
    let program = "command = [\"x\"]\nprotocol = \"ucci\"";
    let text = DUEL
        .replace(
            "base = \"base\"\neval = { preset = \"leitai\", material.rook = 950 }",
            program,
        )
        .replace(
            "[limits]",
            "study = { suite = \"s.epd\", depth = 3 }\n[limits]\ndepth = 9",
        )
        .replace("xiangqi", "othello");
    let found = problems(&text).problems;
    let lines: Vec<&str> = found
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(
        lines,
        [
            "the protocol `ucci` is for Xiangqi, and the config is about Othello",
            "a study examines the search of its players, and cannot examine a program",
            "the protocol `ucci` has one limit at a time",
        ]
    );
}

#[test]
fn all_problems_are_reported_at_once_in_file_order() {
    let text = DUEL
        .replace("5000", "0")
        .replace("\"duel\"", "\"dual\"")
        .replace("killers", "killer")
        .replace("950", "-99999");
    let lines: Vec<String> = problems(&text)
        .problems
        .iter()
        .map(|problem| problem.message.clone())
        .collect();
    assert_eq!(
        lines,
        [
            "`limits.nodes` is out of range",
            "unknown format `dual`",
            "unknown ordering stage `killer`",
            "`eval.material.rook` is out of range",
        ]
    );
}

/// A value of a type that no search has hides no other problem, in its own table or elsewhere.
#[test]
fn a_fraction_in_a_search_hides_no_other_problem() {
    let text = DUEL
        .replace("5000", "0")
        .replace(
            "table_mb = 4",
            "tabel = 1, null_move = { reduction = 2.5, min_depth = 0 }",
        )
        .replace("\"killers\"", "3, 1.5, \"killer\"")
        .replace("950", "-99999");
    let found = problems(&text).problems;
    let lines: Vec<&str> = found
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(
        lines,
        [
            "`limits.nodes` is out of range",
            "wrong type in `search.ordering`",
            "wrong type in `search.ordering`",
            "unknown ordering stage `killer`",
            "unknown key `tabel` in `search`",
            "`search.null_move.reduction` is not a whole number",
            "`search.null_move.min_depth` is out of range",
            "`eval.material.rook` is out of range",
        ]
    );
    assert_eq!(&text[found[5].span.clone()], "2.5");
}

/// A config that names a stage without effect in the game causes a warning; a preset, made for
/// every game, does not.
#[test]
fn idle_stages_of_a_game_are_reported() {
    let told = |game: &str, search: &str| -> Vec<String> {
        let text = format!(
            "game = \"{game}\"\nlimits.depth = 1\ntournament.pairs = 1\n\
             [[variant]]\nname = \"base\"\nsearch = {{ {search} }}\n\
             [[variant]]\nname = \"new\"\nbase = \"base\"\n"
        );
        let found = problems(&text);
        let place = |span: &std::ops::Range<usize>| text[span.clone()].to_owned();
        found.problems.iter().map(|it| place(&it.span)).collect()
    };
    let captures = "ordering = [\"tt\", \"mvv-lva\", \"killers\", \"good-exchanges\"]";
    assert_eq!(
        told("othello", captures),
        ["\"mvv-lva\"", "\"good-exchanges\""]
    );
    assert!(told("xiangqi", captures).is_empty());
    assert!(told("othello", "preset = \"full\"").is_empty());
    assert!(
        told("othello", "table_mb = 1").is_empty(),
        "the usual order"
    );
    let corner = "ordering = [\"corner-response\", \"shallow-search\", \"fastest-first\"]";
    assert!(told("othello", corner).is_empty());
    assert_eq!(told("xiangqi", corner), ["\"corner-response\""]);
}

/// The same for techniques that need another one, or captures and checks; presets may name them.
#[test]
fn techniques_without_effect_are_reported() {
    for (game, search, told) in [
        ("xiangqi", "capture_history = true", 1),
        (
            "xiangqi",
            "capture_history = true, ordering = [\"mvv-lva\"]",
            0,
        ),
        ("xiangqi", "capture_history = true, preset = \"full\"", 0),
        (
            "othello",
            "capture_history = true, ordering = [\"history\"]",
            1,
        ),
        ("xiangqi", "history_pruning = true", 1),
        (
            "xiangqi",
            "history_pruning = true, history = { penalty = true }",
            0,
        ),
        ("xiangqi", "history = { far = true }", 1),
        (
            "chess",
            "history = { far = true }, ordering = [\"continuation-history\"]",
            0,
        ),
        (
            "othello",
            "prob_cut = true, check_extension = true, exchange_pruning = true",
            3,
        ),
        ("xiangqi", "quiet_order = { rook = 20 }", 1),
        (
            "xiangqi",
            "quiet_order = { rook = 20 }, capture_values = { rook = 20 }, ordering = [\"by-piece\"]",
            0,
        ),
        (
            "chess",
            "quiet_order = { rook = 20 }, capture_values = { rook = 20 }",
            2,
        ),
        ("xiangqi", "history = { debit = 50 }", 1),
        ("xiangqi", "history = { replies = 50 }", 1),
        ("xiangqi", "history = { best = 50, penalty = true }", 1),
        ("xiangqi", "history = { best = 50, captures = 0 }", 0),
        ("othello", "quiescence = { checks = 1 }", 1),
        ("othello", "quiescence = false", 0),
        ("othello", "preset = \"full\"", 0),
    ] {
        let text = format!(
            "game = \"{game}\"\nlimits.nodes = 9\n[tournament]\npairs = 1\n\
             [[variant]]\nname = \"a\"\nsearch = {{ {search} }}\n[[variant]]\nname = \"b\"\n"
        );
        let loaded = parse(&text, "t.toml", &leitai_games::all()).expect(&text);
        let warnings = loaded.warnings.to_string();
        assert_eq!(
            warnings.matches("does nothing").count(),
            told,
            "{search}: {warnings}"
        );
    }
}

/// A config that enables lazy evaluation itself causes a warning if it has no effect; a preset that
/// enables everything does not.
#[test]
fn lazy_evaluation_without_costly_terms_is_reported() {
    let told = |game: &str, base: &str, new: &str| -> Vec<String> {
        let text = format!(
            "game = \"{game}\"\nlimits.depth = 1\ntournament.pairs = 1\n\
             [[variant]]\nname = \"base\"\n{base}\n\
             [[variant]]\nname = \"new\"\nbase = \"base\"\n{new}\n"
        );
        let found = problems(&text);
        let place = |span: &std::ops::Range<usize>| text[span.clone()].to_owned();
        found.problems.iter().map(|it| place(&it.span)).collect()
    };
    let lazy = "search = { lazy_evaluation = 200 }";
    let cheap = "eval = { preset = \"tutorial\" }";
    assert!(told("xiangqi", lazy, "").is_empty());
    let own = format!("{lazy}\n{cheap}");
    assert_eq!(
        told("xiangqi", &own, "eval.preset = \"leitai\""),
        ["lazy_evaluation"]
    );
    assert_eq!(told("xiangqi", lazy, cheap), ["[[variant]]"]);
    assert_eq!(
        told("othello", lazy, "search.lazy_evaluation = 0"),
        ["lazy_evaluation"]
    );
    for game in ["xiangqi", "othello"] {
        assert!(told(game, "search.preset = \"full\"", "").is_empty());
    }
    assert!(told("xiangqi", "search.preset = \"full\"", cheap).is_empty());
}

#[test]
fn an_empty_file_lacks_everything() {
    let count = problems("").problems.len();
    assert_eq!(count, 4, "{}", problems(""));
}

#[test]
fn a_flood_of_variants_is_refused() {
    let text = format!("{DUEL}{}", "[[variant]]\nname = \"x\"\n".repeat(100_000));
    let said = problems(&text);
    assert_eq!(
        said.problems[1].message,
        "100002 variants: at most 1000 can meet"
    );
    assert_eq!(said.problems.len(), 2, "{said}");
}

/// Each case is an evaluation of Othello; its messages are a snapshot.
macro_rules! messages_of_othello {
    ($($name:ident: $eval:expr;)*) => {
        $(
            #[test]
            fn $name() {
                snapshot(stringify!($name), &of_othello($eval));
            }
        )*

        fn othello() -> Vec<Case> {
            vec![$((stringify!($name), of_othello($eval)),)*]
        }
    };
}

fn of_othello(eval: &str) -> String {
    let text = DUEL.replace("xiangqi", "othello");
    text.replace("{ preset = \"leitai\", material.rook = 950 }", eval)
}

messages_of_othello! {
    othello_squares_too_few: "{ squares = [1, 2, 3] }";
    othello_squares_of_mixed_form: "{ squares = [1, [2], 3] }";
    othello_squares_of_wrong_type: "{ squares = [1, 2, \"3\"] }";
    othello_squares_with_a_short_row: "{ squares = [[1,1,1,1,1,1,1,1], [1,1,1,1,1,1,1,1], [1,1,1,1,1,1,1,1], [1,1,1,1,1,1,1], [1,1,1,1,1,1,1,1], [1,1,1,1,1,1,1,1], [1,1,1,1,1,1,1,1], [1,1,1,1,1,1,1,1]] }";
    othello_squares_that_contradict: "{ squares = [\n    [9,1,1,1,1,1,1,9],\n    [1,1,1,1,1,1,1,1],\n    [2,1,1,1,1,1,1,1],\n    [1,1,1,1,1,1,1,1],\n    [1,1,1,1,1,1,1,1],\n    [1,1,1,1,1,1,1,1],\n    [1,1,1,1,1,1,1,1],\n    [9,1,1,1,1,1,1,8],\n] }";
    othello_squares_out_of_range: "{ late.squares = [1, 2, 3, 4, 5, 6, 7, 8, 9, 9001] }";
    othello_unknown_term: "{ mobilty = 3 }";
    othello_unknown_edge: "{ edges.wedge = 3 }";
    othello_unknown_stage: "{ opening.mobility = 3 }";
    othello_preset_in_a_stage: "{ end.preset = \"squares\" }";
    othello_term_of_wrong_type: "{ mobility.rook = 3 }";
    othello_term_out_of_range: "{ end.edges.wedges = -9001 }";
    othello_tuples_with_few_rows: "{ tuples2 = [[1, 2, 3]] }";
    othello_tuples_with_a_short_row: &format!("{{ tuples2 = {} }}", short_row());
    othello_unknown_preset: "{ preset = \"mobilty\" }";
}

/// Tables of all tuples of two squares; the last but one lacks a pattern.
fn short_row() -> String {
    let mut rows = vec![vec![0; 9]; 32];
    rows[30].pop();
    format!("{rows:?}")
}

#[test]
fn othello_wants_ten_numbers_and_rules_of_its_own() {
    let text = DUEL
        .replace("xiangqi", "othello")
        .replace(
            "[limits]",
            "rules = { repetition = \"check\", material = true, empties = \"all\" }\n[limits]",
        )
        .replace(
            "preset = \"leitai\", material.rook = 950",
            "squares = [1, 2, 3]",
        );
    let said = problems(&text);
    let messages: Vec<&str> = said.problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`rules.repetition` is a rule of Xiangqi",
            "`rules.material` is a rule of Xiangqi",
            "unknown owner of the empty squares `all`",
            "`eval.squares` must have 10 or 64 numbers, or 8 rows of 8"
        ]
    );
}

#[test]
fn xiangqi_has_no_empty_squares_to_count() {
    let text = DUEL.replace("[limits]", "rules.empties = \"nobody\"\n[limits]");
    let said = problems(&text);
    assert_eq!(said.problems.len(), 1, "{said}");
    assert_eq!(
        said.problems[0].message,
        "`rules.empties` is a rule of Othello"
    );
}

#[test]
fn colours_are_the_callers_choice() {
    let said = problems(&DUEL.replace("5000", "0"));
    assert!(!said.render(Colour::Plain).contains('\u{1b}'));
    assert!(said.render(Colour::Ansi).contains('\u{1b}'));
    assert_eq!(said.to_string(), said.render(Colour::Plain));
}

/// Reads any text and renders the messages.
fn try_out(text: &str) {
    if let Err(ConfigError::Invalid(diagnostics)) =
        parse(text, "mutated.toml", &leitai_games::all())
    {
        assert!(!diagnostics.to_string().is_empty());
        assert!(!diagnostics.render(Colour::Ansi).is_empty());
    }
}

#[test]
fn no_truncation_panics() {
    assert!(problems(TUNE).is_empty(), "{}", problems(TUNE));
    for good in [GOOD, TUNE] {
        for end in 0..=good.len() {
            try_out(&good[..end]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_mutation_panics(
        cuts in prop::collection::vec((0usize..3000, 0usize..12, "[\"'=\\[\\]{}#.,\\-0-9a-zé\r\n\t\0]{0,4}"), 1..4),
        base in prop::sample::select(vec![DUEL, GOOD, TUNE]),
    ) {
        let mut text = String::from(base);
        for (at, length, insert) in cuts {
            let start = text.floor_char_boundary(at % (text.len() + 1));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &insert);
        }
        try_out(&text);
    }

    #[test]
    fn swapped_words_do_not_panic(one in 0usize..200, other in 0usize..200) {
        let mut words: Vec<&str> = GOOD.split_inclusive([' ', '\n']).collect();
        let count = words.len();
        words.swap(one % count, other % count);
        try_out(&words.concat());
    }
}

/// An Othello match against a program with these lines.
fn against_a_program(lines: &str) -> String {
    format!(
        "game = \"othello\"\n\n[limits]\ndepth = 4\n\n[tournament]\npairs = 1\n\n\
         [[variant]]\nname = \"ours\"\n\n[[variant]]\nname = \"theirs\"\n\
         command = [\"gtp-rhino\"]\n{lines}\n"
    )
}

/// Compares the messages about this text with a snapshot.
fn snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../data/config_messages",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, problems(text));
    });
}

macro_rules! messages_of_othello_programs {
    ($($name:ident: $lines:literal;)*) => {
        $(
            #[test]
            fn $name() {
                snapshot(stringify!($name), &against_a_program($lines));
            }
        )*

        fn programs() -> Vec<Case> {
            vec![$((stringify!($name), against_a_program($lines)),)*]
        }
    };
}

messages_of_othello_programs! {
    othello_program_without_a_protocol: "";
    othello_program_of_a_xiangqi_protocol: "protocol = \"uci-cyclone\"\nlimits = { nodes = 9 }";
    othello_program_of_a_xiangqi_preset: "preset = \"hoixiangqi\"";
    othello_program_with_a_depth_by_gtp: "preset = \"gtp-rhino\"";
    othello_program_with_nodes_by_gtp: "preset = \"edax\"\nlimits = { nodes = 9 }";
    othello_program_with_fractions_of_seconds: "preset = \"edax\"\nlimits = { movetime = \"1.5s\" }";
    othello_program_with_a_movetime_by_nboard: "preset = \"ntest\"\nlimits = { movetime = \"1s\" }";
    othello_program_with_periods_by_nboard: "preset = \"ntest\"\nlimits = { clock = \"40/60\" }";
    othello_program_with_nodes_by_nboard: "preset = \"ntest\"\nlimits = { nodes = 9 }";
    othello_program_that_limits_itself_by_nboard: "preset = \"ntest\"\nlimits = \"own\"";
    othello_program_with_another_word_for_limits: "preset = \"edax\"\nlimits = \"none\"";
    othello_program_with_another_word_for_passes: "preset = \"edax\"\nlimits = \"own\"\npasses = \"skip\"";
    othello_program_with_keys_of_xiangqi: "preset = \"edax\"\nlimits = \"own\"\nrank_base = 1\nusermove = true\nnode_margin = 5";
}

#[test]
fn a_protocol_of_othello_is_refused_in_xiangqi() {
    let text = against_a_program("protocol = \"gtp\"\nlimits = \"own\"\npasses = \"omit\"");
    snapshot(
        "xiangqi_program_of_an_othello_protocol",
        &text.replace("othello", "xiangqi"),
    );
    let text = against_a_program("protocol = \"uci\"\nlimits = \"own\"\npasses = \"omit\"");
    snapshot(
        "xiangqi_program_with_keys_of_othello",
        &text.replace("othello", "xiangqi"),
    );
}

#[test]
fn a_search_does_not_limit_itself() {
    let text = against_a_program("preset = \"gtp-rhino\"\nlimits = \"own\"");
    snapshot(
        "search_that_limits_itself",
        &text.replace("name = \"ours\"", "name = \"ours\"\nlimits = \"own\""),
    );
}
