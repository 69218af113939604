//! The positions that a certificate leads to, by its own plays and those that it
//! answers.

use std::collections::HashMap;

use super::super::certificate::{Certificate, Node, Play, Stone};
use super::super::points::Points;
use super::super::refusal::{Reason, Refusal};
use super::super::rules::Board;
use super::Effort;
use super::claim::{Answered, Question};

/// A position at a node.
pub(super) struct State {
    pub(super) node: u32,
    /// Whether the prover still has to play the node's answer.
    pub(super) is_provers: bool,
    /// The stones.
    stones: Box<[u8]>,
    /// The state before, and what the other side played there.
    from: Option<(u32, Play)>,
    /// Plays from the root, by a shortest line.
    pub(super) plies: u32,
    /// The states that follow, and how many plays lead there.
    pub(super) children: Vec<(u32, u32)>,
    /// Plays that end the game here: one if the prover's play reaches the claim.
    pub(super) last: u32,
    /// The points on which the proof rests here; set later unless it ends here.
    pub(super) zone: Points,
    /// Whether the claim is reached here.
    pub(super) is_won: bool,
}

impl State {
    pub(super) fn board(&self, size: u8) -> Board {
        Board::unpacked(size, &self.stones)
    }
}

/// What tells states apart.
type Key = (u32, bool, Box<[u8]>);

struct Explorer<'a> {
    certificate: &'a Certificate,
    question: &'a Question,
    effort: Effort,
    states: Vec<State>,
    known: HashMap<Key, u32>,
}

/// Plays a certificate through: the prover's answers, and the other side's plays that
/// they meet, or all its legal plays.
pub(super) fn explore(
    certificate: &Certificate,
    question: &Question,
    effort: Effort,
) -> Result<Vec<State>, Refusal> {
    let mut explorer = Explorer {
        certificate,
        question,
        effort,
        states: Vec::new(),
        known: HashMap::new(),
    };
    let is_provers = question.to_move == question.prover;
    let root = &certificate.nodes[0];
    let first = explorer.enter(0, is_provers, &question.board, None, 0);
    let refuse = |reason| Refusal {
        reason,
        node: Some(0),
        line: Vec::new(),
        size: question.size,
    };
    first.map_err(refuse)?;
    if !is_provers && root.answer.is_some() {
        return Err(refuse(Reason::RootAnswers));
    }
    let mut next = 0;
    while next < explorer.states.len() {
        let expanded = explorer.expand(next as u32);
        expanded
            .map_err(|reason| refusal(reason, certificate, question, &explorer.states, next))?;
        next += 1;
    }
    Ok(explorer.states)
}

/// A refusal at a state, with the line that leads there.
pub(super) fn refusal(
    reason: Reason,
    certificate: &Certificate,
    question: &Question,
    states: &[State],
    at: usize,
) -> Refusal {
    let mut line: Vec<(Stone, Play)> = Vec::new();
    let mut state = &states[at];
    while let Some((before, play)) = state.from {
        if !state.is_provers {
            line.push((question.prover, Play::Pass));
        }
        line.push((question.prover.other(), play));
        state = &states[before as usize];
        let answer = certificate.nodes[state.node as usize].answer;
        line.extend(
            answer
                .filter(|_| state.is_provers)
                .map(|answer| (question.prover, answer)),
        );
    }
    line.reverse();
    Refusal {
        reason,
        node: Some(states[at].node),
        line,
        size: question.size,
    }
}

impl Explorer<'_> {
    /// The state of that position, old or new.
    fn enter(
        &mut self,
        node: u32,
        is_provers: bool,
        board: &Board,
        from: Option<(u32, Play)>,
        plies: u32,
    ) -> Result<u32, Reason> {
        let stones = board.packed();
        let key = (node, is_provers, stones.clone());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let number = self.states.len() as u32;
        if u64::from(number) >= self.effort.positions.min(u64::from(u32::MAX)) {
            return Err(Reason::TooMany(self.effort.positions));
        }
        self.known.insert(key, number);
        self.states.push(State {
            node,
            is_provers,
            stones,
            from,
            plies,
            children: Vec::new(),
            last: 0,
            zone: Points::default(),
            is_won: false,
        });
        Ok(number)
    }

    /// Plays on from a state.
    fn expand(&mut self, number: u32) -> Result<(), Reason> {
        let certificate = self.certificate;
        let state = &self.states[number as usize];
        let (is_provers, plies) = (state.is_provers, state.plies);
        let board = state.board(self.question.size);
        let node = &certificate.nodes[state.node as usize];
        let place = state.node;
        let answered = self.question.answer(node, &board, is_provers)?;
        let state = &mut self.states[number as usize];
        let board = match answered {
            Answered::Won(zone) => {
                state.zone = zone;
                state.is_won = true;
                // Nothing is played where an escape is reached already.
                let plays =
                    is_provers && node.answer.is_some() && !self.question.has_escaped(&board);
                state.last = u32::from(plays);
                return Ok(());
            }
            Answered::Open(board) => board,
        };
        let plays = u32::from(is_provers) + 1;
        for (play, to, is_provers, board) in self.follow(place, node, &board)? {
            let from = Some((number, play));
            let child = self.enter(to, is_provers, &board, from, plies + plays)?;
            self.states[number as usize].children.push((child, plays));
        }
        Ok(())
    }

    /// What the other side plays in a position, and where that leads.
    fn follow(
        &self,
        place: u32,
        node: &Node,
        board: &Board,
    ) -> Result<Vec<(Play, u32, bool, Board)>, Reason> {
        let question = self.question;
        let mut following = Vec::new();
        let mut listed = Points::default();
        for &(play, to) in &node.replies {
            let Play::At(spot) = play else {
                following.push((play, to, true, board.clone()));
                continue;
            };
            listed.insert(spot);
            // A node that is shared may answer what cannot be played everywhere.
            let Some(after) = question.reply(board, spot) else {
                continue;
            };
            if question.is_taken(&after) {
                return Err(Reason::TargetTaken(play));
            }
            following.push((play, to, true, after));
        }
        let otherwise = match node.otherwise {
            Some(otherwise) if question.must_end => {
                following.push((Play::Pass, otherwise, true, board.clone()));
                Some(otherwise)
            }
            None if question.must_end => return Err(Reason::NoOtherwise),
            _ => None,
        };
        if !self.effort.exhaustive {
            return Ok(following);
        }
        for spot in board.spots().filter(|&spot| !listed.contains(spot)) {
            let Some(after) = question.reply(board, spot) else {
                continue;
            };
            let play = Play::At(spot);
            if question.is_taken(&after) {
                return Err(Reason::TargetTaken(play));
            }
            // The defender of an escape passes and stands where it stood.
            let (to, is_provers) = otherwise.map_or((place, false), |to| (to, true));
            following.push((play, to, is_provers, after));
        }
        Ok(following)
    }
}
