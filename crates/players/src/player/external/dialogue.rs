//! Logs of the communication with an engine, for users who look for the cause of an event in a
//! game.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::lines::Line;
use crate::player::GameId;
use leitai_base::foreign::{read_bytes, shown_path};

/// Size limit of a file in bytes: a game of 200 moves needs a tenth of it even with a hundred info
/// lines per move.
const LONGEST_FILE: u64 = 10_000_000;

/// Size limit of a folder in bytes.
const LARGEST_FOLDER: u64 = 10_000_000_000;

/// Largest number of files of one game and player; each run that stopped in the game adds one.
const MAX_FILES: u32 = 1_000;

leitai_base::settings::choice! {
    /// The kind of a line of a dialogue.
    pub enum DialogueLine {
        /// A line sent to the engine.
        Sent = ">",
        /// A line of the engine's output.
        Received = "<",
        /// A line of the engine's error output.
        Error = "!",
        /// A remark of Leitai.
        Event = "#",
    }
}

/// Receives the lines of dialogues, as they are exchanged.
pub trait DialogueListener: fmt::Debug + Send + Sync {
    /// Receives a line of the dialogue with the engine of that name.
    fn hear(&self, engine: &str, kind: DialogueLine, line: &str);
}

/// The destinations of dialogues: a folder, whose first error all clones share, and a listener.
#[derive(Clone, Debug, Default)]
pub struct Dialogues {
    folder: Option<PathBuf>,
    /// Number of bytes in the folder.
    held: Arc<AtomicU64>,
    trouble: Arc<OnceLock<String>>,
    listener: Option<Arc<dyn DialogueListener>>,
}

impl Dialogues {
    /// Dialogues in this folder, which exists.
    pub fn new(folder: &Path) -> Self {
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let lengths = entries.filter_map(|entry| Some(entry.metadata().ok()?.len()));
        Self {
            folder: Some(folder.to_owned()),
            held: Arc::new(AtomicU64::new(lengths.sum())),
            ..Self::default()
        }
    }

    /// Returns whether the folder takes another dialogue.
    fn has_room(&self) -> bool {
        let Some(folder) = &self.folder else {
            return false;
        };
        let has_room = self.held.load(Ordering::Relaxed) < LARGEST_FOLDER;
        if !has_room {
            let gigabytes = LARGEST_FOLDER / 1_000_000_000;
            let full = format!("the folder holds {gigabytes} GB of dialogues, and gets no more");
            self.store_error(folder, &io::Error::other(full));
        }
        has_room
    }

    /// The same dialogues, which a listener hears too.
    #[must_use]
    pub fn heard_by(self, listener: Arc<dyn DialogueListener>) -> Self {
        Self {
            listener: Some(listener),
            ..self
        }
    }

    /// The folder; the current one if there is none.
    pub fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new(""))
    }

    /// The dialogues of a game of a pair: file names and texts, each limited to `most` bytes. Empty
    /// if none was kept.
    pub fn of_game(&self, pair: u64, game: u64, most: usize) -> Vec<(String, String)> {
        let head = format!("pair-{pair:06}-game-{game}-");
        let entries = self.folder().read_dir().into_iter().flatten().flatten();
        // No links and no pipes.
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|it| it.is_file()));
        let names = files.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<_> = names.filter(|name| name.starts_with(&head)).collect();
        names.sort();
        let read = |name: String| {
            let bytes = read_bytes(&self.folder().join(&name), 2 * LONGEST_FILE).ok()?;
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(most)]).into_owned();
            Some((name, text))
        };
        names.into_iter().filter_map(read).collect()
    }

    /// The first error while writing a dialogue: the file and the system's reason. `None` without
    /// errors.
    pub fn first_error(&self) -> Option<String> {
        self.trouble.get().cloned()
    }

    fn store_error(&self, file: &Path, error: &io::Error) {
        let trouble = || format!("{}: {error}", shown_path(file));
        self.trouble.get_or_init(trouble);
    }
}

/// Destination of one player's dialogues, and the player's name.
#[derive(Clone, Debug)]
pub struct DialogueTarget {
    /// The dialogues of all engines.
    pub dialogues: Dialogues,
    /// The name of the player.
    pub name: String,
}

/// The dialogue of one game; not kept outside of games.
#[derive(Debug, Default)]
pub struct Dialogue {
    open: Option<Open>,
    /// The listener and the name of the engine.
    heard: Option<(Arc<dyn DialogueListener>, String)>,
}

#[derive(Debug)]
struct Open {
    file: BufWriter<File>,
    path: PathBuf,
    dialogues: Dialogues,
    begun: Instant,
    /// Remaining bytes.
    remaining: u64,
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Err(error) = self.file.flush() {
            self.dialogues.store_error(&self.path, &error);
        }
    }
}

impl Dialogue {
    /// Starts the file of a game. If the file cannot be written, nothing is kept: a full disk is no
    /// reason to stop a run. The run reports the error at its end.
    pub(crate) fn begin(
        shelf: &DialogueTarget,
        game: GameId,
        options: &BTreeMap<String, String>,
    ) -> Self {
        let listener = shelf.dialogues.listener.clone();
        let mut dialogue = Self {
            open: shelf
                .dialogues
                .has_room()
                .then(|| open(shelf, game))
                .flatten(),
            heard: listener.map(|listener| (listener, shelf.name.clone())),
        };
        dialogue.note(&format!(
            "pair {}, game {}, {}: milliseconds, > sent, < received, ! error output, # events",
            game.pair, game.game, shelf.name
        ));
        // Options are sent once, maybe in an earlier game.
        if !options.is_empty() {
            let options = options.iter();
            let options = options.map(|(name, value)| format!("{name} = {value}"));
            let options: Vec<_> = options.collect();
            dialogue.note(&format!("options: {}", options.join(", ")));
        }
        dialogue
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.open.is_some() || self.heard.is_some()
    }

    /// Logs a line sent to the engine.
    pub(crate) fn sent(&mut self, line: &str) {
        self.write(DialogueLine::Sent, line);
    }

    /// Logs output of the engine.
    pub(crate) fn received(&mut self, line: &Line) {
        self.write(DialogueLine::Received, text_of(line));
    }

    /// Logs error output of the engine.
    pub(crate) fn received_error(&mut self, line: &Line) {
        self.write(DialogueLine::Error, text_of(line));
    }

    /// Logs other events.
    pub(crate) fn note(&mut self, text: &str) {
        self.write(DialogueLine::Event, text);
    }

    /// Flushes the file.
    pub(crate) fn flush(&mut self) {
        if let Some(open) = &mut self.open
            && let Err(error) = open.file.flush()
        {
            open.dialogues.store_error(&open.path, &error);
            self.open = None;
        }
    }

    fn write(&mut self, kind: DialogueLine, text: &str) {
        if let Some((listener, engine)) = &self.heard {
            listener.hear(engine, kind, text);
        }
        let Some(open) = &mut self.open else { return };
        let mut line = format!(
            "{:>9.3} {} {text}\n",
            open.begun.elapsed().as_secs_f64() * 1e3,
            kind.name()
        );
        let fits = line.len() as u64 <= open.remaining;
        if !fits {
            "(cut here: the file is long enough)\n".clone_into(&mut line);
        }
        let written = open.file.write_all(line.as_bytes());
        if let Err(error) = &written {
            open.dialogues.store_error(&open.path, error);
        }
        open.remaining = open.remaining.saturating_sub(line.len() as u64);
        let held = &open.dialogues.held;
        held.fetch_add(line.len() as u64, Ordering::Relaxed);
        if !fits || written.is_err() {
            // Dropping the file writes its buffer.
            self.open = None;
        }
    }
}

fn text_of(line: &Line) -> &str {
    match line {
        Line::Text(text) => text,
        Line::Binary(_) => "(a line with control characters)",
        Line::TooLong(_) => "(a line that is too long)",
    }
}

/// The open file of a game; `None` if it cannot be written.
fn open(shelf: &DialogueTarget, game: GameId) -> Option<Open> {
    let (path, file) = create(shelf, game);
    let file = file.inspect_err(|error| shelf.dialogues.store_error(&path, error));
    file.ok().map(|file| Open {
        file: BufWriter::new(file),
        path,
        dialogues: shelf.dialogues.clone(),
        begun: Instant::now(),
        remaining: LONGEST_FILE,
    })
}

/// A new file for a game and a player. A resumed run does not overwrite the dialogue of the failure
/// that stopped it in that game.
fn create(shelf: &DialogueTarget, game: GameId) -> (PathBuf, io::Result<File>) {
    let mut number = 1;
    loop {
        let path = path(shelf, game, number);
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MAX_FILES => {
                number += 1;
            }
            other => return (path, other),
        }
    }
}

/// The path of the dialogue with the given number for a game and a player.
fn path(shelf: &DialogueTarget, game: GameId, number: u32) -> PathBuf {
    let name = file_safe(&shelf.name);
    let mark = |word: &str, number: u32| match number {
        0 | 1 => String::new(),
        _ => format!("-{word}-{number}"),
    };
    let (again, run) = (mark("attempt", game.attempt), mark("run", number));
    let file = format!(
        "pair-{:06}-game-{}{again}{run}-{name}.log",
        game.pair, game.game
    );
    shelf.dialogues.folder().join(file)
}

/// The name in a form for file names: every other character becomes its number, so that different
/// names stay different.
fn file_safe(name: &str) -> String {
    let safe = |letter: char| {
        if letter.is_alphanumeric() || "-_.+".contains(letter) {
            letter.to_string()
        } else {
            format!("%{:02X}", u32::from(letter))
        }
    };
    name.chars().take(60).map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: GameId = GameId {
        pair: 12,
        game: 2,
        attempt: 3,
    };

    fn shelf(name: &str) -> (tempfile::TempDir, DialogueTarget) {
        let folder = tempfile::tempdir().unwrap();
        let shelf = DialogueTarget {
            dialogues: Dialogues::new(folder.path()),
            name: name.to_owned(),
        };
        (folder, shelf)
    }

    fn begin(shelf: &DialogueTarget) -> Dialogue {
        Dialogue::begin(shelf, GAME, &BTreeMap::new())
    }

    #[test]
    fn a_folder_is_bounded() {
        let (folder, shelf) = shelf("a");
        drop(begin(&shelf));
        let length = |entry: std::fs::DirEntry| entry.metadata().unwrap().len();
        let files = || folder.path().read_dir().unwrap().flatten();
        assert_eq!(
            shelf.dialogues.held.load(Ordering::Relaxed),
            files().map(length).sum::<u64>()
        );
        let again = Dialogues::new(folder.path());
        let held = [&shelf.dialogues, &again].map(|it| it.held.load(Ordering::Relaxed));
        assert_eq!(held[0], held[1]);
        shelf
            .dialogues
            .held
            .store(LARGEST_FOLDER, Ordering::Relaxed);
        drop(begin(&shelf));
        assert_eq!(files().count(), 1);
        let trouble = shelf.dialogues.first_error().unwrap();
        assert!(trouble.contains("holds 10 GB"), "{trouble}");
    }

    #[test]
    fn the_options_that_a_game_is_played_with_stand_at_its_head() {
        let (folder, shelf) = shelf("a");
        let options = [("Hash", "1"), ("Skill Level", "-3")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        drop(Dialogue::begin(&shelf, GAME, &options.into()));
        let text = std::fs::read_to_string(path(&shelf, GAME, 1)).unwrap();
        let said = text.lines().nth(1).unwrap();
        assert!(
            said.ends_with("# options: Hash = 1, Skill Level = -3"),
            "{text}"
        );
        drop(folder);
    }

    #[test]
    fn a_dialogue_is_written_down_under_a_name_that_no_folder_can_hide() {
        let (folder, shelf) = shelf("../Hoi 1");
        let mut dialogue = begin(&shelf);
        dialogue.sent("go depth 1");
        dialogue.received(&Line::Text("bestmove h2e2".to_owned()));
        dialogue.received_error(&Line::Binary("\u{7}".to_owned()));
        drop(dialogue);
        let file = folder
            .path()
            .join("pair-000012-game-2-attempt-3-..%2FHoi%201.log");
        let text = std::fs::read_to_string(file).unwrap();
        let said: Vec<&str> = text.lines().map(|line| &line[10..]).collect();
        assert!(said[0].starts_with("# pair 12, game 2, ../Hoi 1"), "{text}");
        let rest = [
            "> go depth 1",
            "< bestmove h2e2",
            "! (a line with control characters)",
        ];
        assert_eq!(said[1..], rest);
    }

    #[test]
    fn a_flood_does_not_fill_the_disk() {
        let (folder, shelf) = shelf("flood");
        let mut dialogue = begin(&shelf);
        let line = Line::Text("x".repeat(16_000));
        for _ in 0..1_000 {
            dialogue.received(&line);
        }
        assert!(!dialogue.is_kept());
        let text = std::fs::read_to_string(path(&shelf, GAME, 1)).unwrap();
        assert!(text.len() as u64 <= LONGEST_FILE + 100);
        assert!(text.ends_with("(cut here: the file is long enough)\n"));
        drop(folder);
    }

    #[test]
    fn where_nothing_can_be_written_nothing_is_kept() {
        let (folder, mut shelf) = shelf("a");
        assert_eq!(shelf.dialogues.first_error(), None);
        shelf.dialogues = Dialogues::new(&folder.path().join("missing"));
        let mut dialogue = begin(&shelf);
        dialogue.sent("go");
        dialogue.flush();
        assert!(!dialogue.is_kept());
        let trouble = shelf.clone().dialogues.first_error().unwrap();
        let place = Path::new("missing").join("pair-000012");
        assert!(trouble.contains(place.to_str().unwrap()), "{trouble}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let (folder, shelf) = shelf("a");
        let file = File::options().write(true).open("/dev/full").unwrap();
        let open = Open {
            file: BufWriter::new(file),
            path: path(&shelf, GAME, 1),
            dialogues: shelf.dialogues.clone(),
            begun: Instant::now(),
            remaining: LONGEST_FILE,
        };
        let mut dialogue = Dialogue {
            open: Some(open),
            heard: None,
        };
        dialogue.sent("go");
        assert_eq!(shelf.dialogues.first_error(), None);
        drop(dialogue);
        assert!(
            shelf
                .dialogues
                .first_error()
                .unwrap()
                .contains("os error 28")
        );
        drop(folder);
    }

    #[test]
    fn a_run_that_carries_on_overwrites_nothing() {
        let (folder, shelf) = shelf("a");
        begin(&shelf).sent("first");
        begin(&shelf).sent("second");
        for (number, word) in [(1, "> first"), (2, "> second")] {
            let text = std::fs::read_to_string(path(&shelf, GAME, number)).unwrap();
            assert!(text.contains(word), "{text}");
        }
        let name = path(&shelf, GAME, 2);
        assert!(name.ends_with("pair-000012-game-2-attempt-3-run-2-a.log"));
        drop(folder);
    }
}
