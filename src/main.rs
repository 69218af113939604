//! The `leitai` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    leitai::main_with(leitai::games::entries()).into()
}
