//! Coverage-guided fuzzing of the readers of `tests/attack`, one at a time; see
//! docs/reliability.md.

#![no_main]

#[allow(dead_code, reason = "weights are for the attack, which reads with all of them")]
#[path = "../tests/attack/inputs/targets.rs"]
mod targets;

mod common {
    use std::path::{Path, PathBuf};

    /// Returns the path of a project file.
    pub(crate) fn project(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
    }
}

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

use targets::{TARGETS, Target};

static READER: LazyLock<&Target> = LazyLock::new(|| {
    let wanted = std::env::var("LEITAI_READER").unwrap_or_default();
    let names: Vec<_> = TARGETS.iter().map(|it| it.name).collect();
    let found = TARGETS.iter().find(|it| it.name == wanted);
    found.unwrap_or_else(|| panic!("set LEITAI_READER to one of {}", names.join(", ")))
});

fuzz_target!(|text: &[u8]| (READER.read)(text));
