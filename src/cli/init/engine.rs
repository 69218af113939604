//! An engine of a first config: its name, and the lines of its variant.

use std::path::{Component, Path, PathBuf, is_separator};
use std::{env, io};

use leitai_base::foreign::raw_path;
use leitai_config::quoted;
use leitai_players::player::{Introduction, OptionKind, SpokenProtocol};

/// The maximum number of letters of a name.
const MAX_NAME: usize = 40;

/// Programs that run the program of their arguments, without digits.
const RUNNERS: [&str; 32] = [
    "bash", "box", "bun", "cargo", "dash", "deno", "dotnet", "env", "java", "julia", "lua",
    "luajit", "mono", "nice", "node", "nodejs", "nohup", "perl", "php", "pypy", "python",
    "pythonw", "py", "ruby", "sbcl", "sh", "stdbuf", "taskset", "timeout", "uv", "wine", "zsh",
];

/// Words of runners that name no program.
const COMMANDS: [&str; 4] = ["run", "exec", "tool", "--"];

/// Usual file names of any program.
const PLAIN_NAMES: [&str; 6] = ["main", "__main__", "index", "app", "program", "run"];

/// Sizes and threads, which engines offer under these names, and their values.
const OPTIONS: [(&str, &str); 6] = [
    ("Hash", "16"),
    ("hashsize", "16"),
    ("memory", "16"),
    ("Threads", "1"),
    ("Number of Threads", "1"),
    ("cores", "1"),
];

/// The command of an engine.
pub(super) struct Command<'a> {
    /// Its words as typed.
    words: Vec<&'a str>,
    /// The path from the config's folder to the present one; `None` for a bare name, which needs
    /// neither.
    folder: Option<PathBuf>,
}

impl<'a> Command<'a> {
    /// A command of the present folder for a config in the file `config`.
    pub(super) fn new(command: &'a str, config: &Path) -> io::Result<Self> {
        let words = words(command);
        let is_bare = words.len() < 2 && !command.contains(is_separator);
        let folder = (!is_bare).then(|| from_here(config)).transpose()?;
        Ok(Self { words, folder })
    }

    /// The name of an engine: see [`name`].
    pub(super) fn name(&self, own: &str) -> String {
        name(&self.words, own)
    }

    /// The lines of a variant for the engine, with the key that says how it speaks. Its program and
    /// its working folder are written from the config's folder.
    pub(super) fn lines(&self, name: &str, (key, value): (&str, &str)) -> String {
        let mut words: Vec<String> = self.words.iter().copied().map(quoted).collect();
        let mut folder = String::new();
        if let Some(path) = &self.folder {
            let program = self
                .words
                .first()
                .filter(|word| word.contains(is_separator));
            if let (Some(program), false) = (program, path == Path::new(".")) {
                let program: PathBuf = path.join(program).components().collect();
                words[0] = quoted(&raw_path(&program));
            }
            let path = quoted(&raw_path(path));
            folder = format!("folder = {path}   # where it runs, from this file's folder\n");
        }
        let (name, words) = (quoted(name), words.join(", "));
        format!("name = {name}\ncommand = [{words}]\n{folder}{key} = \"{value}\"\n")
    }
}

/// The path from the folder of a file to the present one; `.` if they are the same.
fn from_here(file: &Path) -> io::Result<PathBuf> {
    let here = env::current_dir()?.canonicalize()?;
    let there = here.join(file).parent().unwrap_or(&here).canonicalize()?;
    let pairs = here.components().zip(there.components());
    let common = pairs.take_while(|(one, other)| one == other).count();
    if common == 0 {
        return Ok(here);
    }
    let up = there
        .components()
        .skip(common)
        .map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(here.components().skip(common)).collect();
    Ok(if path.as_os_str().is_empty() {
        ".".into()
    } else {
        path
    })
}

/// The words of a command: a file whose name has blanks is one.
fn words(command: &str) -> Vec<&str> {
    if Path::new(command).is_file() {
        vec![command]
    } else {
        command.split_whitespace().collect()
    }
}

/// The name of an engine: that of its program, behind interpreters and their options; its own name
/// if its program has none.
fn name(words: &[&str], own: &str) -> String {
    let named = program(words).filter(|name| !PLAIN_NAMES.contains(&name.as_str()));
    let first = words.first().map_or("engine", |word| stem(word));
    let name = named.unwrap_or_else(|| [own, first][usize::from(own.is_empty())].to_owned());
    name.chars().take(MAX_NAME).collect()
}

/// The name of the program that a command runs; `None` if it is only a runner.
fn program(words: &[&str]) -> Option<String> {
    let (first, mut rest) = words.split_first()?;
    if !is_runner(first) {
        return Some(stem(first).to_owned());
    }
    // The value of an option, such as a class path, may look like a program: files come first.
    let is_program = |word: &&&str| !word.starts_with('-') && Path::new(word).is_file();
    if let Some(file) = rest.iter().find(is_program) {
        return Some(stem(file).to_owned());
    }
    while let Some((word, after)) = rest.split_first() {
        match (*word, after.first()) {
            ("-m", Some(module)) => return Some(last_part(module).to_owned()),
            ("-c" | "-e" | "-lc", _) => return None,
            ("-cp" | "-classpath" | "--class-path", _) => rest = after.get(1..).unwrap_or_default(),
            (option, _) if option.starts_with('-') => rest = after,
            (word, _) if is_setting(word) || COMMANDS.contains(&word) => rest = after,
            (word, _) if is_runner(word) => return program(rest),
            (word, _) if is_file_name(word) => return Some(stem(word).to_owned()),
            (class, _) => return Some(last_part(class).to_owned()),
        }
    }
    None
}

/// Returns whether a word is a variable, a number, or no name at all.
fn is_setting(word: &str) -> bool {
    word.contains('=')
        || word
            .trim_start_matches(|c: char| !c.is_alphabetic())
            .is_empty()
}

fn is_runner(word: &str) -> bool {
    let name = stem(word).to_ascii_lowercase();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    RUNNERS.contains(&name)
}

/// Returns whether a word looks like a file and not like a class or module.
fn is_file_name(word: &str) -> bool {
    let extension = Path::new(word).extension().and_then(|it| it.to_str());
    let is_short = |it: &str| it.len() <= 4 && !it.starts_with(|c: char| c.is_uppercase());
    extension.is_none_or(is_short) || Path::new(word).components().count() > 1
}

/// The file name of a path without its extension; of a usual name, its folder.
fn stem(path: &str) -> &str {
    let path = Path::new(path);
    // `python3.11` has no extension.
    let name = path
        .file_name()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    let is_version = |(_, end): &(&str, &str)| end.starts_with(|c: char| c.is_ascii_digit());
    let parts = name
        .rsplit_once('.')
        .filter(|(before, _)| !before.is_empty());
    let stem = parts
        .filter(|it| !is_version(it))
        .map_or(name, |(before, _)| before);
    let folder = path
        .parent()
        .and_then(|folder| folder.components().next_back());
    match folder {
        Some(Component::Normal(folder)) if PLAIN_NAMES.contains(&stem) => {
            folder.to_str().unwrap_or(stem)
        }
        _ => stem,
    }
}

/// The last part of the name of a module or class.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The lines of a variant for an engine that speaks this protocol, or as the preset has it.
pub(super) fn variant(
    name: &str,
    command: &Command,
    spoken: &SpokenProtocol,
    preset: Option<&str>,
) -> String {
    let introduction = &spoken.introduction;
    let protocol = ("protocol", spoken.protocol.name);
    let spoken_by = preset.map_or(protocol, |preset| ("preset", preset));
    let mut text = command.lines(name, spoken_by);
    if spoken.limits_itself {
        text.push_str("limits = \"own\"            # the engine has no time commands; only `stall` limits a move\n");
    }
    text + &options(introduction)
}

/// The line of the options that engines often have.
fn options(introduction: &Introduction) -> String {
    let offered = |(name, value): &(&str, &str)| {
        let mut offers = introduction.offers.iter();
        let offer = offers.find(|offer| offer.is_called(name) && offer.kind == OptionKind::Spin)?;
        let value = offer.accept(value).ok()?;
        Some(format!("{} = {value}", quoted(&offer.name)))
    };
    let options: Vec<String> = OPTIONS.iter().filter_map(offered).collect();
    match options.join(", ") {
        options if options.is_empty() => String::new(),
        options => format!("options = {{ {options} }}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_programs() {
        for (command, expected) in [
            ("./my-engine --fast", "my-engine"),
            ("stockfish", "stockfish"),
            ("/opt/Stockfish-16.1/stockfish-16.1", "stockfish-16.1"),
            ("python a.py", "a"),
            ("python3.11 -u -O bots/b.py --depth 3", "b"),
            ("python3 -m engine", "engine"),
            ("python3 -m bots.alpha", "alpha"),
            ("python3 sunfish/main.py", "sunfish"),
            ("java -Xmx2g -jar foo.jar", "foo"),
            ("java -cp build:lib/x.jar org.bot.Main", "Main"),
            ("node --max-old-space-size=4096 x.js", "x"),
            ("wine x.exe", "x"),
            ("wine64 C:/engines/y.exe", "y"),
            ("env THREADS=1 nice -n 10 ruby c.rb", "c"),
            ("taskset -c 1 ./d", "d"),
            ("dotnet run", "Own 1.0"),
            ("python3 main.py", "Own 1.0"),
            ("python3 -c code", "Own 1.0"),
            ("uv run e.py", "e"),
            ("luajit", "Own 1.0"),
        ] {
            assert_eq!(name(&words(command), "Own 1.0"), expected, "{command}");
        }
        assert_eq!(name(&["python3", "-c", "code"], ""), "python3");
        assert_eq!(name(&["perl"], &"e".repeat(100)).len(), MAX_NAME);
    }
}
