//! Small positions whose proofs a reader can follow by eye.

use super::super::certificate::{Certificate, Play, Spot};
use super::super::check::{Effort, Summary, check, check_until};
use super::super::refusal::Reason;
use super::super::to_sgf;
use super::{exhaustive, one};

const ATARI: &str = "\
leitai proof 1
id atari
claim captured
master defender
target C3
to-move white
board 5
.....
..O..
.OXO.
.....
.....
nodes 1
0 C2
end
";

/// White runs at C3 or E4; after D2 and a play elsewhere Black takes it at once.
const NET: &str = "\
leitai proof 1
claim captured
master defender
target C4
to-move black
liberties 4
board 6
......
..XX..
.XO...
.X....
......
......
nodes 9
0 D3: C3 1, E4 4, D4 7, * 8
1 C2: D4 2, * 3
2 E4
3 D4
4 D4: C3 5, * 6
5 C2
6 C3
7 E4: C3 5, * 6
8 C3: D4 2, * 3
end
";

const LADDER: &str = "\
leitai proof 1
claim captured
master defender
target C5
to-move black
board 7
.......
..X....
.XO....
.X.....
.......
.......
.......
nodes 15
0 D5: C4 1, * 14
1 C3: D4 2, * 13
2 E4: D3 3, * 12
3 D2: E3 4, * 11
4 F3: E2 5, * 10
5 E1: F2 6, * 9
6 G2: F1 7, * 8
7 G1
8 F1
9 F2
10 E2
11 E3
12 D3
13 D4
14 C4
end
";

/// Each eye is a single point, so White has no play there.
const EYES: &str = "\
leitai proof 1
claim escapes
master attacker
target B5
to-move white
board 5
.X.XO
XXXXO
OOOOO
.....
.....
nodes 1
0 -
end
";

const EXTENDS: &str = "\
leitai proof 1
claim escapes
master attacker
target C3
to-move black
liberties 5
board 5
.....
..O..
..X..
.....
.....
nodes 1
0 C2
end
";

/// Black passes for ever: stones that White throws in at A5 or B5 cannot be joined.
const CIRCLE: &str = "\
leitai proof 1
claim escapes
master attacker
target C5
to-move black
board 5
..X.X
XXXXX
OOOOO
.....
.....
nodes 2
0 pass: A5 1, B5 1
1 pass: A5 0, B5 0, E1 0
end
";

/// Black saves the target between the stones of the first row, far from the point where White takes
/// it. The proof must answer that play.
const ELSEWHERE: &str = "\
leitai proof 1
claim captured
master defender
target A5
to-move black
board 5
XO.X.
.XOX.
OO...
.....
.....
nodes 2
0 -: * 1
1 A4
end
";

const KO_FOR_THE_DEFENDER: &str = "\
leitai proof 1
claim escapes
master defender
target A1
to-move white
board 3
X..
.XX
XO.
nodes 3
0 -: B3 1, C3 2
1 C3
2 A2
end
";

const KO_FOR_THE_ATTACKER: &str = "\
leitai proof 1
claim captured
master attacker
target A1
to-move white
board 3
X..
.XX
XO.
nodes 1
0 A2
end
";

fn both(certificate: &Certificate) -> Result<Summary, Reason> {
    let sparing = check(certificate, Effort::default());
    let thorough = check(certificate, exhaustive());
    assert_eq!(
        sparing.is_ok(),
        thorough.is_ok(),
        "{sparing:?} {thorough:?}"
    );
    sparing.map_err(|refusal| refusal.reason)
}

fn at(name: &str, size: u8) -> Spot {
    super::super::names::spot_of(name, size).expect("a point")
}

#[test]
fn small_proofs_are_valid() {
    for (text, nodes, depth) in [
        (ATARI, 1, 1),
        (NET, 9, 5),
        (EYES, 1, 0),
        (EXTENDS, 1, 1),
        (KO_FOR_THE_DEFENDER, 3, 1),
        (KO_FOR_THE_ATTACKER, 1, 1),
    ] {
        let summary = both(&one(text)).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
        assert_eq!((summary.nodes, summary.depth), (nodes, depth), "{text}");
    }
    // The exhaustive check would visit too many positions.
    let ladder = check(&one(LADDER), Effort::default()).expect("valid");
    assert_eq!((ladder.nodes, ladder.depth), (15, 15));
    let circle = check(&one(CIRCLE), Effort::default()).expect("valid");
    assert_eq!((circle.nodes, circle.positions), (2, 5));
}

/// The text with one line changed.
fn changed(text: &str, from: &str, to: &str) -> Certificate {
    assert!(text.contains(from), "{from}");
    one(&text.replacen(from, to, 1))
}

#[test]
fn errors_are_reported() {
    let spot = |name| at(name, 5);
    for (text, from, to, reason) in [
        (ATARI, "0 C2", "0 B2", Reason::NoOtherwise),
        (ATARI, "0 C2", "0 C3", Reason::Occupied(spot("C3"))),
        (ATARI, "0 C2", "0 pass", Reason::AttackerPasses),
        (ATARI, "0 C2", "0 -", Reason::NoAnswer),
        (ATARI, "0 C2", "0 B2: * 0", Reason::Cycle),
        (ATARI, "0 C2", "0 B2: * 7", Reason::Dangling(7)),
        (
            ATARI,
            "0 C2",
            "0 B2: A1 0, A1 0",
            Reason::Twice(Play::At(spot("A1"))),
        ),
        (ATARI, "target C3", "target A1", Reason::EmptyTarget),
        (ATARI, "to-move white", "to-move black", Reason::RootAnswers),
        (
            ATARI,
            ".OXO.\n.....",
            ".OXO.\n..O..",
            Reason::NoLiberties(spot("C3")),
        ),
        (
            NET,
            "4 D4: C3 5, * 6",
            "4 D4: * 6",
            Reason::Occupied(at("C3", 6)),
        ),
        (
            NET,
            "0 D3: C3 1, E4 4, D4 7, * 8",
            "0 D3: C3 1, E4 4, * 8",
            Reason::Occupied(at("D4", 6)),
        ),
        (NET, "3 D4", "3 E4", Reason::NoOtherwise),
        (NET, ".X....", "......", Reason::NoOtherwise),
        (
            LADDER,
            ".......\n.......\nnodes",
            "..O....\n.......\nnodes",
            Reason::NoOtherwise,
        ),
        (
            LADDER,
            "0 D5: C4 1, * 14",
            "0 D5: C4 1",
            Reason::NoOtherwise,
        ),
        (
            EYES,
            ".X.XO",
            ".X..O",
            Reason::TargetTaken(Play::At(spot("A5"))),
        ),
        (EXTENDS, "0 C2", "0 -", Reason::NoAnswer),
        (CIRCLE, "..X.X", "..XOX", Reason::NoLiberties(spot("D5"))),
        (
            CIRCLE,
            "1 pass: A5 0",
            "1 pass: pass 0",
            Reason::AttackerPasses,
        ),
        (ELSEWHERE, "nodes", "nodes", Reason::NoOtherwise),
        (
            KO_FOR_THE_ATTACKER,
            "master attacker",
            "master defender",
            Reason::ForbiddenKo(at("A2", 3)),
        ),
        (
            KO_FOR_THE_DEFENDER,
            "master defender",
            "master attacker",
            Reason::TargetTaken(Play::At(at("A2", 3))),
        ),
    ] {
        let forged = changed(text, from, to);
        let refused = check(&forged, Effort::default()).map_err(|refusal| refusal.reason);
        assert_eq!(refused, Err(reason), "{from} -> {to}");
    }
}

#[test]
fn a_refusal_has_its_position_and_plays() {
    let forged = changed(NET, "5 C2", "5 A1");
    let refusal = check(&forged, Effort::default()).expect_err("forged");
    assert_eq!(
        refusal.to_string(),
        "node 5, after black D3, white D4, black E4, white C3: the claim is not reached, and a \
         pass is not answered (`*`)"
    );
    let limited = Effort {
        positions: 100,
        ..Effort::default()
    };
    let refusal = check(&one(NET), limited).expect_err("too many");
    assert_eq!(refusal.reason, Reason::TooMany(100));
    let all = Effort {
        exhaustive: true,
        ..Effort::default()
    };
    for effort in [Effort::default(), all] {
        let refusal = check_until(&one(NET), effort, &|| true).expect_err("stopped");
        assert_eq!(refusal.reason, Reason::Stopped);
    }
}

#[test]
fn a_play_far_from_the_target_is_not_forgotten() {
    // Black takes the white stone next to the target, and White's play takes nothing.
    let refusal = check(&one(ELSEWHERE), Effort::default()).expect_err("refused");
    assert_eq!(
        refusal.line.first().map(|&(_, play)| play),
        Some(Play::At(at("C5", 5)))
    );
}

#[test]
fn a_tree_shows_every_node_once_or_refers_to_it() {
    let tree = to_sgf(&one(NET), 0);
    for node in 0..9 {
        assert_eq!(tree.matches(&format!("N[{node}]")).count(), 1, "{tree}");
    }
    assert!(
        tree.starts_with("(;FF[4]CA[UTF-8]GM[1]AP[Leitai:"),
        "{tree}"
    );
    assert!(
        tree.contains("SZ[6]PL[B]AB[cb][db][bc][bd]AW[cc]TR[cc]"),
        "{tree}"
    );
    assert!(
        tree.contains("C[captured: black to move, the defender may take every ko]"),
        "{tree}"
    );
    assert!(
        tree.contains(";W[]C[or any play that is not shown; see node 3]"),
        "{tree}"
    );
    let unfolded = to_sgf(&one(NET), 1000);
    assert!(
        unfolded.len() > tree.len() && !unfolded.contains("see node"),
        "{unfolded}"
    );
    let circle = to_sgf(&one(CIRCLE), 1000);
    assert!(circle.contains("C[see node 0]"), "{circle}");
}

/// White's stone at B5 is in atari; its capture at A5 is a ko.
const KO: &str = "\
leitai proof 1
claim escapes
master attacker
target B5
to-move black
ko-ban A5 black
liberties 2
board 5
.OX..
OXX..
OOOX.
.....
.....
nodes 2
0 -: * 1
1 A5
end
";

/// The result of both checks.
fn checked(text: &str) -> Result<(), Reason> {
    let certificate = one(text);
    let [zones, every] = [Effort::default(), exhaustive()].map(|it| check(&certificate, it));
    assert_eq!(zones.is_ok(), every.is_ok(), "{zones:?} {every:?}");
    zones.map(|_| ()).map_err(|refusal| refusal.reason)
}

#[test]
fn a_ban_saves_a_block_that_can_connect() {
    let a5 = Spot { col: 0, row: 0 };
    assert_eq!(checked(KO), Ok(()));
    // Without the ban Black takes; without an answer to a pass Black takes later.
    let free = KO.replace("ko-ban A5 black\n", "");
    let taken = Reason::TargetTaken(Play::At(a5));
    assert_eq!(checked(&free), Err(taken));
    let stands = KO.replace("0 -: * 1", "0 -");
    assert_eq!(checked(&stands), Err(Reason::NoOtherwise));
    // A ban has no effect on the side that may take no ko at all.
    let other = KO.replace("ko-ban A5 black", "ko-ban A5 white");
    assert_eq!(checked(&other), Err(Reason::NoKo(a5)));
    let not_ko = KO.replace("ko-ban A5", "ko-ban E1");
    let e1 = Spot { col: 4, row: 4 };
    assert_eq!(checked(&not_ko), Err(Reason::NoKo(e1)));
    // The prover may not begin with its forbidden play either.
    let captured = KO
        .replace("claim escapes", "claim captured")
        .replace("0 -: * 1\n1 A5", "0 A5\n1 A5");
    assert_eq!(checked(&captured), Err(Reason::Banned(a5)));
    let free = captured.replace("ko-ban A5 black\n", "");
    assert_eq!(checked(&free), Ok(()));
}

#[test]
fn a_side_kept_from_a_ko_may_pass() {
    // White joins at A5 and loses the stones at A2, or plays elsewhere and loses them at A5.
    let text = "\
leitai proof 1
claim captured
master attacker
target B5
to-move black
ko-ban A5 black
board 5
.OX..
OXX..
OOOX.
.XXX.
X....
nodes 3
0 pass: A5 2, * 1
1 A5
2 A2
end
";
    assert_eq!(checked(text), Ok(()));
    let free = text.replace("ko-ban A5 black\n", "");
    assert_eq!(checked(&free), Err(Reason::AttackerPasses));
    let joined = text.replace("A5 2, * 1", "* 1");
    let a5 = Spot { col: 0, row: 0 };
    assert_eq!(checked(&joined), Err(Reason::Occupied(a5)));
}
