//! A problem about blocks: can the attacker reach the goal?

use thiserror::Error;

use super::{Board, CaptureVerdict, Colour, Goal, Play, Point, Setup, Symmetry};

/// The board sizes of problems and games.
pub const PROBLEM_SIZES: std::ops::RangeInclusive<u8> = 5..=19;

/// A problem: does the attacker take the block of `target`, and with which first moves?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its name, unique within a set.
    pub id: String,
    /// The stones, and the point that ko forbids to the side to move.
    pub board: Board,
    /// The point that ko forbids to the other side, on its first move. Excludes a ban of the side
    /// to move.
    pub ko_of_other: Option<Point>,
    /// A stone of the block to attack or to connect.
    pub target: Point,
    /// The attacker's aim.
    pub goal: Goal,
    /// The side that plays first: the attacker or the defender.
    pub to_move: Colour,
    /// The expected verdict, if stated; one of [`Goal::verdicts`].
    pub expected: Option<CaptureVerdict>,
    /// First moves for the side to move that are known to reach the verdict. Other moves may reach
    /// it too.
    pub solutions: Vec<Play>,
    /// The number of liberties with which the target counts as escaped, attacker to move, if the
    /// verdict depends on such a limit.
    pub escape_liberties: Option<u8>,
    /// The kind of problem: `ladder`, `net` and so on.
    pub category: Option<String>,
    /// True if the verdict has been proved against every move.
    pub proved: bool,
    /// The number of nodes of the proof.
    pub nodes: Option<u64>,
}

/// The reason why a position is no problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ProblemFault(String);

impl Problem {
    /// Makes a problem from a position, without id, verdict and solutions. The ko of the board is
    /// forbidden to the side to move.
    ///
    /// # Errors
    ///
    /// The board is not 5x5 to 19x19, the target is no stone, or the ko point cannot be one.
    pub fn new(board: Board, target: Point, to_move: Colour) -> Result<Problem, ProblemFault> {
        let size = board.size();
        let fault = |what: String| Err(ProblemFault(what));
        if !PROBLEM_SIZES.contains(&size) {
            return fault(format!(
                "a board of {size}x{size}: problems have 5x5 to 19x19"
            ));
        }
        if !board.on_board(target) {
            return fault("the target is not a point of the board".to_owned());
        }
        if board.at(target).is_none() {
            let target = target.name(size);
            return fault(format!(
                "the target {target} is an empty point: it has to be a stone"
            ));
        }
        if let Some(ko) = board.ko() {
            check_ko(&board, ko, to_move)?;
        }
        Ok(Problem {
            id: String::new(),
            board,
            ko_of_other: None,
            target,
            goal: Goal::Capture,
            to_move,
            expected: None,
            solutions: Vec::new(),
            escape_liberties: None,
            category: None,
            proved: false,
            nodes: None,
        })
    }

    /// The ko that one side may not take on its first move, and the colour of that side.
    pub fn ban(&self) -> Option<(Point, Colour)> {
        let own = self.board.ko().map(|point| (point, self.to_move));
        own.or(self.ko_of_other.map(|point| (point, self.to_move.other())))
    }

    /// Forbids a colour to take the ko at a point on its first move. Replaces any other ban.
    ///
    /// # Errors
    ///
    /// A play of that colour there takes no ko, or the goal is not a capture.
    pub fn set_ban(&mut self, point: Point, colour: Colour) -> Result<(), ProblemFault> {
        check_ko(&self.board, point, colour)?;
        if self.goal != Goal::Capture {
            return Err(ban_elsewhere());
        }
        let is_own = colour == self.to_move;
        self.board.set_ko(is_own.then_some(point));
        self.ko_of_other = (!is_own).then_some(point);
        Ok(())
    }

    /// The same problem with another goal.
    ///
    /// # Errors
    ///
    /// The goal's other block is no stone of the board, has the wrong colour, or is already joined
    /// with the target that it should be connected with; or a ko is banned.
    pub fn with_goal(self, goal: Goal) -> Result<Problem, ProblemFault> {
        if let Some(fault) = goal.fault(&self.board, self.target) {
            return Err(ProblemFault(fault));
        }
        let ban = self.ban().filter(|_| goal != Goal::Capture);
        ban.map_or(Ok(Problem { goal, ..self }), |_| Err(ban_elsewhere()))
    }

    /// For a semeai, the question of the other side: does it take the block at stake before the
    /// target is taken? Any other problem is returned unchanged.
    #[must_use]
    pub fn reversed(&self) -> Problem {
        match self.goal {
            Goal::Semeai(against) => Problem {
                target: against,
                goal: Goal::Semeai(self.target),
                ..self.clone()
            },
            Goal::Capture | Goal::Connect(_) => self.clone(),
        }
    }

    /// The colour that wants to prevent the goal: the owner of the target in a capture or a semeai,
    /// the enemy of the target in a connection.
    pub fn defender(&self) -> Colour {
        let owner = self.board.at(self.target).unwrap_or(Colour::White);
        match self.goal {
            Goal::Capture | Goal::Semeai(_) => owner,
            Goal::Connect(_) => owner.other(),
        }
    }

    /// The colour that wants to reach the goal.
    pub fn attacker(&self) -> Colour {
        self.defender().other()
    }

    /// Returns whether the attacker plays first.
    pub fn attacker_moves(&self) -> bool {
        self.to_move == self.attacker()
    }

    /// The position in one line.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board.clone(),
            ko_of_other: self.ko_of_other,
            to_move: self.to_move,
            target: self.target,
        }
    }

    /// Sets the known first moves.
    ///
    /// # Errors
    ///
    /// One of the moves is illegal; the first such move is reported.
    pub fn set_solutions(&mut self, solutions: Vec<Play>) -> Result<(), ProblemFault> {
        for &play in &solutions {
            if let Play::At(point) = play
                && !(self.board.on_board(point) && self.board.is_legal(point, self.to_move))
            {
                let play = play.name(self.board.size());
                return Err(ProblemFault(format!(
                    "the solution {play} is not a legal move"
                )));
            }
        }
        self.solutions = solutions;
        Ok(())
    }

    /// The problem turned or mirrored, with its solutions.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Problem {
        self.version(symmetry, false)
    }

    /// The problem turned or mirrored, with exchanged colours if `swaps`; solutions too.
    fn version(&self, symmetry: Symmetry, swaps: bool) -> Problem {
        let size = self.board.size();
        let image = |point| symmetry.apply(point, size);
        let play = |play: &Play| match *play {
            Play::Pass => Play::Pass,
            Play::At(point) => Play::At(image(point)),
        };
        Problem {
            board: self.board.version(symmetry, swaps),
            ko_of_other: self.ko_of_other.map(image),
            target: image(self.target),
            goal: self.goal.transformed(symmetry, size),
            solutions: self.solutions.iter().map(play).collect(),
            to_move: if swaps {
                self.to_move.other()
            } else {
                self.to_move
            },
            id: self.id.clone(),
            category: self.category.clone(),
            ..*self
        }
    }

    /// The problem with black and white exchanged.
    #[must_use]
    pub fn swapped_colours(&self) -> Problem {
        self.version(Symmetry::Identity, true)
    }

    /// The sixteen versions of the problem: each symmetry, with its own and with exchanged colours.
    /// The first is the problem itself.
    pub fn versions(&self) -> impl Iterator<Item = Problem> {
        let both = [false, true].into_iter();
        both.flat_map(|swaps| Symmetry::ALL.map(|symmetry| self.version(symmetry, swaps)))
    }

    /// The representative of all sixteen versions, with a black attacker, and the symmetry that
    /// leads to it. If several symmetries lead there, the first.
    pub fn canonical_version(&self) -> (Problem, Symmetry) {
        let least = Symmetry::ALL
            .into_iter()
            .min_by_key(|&symmetry| self.seen_by_attacker(symmetry));
        let symmetry = least.unwrap_or(Symmetry::Identity);
        let swaps = self.attacker() == Colour::White;
        (self.version(symmetry, swaps), symmetry)
    }

    /// A key that distinguishes versions by symmetry: the points row by row, 1 for the defender, 2
    /// for the attacker; the target, the kos, the other block. Builds no board.
    fn seen_by_attacker(&self, symmetry: Symmetry) -> (Vec<u8>, String, [Option<Point>; 3]) {
        let size = self.board.size();
        let mut points = vec![0; usize::from(size) * usize::from(size)];
        for colour in Colour::BOTH {
            let what = 1 + u8::from(colour == self.attacker());
            for point in *self.board.all(colour) {
                let image = symmetry.apply(point, size);
                let place = usize::from(image.row()) * usize::from(size) + usize::from(image.col());
                points[place] = what;
            }
        }
        let image = |point| symmetry.apply(point, size);
        let target = image(self.target).name(size);
        let others = [self.board.ko(), self.ko_of_other, self.goal.other()];
        (points, target, others.map(|it| it.map(image)))
    }

    /// The least of the sixteen versions' lines: equal for problems that differ only by symmetry
    /// and colours.
    pub fn canonical(&self) -> String {
        self.versions()
            .map(|version| match version.goal.other() {
                None => version.setup().to_string(),
                Some(other) => {
                    let other = other.name(version.board.size());
                    format!("{} {} {other}", version.setup(), version.goal.name())
                }
            })
            .min()
            .unwrap_or_default()
    }
}

fn ban_elsewhere() -> ProblemFault {
    ProblemFault("a ban of a ko counts in captures alone: leave `ko` out".to_owned())
}

/// Returns an error unless a play of the colour takes a ko.
fn check_ko(board: &Board, ko: Point, colour: Colour) -> Result<(), ProblemFault> {
    if board.is_ko_capture(ko, colour) {
        return Ok(());
    }
    Err(ProblemFault(format!(
        "{} is not a ko point: a play of {} there would not take exactly one stone by a stone \
         that can be retaken",
        ko.name(board.size()),
        colour.name()
    )))
}
