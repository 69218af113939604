//! The `leitai` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    leitai::cli::main().into()
}
