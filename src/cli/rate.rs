//! `leitai rate`: rates many players from results of any source.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;

use super::input::{open_input, refuse_stdin_twice};
use super::prelude::*;
use super::recorded::{FromRecord, open_recorded, recorded_game, recorded_plan};
use leitai_interchange::{Content, Source};
use leitai_players::player::file_digest;
use leitai_players::schedule::{Stream, below, generator};
use leitai_report::{
    RatingList, RatingTables, meetings_csv, ratings_csv, render_ratings, render_ratings_markdown,
};
use leitai_runs::gate::recorded_standings;
use leitai_runs::results::{
    ClusterBy, ReadError, Results, is_table, read_own, read_pgn, read_record, read_table,
};
use leitai_runs::tournament::{CountedPairs, PairStarts};
use leitai_stats::{FirstMove, RatingOptions, RatingsError, rate, resample};

/// The maximum number of draws of a bootstrap: about half a minute.
const MAX_DRAWS: u64 = 2_000_000_000;

/// Rate players from their results: PGN of any game, tables of counts, recorded runs.
///
/// Ratings are maximum-likelihood estimates on the scale of the score: a lead of D Elo means an
/// expected score of 1/(1 + 10^(-D/400)), draws being half a win. The advantage of the first move
/// is fitted with them. Standard errors come from openings, or from pairs (same opening, colours
/// swapped) if the files have no openings, and are valid for any share of draws and for few
/// openings. The same game in several files counts once. Players that results do not connect are
/// not compared; a player that won or lost everything gets a one-sided limit.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai rate games.pgn
  leitai rate run.sqlite --anchor baseline=0 --bootstrap 1000
  leitai rate list.pgn --anchor weak=2400 --anchor strong=2750
  leitai rate results.csv --first-advantage off --json
  leitai rate games.pgn --csv=ratings.csv
  leitai rate games/ --cross-table --los

A table has a header and a line for each meeting:
  first,second,wins,draws,losses     games in which `first` moved first
  strong,weak,30,20,10
or, for pairs, the columns first,second,ll,ld,mid,wd,ww. See docs/rating.md.")]
pub(super) struct Arguments {
    /// The results; several files are merged, in any order. A record of `leitai run` is recognised
    /// by its content, a table by the extension `.csv` or its header; everything else is read as
    /// PGN. `-` is standard input; a folder means its files `*.pgn`, `*.sqlite`, and `*.csv` with
    /// such a header.
    #[arg(required = true, value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    of: FromRecord,
    /// Give this player this rating; by default the mean is 0. May be given more than once: a group
    /// of players is shifted so that the mean rating of its anchors is correct.
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    anchor: Vec<(String, f64)>,
    /// Advantage of the first move: `estimate`, `off`, or Elo.
    #[arg(long, value_name = "MODE|ELO", default_value = "estimate", value_parser = first_advantage,
          allow_hyphen_values = true)]
    first_advantage: FirstMove,
    /// The dependent units for the standard errors.
    #[arg(long, value_name = "CLUSTERS", default_value = "auto", value_parser = choice(&CLUSTERS))]
    cluster: ClusterBy,
    /// Resample this often: percentile intervals, probabilities of being first, and a check of the
    /// standard errors; 1000 is a good number.
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=100_000))]
    bootstrap: u32,
    /// Seed of the resampling.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Also show the points of every player against every other.
    #[arg(long)]
    cross_table: bool,
    /// Also list the results and the rating difference of every two players that met; with --csv,
    /// write these rows.
    #[arg(long)]
    head_to_head: bool,
    /// Also show how likely each player is stronger than each other.
    #[arg(long)]
    los: bool,
    /// Print everything as JSON, including covariances.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Print the ratings as Markdown.
    #[arg(long)]
    markdown: Option<PathBuf>,
    /// Print the ratings as CSV, a row for each player.
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// The values of `--cluster`.
const CLUSTERS: [Choice<ClusterBy>; 4] = [
    (
        "auto",
        "Openings if all are known and there are two or more, else pairs; and workers, where the \
         clock limits a recorded run",
        ClusterBy::Auto,
    ),
    (
        "opening",
        "All games of an opening, regardless of the players",
        ClusterBy::Opening,
    ),
    ("pair", "The two games of a pair", ClusterBy::Pair),
    (
        "game",
        "Nothing: every game is independent",
        ClusterBy::Game,
    ),
];

/// Parses an Elo value of the command line.
fn elo(text: &str) -> Option<f64> {
    let elo: f64 = text.trim().parse().ok()?;
    (elo.abs() <= 10_000.0).then_some(elo)
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    // A name may contain an equals sign; a number does not.
    let (name, rating) = text
        .rsplit_once('=')
        .ok_or("write the player and its rating, such as `baseline=2500`")?;
    let rating = elo(rating).ok_or_else(|| {
        format!("`{rating}` is not a rating: a number from -10000 to 10000, such as 2500")
    })?;
    Ok((name.trim().to_owned(), rating))
}

fn first_advantage(text: &str) -> Result<FirstMove, String> {
    match text {
        "estimate" => Ok(FirstMove::Estimate),
        "off" => Ok(FirstMove::Fixed(0.0)),
        _ => elo(text).map(FirstMove::Fixed).ok_or_else(|| {
            "write `estimate`, `off`, or a number of Elo from -10000 to 10000".to_owned()
        }),
    }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let files = expanded(&arguments.files)?;
    refuse_stdin_twice(&files)?;
    let mut all_files = CommandFiles::recording(&files);
    let json = Json::prepare(arguments.json.as_ref(), &mut all_files)?;
    let markdown = json_output::prepare("markdown", arguments.markdown.as_deref(), &mut all_files)?;
    // If another format goes to standard output, `--csv` keeps its former meaning: read tables.
    let was_said = arguments.csv.as_deref() == Some(Path::new("-"));
    let csv = arguments.csv.as_deref();
    let csv = csv.filter(|_| !was_said || !(json.is_printed() || is_printed(markdown.as_ref())));
    let csv = json_output::prepare("csv", csv, &mut all_files)?;
    let is_taken = json.is_printed() || is_printed(markdown.as_ref()) || is_printed(csv.as_ref());
    let results = read_all(arguments, &files)?;
    let mut anchors: Vec<(usize, f64)> = Vec::new();
    for (name, elo) in &arguments.anchor {
        let player = player(&results, name)?;
        if anchors.iter().any(|(other, _)| *other == player) {
            bail!("`{name}` is an anchor twice\nhelp: give each player one `--anchor`");
        }
        anchors.push((player, *elo));
    }
    let evidence = results.evidence(arguments.cluster);
    let options = RatingOptions {
        first_move: arguments.first_advantage,
        anchors: &anchors,
        crossing: evidence.crossing.as_ref(),
    };
    let players = results.players.all();
    let rated = rate(players.len(), &evidence.clusters, &options);
    let ratings = rated.map_err(|error| match error {
        RatingsError::AnchorNotRated(player) => anyhow::anyhow!(
            "`{}` has no finite rating and cannot be an anchor\nhelp: anchor a player that has \
             both won and lost points; without `--anchor` the table shows which have a rating",
            players[player]
        ),
        other => other.into(),
    })?;
    let resamples = if arguments.bootstrap == 0 {
        None
    } else {
        let draws = evidence.units.saturating_mul(arguments.bootstrap.into());
        if draws > MAX_DRAWS {
            bail!(
                "{} of {} would take too long\nhelp: ask for {} at most",
                count(arguments.bootstrap.into(), "resample", "resamples"),
                count(evidence.units, "cluster", "clusters"),
                MAX_DRAWS / evidence.units.max(1)
            );
        }
        let mut random = generator(arguments.seed, Stream::Resamples);
        let draw = |bound| below(&mut random, bound);
        let clusters = &evidence.clusters;
        let (times, threads) = (arguments.bootstrap, arguments.threads.get());
        let players = players.len();
        Some(resample(players, clusters, &options, times, draw, threads)?)
    };
    let resamples = resamples.as_ref().map(|r| (r, arguments.seed));
    let mut list = RatingList::new(&results, &evidence, &ratings, &anchors, resamples);
    if arguments.cross_table || arguments.head_to_head {
        list.add_meetings(&results, &ratings);
    }
    if arguments.los && list.los.is_empty() {
        let note = "more than 400 players: there is no LOS matrix";
        list.notes.push(note.to_owned());
    }
    list.tables = RatingTables {
        cross_table: arguments.cross_table,
        head_to_head: arguments.head_to_head,
        los: arguments.los,
    };
    if !is_taken {
        print(&render_ratings(&list, room()))?;
    }
    let markdown = markdown.map_or(Ok(()), |file| {
        write_output(file, &render_ratings_markdown(&list))
    });
    let rows = if arguments.head_to_head {
        meetings_csv
    } else {
        ratings_csv
    };
    let csv = csv.map_or(Ok(()), |file| write_output(file, &rows(&list)));
    all([json.write(&list), markdown, csv])?;
    Ok(Exit::Success)
}

/// Reads all files; the same file counts once.
fn read_all(arguments: &Arguments, files: &[PathBuf]) -> Result<Results, Failure> {
    let mut results = Results::default();
    results.takes_excluded = arguments.of.beyond;
    let mut contents = BTreeMap::new();
    let size = |file: &PathBuf| Some(fs::metadata(file).ok()?.len());
    let sizes: Vec<Option<u64>> = files.iter().map(size).collect();
    for (file, size) in files.iter().zip(&sizes) {
        // Only files of the same size may be the same.
        let is_alone = sizes.iter().filter(|other| *other == size).count() < 2;
        let digest = if is_alone { None } else { digest(file) };
        let same = digest.map(|digest| *contents.entry(digest).or_insert(file));
        if let Some(other) = same.filter(|other| *other != file) {
            let (name, other) = (shown_path(file), shown_path(other));
            let games = results.games_of(&other.to_string());
            results.notes.push(format!(
                "{name} is the same file as {other}: its {} counted once",
                count(games, "game is", "games are")
            ));
        } else {
            read(arguments, file, &mut results)?;
        }
    }
    Ok(results)
}

/// Endings of the files that a folder means.
const ENDINGS: [&str; 3] = ["pgn", "csv", "sqlite"];

/// Files and the files of folders, sorted: the order of the command line has no effect.
fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let ending = |file: &Path| file.extension()?.to_str().map(str::to_lowercase);
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        let cannot = || format!("cannot read the folder {}", shown_path(path));
        for entry in fs::read_dir(path).with_context(cannot)? {
            let file = entry.with_context(cannot)?.path();
            if ending(&file).is_some_and(|it| ENDINGS.contains(&&*it)) && file.is_file() {
                files.push(file);
            }
        }
        if files.len() == before {
            bail!(
                "{} has no files `*.{}`\nhelp: name the files, or the folder that they are in: \
                 folders in it are not searched",
                shown_path(path),
                ENDINGS.join("`, `*.")
            );
        }
    }
    files.sort();
    Ok(files)
}

/// The hash of a file's content; `None` for standard input and other input that can be read only
/// once, and for unreadable files, which the reader reports.
fn digest(file: &Path) -> Option<String> {
    let is_file = fs::metadata(file).is_ok_and(|it| it.is_file());
    is_file.then(|| file_digest(file).ok())?
}

/// The pairs of a run, with the clusters of its report.
fn read_pairs(
    store: &Store,
    entry: &RunEntry,
    name: &str,
    results: &mut Results,
) -> Result<(), Failure> {
    let replayed = recorded_plan(store, entry).and_then(|plan| {
        let (standings, reach) = recorded_standings(&plan, store, &entry.handle)?;
        Ok((plan, standings, reach))
    });
    match &replayed {
        Ok((plan, standings, reach)) => {
            let limits = plan.config.limits_by_variant();
            for (variant, limits) in plan.config.variants.iter().zip(limits) {
                let settings = serde_json::to_string(&(variant, limits))?;
                results.record_settings(&variant.name, settings, name);
            }
            let places = PairStarts::of(plan, standings);
            let place = |index| places.of_pair(index);
            let timed = plan.config.is_timed();
            read_record(store, entry, name, reach, place, timed, results).map_err(unreadable)
        }
        Err(error) => read_as_it_is(error, store, entry, name, results),
    }
}

/// The pairs of a run that cannot be replayed.
fn read_as_it_is(
    error: &Failure,
    store: &Store,
    entry: &RunEntry,
    name: &str,
    results: &mut Results,
) -> Result<(), Failure> {
    results.notes.push(format!(
        "{name}: the games cannot be replayed ({error:#}): each opening counts by itself, though \
         some may lead into each other, and every recorded pair counts, whether the results of \
         the run are made of it or not"
    ));
    let all = CountedPairs::default();
    // The record does not say whether the clock or a program makes the run irreproducible.
    let timed = !entry.meta.reproducible;
    read_record(store, entry, name, &all, |_| None, timed, results).map_err(unreadable)
}

fn unreadable(error: ReadError) -> Failure {
    match error {
        ReadError::Store(error) => error.into(),
        other => other.into(),
    }
}

fn read(arguments: &Arguments, file: &Path, results: &mut Results) -> Result<(), Failure> {
    let name = shown_path(file).to_string();
    let mut lines = match open_input(file)? {
        Source::Text(lines) => lines,
        Source::Record => {
            let (store, entry) = &open_recorded(file, arguments.of.run.as_deref())?;
            return match recorded_game(entry) {
                Ok(_) => read_pairs(store, entry, &name, results),
                Err(error) => read_as_it_is(&error, store, entry, &name, results),
            };
        }
        Source::Own(card, form, bytes) => {
            let reader = games::known().reader(card, form)?.of_bytes(bytes);
            return Ok(read_own(reader, card, card.rules(), results)?);
        }
    };
    let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    let first = lines.first()?;
    let is_named = arguments.files.iter().any(|named| named == file);
    if ending.eq_ignore_ascii_case("csv") && !is_named && !is_of_meetings(first) {
        let note = format!("{name} is no table of results: not read");
        results.notes.push(note);
        return Ok(());
    }
    if ending.eq_ignore_ascii_case("csv") || is_meant_as_table(arguments, first) {
        if arguments.csv.is_some() {
            eprint("note: `--csv` prints the ratings; tables are recognised by their content");
        }
        read_table(lines, results)?;
        return Ok(());
    }
    if let Content::Own(card, form) = lines.content(games())? {
        let reader = games::known().reader(card, form)?.of_text(lines);
        return Ok(read_own(reader, card, card.rules(), results)?);
    }
    read_pgn(lines, games(), arguments.threads.get(), results)?;
    Ok(())
}

/// Returns whether a text with this first line is a table. With the former meaning of `--csv`,
/// everything other than PGN is treated as a table, so that errors in its header are reported.
fn is_meant_as_table(arguments: &Arguments, first: &str) -> bool {
    let was_said = arguments.csv.as_deref() == Some(Path::new("-"));
    is_of_meetings(first) || (was_said && !first.starts_with('['))
}

/// Returns whether this first line names both players. Tables with other separators than commas are
/// refused with the remedy.
fn is_of_meetings(first: &str) -> bool {
    is_table(&first.replace([';', '\t'], ","))
}

/// The index of a player that the command line names.
fn player(results: &Results, name: &str) -> Result<usize, Failure> {
    let found = results.players.find(name);
    found.with_context(|| {
        let players = results.players.all();
        let all = players.iter().take(10).map(|name| format!("`{name}`"));
        let all: Vec<_> = all.collect();
        let more = if players.len() > 10 { ", ..." } else { "" };
        format!(
            "no player is called `{name}`\nhelp: the players are {}{more}",
            all.join(", ")
        )
    })
}
