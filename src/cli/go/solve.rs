//! `leitai solve go`: solves problems about blocks of Go.

mod output;

use crate::cli::input::{LARGEST, open_text};
use crate::cli::prelude::*;
use leitai_base::foreign::read_bounded;
use leitai_config::{GameChoice, default_variant};
use leitai_game::search::proof::{Mode, SolveLimits, SolverKind, SolverParams};
use leitai_games::go::reading::{CaptureParams, Captures};
use leitai_games::go::{CaptureVerdict, Goal, Problem};
use leitai_go_problems::formats::{Read, read_problems};
use leitai_players::play::{Sequencer, work};
use leitai_session::memory;
use leitai_session::output::Writing;
use output::{Ko, Proof, SolveOutput, Tally};

/// Solve problems of blocks: whether one is captured, a semeai is won, two are connected.
///
/// Captured: the attacker takes the block even if the defender may retake every ko at once.
/// Escapes: the defender saves it even if the attacker may. Ko: neither. Repetition favours the
/// defender, who may also pass. A block with as many liberties as the problem or
/// `eval.escape_liberties` requires (5) has escaped.
///
/// A problem may have another goal. A semeai: the side that attacks the target wins if it takes it
/// before its own block `against` is taken, loses if that is taken first, whichever side may retake
/// kos; if neither side can, it is seki. A connection: the target and the block `with` are
/// connected in one block, or cut for ever (or one is taken). These ignore the number of liberties,
/// unless a semeai sets one, and are `unknown` if the fight runs away in the open.
///
/// In the mode `proved` every move of the losing side that could matter is searched; the winner's
/// strategy is written down, and the verdict is given only if an independent checker accepts it. In
/// the mode `fast` both sides play a few moves near the block: an opinion, within milliseconds.
///
/// A ko point of a problem is a ban: the banned side may not take that ko on the first move, but
/// may pass instead. For a ko the answer also has the side that takes it first and the number of
/// external threats (plays elsewhere that need an answer) that each side needs against a side
/// without any.
///
/// Exit codes: 0 solved; 1 a verdict differs from the one in the file; 2 a problem could not be
/// read (the others are solved); 3 a limit was reached before a verdict; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai solve go --problem openings/go-capture/problems.json
  leitai solve go --problem mine.sgf --solver df-pn+ --mode proved --json
  leitai solve go --problem mine.txt --proofs mine.proof && leitai check-proof mine.proof
  leitai solve go --problem set.json --config configs/go-zhang-chen-2007.toml --variant pn

FILE is a set of problems; it says itself which form it has:
  JSON: {\"problems\": [{\"id\": \"net\", \"rows\": [\".....\", ...], \"target\": \"D6\",
        \"to_move\": \"B\", \"ko\": null, \"verdict\": \"captured\"}]}
        (\"ko\": \"E5\" is banned for the side to move, \"ko\": {\"point\": \"E5\",
        \"banned_for\": \"W\"} for White)
        and \"goal\": \"semeai\", \"against\": \"E5\", or \"goal\": \"connect\", \"with\": \"F5\"
  SGF:  (;SZ[9]PL[B]AB[dc][cd]AW[dd]TR[dd]C[verdict captured])
  rows: lines of `.XO`, X black, the top row first, and lines
        target D6
        to_move X
        ko E5   (or `ko E5 W`: banned for White)
        and `goal semeai`, `against E5`, or `goal connect`, `with F5`,
        with a blank line between problems.
Columns are A to T without I, row 1 is the lowest.

A node is a move played to look at a position.

JSON, one line per problem, in the order of the file:
  number, id       which problem of the file
  goal, against, with
                   of a semeai or a connection: what is asked, and the other block
  verdict          captured, escapes, ko or unknown; of a semeai wins, loses, seki, ko or
                   unknown; of a connection connected, cut, ko or unknown
  move             a move with which the side to move has that; null where it has none
  nodes, expanded, generated, depth
                   what it cost: moves played, positions whose moves were generated, moves
                   generated, the greatest depth in plies
  ms               milliseconds until the verdict
  expected, right  in a file that knows the verdict: that verdict, and whether it is ours
  ko               of a ko: first (attacker or defender: who takes it first), threats
                   (attacker, defender: the external threats that each needs, 0 to 3, or
                   \"many\"; null if not found within the nodes), move (the one that begins
                   it), proved (whether the threats were counted with every move that could
                   matter, or judged with candidates only; first and move are always judged),
                   nodes (as many again as --nodes at most, not among those above). For
                   people `?` stands for null
  proof            in the mode proved: steps of the strategy (nodes of the certificates),
                   positions that the checker looked at, ms for both
  error, line      of a problem that could not be read: why, and where it begins
  note             why the verdict is unknown")]
pub(super) struct Arguments {
    /// The problems; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    problem: PathBuf,
    /// The solver: alpha-beta, pn, pn+, df-pn or df-pn+; by default that of the variant, or df-pn+.
    #[arg(long, value_name = "NAME", value_parser = solver_kind)]
    solver: Option<SolverKind>,
    /// Certainty of the verdicts.
    #[arg(long, default_value = "proved", value_parser = choice(&MODES))]
    mode: Mode,
    #[command(flatten)]
    player: VariantChoice,
    /// Entries of the table as a power of two: 20 is a million.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=28))]
    table: Option<u32>,
    /// Node limit of a problem, never exceeded; by default 2,000,000, and 20,000 in the mode
    /// `fast`. The threats of a ko have the same limit again.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time limit of a problem in seconds: 0.0005 is half a millisecond. The mode `fast` then gives
    /// the likeliest verdict so far. A certificate and its check have the same time again. Verdicts
    /// that are unknown by this limit depend on the machine.
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    /// Write the certificates of all proved verdicts to this file, for `leitai
    /// check-proof`.
    #[arg(long, value_name = "FILE")]
    proofs: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
    /// Print JSON; see below.
    #[arg(long)]
    json: Option<PathBuf>,
}

impl Arguments {
    /// The node limit of a problem.
    fn nodes(&self) -> u64 {
        let usual = match self.mode {
            Mode::Fast => 20_000,
            Mode::Proved => 2_000_000,
        };
        self.nodes.unwrap_or(usual)
    }
}

/// The certainty of verdicts.
const MODES: [Choice<Mode>; 2] = [
    ("fast", "Only candidate moves on both sides", Mode::Fast),
    (
        "proved",
        "Every move of the losing side that could matter, and a certificate",
        Mode::Proved,
    ),
];

fn seconds(text: &str) -> Result<f64, String> {
    number("a number of seconds above 0 is expected", text, |seconds| {
        seconds.is_finite() && seconds > 0.0
    })
}

fn solver_kind(name: &str) -> Result<SolverKind, String> {
    let mut kinds = SolverKind::ALL.iter().copied();
    kinds.find(|kind| kind.name() == name).ok_or_else(|| {
        let known: Vec<&str> = SolverKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("there is no such solver; known are {}", known.join(", "))
    })
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (params, solver) = solver_params(arguments)?;
    let problems = read(&arguments.problem)?;
    let busy = arguments.threads.get();
    let busy = NonZeroUsize::new(problems.len()).map_or(busy, |most| busy.min(most));
    let nodes = Some(arguments.nodes());
    memory::check_solvers([&solver], nodes, arguments.mode, busy)?;
    let mut proofs = proofs_of(arguments)?;
    let mut json = Json::for_inputs(arguments.json.as_ref(), [&arguments.problem])?;
    let mut written = Ok(());
    let cancel = signals::install_handler();
    let bar = Bar::new(problems.len() as u64, "problems", arguments.quiet);
    let worker = || {
        let mut captures = Captures::new(params.clone(), solver.clone());
        let problems = &problems;
        move |number: u64| {
            let mut proofs = String::new();
            let answer = match &problems[number as usize] {
                Err(error) => SolveOutput::unreadable(error),
                Ok(problem) => {
                    let captures = &mut captures;
                    solve(arguments, captures, number, problem, cancel, &mut proofs)?
                }
            };
            Some((answer, proofs))
        }
    };
    let mut tally = Tally::default();
    // Answers that arrived before their turn.
    let mut sequencer = Sequencer::from(0);
    let told = work(
        0..problems.len() as u64,
        arguments.threads.get(),
        cancel,
        worker,
        |number, solved: (SolveOutput, String)| -> Result<(), Failure> {
            sequencer.put(number, solved);
            while let Some((answer, text)) = sequencer.take() {
                bar.set(sequencer.next_number());
                tally.add(&answer);
                // Answers are printed even if the file cannot be written.
                if written.is_ok()
                    && let Some(proofs) = &mut proofs
                {
                    written = proofs.write(&text);
                }
                json.write_line(&answer)?;
                json.print(|| answer.text())?;
            }
            Ok(())
        },
    );
    bar.finish();
    told?;
    if problems.len() > 1 {
        json.print(|| tally.text())?;
    }
    json.finish()?;
    written?;
    // An incomplete set does not replace an existing file.
    if let Some(proofs) = proofs.filter(|it| !cancel.load(Ordering::Relaxed) || !it.replaces()) {
        proofs.finish()?;
    }
    if cancel.load(Ordering::Relaxed) {
        eprint("stopped: the answers so far are above");
        return Ok(Exit::Interrupted);
    }
    Ok(tally.exit())
}

/// The file of certificates.
fn proofs_of(arguments: &Arguments) -> Result<Option<Writing>, Failure> {
    let Some(file) = &arguments.proofs else {
        return Ok(None);
    };
    if arguments.mode == Mode::Fast {
        bail!(
            "the mode `fast` proves nothing, so that there are no certificates\n\
             help: leave out `--proofs`, or `--mode fast`"
        );
    }
    let mut files =
        CommandFiles::reading(arguments.player.config.iter().chain([&arguments.problem]));
    Ok(Some(files.prepare(file)?.begin()?))
}

/// The parameters of the solver.
fn solver_params(arguments: &Arguments) -> Result<(CaptureParams, SolverParams), Failure> {
    let card = leitai_games::go::card();
    let variant = match arguments.player.load(card)? {
        Some((variant, _)) => variant,
        None => {
            default_variant(GameChoice::usual(card)).context("there is no usual player of Go")?
        }
    };
    let params = CaptureParams::of(&variant.eval).context("the variant is not of Go")?;
    let mut solver = variant.search.solver.unwrap_or_default();
    solver.kind = arguments.solver.unwrap_or(solver.kind);
    solver.table = arguments.table.unwrap_or(solver.table);
    Ok((params, solver))
}

fn read(file: &Path) -> Result<Vec<Read>, Failure> {
    let name = shown_path(file);
    let reader = open_text(file, "a set of problems")?;
    let bytes = read_bounded(reader, LARGEST).with_context(|| format!("cannot read {name}"))?;
    let problems = read_problems(&bytes);
    if problems.is_empty() {
        bail!("{name}: it has no problem\nhelp: see `leitai solve go --help` for the forms");
    }
    Ok(problems)
}

/// Solves a problem; writes its certificates to `proofs`. `None` if interrupted.
fn solve(
    arguments: &Arguments,
    captures: &mut Captures,
    number: u64,
    problem: &Problem,
    cancel: &AtomicBool,
    proofs: &mut String,
) -> Option<SolveOutput> {
    let is_late = |began: Instant| {
        let gone = began.elapsed().as_secs_f64();
        arguments.seconds.is_some_and(|seconds| gone >= seconds)
    };
    let began = Instant::now();
    let stop = || cancel.load(Ordering::Relaxed) || is_late(began);
    let limits = SolveLimits {
        nodes: Some(arguments.nodes()),
        stop: &stop,
    };
    let mode = arguments.mode;
    let found = captures.solve(problem, mode, limits, None);
    let mut answer = SolveOutput::new(number + 1, problem, &found, began.elapsed());
    // A `fast` answer after an interruption is not the one that the limits would give.
    if cancel.load(Ordering::Relaxed) && (mode == Mode::Fast || !answer.is_known()) {
        return None;
    }
    if found.verdict == CaptureVerdict::Ko && problem.goal == Goal::Capture {
        answer.ko = Some(Ko::new(problem, &captures.fight(problem, mode, limits)));
    }
    if !answer.is_known() {
        answer.unknown_by(found.end, is_late(began));
    } else if mode == Mode::Proved {
        let began = Instant::now();
        let limits = SolveLimits {
            nodes: Some(arguments.nodes()),
            stop: &|| cancel.load(Ordering::Relaxed) || is_late(began),
        };
        match Proof::of(captures, problem, &found, limits, proofs) {
            Ok(proof) => answer.proof = Some(proof.after(began.elapsed())),
            Err(why) => answer.doubt(&why),
        }
        if cancel.load(Ordering::Relaxed) && answer.proof.is_none() {
            return None;
        }
    }
    Some(answer)
}
