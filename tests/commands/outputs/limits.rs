//! Limits on disks, memory and open files.

use std::fs;
use std::process::Command;

use super::workshop;
use crate::common::{Sandbox, stderr};

/// The disk is full after half of the file.
#[cfg(unix)]
#[test]
fn a_full_disk_keeps_the_former_file() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "games.pgn",
        &"[White \"somebody\"]\n\n1. h2e2 *\n\n".repeat(4000),
    );
    sandbox.write("good.pgn", "precious\n");
    let command = "trap '' XFSZ; ulimit -f 64; exec \"$0\" convert games.pgn -o good.pgn";
    let output = Command::new("sh")
        .args(["-c", command, env!("CARGO_BIN_EXE_leitai")])
        .current_dir(sandbox.path(""))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("cannot write good.pgn"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        fs::read_to_string(sandbox.path("good.pgn")).unwrap(),
        "precious\n"
    );
    assert_eq!(sandbox.files(), ["games.pgn", "good.pgn"]);
}

/// Devices and endless streams are read up to a size limit.
#[cfg(unix)]
#[test]
fn no_file_fills_the_memory() {
    let sandbox = workshop();
    let endless = sandbox.path("endless.toml");
    std::os::unix::fs::symlink("/dev/zero", &endless).unwrap();
    for (line, told) in [
        ("check endless.toml", "more than the limit of 64 MiB"),
        ("openings check xiangqi endless.toml", "it is not text"),
        (
            "solve go --problem endless.toml",
            "more than the limit of 256 MiB",
        ),
        ("check-proof endless.toml", "more than the limit of 256 MiB"),
        (
            "calc sprt --elo0 0 --elo1 5 --stream endless.toml",
            "line 1, column 1",
        ),
        ("rate endless.toml", "it is not text"),
        ("convert endless.toml", "it is not text"),
        ("openings check xiangqi /dev/null", "holds no openings"),
        ("rate - -", "`-` is given twice"),
        ("convert - -", "`-` is given twice"),
        ("check-proof - -", "`-` is given twice"),
    ] {
        // 1 GiB of memory is enough for the message.
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 1048576; exec \"$0\" $1"])
            .args([env!("CARGO_BIN_EXE_leitai"), line])
            .current_dir(sandbox.path(""))
            .output()
            .unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(told), "{line}: {said}");
        assert!(said.len() < 4000, "{line}: {}", said.len());
    }
}

/// Errors by limits of this process are not attributed to programs or to their end.
#[test]
fn limits_of_the_process_are_reported() {
    let sandbox = workshop();
    let limited = |limit: &str, line: &str| {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit {limit}; exec \"$0\" $1")])
            .args([env!("CARGO_BIN_EXE_leitai"), line])
            .current_dir(sandbox.path(""))
            .output()
            .unwrap();
        (output.status.code(), stderr(&output))
    };
    let text = fs::read_to_string(sandbox.path("programs.toml")).unwrap();
    let player = format!(
        "command = [{:?}, \"engine\", \"--game\", \"xiangqi\"]",
        env!("CARGO_BIN_EXE_leitai")
    );
    let text = text.replace("command = [\"sh\", \"player.sh\"]", &player);
    sandbox.write(
        "player.toml",
        &text.replace("options = { EvalFile = \"weights.bin\" }", ""),
    );
    let (code, said) = limited("-n 40", "gate player.toml -q -t4 --store few.sqlite");
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("open files") && said.contains("help: "),
        "{said}"
    );
    let (code, said) = limited("-S -n 40", "gate player.toml -q -t4 --store more.sqlite");
    assert!(matches!(code, Some(0 | 1 | 3)), "{code:?} {said}");
    let (code, said) = limited("-f 20", "run run.toml -q --store small.sqlite");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("error: "), "{said}");
}
