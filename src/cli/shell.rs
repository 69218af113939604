//! `leitai completions` and `leitai man`: shell completions and manual pages.

use std::io;

use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::prelude::*;
use super::terminal::print_raw;
use super::{commands, reference};
use leitai_session::output::prepare_folder;

/// Print a script that completes commands and options in a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  leitai completions bash > ~/.local/share/bash-completion/completions/leitai
  leitai completions zsh > ~/.zfunc/_leitai      # with ~/.zfunc in fpath
  leitai completions fish > ~/.config/fish/completions/leitai.fish")]
pub(super) struct Completions {
    /// The shell.
    shell: Shell,
}

pub(super) fn completions(arguments: &Completions) -> Outcome {
    let mut text = Vec::new();
    generate(arguments.shell, &mut commands(), program::name(), &mut text);
    print_raw(String::from_utf8(text)?.trim_end())?;
    Ok(Exit::Success)
}

/// Write manual pages: one for the program, and one for each command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  leitai man ~/.local/share/man/man1    # then `man leitai-run`
  leitai man --markdown > commands.md   # all on one page")]
pub(super) struct Manuals {
    /// The folder, created if it is absent; pages of earlier versions are replaced.
    #[arg(required_unless_present = "markdown")]
    folder: Option<PathBuf>,
    /// Print everything as one page of Markdown.
    #[arg(long, conflicts_with = "folder")]
    markdown: Option<PathBuf>,
}

pub(super) fn manuals(arguments: &Manuals) -> Outcome {
    let mut command = commands().name(program::name());
    command.build();
    let mut all_files = CommandFiles::default();
    let page = json_output::prepare("markdown", arguments.markdown.as_deref(), &mut all_files)?;
    if let Some(page) = page {
        write_output(page, &reference::commands(&command))?;
    }
    let Some(folder) = &arguments.folder else {
        return Ok(Exit::Success);
    };
    let mut pages = Vec::new();
    collect(command, &mut pages)?;
    prepare_folder(folder)?;
    // A page that cannot be written is reported before any is written.
    let files = pages
        .iter()
        .map(|(name, _)| all_files.prepare(&folder.join(name)));
    let files: Vec<_> = files.collect::<Result<_, _>>()?;
    for (file, (_, page)) in files.into_iter().zip(&pages) {
        write_output(file, page)?;
    }
    eprint(&format!("{} pages are written", pages.len()));
    Ok(Exit::Success)
}

/// Collects the pages of a command and its subcommands, with their file names.
fn collect(command: Command, pages: &mut Vec<(String, String)>) -> io::Result<()> {
    let below: Vec<Command> = command.get_subcommands().cloned().collect();
    let page = Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((
        page.get_filename(),
        String::from_utf8_lossy(&text).into_owned(),
    ));
    let mut below = below
        .into_iter()
        .filter(|it| !it.is_hide_set() && it.get_name() != "help");
    below.try_for_each(|command| collect(command, pages))
}
