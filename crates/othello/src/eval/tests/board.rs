//! Counts every term by a walk over the board, square by square.

use crate::Othello;
use leitai_game::Position;

/// A board to walk over: 1 for discs of the side to move, -1 for the other side's.
pub(super) struct Board([[i32; 8]; 8]);

const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

impl Board {
    pub(super) fn of(position: &Othello) -> Self {
        let side = position.side_to_move();
        let disc = |square: usize| {
            (position.discs(side) >> square & 1) as i32
                - (position.discs(side.other()) >> square & 1) as i32
        };
        Self(std::array::from_fn(|row| {
            std::array::from_fn(|file| disc(8 * row + file))
        }))
    }

    /// The contents of a square; `None` off the board.
    pub(super) fn at(&self, file: i32, row: i32) -> Option<i32> {
        let on_board = (0..8).contains(&file) && (0..8).contains(&row);
        on_board.then(|| self.0[row as usize][file as usize])
    }

    pub(super) fn squares() -> impl Iterator<Item = (i32, i32)> {
        (0..64).map(|square| (square % 8, square / 8))
    }

    fn count(condition: impl Fn(i32, i32) -> bool) -> i32 {
        let squares = Self::squares();
        squares.filter(|&(file, row)| condition(file, row)).count() as i32
    }

    fn is_beside(&self, file: i32, row: i32, what: i32) -> bool {
        let mut directions = DIRECTIONS.iter();
        directions.any(|(right, down)| self.at(file + right, row + down) == Some(what))
    }

    fn can_move(&self, file: i32, row: i32, side: i32) -> bool {
        self.at(file, row) == Some(0)
            && DIRECTIONS.iter().any(|(right, down)| {
                let at = |step: i32| self.at(file + step * right, row + step * down);
                let enemies = (1..8).take_while(|&step| at(step) == Some(-side)).count() as i32;
                enemies > 0 && at(enemies + 1) == Some(side)
            })
    }

    /// The discs of the line through a square, in each direction.
    fn ways(&self, (file, row): (i32, i32), (right, down): (i32, i32)) -> [Vec<i32>; 2] {
        [1, -1].map(|sign| {
            (1..8)
                .map_while(|step| self.at(file + sign * step * right, row + sign * step * down))
                .collect()
        })
    }

    fn safe_lines(&self, file: i32, row: i32, side: i32) -> i32 {
        let lines = DIRECTIONS[..4].iter().filter(|&&direction| {
            let ways = self.ways((file, row), direction);
            ways.concat().iter().all(|&disc| disc != 0)
                || ways.iter().any(|way| way.iter().all(|&disc| disc == side))
        });
        lines.count() as i32
    }

    fn stable(&self, side: i32) -> i32 {
        let mut stable = [[false; 8]; 8];
        loop {
            let mut changed = false;
            for (file, row) in Self::squares() {
                let (f, r) = (file as usize, row as usize);
                if self.0[r][f] != side || stable[r][f] {
                    continue;
                }
                let firm = DIRECTIONS[..4].iter().all(|&(right, down)| {
                    let ways = self.ways((file, row), (right, down));
                    ways.concat().iter().all(|&disc| disc != 0)
                        || [1, -1].iter().any(|sign| {
                            let (file, row) = (file + sign * right, row + sign * down);
                            self.at(file, row).is_none() || stable[row as usize][file as usize]
                        })
                });
                stable[r][f] = firm;
                changed |= firm;
            }
            if !changed {
                return stable.as_flattened().iter().filter(|&&it| it).count() as i32;
            }
        }
    }

    /// Sizes of the regions of empty squares.
    fn regions(&self) -> Vec<i32> {
        let mut seen = [[false; 8]; 8];
        let mut sizes = Vec::new();
        for start in Self::squares() {
            let mut todo = vec![start];
            let mut size = 0;
            while let Some((file, row)) = todo.pop() {
                if self.at(file, row) != Some(0) || seen[row as usize][file as usize] {
                    continue;
                }
                seen[row as usize][file as usize] = true;
                size += 1;
                todo.extend(DIRECTIONS.map(|(right, down)| (file + right, row + down)));
            }
            sizes.extend((size > 0).then_some(size));
        }
        sizes
    }

    fn edges(&self) -> [[i32; 8]; 4] {
        let row = |row: usize| self.0[row];
        let file = |file: usize| std::array::from_fn(|row| self.0[row][file]);
        [row(0), row(7), file(0), file(7)]
    }

    /// The count of each term for a side, by its name.
    fn count_of(&self, term: &str, side: i32) -> i32 {
        let own = |file, row| self.at(file, row) == Some(side);
        let empty = |file, row| self.at(file, row) == Some(0);
        let corner = |file: i32, row: i32| (7 * (file / 4), 7 * (row / 4));
        let from_corner = |file: i32, row: i32| {
            let (f, r) = corner(file, row);
            ((file - f).abs(), (row - r).abs())
        };
        let given = |file, row| {
            let (f, r) = corner(file, row);
            own(file, row) && empty(f, r)
        };
        let sum = |of: &dyn Fn([i32; 8]) -> i32| self.edges().map(of).iter().sum::<i32>();
        let mine = |line: [i32; 8]| line.map(|disc| disc * side);
        match term {
            "mobility" => Self::count(|file, row| self.can_move(file, row, side)),
            "potential_mobility" => {
                Self::count(|file, row| empty(file, row) && self.is_beside(file, row, -side))
            }
            "frontier" => Self::count(|file, row| own(file, row) && self.is_beside(file, row, 0)),
            "corners" => {
                Self::count(|file, row| own(file, row) && from_corner(file, row) == (0, 0))
            }
            "x_squares" => {
                Self::count(|file, row| given(file, row) && from_corner(file, row) == (1, 1))
            }
            "c_squares" => Self::count(|file, row| {
                given(file, row) && [(0, 1), (1, 0)].contains(&from_corner(file, row))
            }),
            "lines" => Self::squares()
                .filter(|&(file, row)| own(file, row))
                .map(|(file, row)| self.safe_lines(file, row, side))
                .sum(),
            "stability" => self.stable(side),
            "edges.balanced" => sum(&|line| i32::from(mine(line) == [0, 1, 1, 1, 1, 1, 1, 0])),
            "edges.unbalanced" => sum(&|line| {
                let unbalanced = [[0, 1, 1, 1, 1, 1, 0, 0], [0, 0, 1, 1, 1, 1, 1, 0]];
                i32::from(unbalanced.contains(&mine(line)))
            }),
            "edges.wedges" => sum(&|line| {
                mine(line)
                    .windows(3)
                    .filter(|three| *three == [-1, 0, -1])
                    .count() as i32
            }),
            other => panic!("no such term: {other}"),
        }
    }

    pub(super) fn term(&self, term: &str) -> i32 {
        if term == "parity" {
            let sizes = self.regions();
            return sizes
                .iter()
                .map(|size| if size % 2 == 1 { 1 } else { -1 })
                .sum();
        }
        self.count_of(term, 1) - self.count_of(term, -1)
    }
}
