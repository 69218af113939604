//! Provers that know only the rules: one searches to a depth, one works backwards from the ends of
//! all games. Their certificates answer every legal play.

use std::collections::HashMap;

use super::super::certificate::{
    Ban, Certificate, Claim, Master, Node, Play, Spot, Statement, Stone,
};
use super::super::check::{Effort, check};
use super::super::life::life;
use super::super::points::Points;
use super::super::refusal::Reason;
use super::super::rules::Board;

/// A pseudo-random number generator: xorshift64*.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let mixed = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        mixed as usize % bound.max(1)
    }
}

/// A random board on which stones, all with liberties, cover about `percent` of the points, and a
/// target stone with few liberties.
pub(super) fn random_problem(dice: &mut Dice, size: u8, percent: usize) -> Option<(Board, Spot)> {
    let mut board = Board::empty(size);
    for spot in board.spots() {
        if dice.below(100) < percent {
            let stone = if dice.below(2) == 0 {
                Stone::Black
            } else {
                Stone::White
            };
            board.set(spot, Some(stone));
        }
    }
    for spot in board.spots() {
        if let Some(block) = board.block(spot)
            && block.liberties.len() == 0
        {
            block.stones.iter().for_each(|stone| board.set(stone, None));
        }
    }
    let few = |spot: &Spot| {
        let block = board.block(*spot);
        block.is_some_and(|block| block.liberties.len() <= 2)
    };
    let targets: Vec<Spot> = board.spots().filter(few).collect();
    let target = targets.get(dice.below(targets.len())).copied()?;
    Some((board, target))
}

/// A random ko that can be taken, banned for the side that could take it.
pub(super) fn random_ban(dice: &mut Dice, board: &Board) -> Option<Ban> {
    let both = [Stone::Black, Stone::White];
    let bans = board
        .spots()
        .flat_map(|spot| both.map(|stone| Ban { spot, stone }));
    let takes = |ban: &Ban| board.play(ban.spot, ban.stone).is_ok_and(|it| it.is_ko);
    let bans: Vec<Ban> = bans.filter(takes).collect();
    bans.get(dice.below(bans.len())).copied()
}

pub(super) fn rows(board: &Board) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for spot in board.spots() {
        if spot.col == 0 {
            rows.push(String::new());
        }
        let letter = board.at(spot).map_or('.', Stone::letter);
        rows.last_mut().expect("begun").push(letter);
    }
    rows
}

/// The aims and rights of both sides.
#[derive(Clone, Copy)]
pub(super) struct Match {
    pub(super) target: Spot,
    pub(super) attacker: Stone,
    pub(super) master: Master,
    pub(super) escape: u32,
    pub(super) ban: Option<Ban>,
}

impl Match {
    /// Returns whether a ban still applies after a play of `stone`.
    fn is_first_after(self, stone: Stone, is_first: bool) -> bool {
        is_first && self.ban.is_some_and(|ban| ban.stone != stone)
    }

    fn is_master(self, stone: Stone) -> bool {
        (stone == self.attacker) == (self.master == Master::Attacker)
    }

    /// The results of a side's legal plays, and whether it may pass. `is_first`: the side under the
    /// ban has not moved.
    pub(super) fn plays(
        self,
        board: &Board,
        stone: Stone,
        is_first: bool,
    ) -> (Vec<(Spot, Board)>, bool) {
        let mut plays = Vec::new();
        let mut may_pass = stone != self.attacker;
        let banned = self.ban.filter(|ban| is_first && ban.stone == stone);
        for spot in board.spots() {
            let Ok(played) = board.play(spot, stone) else {
                continue;
            };
            if !played.is_ko {
                plays.push((spot, played.board));
            } else if self.is_master(stone) {
                if banned.is_some_and(|ban| ban.spot == spot) {
                    may_pass = true;
                } else {
                    plays.push((spot, played.board));
                }
            }
        }
        (plays, may_pass)
    }

    pub(super) fn liberties(self, board: &Board) -> u32 {
        board
            .block(self.target)
            .map_or(0, |block| block.liberties.len())
    }

    pub(super) fn statement(self, board: &Board, to_move: Stone, claim: Claim) -> Statement {
        Statement {
            id: None,
            rows: rows(board),
            target: self.target,
            other: None,
            to_move,
            ban: self.ban,
            claim,
            master: self.master,
            escape_liberties: u8::try_from(self.escape).ok(),
        }
    }
}

/// Proves a capture or an escape within a number of plays of the other side. Tries all of these
/// plays.
pub(super) struct Deep<'a> {
    pub(super) game: Match,
    pub(super) claim: Claim,
    pub(super) nodes: Vec<Node>,
    pub(super) dice: &'a mut Dice,
    /// The number of positions that it may still visit.
    pub(super) fuel: u32,
    /// True if the prover plays only near the target, and answers only the plays for which the
    /// check by zones needs an answer.
    pub(super) is_lazy: bool,
}

impl Deep<'_> {
    fn prover(&self) -> Stone {
        match self.claim {
            Claim::Captured | Claim::Connected => self.game.attacker,
            Claim::Escapes | Claim::Cut => self.game.attacker.other(),
        }
    }

    pub(super) fn certificate(
        mut self,
        board: &Board,
        to_move: Stone,
        depth: u32,
    ) -> Option<Certificate> {
        let is_first = self.game.ban.is_some();
        let won = if to_move == self.prover() {
            self.answer(board, depth, is_first)?;
            true
        } else {
            self.nodes.push(Node::default());
            self.replies(board, 0, depth, is_first)
        };
        won.then(|| Certificate {
            statement: self.game.statement(board, to_move, self.claim),
            nodes: self.nodes,
        })
    }

    /// The node of a position with the prover to move, if it wins.
    fn answer(&mut self, board: &Board, depth: u32, is_first: bool) -> Option<u32> {
        self.fuel = self.fuel.checked_sub(1)?;
        let number = self.nodes.len();
        self.nodes.push(Node::default());
        let is_capture = self.claim == Claim::Captured;
        let game = self.game;
        if !is_capture {
            let escaped = game.liberties(board) >= game.escape;
            if escaped || life(board, game.target).is_some() {
                return Some(number as u32);
            }
        }
        let (plays, _) = game.plays(board, self.prover(), is_first);
        let is_first = game.is_first_after(self.prover(), is_first);
        let mut plays: Vec<(Play, Board)> = plays
            .into_iter()
            .map(|(spot, after)| (Play::At(spot), after))
            .collect();
        if self.is_lazy {
            let near = self.near(board);
            plays.retain(|(play, _)| near.contains(play));
        }
        for last in (1..plays.len()).rev() {
            let other = self.dice.below(last + 1);
            plays.swap(last, other);
        }
        let liberties = board.block(game.target).map(|block| block.liberties);
        plays.sort_by_key(|(play, _)| match play {
            Play::At(spot) => !liberties.is_some_and(|it| it.contains(*spot)),
            Play::Pass => true,
        });
        if !is_capture {
            plays.push((Play::Pass, board.clone()));
        }
        for (play, after) in plays {
            self.nodes.truncate(number);
            self.nodes.push(Node {
                answer: Some(play),
                ..Node::default()
            });
            let taken = after.at(game.target).is_none();
            let escaped = !is_capture && game.liberties(&after) >= game.escape;
            if taken || escaped || self.replies(&after, number, depth, is_first) {
                return Some(number as u32);
            }
        }
        self.nodes.truncate(number);
        None
    }

    /// Returns whether the prover wins after all replies.
    fn replies(&mut self, board: &Board, number: usize, depth: u32, is_first: bool) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let game = self.game;
        let other = self.prover().other();
        let (plays, may_pass) = game.plays(board, other, is_first);
        let is_first = game.is_first_after(other, is_first);
        if may_pass {
            let Some(pass) = self.answer(board, depth, is_first) else {
                return false;
            };
            self.nodes[number].otherwise = Some(pass);
        }
        if self.is_lazy {
            while let Some(asked) = self.asked(board, number) {
                let played = board.play(asked, other).expect("asked for");
                if !self.reply(asked, &played.board, number, depth, is_first) {
                    return false;
                }
            }
            return true;
        }
        plays
            .iter()
            .all(|(spot, after)| self.reply(*spot, after, number, depth, is_first))
    }

    fn reply(
        &mut self,
        spot: Spot,
        after: &Board,
        number: usize,
        depth: u32,
        is_first: bool,
    ) -> bool {
        if after.at(self.game.target).is_none() {
            return false;
        }
        let Some(node) = self.answer(after, depth, is_first) else {
            return false;
        };
        self.nodes[number].replies.push((Play::At(spot), node));
        true
    }

    /// The points near the target: its liberties, those of adjacent blocks, and the neighbours of
    /// all these.
    fn near(&self, board: &Board) -> Vec<Play> {
        let mut near = Points::default();
        let blocks = board.block(self.game.target).into_iter().flat_map(|block| {
            let around: Vec<_> = block
                .around
                .iter()
                .filter_map(|it| board.block(it))
                .collect();
            around.into_iter().chain([block])
        });
        for block in blocks {
            near.add(&block.liberties);
            for liberty in block.liberties.iter() {
                board.beside(liberty).for_each(|it| near.insert(it));
            }
        }
        near.iter().map(Play::At).collect()
    }

    /// A play for which the check requires an answer, after the play of the last node.
    fn asked(&self, board: &Board, number: usize) -> Option<Spot> {
        let mut nodes = self.nodes[number..].to_vec();
        let rebased = |to: &mut u32| *to -= number as u32;
        for node in &mut nodes {
            node.replies.iter_mut().for_each(|(_, to)| rebased(to));
            node.otherwise.iter_mut().for_each(rebased);
        }
        nodes[0].answer = None;
        let other = self.prover().other();
        let statement = self.game.statement(board, other, self.claim);
        let refusal = check(&Certificate { statement, nodes }, Effort::default()).err()?;
        // The first play after which the strategy fails.
        match (refusal.line.first(), &refusal.reason) {
            (Some(&(_, Play::At(spot))), _) | (None, &Reason::TargetTaken(Play::At(spot))) => {
                Some(spot)
            }
            _ => panic!("{refusal}"),
        }
    }
}

/// The same certificate without the replies that the check does not need. Drops them one at a time.
pub(super) fn sparse(full: &Certificate, dice: &mut Dice, tries: usize) -> Certificate {
    let mut sparse = full.clone();
    for _ in 0..tries {
        let number = dice.below(sparse.nodes.len());
        let replies = &mut sparse.nodes[number].replies;
        if replies.is_empty() {
            continue;
        }
        let place = dice.below(replies.len());
        let reply = replies.remove(place);
        if check(&sparse, Effort::default()).is_err() {
            sparse.nodes[number].replies.insert(place, reply);
        }
    }
    sparse
}

type Key = (Box<[u8]>, Stone, bool);

/// All possible results of a position, computed backwards.
pub(super) struct Retrograde {
    game: Match,
    positions: Vec<Position>,
}

struct Position {
    board: Board,
    to_move: Stone,
    is_first: bool,
    /// The plays, and the pass if allowed.
    plays: Vec<(Play, usize)>,
    /// The number of plays in which the attacker takes the target, if it can.
    captured: Option<u32>,
}

impl Retrograde {
    /// `None` if there are more than `most` positions.
    pub(super) fn new(game: Match, board: &Board, to_move: Stone, most: usize) -> Option<Self> {
        let mut numbers: HashMap<Key, usize> = HashMap::new();
        let mut positions: Vec<Position> = Vec::new();
        let mut enter = |board: &Board, to_move, is_first, positions: &mut Vec<Position>| {
            let key = (board.packed(), to_move, is_first);
            *numbers.entry(key).or_insert_with(|| {
                positions.push(Position {
                    board: board.clone(),
                    to_move,
                    is_first,
                    plays: Vec::new(),
                    captured: None,
                });
                positions.len() - 1
            })
        };
        enter(board, to_move, game.ban.is_some(), &mut positions);
        let mut next = 0;
        while next < positions.len() {
            if positions.len() > most {
                return None;
            }
            let (board, stone) = (positions[next].board.clone(), positions[next].to_move);
            if board.at(game.target).is_none() {
                positions[next].captured = Some(0);
            } else if game.liberties(&board) < game.escape {
                let mut plays = Vec::new();
                let is_first = positions[next].is_first;
                let (found, may_pass) = game.plays(&board, stone, is_first);
                let first = game.is_first_after(stone, is_first);
                let mut enter = |after: &Board| enter(after, stone.other(), first, &mut positions);
                for (spot, after) in found {
                    plays.push((Play::At(spot), enter(&after)));
                }
                if may_pass {
                    plays.push((Play::Pass, enter(&board)));
                }
                positions[next].plays = plays;
            }
            next += 1;
        }
        let mut found = Self { game, positions };
        for round in 1.. {
            let ready: Vec<usize> = (0..found.positions.len())
                .filter(|&number| found.is_captured_in(number, round))
                .collect();
            if ready.is_empty() {
                break;
            }
            for number in ready {
                found.positions[number].captured = Some(round);
            }
        }
        Some(found)
    }

    fn is_captured_in(&self, number: usize, round: u32) -> bool {
        let position = &self.positions[number];
        let known = |&(_, to): &(Play, usize)| {
            let captured = self.positions[to].captured;
            captured.is_some_and(|within| within < round)
        };
        position.captured.is_none()
            && !position.plays.is_empty()
            && if position.to_move == self.game.attacker {
                position.plays.iter().any(known)
            } else {
                position.plays.iter().all(known)
            }
    }

    pub(super) fn is_captured(&self) -> bool {
        self.positions[0].captured.is_some()
    }

    /// A strategy for the winner.
    pub(super) fn certificate(&self, dice: &mut Dice) -> Certificate {
        let is_capture = self.is_captured();
        let claim = if is_capture {
            Claim::Captured
        } else {
            Claim::Escapes
        };
        let game = self.game;
        let prover = if is_capture {
            game.attacker
        } else {
            game.attacker.other()
        };
        let root = &self.positions[0];
        let mut nodes: Vec<Node> = Vec::new();
        let mut numbers: HashMap<usize, u32> = HashMap::new();
        let mut open = Vec::new();
        let mut enter = |position: usize, nodes: &mut Vec<Node>, open: &mut Vec<(usize, usize)>| {
            *numbers.entry(position).or_insert_with(|| {
                nodes.push(Node::default());
                open.push((nodes.len() - 1, position));
                nodes.len() as u32 - 1
            })
        };
        if root.to_move == prover {
            enter(0, &mut nodes, &mut open);
        } else {
            nodes.push(Node::default());
            open.push((0, 0));
        }
        while let Some((number, place)) = open.pop() {
            let mut place = place;
            if self.positions[place].to_move == prover {
                let wins = |&&(_, to): &&(Play, usize)| {
                    let (here, there) =
                        (self.positions[place].captured, self.positions[to].captured);
                    there.is_some() == is_capture && (!is_capture || there < here)
                };
                let plays: Vec<_> = self.positions[place].plays.iter().filter(wins).collect();
                let Some(&&(play, to)) = plays.get(dice.below(plays.len())) else {
                    // Escaped by liberties.
                    continue;
                };
                nodes[number].answer = Some(play);
                place = to;
            }
            for &(reply, to) in &self.positions[place].plays {
                let node = enter(to, &mut nodes, &mut open);
                match reply {
                    Play::Pass => nodes[number].otherwise = Some(node),
                    Play::At(_) => nodes[number].replies.push((reply, node)),
                }
            }
        }
        Certificate {
            statement: game.statement(&root.board, root.to_move, claim),
            nodes,
        }
    }
}
