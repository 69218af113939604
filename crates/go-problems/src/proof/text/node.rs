//! The text line of a node.

use super::super::certificate::Node;
use super::super::names::{play_name, play_of};
use super::error::{Trouble, shown};
use super::{NOTHING, OTHERWISE};

pub(super) fn write(number: usize, node: &Node, size: u8) -> String {
    let answer = node.answer.map(|play| play_name(play, size));
    let mut line = format!("{number} {}", answer.as_deref().unwrap_or(NOTHING));
    let replies = node.replies.iter();
    let replies = replies.map(|&(play, to)| format!("{} {to}", play_name(play, size)));
    let otherwise = node.otherwise.map(|to| format!("{OTHERWISE} {to}"));
    let following: Vec<String> = replies.chain(otherwise).collect();
    if !following.is_empty() {
        line.push_str(": ");
        line.push_str(&following.join(", "));
    }
    line
}

/// Reads node `number` of `count`.
pub(super) fn read(line: &str, number: u32, count: u32, size: u8) -> Result<Node, Trouble> {
    let (head, following) = line
        .split_once(':')
        .map_or((line, None), |(head, following)| (head, Some(following)));
    let mut words = head.split_ascii_whitespace();
    let expected = words.next().and_then(|word| word.parse().ok());
    if expected != Some(number) {
        return Err(Trouble::Number(number, count));
    }
    let answer = words.next().unwrap_or_default();
    let mut node = Node::default();
    if answer != NOTHING {
        let play = play_of(answer, size).ok_or_else(|| Trouble::Answer(shown(answer)))?;
        node.answer = Some(play);
    }
    if let Some(surplus) = words.next() {
        return Err(Trouble::Reply(shown(surplus)));
    }
    for reply in following.into_iter().flat_map(|text| text.split(',')) {
        let no_reply = || Trouble::Reply(shown(reply.trim()));
        let mut words = reply.split_ascii_whitespace();
        let (Some(play), Some(to), None) = (words.next(), words.next(), words.next()) else {
            return Err(no_reply());
        };
        let to: u32 = to.parse().map_err(|_| no_reply())?;
        if play == OTHERWISE {
            if node.otherwise.replace(to).is_some() {
                return Err(Trouble::TwoOtherwise);
            }
        } else {
            let play = play_of(play, size).ok_or_else(no_reply)?;
            node.replies.push((play, to));
        }
    }
    Ok(node)
}
