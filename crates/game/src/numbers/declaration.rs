//! What a game says of its numbers.

use leitai_base::settings::{Kind, Setting, Settings};

/// All that a game says of the numbers of its evaluation.
#[derive(Debug)]
pub struct Declaration {
    /// The game's name in configs.
    pub game: &'static str,
    /// What messages call the game.
    pub title: &'static str,
    /// What messages call the whole of the numbers.
    pub subject: &'static str,
    /// The stages of the game, at least one, the first one by [`Stage::first`].
    pub stages: Vec<Stage>,
    /// Keys that are the same in all stages. They stand alone.
    pub constant: Vec<Key>,
    /// All other keys: each has numbers of its own in every stage.
    pub groups: Vec<Group>,
    /// What is left out when values are written.
    pub spelling: Spelling,
    /// Values by name. The first is where a variant starts that names none; without any it
    /// starts from the usual values of the keys.
    pub presets: &'static [Preset],
}

/// A stage of the game. In a config, what is said without a stage holds in all of them,
/// unless a stage says otherwise beside it.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// What a config calls its own numbers; `None` for the first stage, whose numbers
    /// are those without a stage's name.
    pub name: Option<&'static str>,
    /// What a reader calls it.
    pub title: &'static str,
}

impl Stage {
    /// The first stage, called so in reports.
    pub const fn first(title: &'static str) -> Self {
        Self { name: None, title }
    }

    /// A later stage by its name in configs, and what reports call it.
    pub const fn named(name: &'static str, title: &'static str) -> Self {
        let name = Some(name);
        Self { name, title }
    }
}

/// How values are written where they are resolved. A run's identity is made from that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// All of them, groups as tables. Later stages stand before the groups in lists of
    /// keys.
    Whole,
    /// No key whose numbers are the usual ones, unless it says so, and no later stage
    /// whose numbers are those of the first; groups by paths. Later stages stand last in
    /// lists of keys.
    Sparse,
}

/// Values by name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Former names, which are still understood.
    pub aliases: &'static [&'static str],
    /// What it says, in the form of a config.
    pub text: &'static str,
}

impl Preset {
    /// A preset that has had no other name.
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Self::renamed(name, &[], text)
    }

    /// One that has had these names too.
    pub const fn renamed(
        name: &'static str,
        aliases: &'static [&'static str],
        text: &'static str,
    ) -> Self {
        Self {
            name,
            aliases,
            text,
        }
    }

    /// The preset of that name, or once of that name.
    pub fn find<'p>(presets: &'p [Preset], name: &str) -> Option<&'p Preset> {
        let mut presets = presets.iter();
        presets.find(|preset| preset.name == name || preset.aliases.contains(&name))
    }
}

/// Keys that stand together.
#[derive(Debug)]
pub struct Group {
    /// Its name; `None` of keys that stand alone.
    pub name: Option<&'static str>,
    /// What it has a key for each of, such as `pieces`. Such a group can be written as a
    /// list too, and is one where it is resolved.
    pub per: Option<&'static str>,
    /// The keys, in order.
    pub keys: Vec<Key>,
}

impl Group {
    /// Keys that stand alone.
    pub const fn alone(keys: Vec<Key>) -> Self {
        let (name, per) = (None, None);
        Self { name, per, keys }
    }

    /// Keys under a name.
    pub const fn named(name: &'static str, keys: Vec<Key>) -> Self {
        let (name, per) = (Some(name), None);
        Self { name, per, keys }
    }

    /// Keys under a name, one for each of `per`.
    pub const fn per(name: &'static str, per: &'static str, keys: Vec<Key>) -> Self {
        let (name, per) = (Some(name), Some(per));
        Self { name, per, keys }
    }
}

/// A number, or a list or table of numbers, with a name.
#[derive(Clone, Debug)]
pub struct Key {
    /// Name, meaning and range, the same for all its numbers. Flags and choices are no
    /// numbers to be tuned.
    pub setting: Setting,
    /// The value before anything is said.
    pub usual: i64,
    /// Whether its numbers add up with others to what a position is worth.
    pub is_additive: bool,
    /// Whether it is written even if it is usual.
    pub is_always_written: bool,
    /// One number or many.
    pub shape: Shape,
    /// Which of its numbers always counts as often, by places; its own place for those
    /// in the middle, `None` where there is no such number. Empty without symmetry.
    pub mirror: Vec<Option<usize>>,
    /// The board that its numbers lie on.
    pub board: Option<Board>,
    /// Numbers that can never matter, by places, and why.
    pub useless: Option<(Useless, Vec<usize>)>,
}

/// One number or many.
#[derive(Clone, Debug)]
pub enum Shape {
    /// One.
    One,
    /// A list, with the names of its places.
    List(Vec<String>),
    /// A table, row by row.
    Grid {
        /// Numbers in a row.
        columns: usize,
        /// The names of its places.
        names: Vec<String>,
        /// What a reader has to know who has typed too few or too many.
        words: GridWords,
        /// Whether each row should be its own mirror image.
        is_symmetric: bool,
    },
}

/// What rows and columns of a table are.
#[derive(Clone, Debug, Default)]
pub struct GridWords {
    /// What the rows are.
    pub rows: String,
    /// What the columns are, after their number.
    pub columns: &'static str,
    /// What the numbers of each row are; nothing more is said if it is empty.
    pub of_row: Vec<String>,
}

/// Why a number can never matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Useless {
    /// In one word.
    pub name: &'static str,
    /// In a sentence, of many of them.
    pub reason: &'static str,
}

/// A board on which numbers can be shown.
#[derive(Clone, Debug)]
pub struct Board {
    /// What the numbers of this key are.
    pub title: String,
    /// What all such boards of the game show, in whole sentences.
    pub words: &'static str,
    /// Squares in a row.
    pub columns: usize,
    /// The names of the squares in reading order: a letter for the file, then the row.
    pub squares: Vec<String>,
    /// The place whose number each square has; `None` for a blank one.
    pub places: Vec<Option<usize>>,
    /// How it is drawn.
    pub look: Look,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug)]
pub enum Look {
    /// Pieces stand on squares.
    Squares,
    /// Pieces stand where lines meet.
    Points {
        /// The row after which a river flows, and the words on it with their columns.
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

    /// A number from `-most` to `most` that adds to what a position is worth.
    pub fn weight(name: &'static str, meaning: &'static str, most: i64) -> Self {
        Self::additive(name, meaning, most, Shape::One)
    }

    /// A list of such numbers.
    pub fn list(name: &'static str, meaning: &'static str, most: i64, names: Vec<String>) -> Self {
        Self::additive(name, meaning, most, Shape::List(names))
    }

    /// A table of such numbers with so many columns, row by row.
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

    /// A table of such numbers, one for each square of a board with so many columns, by the
    /// squares' names in reading order. They can be shown on that board.
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

    /// A key for each of the settings, with its value as the usual one.
    pub fn settings(settings: &dyn Settings) -> Vec<Self> {
        let list = settings.list().iter().enumerate();
        list.map(|(place, &setting)| Self::new(setting, settings.get(place), Shape::One))
            .collect()
    }

    /// The same, of settings that add up to what a position is worth.
    pub fn weights(settings: &dyn Settings) -> Vec<Self> {
        let is_additive = true;
        let keys = Self::settings(settings).into_iter();
        keys.map(|key| Self { is_additive, ..key }).collect()
    }

    /// With this as the usual value.
    #[must_use]
    pub fn usually(self, usual: i64) -> Self {
        Self { usual, ..self }
    }

    /// A table each row of which should be its own mirror image.
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

    /// A table whose rows and columns are these.
    #[must_use]
    pub fn in_words(mut self, said: GridWords) -> Self {
        if let Shape::Grid { words, .. } = &mut self.shape {
            *words = said;
        }
        self
    }

    /// Numbers that lie on a board.
    #[must_use]
    pub fn on(self, board: Board) -> Self {
        let board = Some(board);
        Self { board, ..self }
    }

    /// Numbers of which those at `places` can never matter.
    #[must_use]
    pub fn without(self, why: Useless, places: Vec<usize>) -> Self {
        let useless = Some((why, places));
        Self { useless, ..self }
    }

    /// How many numbers it has.
    pub fn len(&self) -> usize {
        match &self.shape {
            Shape::One => 1,
            Shape::List(names) | Shape::Grid { names, .. } => names.len(),
        }
    }

    /// Whether it has no number at all.
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
