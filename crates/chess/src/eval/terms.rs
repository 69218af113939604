//! The list of the evaluation's terms and their meanings. The numbers of a config, the tuner's
//! parameters and the manual are generated from this list; `count` does the counting.

/// A group of related terms.
#[derive(Debug)]
pub struct Group {
    /// Its name in configs.
    pub name: &'static str,
    /// The subject of its terms.
    pub about: &'static str,
    /// The terms, in order.
    pub terms: &'static [Term],
}

/// A counted feature, with one weight per occurrence, or a list of weights.
#[derive(Debug)]
pub struct Term {
    /// Its name in configs, within the group.
    pub name: &'static str,
    /// The meaning of the count.
    pub meaning: &'static str,
    /// The meaning of each weight of a list; empty for a term with one weight.
    pub places: &'static [&'static str],
}

impl Term {
    /// The number of its weights.
    pub const fn weights(&self) -> usize {
        if self.places.is_empty() {
            1
        } else {
            self.places.len()
        }
    }
}

const fn one(name: &'static str, meaning: &'static str) -> Term {
    list(name, meaning, &[])
}

const fn list(name: &'static str, meaning: &'static str, places: &'static [&'static str]) -> Term {
    Term {
        name,
        meaning,
        places,
    }
}

/// The names `0`, `1` and so on, `most` of them.
const fn counts(most: usize) -> &'static [&'static str] {
    const ALL: [&str; 28] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
        "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27",
    ];
    ALL.split_at(most).0
}

const RANKS: &[&str] = &["rank 2", "rank 3", "rank 4", "rank 5", "rank 6", "rank 7"];

/// All groups, in order.
pub const GROUPS: [Group; 6] = [
    Group {
        name: "mobility",
        about: "Squares that a piece attacks, leaving out those of its own side and those that \
                enemy pawns attack: a weight for each number of them.",
        terms: &[
            list("knight", "A knight with 0 to 8 such squares.", counts(9)),
            list("bishop", "A bishop with 0 to 13.", counts(14)),
            list("rook", "A rook with 0 to 14.", counts(15)),
            list("queen", "A queen with 0 to 27.", counts(28)),
        ],
    },
    Group {
        name: "pieces",
        about: "Placement of pieces relative to pawns and to each other.",
        terms: &[
            one("bishop_pair", "Two bishops or more."),
            one(
                "bishop_pawns",
                "Each bishop, once for each pawn of its own on squares of its colour.",
            ),
            one(
                "knight_outpost",
                "A knight on rank 4, 5 or 6 that a pawn protects and no enemy pawn can ever attack.",
            ),
            one("bishop_outpost", "A bishop that stands so."),
            one(
                "behind_pawn",
                "A knight or bishop with a pawn of either side before it.",
            ),
            one("rook_open_file", "A rook on a file without pawns."),
            one(
                "rook_half_open_file",
                "A rook on a file without pawns of its own, but with enemy ones.",
            ),
            one(
                "rook_seventh",
                "A rook on rank 7 while the enemy's king is on rank 8 or enemy pawns are on rank 7.",
            ),
            one(
                "rook_behind_passed",
                "A passed pawn with a rook of its own behind it and nothing between.",
            ),
        ],
    },
    Group {
        name: "king",
        about: "Shelter of the own king, and threats to that of the enemy. Its zone are its own \
                square, those around it, and three more before them.",
        terms: &[
            list(
                "shelter",
                "On each of three files about the own king (those of b and g about one on the \
                 rim): the nearest own pawn beside or before it.",
                &["beside or next", "two ranks on", "further", "none"],
            ),
            list(
                "storm",
                "On each of these files: the nearest enemy pawn beside or before the own king.",
                &["beside or next", "two ranks on", "three", "further", "none"],
            ),
            one("open_files", "Each of these files without pawns."),
            list(
                "danger",
                "The enemy's king, while the own side has a queen: a quarter of the sum over all \
                 pieces and all squares of its zone that they attack, of 2 for a knight or \
                 bishop, 3 for a rook and 4 for a queen.",
                counts(16),
            ),
            list(
                "danger_without_queen",
                "The same while the own side has none.",
                counts(10),
            ),
            list(
                "attackers",
                "Pieces that attack a square of the zone of the enemy's king: 0 to 5 and more.",
                counts(6),
            ),
            one(
                "weak_squares",
                "Each square of the zone of the enemy's king that is attacked, and protected by \
                 nothing but the king.",
            ),
            one(
                "safe_knight_checks",
                "A knight can give check on a square that the enemy does not attack.",
            ),
            one("safe_bishop_checks", "A bishop can."),
            one("safe_rook_checks", "A rook can."),
            one("safe_queen_checks", "A queen can."),
        ],
    },
    Group {
        name: "pawns",
        about: "Pawn structure.",
        terms: &[
            one(
                "doubled",
                "A pawn with a pawn of its own behind it on its file.",
            ),
            one(
                "isolated",
                "A pawn without pawns of its own on the neighbouring files.",
            ),
            one(
                "isolated_open",
                "Such a pawn without an enemy pawn before it on its file.",
            ),
            one(
                "backward",
                "A pawn, not isolated, that cannot advance without being taken by a pawn, and \
                 whose neighbours have all gone past it.",
            ),
            one(
                "backward_open",
                "Such a pawn without an enemy pawn before it on its file.",
            ),
            list("phalanx", "A pawn with one of its own beside it.", RANKS),
            list("protected", "A pawn that a pawn protects.", RANKS),
        ],
    },
    Group {
        name: "passed",
        about: "Passed pawns: no enemy pawn before them on their own and the neighbouring files, \
                and no own one before them. Each by its rank.",
        terms: &[
            list("rank", "A passed pawn.", RANKS),
            list(
                "blocked",
                "With an enemy piece on the square before it.",
                RANKS,
            ),
            list(
                "free",
                "With no piece before it on its file, nor an enemy attack on one of these squares.",
                RANKS,
            ),
            one("connected", "Protected by a pawn, or with one beside it."),
            one(
                "own_king",
                "Each step from the own king to the square before the pawn, once for each rank \
                 of the pawn above 3.",
            ),
            one("enemy_king", "The same of the enemy's king."),
            one(
                "runner",
                "The enemy has only king and pawns, nothing stands before the pawn, and the king \
                 is too far away to catch it, even if it moves first.",
            ),
        ],
    },
    Group {
        name: "threats",
        about: "Enemy pieces that are attacked.",
        terms: &[
            one("pawn_minor", "A knight or bishop that a pawn attacks."),
            one("pawn_major", "A rook or queen that a pawn attacks."),
            one(
                "push",
                "A piece that a pawn could attack after a step to a square that is safe or protected.",
            ),
            one(
                "minor_minor",
                "A knight or bishop, not protected by a pawn, that a knight or bishop attacks.",
            ),
            one("minor_rook", "A rook that a knight or bishop attacks."),
            one("minor_queen", "A queen that a knight or bishop attacks."),
            one(
                "rook_minor",
                "A knight or bishop, not protected by a pawn, that a rook attacks.",
            ),
            one("rook_queen", "A queen that a rook attacks."),
            one(
                "hanging",
                "A knight, bishop, rook or queen that is attacked and not protected.",
            ),
            one("hanging_pawn", "A pawn that is attacked and not protected."),
            one(
                "king",
                "A piece or pawn that the king attacks and nothing protects.",
            ),
        ],
    },
];

/// Number of weights of all terms in one phase of the game.
pub const COUNT: usize = weights_before(GROUPS.len());

/// Weights of all groups before this one.
const fn weights_before(group: usize) -> usize {
    let (mut sum, mut place) = (0, 0);
    while place < group {
        let terms = GROUPS[place].terms;
        let mut term = 0;
        while term < terms.len() {
            sum += terms[term].weights();
            term += 1;
        }
        place += 1;
    }
    sum
}

/// The index of a group in the list. Only for names known at compile time.
pub(super) const fn group(name: &str) -> usize {
    let mut place = 0;
    while place < GROUPS.len() {
        if is_same(GROUPS[place].name, name) {
            return place;
        }
        place += 1;
    }
    panic!("no such group")
}

/// The index of a term's first weight among all of a phase. Only for names known at compile time.
pub(super) const fn term(of: &str, name: &str) -> usize {
    let group = group(of);
    let (mut sum, mut place) = (weights_before(group), 0);
    let terms = GROUPS[group].terms;
    while place < terms.len() {
        if is_same(terms[place].name, name) {
            return sum;
        }
        sum += terms[place].weights();
        place += 1;
    }
    panic!("no such term")
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut place = 0;
    while place < one.len() {
        if one[place] != other[place] {
            return false;
        }
        place += 1;
    }
    true
}

/// The groups to count, by index.
#[derive(Clone, Copy, Debug)]
pub(super) struct TermGroups(pub(super) [bool; GROUPS.len()]);

impl TermGroups {
    /// All groups.
    pub(super) const ALL: TermGroups = TermGroups([true; GROUPS.len()]);

    /// The groups with a weight, if the weights of one phase are listed in order; `None` if no
    /// group has one.
    pub(super) fn by(has_weight: impl Fn(usize) -> bool) -> Option<TermGroups> {
        let places = |group: usize| weights_before(group)..weights_before(group + 1);
        let wanted = std::array::from_fn(|group| places(group).any(&has_weight));
        wanted.contains(&true).then_some(TermGroups(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_has_every_term() {
        let manual = include_str!("../../../../docs/evaluation.md");
        for group in &GROUPS {
            let about = format!("\n{}\n", group.about);
            assert!(manual.contains(&about), "docs/evaluation.md lacks: {about}");
            for term in group.terms {
                let weights = term.weights();
                let row = format!(
                    "| `{}.{}` | {weights} | {} |",
                    group.name, term.name, term.meaning
                );
                assert!(manual.contains(&row), "docs/evaluation.md lacks: {row}");
            }
        }
    }

    #[test]
    fn places_follow_each_other() {
        assert_eq!(term("mobility", "knight"), 0);
        assert_eq!(term("mobility", "bishop"), 9);
        assert_eq!(term("pieces", "bishop_pair"), 66);
        assert_eq!(term("threats", "king"), COUNT - 1);
        let wanted = TermGroups::by(|place| place == term("passed", "runner")).unwrap();
        assert_eq!(wanted.0, [false, false, false, false, true, false]);
        assert!(TermGroups::by(|_| false).is_none());
    }
}
