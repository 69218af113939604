//! The `leitai` command.

fn main() {}
