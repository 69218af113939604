//! A second move generator, as naive as possible: letters on a grid, each piece moves by its rule,
//! and a move is legal if the enemy could not then capture the king. It shares only the text of a
//! position with the real generator.

/// A board: `'.'` for an empty point, rank 0 at the bottom.
#[derive(Clone)]
pub(super) struct Mailbox {
    grid: [[char; 9]; 10],
    red_to_move: bool,
}

type Point = (i32, i32);

const STRAIGHT: [Point; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANTED: [Point; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

impl Mailbox {
    pub(super) fn from_fen(fen: &str) -> Self {
        let mut fields = fen.split(' ');
        let mut grid = [['.'; 9]; 10];
        for (row, text) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    grid[9 - row][file] = letter;
                    file += 1;
                }
            }
        }
        Self {
            grid,
            red_to_move: fields.next() == Some("w"),
        }
    }

    /// The letter on a point; `None` off the board.
    fn at(&self, (file, rank): Point) -> Option<char> {
        let row = self.grid.get(usize::try_from(rank).ok()?)?;
        row.get(usize::try_from(file).ok()?).copied()
    }

    fn is_empty(&self, point: Point) -> bool {
        self.at(point) == Some('.')
    }

    fn is_of(&self, point: Point, red: bool) -> bool {
        self.at(point)
            .is_some_and(|letter| letter != '.' && letter.is_ascii_uppercase() == red)
    }

    fn points() -> impl Iterator<Item = Point> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    /// The points that the piece on `from` can move to, legal or not.
    fn targets(&self, from: Point) -> Vec<Point> {
        let letter = self.at(from).unwrap();
        let red = letter.is_ascii_uppercase();
        let (file, rank) = from;
        let in_palace = |(file, rank): Point| {
            (3..=5).contains(&file) && (if red { 0..=2 } else { 7..=9 }).contains(&rank)
        };
        let at_home = |(_, rank): Point| (rank <= 4) == red;
        let step = |(x, y): Point| (file + x, rank + y);
        let mut targets: Vec<Point> = match letter.to_ascii_lowercase() {
            'k' => STRAIGHT
                .map(step)
                .into_iter()
                .filter(|&to| in_palace(to))
                .collect(),
            'a' => SLANTED
                .map(step)
                .into_iter()
                .filter(|&to| in_palace(to))
                .collect(),
            'b' => SLANTED
                .into_iter()
                .filter(|&eye| self.is_empty(step(eye)))
                .map(|(x, y)| step((2 * x, 2 * y)))
                .filter(|&to| at_home(to))
                .collect(),
            'n' => STRAIGHT
                .into_iter()
                .filter(|&leg| self.is_empty(step(leg)))
                .flat_map(|(x, y)| [step((2 * x + y, 2 * y + x)), step((2 * x - y, 2 * y - x))])
                .collect(),
            'p' => {
                let forward = if red { 1 } else { -1 };
                let sideways = !at_home(from);
                [(0, forward), (1, 0), (-1, 0)]
                    .into_iter()
                    .filter(|&(x, _)| x == 0 || sideways)
                    .map(step)
                    .collect()
            }
            kind => STRAIGHT
                .into_iter()
                .flat_map(|direction| self.slide(from, direction, kind == 'c'))
                .collect(),
        };
        targets.retain(|&to| self.at(to).is_some() && !self.is_of(to, red));
        targets
    }

    /// The points before the first piece, and the first (rook) or second (cannon) piece.
    fn slide(&self, from: Point, (x, y): Point, is_cannon: bool) -> Vec<Point> {
        let ray = (1..).map(|far| (from.0 + far * x, from.1 + far * y));
        let mut ray = ray.take_while(|&point| self.at(point).is_some());
        let mut targets = Vec::new();
        for point in ray.by_ref() {
            if !self.is_empty(point) {
                if !is_cannon {
                    targets.push(point);
                    return targets;
                }
                break;
            }
            targets.push(point);
        }
        targets.extend(ray.find(|&point| !self.is_empty(point)));
        targets
    }

    /// Returns whether the king of a side could be captured, or faces the other king.
    fn can_lose_king(&self, red: bool) -> bool {
        let king_of = |red| {
            let letter = if red { 'K' } else { 'k' };
            Self::points()
                .find(|&point| self.at(point) == Some(letter))
                .unwrap()
        };
        let (ours, theirs) = (king_of(red), king_of(!red));
        let (low, high) = (ours.1.min(theirs.1), ours.1.max(theirs.1));
        let facing =
            ours.0 == theirs.0 && (low + 1..high).all(|rank| self.is_empty((ours.0, rank)));
        facing
            || Self::points()
                .filter(|&point| self.is_of(point, !red))
                .any(|point| self.targets(point).contains(&ours))
    }

    pub(super) fn is_check(&self) -> bool {
        self.can_lose_king(self.red_to_move)
    }

    pub(super) fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in Self::points().filter(|&point| self.is_of(point, self.red_to_move)) {
            for to in self.targets(from) {
                let mut next = self.clone();
                next.grid[to.1 as usize][to.0 as usize] = self.at(from).unwrap();
                next.grid[from.1 as usize][from.0 as usize] = '.';
                if !next.can_lose_king(self.red_to_move) {
                    let name =
                        |(file, rank): Point| format!("{}{rank}", (b'a' + file as u8) as char);
                    moves.push(name(from) + &name(to));
                }
            }
        }
        moves.sort_unstable();
        moves
    }
}
