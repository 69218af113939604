//! Comments on moves, as programs and pages write them.

use super::MoveComment;
use leitai_game::Side;
use leitai_game::eval::{MATE, MATE_PLIES, Score, mate_plies};

/// The contents of the comments on a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedComment<'t> {
    /// The report of the player; `None` if the comments are other text.
    pub said: Option<MoveComment>,
    /// The comment that seems to have a score of an unknown form, if none has one of a known form.
    pub unread: Option<&'t str>,
}

/// Whose advantage a score is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Mover,
    First,
}

/// A score as written, before its conversion to the mover's view.
#[derive(Clone, Copy)]
enum Value {
    Hundredths(Score),
    /// Plies to the end of a decided game, negative if it is lost.
    Plies(i64),
    /// Moves of the winner to the end, from the position after the move.
    Moves(i64),
}

/// Fields of a comment, with the score as written.
#[derive(Clone, Copy, Default)]
struct CommentFields {
    score: Option<(Value, View)>,
    depth: u8,
    nodes: u64,
    seconds: Option<f64>,
}

impl<'t> ParsedComment<'t> {
    /// Reads the comments on a move of `mover`; the first score counts:
    ///
    /// - `+0.41/9 0.102s 5000n`, as Leitai, cutechess and fastchess write it, `n=5000` included, and
    ///   `-M4/20`, plies to the end of the game;
    /// - `(e2e4) +0.30/12 3` and `+0.30/12 3 5000`: seconds, and nodes (Arena, `XBoard`, Banksia);
    /// - `+0.09 17/32 272 690731`: depths, milliseconds, nodes (OpenBench);
    /// - `d=41, mt=80135, n=22656421, wv=0.23`: the first mover's score, milliseconds (TCEC);
    /// - `[%eval 0.17,20]`, `[%eval #-3]`: the first mover's score or moves to mate (Lichess), in
    ///   hundredths without a point (`ChessBase`); `[%emt 0:00:05]`, the time of the move.
    ///
    /// Scores are stored in hundredths of the unit before the point or comma.
    pub fn read(comments: impl IntoIterator<Item = &'t str>, mover: Side) -> Self {
        let (mut all, mut unread) = (CommentFields::default(), None);
        for comment in comments {
            let mut fields = CommentFields::default();
            if comment.contains("[%") {
                fields.commands(comment);
            } else if comment.contains('=') && comment.contains(',') {
                fields.pairs(comment);
                if fields.score.is_none() {
                    fields.words(comment);
                }
            } else {
                fields.words(comment);
            }
            all.add(fields);
            if all.score.is_none() && comment.split(is_between).any(is_like_a_score) {
                unread.get_or_insert(comment);
            }
        }
        let unread = unread.filter(|_| all.score.is_none());
        let said = all.said(mover);
        Self {
            unread,
            said: (said != MoveComment::default()).then_some(said),
        }
    }
}

impl CommentFields {
    /// Adds the fields of a later comment that the earlier ones lack.
    fn add(&mut self, later: Self) {
        if self.score.is_none() {
            self.score = later.score;
            self.depth = later.depth.max(self.depth);
        }
        self.nodes = self.nodes.max(later.nodes);
        self.seconds = self.seconds.or(later.seconds);
    }

    /// Reads words: score and depth, time, nodes.
    fn words(&mut self, comment: &str) {
        let comment = comment.trim_start();
        // Arena writes the expected move first.
        let comment = match comment.strip_prefix('(') {
            Some(rest) => rest.split_once(')').map_or(comment, |(_, rest)| rest),
            None => comment,
        };
        let words = comment.split_ascii_whitespace();
        let mut words = words.map(|word| word.trim_end_matches(',')).peekable();
        let Some(first) = words.next() else {
            return;
        };
        let view = View::Mover;
        let mut is_milliseconds = false;
        match first.split_once('/') {
            Some(("?", depth)) => self.depth = depth.parse().unwrap_or(0),
            // Excludes `1/2`.
            Some((score, depth)) if score.contains(['+', '-', '.', 'M', ',']) => {
                if let (Some(score), Ok(depth)) = (value(score), depth.parse()) {
                    (self.score, self.depth) = (Some((score, view)), depth);
                }
            }
            // Excludes `+1 pawn up`.
            None if first.contains(['.', 'M']) => {
                let depths = words.peek().and_then(|word| word.split_once('/'));
                let depths = depths.map(|(depth, most)| (depth.parse(), most.parse::<u16>()));
                let has_sign = first.starts_with(['+', '-']);
                if let Some((Ok(depth), Ok(_))) = depths {
                    self.depth = depth;
                    is_milliseconds = true;
                    words.next();
                }
                if has_sign || is_milliseconds {
                    self.score = value(first).map(|score| (score, view));
                } else {
                    self.word(first);
                }
            }
            _ => self.word(first),
        }
        let has_score = self.score.is_some();
        for word in words {
            let plain = has_score.then(|| duration(word)).flatten();
            match plain {
                Some(time) if self.seconds.is_none() => {
                    self.seconds = Some(if is_milliseconds { time / 1e3 } else { time });
                }
                Some(_) if self.nodes == 0 => self.nodes = word.parse().unwrap_or(0),
                _ => self.word(word),
            }
        }
    }

    /// Reads a number with its unit: `0.102s`, `5000n`, `n=5000`.
    fn word(&mut self, word: &str) {
        let amount = |unit: &str| word.strip_suffix(unit)?.parse::<f64>().ok();
        let time = amount("ms").map(|time| time / 1e3).or_else(|| amount("s"));
        let nodes = word.strip_suffix('n').or_else(|| word.strip_prefix("n="));
        if let Some(time) = time.filter(|time| (0.0..1e9).contains(time)) {
            self.seconds = self.seconds.or(Some(time));
        } else if let Some(nodes) = nodes.and_then(|it| it.replace(',', "").parse().ok()) {
            self.nodes = nodes;
        }
    }

    /// Reads pairs of names and values.
    fn pairs(&mut self, comment: &str) {
        for pair in comment.split([',', ';']) {
            let Some((name, text)) = pair.trim().split_once('=') else {
                continue;
            };
            match name {
                "wv" => self.score = value(text).map(|score| (score, View::First)),
                "d" => self.depth = text.parse().unwrap_or(0),
                "n" => self.nodes = text.parse().unwrap_or(0),
                "mt" => self.seconds = text.parse().ok().map(|time: f64| time / 1e3),
                _ => {}
            }
        }
    }

    /// Reads commands such as `[%eval 0.17]`.
    fn commands(&mut self, comment: &str) {
        for command in comment.split("[%").skip(1) {
            let command = command.split(']').next().unwrap_or_default();
            let Some((name, text)) = command.trim().split_once(|it: char| it.is_whitespace())
            else {
                continue;
            };
            let (text, depth) = text.trim().split_once(',').unwrap_or((text.trim(), ""));
            // With a decimal comma the number of values is unknown.
            let is_clear = !depth.contains(',');
            match name {
                "eval" if is_clear => {
                    let score = match text.strip_prefix('#') {
                        Some(moves) => moves.parse::<i16>().ok().map(|it| Value::Moves(it.into())),
                        None if text.contains('.') => value(text),
                        // ChessBase.
                        None => text.parse().ok().and_then(hundredths),
                    };
                    self.score = score.map(|score| (score, View::First));
                    self.depth = depth.trim().parse().unwrap_or(self.depth);
                }
                "depth" => self.depth = text.parse().unwrap_or(self.depth),
                "emt" => self.seconds = duration(text),
                _ => {}
            }
        }
    }

    fn said(self, mover: Side) -> MoveComment {
        let sign = |view| {
            if view == View::First && mover == Side::Second {
                -1
            } else {
                1
            }
        };
        let score = self.score.and_then(|(value, view)| {
            let sign = sign(view);
            Some(match value {
                Value::Hundredths(score) => score * sign,
                // The move has mated.
                Value::Plies(0) | Value::Moves(0) => mate(1)?,
                Value::Plies(plies) => mate(plies * i64::from(sign))?,
                // Plies count from the mover's move: a win in n takes it and n moves of each side, a
                // loss in n ends with the opponent's nth move.
                Value::Moves(moves) => match moves * i64::from(sign) {
                    moves @ 1.. => mate(2 * moves + 1)?,
                    moves => mate(2 * moves)?,
                },
            })
        });
        // Times are written in thousandths, and `-0` is 0.
        let seconds = self.seconds.map(|time| (time * 1e3).round() / 1e3 + 0.0);
        let seconds = seconds.filter(|time| (0.0..1e9).contains(time));
        MoveComment::new(score, self.depth, self.nodes, seconds)
    }
}

/// The score of a game that is decided in this number of plies, if it can be one.
fn mate(plies: i64) -> Option<Score> {
    let score = MATE - Score::try_from(plies.unsigned_abs()).ok()?;
    let is_mate = score > 0 && plies != 0 && mate_plies(score).is_some();
    is_mate.then_some(if plies < 0 { -score } else { score })
}

/// Parses a score: `+0.41`, `-0,35`, `-M4`.
fn value(text: &str) -> Option<Value> {
    let is_lost = text.starts_with('-');
    let amount = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(plies) = amount.strip_prefix(['M', '#']) {
        let plies: u16 = plies.parse().ok()?;
        let plies = i64::from(plies);
        mate(plies.max(1))?;
        return Some(Value::Plies(if is_lost { -plies } else { plies }));
    }
    let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    if !amount.bytes().all(is_plain) {
        return None;
    }
    let amount: f64 = amount.replacen(',', ".", 1).parse().ok()?;
    hundredths(if is_lost { -amount } else { amount } * 100.0)
}

/// A score in hundredths. Those beyond the largest are equal to it; programs count mates from 32,000
/// down.
fn hundredths(score: f64) -> Option<Value> {
    const MATES: f64 = 30_000.0;
    let most = f64::from(MATE) - f64::from(MATE_PLIES);
    let score = score.round();
    (score.abs() < MATES).then(|| Value::Hundredths(score.clamp(-most, most) as Score))
}

/// Seconds of `5`, `5.3`, `0:05`, `1:02:05`.
fn duration(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for (place, part) in text.split(':').enumerate() {
        let is_number = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        if place > 2 || part.is_empty() || !part.bytes().all(is_number) {
            return None;
        }
        seconds = 60.0 * seconds + part.parse::<f64>().ok()?;
    }
    (seconds < 1e9).then_some(seconds)
}

fn is_between(letter: char) -> bool {
    letter.is_whitespace() || "()[];={}|".contains(letter)
}

/// Returns whether a word looks like a score: a number with a sign or two digits behind a point, a
/// mate, or the name of a score.
fn is_like_a_score(word: &str) -> bool {
    if matches!(word, "%eval" | "%evp" | "wv" | "ev" | "eval" | "cp") {
        return true;
    }
    let word = word.split('/').next().unwrap_or_default();
    let amount = word.trim_start_matches(['+', '-']);
    let has_sign = amount.len() < word.len();
    if has_sign && amount.to_ascii_lowercase().starts_with("inf") {
        return true;
    }
    if let Some(moves) = amount.strip_prefix(['M', '#']) {
        let moves = moves.strip_prefix("ate").unwrap_or(moves);
        let moves = moves.trim_start_matches(['+', '-']);
        return !moves.is_empty() && moves.bytes().all(|it| it.is_ascii_digit());
    }
    let Some((whole, part)) = amount.split_once(['.', ',']) else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    is_number(whole) && is_number(part) && whole.len() < 6 && (has_sign || part.len() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(comment: &str, mover: Side) -> String {
        let parsed = ParsedComment::read([comment], mover);
        assert_eq!(parsed.unread, None, "{comment}");
        parsed.said.map(|said| said.comment()).unwrap_or_default()
    }

    #[test]
    fn comments_of_programs_and_pages_are_read() {
        for (comment, first, second) in [
            ("0.31/15 0.50s, n=12, a remark", "+0.31/15 0.500s 12n", ""),
            ("+0.13/1 0.001s, n=20", "+0.13/1 0.001s 20n", ""),
            (
                "+0.13/1 0.001s, n=20, sd=3, nps=20000",
                "+0.13/1 0.001s 20n",
                "",
            ),
            ("+0.71/2\n300n", "+0.71/2 300n", ""),
            ("+0.09 17/32 272 690731", "+0.09/17 0.272s 690731n", ""),
            ("-M4/20 1.5s", "-M4/20 1.500s", ""),
            ("(e2e4) +0.30/12 3", "+0.30/12 3.000s", ""),
            ("+0,35/8 1:05", "+0.35/8 65.000s", ""),
            ("+0.30/14 3.2 1234567", "+0.30/14 3.200s 1234567n", ""),
            (" [%eval 0.17] [%clk 0:00:30] ", "+0.17", "-0.17"),
            ("[%eval -2.35,18]", "-2.35/18", "+2.35/18"),
            ("[%eval #3]", "+M7", "-M6"),
            ("[%eval #-3]", "-M6", "+M7"),
            (
                "[%eval 25,21] [%emt 0:00:05]",
                "+0.25/21 5.000s",
                "-0.25/21 5.000s",
            ),
            (
                "d=41, sd=62, mt=80135, tl=7124865, s=283019201, n=22656421, pv=Nf3 Nc6, tb=0, \
                 wv=0.23, R50=49,",
                "+0.23/41 80.135s 22656421n",
                "-0.23/41 80.135s 22656421n",
            ),
            (
                "d=20, wv=-M12, n=5000000000",
                "-M12/20 5000000000n",
                "+M12/20 5000000000n",
            ),
            ("d=9, mt=1000000000000, wv=0.10", "+0.10/9", "-0.10/9"),
            ("+0.10/9 999999999.9999s", "+0.10/9", ""),
            ("+0.10/9 -0s", "+0.10/9 0.000s", ""),
            ("+90.18/2 -0.0001s", "+90.18/2", ""),
            ("-251.17/40", "-98.72/40", ""),
            ("book, mb=+0+0+0+0+0,", "", ""),
            ("[%clk 0:09:58.1] [%timestamp 19]", "", ""),
        ] {
            assert_eq!(said(comment, Side::First), first, "{comment}");
            let second = if second.is_empty() { first } else { second };
            assert_eq!(said(comment, Side::Second), second, "{comment}");
        }
    }

    #[test]
    fn other_words_are_no_scores() {
        for comment in [
            "",
            "a good move",
            "book",
            "2 pawns",
            "+nan/3",
            "inf/2",
            "1e99/4",
            "+M/1",
            "1/2 agreed",
            "+1/x",
            "s n",
            "+1 pawn up",
            "-1",
            "in 1.5 hours",
        ] {
            assert_eq!(
                ParsedComment::read([comment], Side::First),
                ParsedComment::default(),
                "{comment}"
            );
        }
        for comment in [
            "eval +0.30 at depth 9",
            "ev: -1.25",
            "[%evp 0,10]",
            "White is better: 0.75",
            "#-3",
            "+M19990/3",
            "wv=good, d=3",
        ] {
            let parsed = ParsedComment::read([comment], Side::First);
            assert_eq!(parsed.unread, Some(comment));
        }
    }
}
