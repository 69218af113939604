//! From text to certificates.

use super::super::certificate::{Ban, Certificate, Claim, Master, Statement, Stone};
use super::super::names::spot_of;
use super::super::rules::SIZES;
use super::error::{ReadError, Trouble, shown};
use super::{BEGINS, ENDS, node};

/// Maximum length of a line, in bytes: a node with a reply on each of 361 points is shorter.
const LONGEST: usize = 16_384;

/// A certificate and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The certificate.
    pub certificate: Certificate,
    /// The line of its beginning, from 1.
    pub line: usize,
    /// The line of each node.
    pub lines: Vec<usize>,
}

/// The certificates in a text, one after another. Skips empty lines and lines that begin with `#`.
/// After an error, continues at the beginning of the next certificate.
///
/// A readable certificate need not be valid: see [`check`](super::super::check).
///
/// # Errors
///
/// A line is not part of a certificate; the item contains its number and the expected content.
pub fn read(text: &[u8]) -> impl Iterator<Item = Result<Listed, ReadError>> {
    let mut lines = Lines {
        rest: text.split(|&byte| byte == b'\n').enumerate(),
        last: 0,
        held: None,
    };
    std::iter::from_fn(move || lines.certificate().transpose())
}

type Numbered<'t, S> = std::iter::Enumerate<std::slice::Split<'t, u8, S>>;

struct Lines<'t, S: FnMut(&u8) -> bool> {
    rest: Numbered<'t, S>,
    /// The number of the last line that was read.
    last: usize,
    /// The line of a certificate's beginning that was found within the previous certificate.
    held: Option<usize>,
}

/// The headers that were read so far.
#[derive(Default)]
struct Headers {
    id: Option<String>,
    claim: Option<Claim>,
    master: Option<Master>,
    target: Option<String>,
    against: Option<String>,
    with: Option<String>,
    to_move: Option<Stone>,
    ban: Option<String>,
    liberties: Option<u8>,
    rows: Option<Vec<String>>,
}

impl<'t, S: FnMut(&u8) -> bool> Lines<'t, S> {
    /// The next line that is neither empty nor a remark.
    fn next(&mut self) -> Result<Option<&'t str>, Trouble> {
        for (before, line) in self.rest.by_ref() {
            self.last = before + 1;
            if line.len() > LONGEST {
                return Err(Trouble::TooLong(LONGEST));
            }
            let line = std::str::from_utf8(line).map_err(|_| Trouble::Encoding)?;
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok(Some(line));
            }
        }
        self.last += 1;
        Ok(None)
    }

    /// The next line of the current certificate.
    fn within(&mut self, expected: &'static str) -> Result<&'t str, Trouble> {
        let line = self.next()?.ok_or(Trouble::CutOff(expected))?;
        if line == BEGINS {
            self.held = Some(self.last);
            return Err(Trouble::CutOff(expected));
        }
        Ok(line)
    }

    fn certificate(&mut self) -> Result<Option<Listed>, ReadError> {
        let begins = match self.held.take() {
            Some(line) => Ok(Some(line)),
            None => self.beginning(),
        };
        let read = match begins {
            Ok(None) => return Ok(None),
            Ok(Some(line)) => self.body(line),
            Err(trouble) => Err(trouble),
        };
        read.map(Some).map_err(|trouble| {
            let line = self.last;
            self.skip();
            ReadError { line, trouble }
        })
    }

    /// The line where the next certificate begins.
    fn beginning(&mut self) -> Result<Option<usize>, Trouble> {
        match self.next()? {
            None => Ok(None),
            Some(BEGINS) => Ok(Some(self.last)),
            Some(other) => Err(Trouble::Beginning(shown(other))),
        }
    }

    /// Skips to the beginning of the next certificate.
    fn skip(&mut self) {
        if self.held.is_some() {
            return;
        }
        for (before, line) in self.rest.by_ref() {
            self.last = before + 1;
            if line.trim_ascii() == BEGINS.as_bytes() {
                self.held = Some(self.last);
                return;
            }
        }
    }

    fn body(&mut self, begins: usize) -> Result<Listed, Trouble> {
        let mut headers = Headers::default();
        let count = loop {
            let line = self.within("`nodes` and a number")?;
            let (name, value) = line
                .split_once(|c: char| c.is_ascii_whitespace())
                .unwrap_or((line, ""));
            let value = value.trim();
            match name {
                "nodes" => {
                    let count = value.parse::<u32>().ok().filter(|&count| count > 0);
                    break count
                        .ok_or_else(|| wrong("nodes", value, "how many there are, at least 1"))?;
                }
                "board" => self.board(&mut headers, value)?,
                _ => headers.take(name, value)?,
            }
        };
        let statement = headers.statement()?;
        let size = statement.rows.len() as u8;
        let mut listed = Listed {
            certificate: Certificate {
                statement,
                nodes: Vec::new(),
            },
            line: begins,
            lines: Vec::new(),
        };
        for number in 0..count {
            let line = self.within("the next node")?;
            let node = node::read(line, number, count, size)?;
            listed.certificate.nodes.push(node);
            listed.lines.push(self.last);
        }
        match self.within("`end`")? {
            ENDS => Ok(listed),
            other => Err(Trouble::Surplus(shown(other), count)),
        }
    }

    fn board(&mut self, headers: &mut Headers, value: &str) -> Result<(), Trouble> {
        let size = value.parse().ok().filter(|size| SIZES.contains(size));
        let size: u8 =
            size.ok_or_else(|| wrong("board", value, "the number of its rows, 2 to 19"))?;
        let mut rows = Vec::new();
        for _ in 0..size {
            let row = self.within("the next row of the board")?;
            let fits = row.len() == usize::from(size);
            if !fits || !row.bytes().all(|letter| b".XO".contains(&letter)) {
                return Err(Trouble::Row(shown(row), size));
            }
            rows.push(row.to_owned());
        }
        once(&mut headers.rows, "board", rows)
    }
}

fn wrong(name: &'static str, value: &str, expected: &str) -> Trouble {
    Trouble::Value(name, shown(value), expected.to_owned())
}

/// Sets a header; an error if it is set already.
fn once<T>(slot: &mut Option<T>, name: &'static str, value: T) -> Result<(), Trouble> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(Trouble::Again(name)),
    }
}

/// The value of a header that has two possible words.
fn named<T: Copy>(
    header: &'static str,
    value: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, Trouble> {
    let named = all.iter().copied().find(|&it| name(it) == value);
    named.ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&it| format!("`{}`", name(it))).collect();
        wrong(header, value, &names.join(" or "))
    })
}

impl Headers {
    fn take(&mut self, name: &str, value: &str) -> Result<(), Trouble> {
        match name {
            "id" if value.is_empty() => Err(wrong("id", value, "a name")),
            "id" => once(&mut self.id, "id", value.to_owned()),
            "claim" => once(
                &mut self.claim,
                "claim",
                named("claim", value, Claim::ALL, Claim::name)?,
            ),
            "master" => {
                let master = named("master", value, Master::ALL, Master::name)?;
                once(&mut self.master, "master", master)
            }
            "target" => once(&mut self.target, "target", value.to_owned()),
            "against" => once(&mut self.against, "against", value.to_owned()),
            "with" => once(&mut self.with, "with", value.to_owned()),
            "to-move" => {
                let stone = named("to-move", value, Stone::ALL, Stone::name)?;
                once(&mut self.to_move, "to-move", stone)
            }
            "ko-ban" => once(&mut self.ban, "ko-ban", value.to_owned()),
            "liberties" => {
                let count = value.parse().ok().filter(|&count: &u8| count >= 2);
                let count =
                    count.ok_or_else(|| wrong("liberties", value, "a number from 2 to 255"))?;
                once(&mut self.liberties, "liberties", count)
            }
            _ => Err(Trouble::Header(shown(name))),
        }
    }

    fn statement(self) -> Result<Statement, Trouble> {
        let rows = self.rows.ok_or(Trouble::Missing("board"))?;
        let target = self.target.ok_or(Trouble::Missing("target"))?;
        let expected = "a point of the board such as `C3`";
        let spot = spot_of(&target, rows.len() as u8);
        let ban = |text: String| {
            let ban = ban_of(&text, rows.len() as u8);
            ban.ok_or_else(|| wrong("ko-ban", &text, "a point and a colour such as `C3 black`"))
        };
        let ban = self.ban.map(ban).transpose()?;
        let claim = self.claim.ok_or(Trouble::Missing("claim"))?;
        let (name, given, stray) = if claim.is_connection() {
            let given = self.with.ok_or(Trouble::Missing("with"))?;
            ("with", Some(given), self.against.map(|it| ("against", it)))
        } else {
            ("against", self.against, self.with.map(|it| ("with", it)))
        };
        if let Some((key, value)) = stray {
            let expected = format!("no such header with `claim {}`", claim.name());
            return Err(wrong(key, &value, &expected));
        }
        let other = match given {
            None => None,
            Some(given) => {
                let spot = spot_of(&given, rows.len() as u8);
                Some(spot.ok_or_else(|| wrong(name, &given, expected))?)
            }
        };
        Ok(Statement {
            id: self.id,
            target: spot.ok_or_else(|| wrong("target", &target, expected))?,
            to_move: self.to_move.ok_or(Trouble::Missing("to-move"))?,
            ban,
            other,
            claim,
            master: self.master.ok_or(Trouble::Missing("master"))?,
            escape_liberties: self.liberties,
            rows,
        })
    }
}

/// Reads a point and a colour.
fn ban_of(text: &str, size: u8) -> Option<Ban> {
    let (spot, colour) = text.split_once(char::is_whitespace)?;
    let stone = Stone::ALL.iter().find(|it| it.name() == colour.trim())?;
    Some(Ban {
        spot: spot_of(spot, size)?,
        stone: *stone,
    })
}
