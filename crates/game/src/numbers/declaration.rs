//! The declaration of a game's numbers.

use leitai_base::settings::{Kind, Setting, Settings};

/// A game's declaration of the numbers of its evaluation.
#[derive(Debug)]
pub struct Declaration {
    /// The game's name in configs.
    pub game: &'static str,
    /// The game's name in messages.
    pub title: &'static str,
    /// The name of the whole table in messages.
    pub subject: &'static str,
    /// True if the game has [`OrderValues`](crate::search::OrderValues) of a search's parameters.
    pub has_order_values: bool,
    /// The stages of the game, at least one; the first is made by [`Stage::first`].
    pub stages: Vec<Stage>,
    /// Keys with the same numbers in all stages. They belong to no group.
    pub constant: Vec<Key>,
    /// All other keys: each has its own numbers in every stage.
    pub groups: Vec<Group>,
    /// Parts that are omitted when values are written.
    pub spelling: Spelling,
    /// Values by name. A variant that names no preset starts from the first one, or from the
    /// default values of the keys if there are no presets.
    pub presets: &'static [Preset],
}

/// A stage of the game. In a config, a value given without a stage applies to all stages, except
/// those that also have their own value.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The name of the stage's table in configs; `None` for the first stage, whose numbers have no
    /// stage name.
    pub name: Option<&'static str>,
    /// The name of the stage in reports.
    pub title: &'static str,
}

impl Stage {
    /// The first stage, with its name in reports.
    pub const fn first(title: &'static str) -> Self {
        Self { name: None, title }
    }

    /// A later stage, with its names in configs and in reports.
    pub const fn named(name: &'static str, title: &'static str) -> Self {
        let name = Some(name);
        Self { name, title }
    }
}

/// The form of written resolved values. A run's identity is computed from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// All values, with groups as tables. In lists of keys, later stages come before the groups.
    Whole,
    /// Omits keys whose numbers are the defaults (except keys that are always written) and later
    /// stages whose numbers equal those of the first; groups are written as paths. In lists of
    /// keys, later stages come last.
    Sparse,
}

/// Named values.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The values, in the form of a config.
    pub text: &'static str,
}

impl Preset {
    /// A preset with this name and these values.
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text }
    }

    /// Finds the preset with this name.
    pub fn find<'p>(presets: &'p [Preset], name: &str) -> Option<&'p Preset> {
        presets.iter().find(|preset| preset.name == name)
    }
}

/// A group of keys.
#[derive(Debug)]
pub struct Group {
    /// The name; `None` for keys without a group.
    pub name: Option<&'static str>,
    /// The things that each have one key in this group, such as `pieces`. A config can also write
    /// such a group as a list, and resolved values always do.
    pub per: Option<&'static str>,
    /// The keys, in order.
    pub keys: Vec<Key>,
}

impl Group {
    /// Keys without a group.
    pub const fn alone(keys: Vec<Key>) -> Self {
        let (name, per) = (None, None);
        Self { name, per, keys }
    }

    /// A named group of keys.
    pub const fn named(name: &'static str, keys: Vec<Key>) -> Self {
        let (name, per) = (Some(name), None);
        Self { name, per, keys }
    }

    /// A named group with one key for each of `per`.
    pub const fn per(name: &'static str, per: &'static str, keys: Vec<Key>) -> Self {
        let (name, per) = (Some(name), Some(per));
        Self { name, per, keys }
    }
}

/// A number, or a list or table of numbers, with a name.
#[derive(Clone, Debug)]
pub struct Key {
    /// Name, meaning and range, the same for all its numbers. Flags and choices cannot be tuned.
    pub setting: Setting,
    /// The default value.
    pub usual: i64,
    /// True if its numbers are summed with others to the value of a position.
    pub is_additive: bool,
    /// True if it is written even with its default value.
    pub is_always_written: bool,
    /// One number, a list or a table.
    pub shape: Shape,
    /// By place, the number that always counts as often because of a symmetry: its own place for
    /// those in the middle, `None` if there is no such number. Empty without symmetry.
    pub mirror: Vec<Option<usize>>,
    /// The board on which reports can show its numbers.
    pub board: Option<Board>,
    /// Places of numbers that can never matter, with the reason.
    pub useless: Option<(Useless, Vec<usize>)>,
}

/// One number, a list or a table.
#[derive(Clone, Debug)]
pub enum Shape {
    /// One number.
    One,
    /// A list, with the names of its places.
    List(Vec<String>),
    /// A table, row by row.
    Grid {
        /// Number of columns.
        columns: usize,
        /// The names of its places.
        names: Vec<String>,
        /// Words for error messages about the number of values.
        words: GridWords,
        /// True if each row should be its own mirror image.
        is_symmetric: bool,
    },
}

/// Descriptions of the rows and columns of a table, for error messages.
#[derive(Clone, Debug, Default)]
pub struct GridWords {
    /// The meaning of the rows.
    pub rows: String,
    /// The meaning of the columns, printed after their number.
    pub columns: &'static str,
    /// The meaning of each row's numbers; omitted from the message if empty.
    pub of_row: Vec<String>,
}

/// The reason why a number can never matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Useless {
    /// The reason in one word.
    pub name: &'static str,
    /// The reason in a sentence about several numbers.
    pub reason: &'static str,
}

impl Useless {
    /// The word for numbers that only other settings of the variant would use.
    pub const UNUSED: &'static str = "unused";
}

/// A board on which reports can show numbers.
#[derive(Clone, Debug)]
pub struct Board {
    /// The meaning of this key's numbers.
    pub title: String,
    /// The explanation of all such boards of the game, in whole sentences.
    pub words: &'static str,
    /// Number of squares in a row.
    pub columns: usize,
    /// The names of the squares in reading order: a letter for the file, then the row.
    pub squares: Vec<String>,
    /// The place of each square's number; `None` for a blank square.
    pub places: Vec<Option<usize>>,
    /// The drawing style.
    pub look: Look,
}

/// The drawing style of a board.
#[derive(Clone, Copy, Debug)]
pub enum Look {
    /// Pieces are placed on squares.
    Squares,
    /// Pieces are placed on intersections of lines.
    Points {
        /// The row after which the river is drawn, and the words on it with their columns.
        river: (usize, [(usize, &'static str); 2]),
        /// The left, right, top and bottom line of places with diagonals.
        palaces: [[usize; 4]; 2],
    },
}

impl Key {
    fn new(setting: Setting, usual: i64, shape: Shape) -> Self {
        Self {
            setting,
            usual,
            is_additive: false,
            is_always_written: false,
            shape,
            mirror: Vec::new(),
            board: None,
            useless: None,
        }
    }

    fn additive(name: &'static str, meaning: &'static str, most: i64, shape: Shape) -> Self {
        let least = most.saturating_neg();
        let kind = Kind::Number { least, most };
        let setting = Setting {
            name,
            meaning,
            kind,
        };
        let key = Self::new(setting, 0, shape);
        let is_additive = true;
        Self { is_additive, ..key }
    }

    /// A number from `-most` to `most` that is added to the value of a position.
    pub fn weight(name: &'static str, meaning: &'static str, most: i64) -> Self {
        Self::additive(name, meaning, most, Shape::One)
    }

    /// A list of numbers from `-most` to `most` that are added to the value of a position.
    pub fn list(name: &'static str, meaning: &'static str, most: i64, names: Vec<String>) -> Self {
        Self::additive(name, meaning, most, Shape::List(names))
    }

    /// A table of such numbers with `columns` columns, row by row.
    pub fn grid(
        name: &'static str,
        meaning: &'static str,
        most: i64,
        columns: usize,
        names: Vec<String>,
    ) -> Self {
        let shape = Shape::Grid {
            columns: columns.max(1),
            names,
            words: GridWords::default(),
            is_symmetric: false,
        };
        Self::additive(name, meaning, most, shape)
    }

    /// A table of such numbers, one for each square of a board with `columns` columns, given the
    /// squares' names in reading order. Reports can show it on that board.
    pub fn squares(
        name: &'static str,
        meaning: &'static str,
        most: i64,
        columns: usize,
        squares: Vec<String>,
    ) -> Self {
        let places = (0..squares.len()).map(Some).collect();
        let board = Board {
            title: meaning.to_owned(),
            words: "",
            columns,
            squares: squares.clone(),
            places,
            look: Look::Squares,
        };
        Self::grid(name, meaning, most, columns, squares).on(board)
    }

    /// A table with a number for each square of the board, for the kind of piece with this `name`.
    /// Its numbers are useless on squares without a place on the board, and its title follows from
    /// the name.
    pub fn piece_squares(name: &'static str, most: i64, words: GridWords, board: Board) -> Self {
        const UNREACHABLE: Useless = Useless {
            name: "unreachable",
            reason: "the piece cannot reach the squares",
        };
        let places = board.places.iter().enumerate();
        let useless = places.filter_map(|(at, place)| place.is_none().then_some(at));
        let useless = useless.collect();
        let (capital, rest) = name.split_at(1);
        let title = capital.to_ascii_uppercase() + rest;
        let (columns, squares) = (board.columns, board.squares.clone());
        Self::grid(name, "Piece-square bonuses.", most, columns, squares)
            .with_grid_words(words)
            .on(Board { title, ..board })
            .without(UNREACHABLE, useless)
    }

    /// A key for each of the settings, with its current value as the default.
    pub fn settings(settings: &dyn Settings) -> Vec<Self> {
        let list = settings.list().iter().enumerate();
        list.map(|(place, &setting)| Self::new(setting, settings.get(place), Shape::One))
            .collect()
    }

    /// The same for settings that are summed to the value of a position.
    pub fn weights(settings: &dyn Settings) -> Vec<Self> {
        let is_additive = true;
        let keys = Self::settings(settings).into_iter();
        keys.map(|key| Self { is_additive, ..key }).collect()
    }

    /// Sets the default value.
    #[must_use]
    pub fn with_default(self, usual: i64) -> Self {
        Self { usual, ..self }
    }

    /// Declares that each row of a table should be its own mirror image.
    #[must_use]
    pub fn symmetric(mut self) -> Self {
        if let Shape::Grid {
            columns,
            names,
            is_symmetric,
            ..
        } = &mut self.shape
        {
            *is_symmetric = true;
            let (all, last) = (0..names.len(), *columns - 1);
            let image = |place: usize| Some(place + last - 2 * (place % *columns));
            self.mirror = all.map(image).collect();
        }
        self
    }

    /// Sets the descriptions of a table's rows and columns.
    #[must_use]
    pub fn with_grid_words(mut self, said: GridWords) -> Self {
        if let Shape::Grid { words, .. } = &mut self.shape {
            *words = said;
        }
        self
    }

    /// Sets the board on which reports show the numbers.
    #[must_use]
    pub fn on(self, board: Board) -> Self {
        let board = Some(board);
        Self { board, ..self }
    }

    /// Marks the numbers at `places` as ones that can never matter.
    #[must_use]
    pub fn without(self, why: Useless, places: Vec<usize>) -> Self {
        let useless = Some((why, places));
        Self { useless, ..self }
    }

    /// The number of its numbers.
    pub fn len(&self) -> usize {
        match &self.shape {
            Shape::One => 1,
            Shape::List(names) | Shape::Grid { names, .. } => names.len(),
        }
    }

    /// Returns whether it has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a place in a list or table.
    pub fn place_name(&self, place: usize) -> Option<&str> {
        match &self.shape {
            Shape::One => None,
            Shape::List(names) | Shape::Grid { names, .. } => names.get(place).map(String::as_str),
        }
    }
}
