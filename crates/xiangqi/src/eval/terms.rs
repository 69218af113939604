//! The list of the evaluation's terms: the meaning of each, and the range of its weight. The
//! weights, their names in a config and the tuner's parameters all come from this list; the groups'
//! functions in `count` count them.

use super::count::{View, cannons, guards, hanging, horses, king, mobility, pawns, rooks};
use super::count::{teamwork, threats};
use leitai_base::settings::{Settings, settings};

/// Defines the groups of terms and the struct of all groups. A group has a name in configs, a type,
/// a range of weights and the function that counts it.
macro_rules! terms {
    ($(
        $(#[doc = $description:literal])+
        $field:ident: $group:ident, $least:literal to $most:literal, $count:path {
            $($(#[doc = $meaning:literal])+ $name:ident;)+
        }
    )+) => {
        $(settings! {
            $(#[doc = $description])+
            #[derive(Copy)]
            pub struct $group {
                $($(#[doc = $meaning])+ $name: i32 = 0, $least to $most;)+
            }
        })+

        /// A number for each term: its weight, or its count.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Terms {
            $($(#[doc = $description])+ pub $field: $group,)+
        }

        impl Terms {
            /// Number of groups.
            pub const GROUPS: usize = [$(stringify!($field)),+].len();

            /// Number of terms.
            pub const COUNT: usize = [$($(stringify!($name)),+),+].len();

            /// The groups, in order, by name.
            pub fn groups(&self) -> [(&'static str, &dyn Settings); Self::GROUPS] {
                [$((stringify!($field), &self.$field)),+]
            }

            /// Takes the numbers in order; `None` if there are too few.
            pub(super) fn read(numbers: &mut impl Iterator<Item = i32>) -> Option<Self> {
                Some(Self {
                    $($field: $group { $($name: numbers.next()?,)+ },)+
                })
            }

            /// The numbers in order.
            #[inline]
            pub(super) fn numbers(&self) -> [i32; Self::COUNT] {
                [$($(self.$field.$name),+),+]
            }

            /// Counts each term of the `wanted` groups for the side of `view`.
            #[inline]
            pub(super) fn count(view: &View, wanted: &Wanted) -> Self {
                Self {
                    $($field: if wanted.$field {
                        $count(view)
                    } else {
                        $group::default()
                    },)+
                }
            }
        }

        /// The groups to count.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Wanted {
            $($field: bool,)+
        }

        impl Wanted {
            /// All groups.
            pub(super) const ALL: Wanted = Wanted { $($field: true,)+ };

            /// The groups that have a weight in one of the phases; `None` if there are none.
            pub(super) fn by(phases: [&Terms; 2]) -> Option<Wanted> {
                let wanted = Wanted {
                    $($field: phases.iter().any(|terms| terms.$field != $group::default()),)+
                };
                (false $(|| wanted.$field)+).then_some(wanted)
            }
        }
    };
}

terms! {
    /// Targets of a piece, without those of its own side and those that enemy pawns attack, minus
    /// an average number.
    mobility: Mobility, -200 to 200, mobility::count {
        /// Each square above 8 of each rook.
        rook;
        /// Each square above 4 of each horse, its legs considered.
        horse;
        /// Each square above 9 of each cannon.
        cannon;
    }

    /// Placement of rooks.
    rooks: Rooks, -1000 to 1000, rooks::count {
        /// A rook whose file is open across the river, up to an enemy piece.
        open_file;
        /// A rook with no more than three safe squares: undeveloped, or caged.
        shut_in;
        /// The rooks protect each other.
        linked;
    }

    /// Placement of horses.
    horses: Horses, -1000 to 1000, horses::count {
        /// The horses protect each other (linked horses, 连环马).
        linked;
        /// A horse with no more than one safe square.
        stuck;
        /// A horse with a pawn of its own before its leg (马前兵).
        behind_pawn;
        /// A horse in the heart of its own palace, before its king (窝心马).
        palace_heart;
    }

    /// Pressure of cannons on the enemy's king, and their missing screens at home.
    cannons: Cannons, -1000 to 1000, cannons::count {
        /// A cannon on the file of the enemy's king with nothing between: no
        /// piece can enter the file but as its screen (空头炮).
        bare_file;
        /// A cannon on the file of the enemy's king with two pieces between: if
        /// one goes, the other is its screen.
        two_screens;
        /// A cannon on the enemy's bottom rank, its king on that rank too: once
        /// for each advisor and elephant that the enemy has lost (沉底炮).
        bottom;
        /// Each cannon, once for each advisor and elephant that its own side
        /// has lost: in the endgame these are its screens.
        missing_guards;
    }

    /// Threats to the own king.
    king_safety: KingSafety, -1000 to 1000, king::count {
        /// Each lost advisor, once for each enemy rook (缺士怕车).
        advisors_against_rooks;
        /// Each lost advisor, once for each enemy horse.
        advisors_against_horses;
        /// Each lost elephant, once for each enemy cannon (缺象怕炮).
        elephants_against_cannons;
        /// An enemy rook, horse, cannon or pawn that attacks a square of the
        /// palace.
        palace_attackers;
        /// Each pair of palace attackers.
        palace_attacker_pairs;
        /// Each rank between the king and its home rank, the king's own included, once for each
        /// enemy rook, horse and cannon.
        king_out;
        /// An enemy rook on the king's file with at most one piece between.
        rook_on_king_file;
    }

    /// Advisors and elephants.
    guards: Guards, -1000 to 1000, guards::count {
        /// The advisors protect each other (连环士).
        linked_advisors;
        /// The elephants protect each other (连环象).
        linked_elephants;
        /// Both pairs are complete (士象全).
        complete;
    }

    /// Relations between pawns.
    pawns: Pawns, -1000 to 1000, pawns::count {
        /// Two pawns side by side past the river (牵手兵).
        hand_in_hand;
        /// A pawn past the river that a piece of its own protects.
        protected;
    }

    /// Combinations of kinds of pieces.
    teamwork: Teamwork, -1000 to 1000, teamwork::count {
        /// Each rook with a horse to combine with.
        rook_and_horse;
        /// Each rook with a cannon to combine with.
        rook_and_cannon;
        /// Each horse with a cannon to combine with.
        horse_and_cannon;
    }

    /// Enemy pieces that can be won.
    hanging: Hanging, -1000 to 1000, hanging::count {
        /// A rook that is attacked by a lesser piece, or attacked and not
        /// protected.
        rook;
        /// A horse that is attacked and not protected.
        horse;
        /// A cannon that is attacked and not protected.
        cannon;
        /// An advisor or elephant that is attacked and not protected.
        guard;
        /// A pawn that is attacked and not protected.
        pawn;
    }

    /// Enemy pieces that are attacked, protected or not, once for each attacker except the king.
    threats: Threats, -9000 to 9000, threats::count {
        /// The king: check.
        king;
        /// A rook.
        rook;
        /// A horse.
        horse;
        /// A cannon.
        cannon;
        /// A pawn.
        pawn;
        /// An advisor.
        advisor;
        /// An elephant.
        elephant;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::named_terms;
    use super::*;

    #[test]
    fn the_manual_has_every_term() {
        let manual = include_str!("../../../../docs/evaluation.md");
        for (path, meaning) in named_terms() {
            let row = format!("| `{path}` |{meaning} |");
            assert!(manual.contains(&row), "docs/evaluation.md lacks: {row}");
        }
    }

    #[test]
    fn numbers_are_reached_by_their_place() {
        assert_eq!(Terms::read(&mut (1..Terms::COUNT as i32)), None);
        let terms = Terms::read(&mut (1..=Terms::COUNT as i32)).unwrap();
        let expected: Vec<i32> = (1..=Terms::COUNT as i32).collect();
        assert_eq!(terms.numbers()[..], expected);
        assert_eq!(terms.mobility.rook, 1);
        assert_eq!(terms.threats.elephant, Terms::COUNT as i32);
    }
}
