//! A problem of blocks: can the attacker reach his goal?

use thiserror::Error;

use super::{Board, CaptureVerdict, Colour, Goal, Play, Point, Setup, Symmetry};

/// The sizes of the boards of problems and games.
pub const PROBLEM_SIZES: std::ops::RangeInclusive<u8> = 5..=19;

/// A problem: whether the block of `target` is taken, and by which first moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its name, unique within a set.
    pub id: String,
    /// The stones, and the point that ko forbids to the side to move.
    pub board: Board,
    /// The point that ko forbids to the other side, on its first move. Never beside a
    /// ban of the side to move.
    pub ko_of_other: Option<Point>,
    /// A stone of the block that is attacked, or to be connected.
    pub target: Point,
    /// What the attacker wants.
    pub goal: Goal,
    /// Who plays first: the attacker or the defender.
    pub to_move: Colour,
    /// What becomes of the target, if stated; one of [`Goal::verdicts`].
    pub expected: Option<CaptureVerdict>,
    /// First moves for the side to move that are known to reach the verdict.
    /// Others may reach it too.
    pub solutions: Vec<Play>,
    /// With how many liberties the target counts as escaped, attacker to move,
    /// where the verdict rests on such a limit.
    pub escape_liberties: Option<u8>,
    /// What kind of problem it is: `ladder`, `net` and so on.
    pub category: Option<String>,
    /// Whether the verdict has been proved, against every move.
    pub proved: bool,
    /// How many nodes the proof took.
    pub nodes: Option<u64>,
}

/// Why a position is no problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ProblemFault(String);

impl Problem {
    /// A problem of a position, without id, verdict and solutions. The ko of
    /// the board is what the side to move may not play.
    ///
    /// # Errors
    ///
    /// When the board is not 5x5 to 19x19, the target is no stone, or the ko
    /// point cannot be one.
    pub fn new(board: Board, target: Point, to_move: Colour) -> Result<Problem, ProblemFault> {
        let size = board.size();
        let fault = |what: String| Err(ProblemFault(what));
        if !PROBLEM_SIZES.contains(&size) {
            return fault(format!(
                "a board of {size}x{size}: problems have 5x5 to 19x19"
            ));
        }
        if !board.on_board(target) {
            return fault("the target is no point of the board".to_owned());
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

    /// Who may not take a ko on their first move, and where.
    pub fn ban(&self) -> Option<(Point, Colour)> {
        let own = self.board.ko().map(|point| (point, self.to_move));
        own.or(self.ko_of_other.map(|point| (point, self.to_move.other())))
    }

    /// Forbids a colour to take the ko at a point on its first move, in place of any
    /// other ban.
    ///
    /// # Errors
    ///
    /// When a play of that colour there takes no ko, or the goal is no capture.
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
    /// When the goal's other block is no stone of the board, is of the wrong colour, or is
    /// to be connected and joined already; or a ko is banned.
    pub fn with_goal(self, goal: Goal) -> Result<Problem, ProblemFault> {
        if let Some(fault) = goal.fault(&self.board, self.target) {
            return Err(ProblemFault(fault));
        }
        let ban = self.ban().filter(|_| goal != Goal::Capture);
        ban.map_or(Ok(Problem { goal, ..self }), |_| Err(ban_elsewhere()))
    }

    /// Of a semeai the question of the other side: whether it takes the block that is at
    /// stake before the target is taken. Any other problem itself.
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

    /// The colour that wants to prevent the goal: the owner of a target that is to be
    /// taken, the enemy of one that is to be connected.
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

    /// Whether the attacker plays first.
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

    /// States first moves.
    ///
    /// # Errors
    ///
    /// The first that is not legal.
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

    /// The problem turned or mirrored, solutions too.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Problem {
        self.version(symmetry, false)
    }

    /// The problem turned or mirrored, and with colours exchanged on a condition; solutions
    /// too.
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

    /// The sixteen versions of the problem: each symmetry, with its own
    /// colours and with colours exchanged. The first is the problem itself.
    pub fn versions(&self) -> impl Iterator<Item = Problem> {
        let both = [false, true].into_iter();
        both.flat_map(|swaps| Symmetry::ALL.map(|symmetry| self.version(symmetry, swaps)))
    }

    /// The version of the problem that stands for all sixteen, its attacker black, and
    /// the symmetry that leads to it. Of several that do, the first.
    pub fn canonical_version(&self) -> (Problem, Symmetry) {
        let least = Symmetry::ALL
            .into_iter()
            .min_by_key(|&symmetry| self.seen_by_attacker(symmetry));
        let symmetry = least.unwrap_or(Symmetry::Identity);
        let swaps = self.attacker() == Colour::White;
        (self.version(symmetry, swaps), symmetry)
    }

    /// What tells versions by symmetry apart: the points row by row, 1 of the defender, 2 of
    /// the attacker; the target, the kos, the other block. No board is made for it.
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

    /// The least of the sixteen versions' lines: equal for problems that are
    /// the same but for symmetry and colours.
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

/// Whether a play of the colour takes a ko.
fn check_ko(board: &Board, ko: Point, colour: Colour) -> Result<(), ProblemFault> {
    if board.is_ko_capture(ko, colour) {
        return Ok(());
    }
    Err(ProblemFault(format!(
        "{} is no ko point: a play of {} there would not take exactly one stone by a stone \
         that can be retaken",
        ko.name(board.size()),
        colour.name()
    )))
}
