//! The positions that a strategy reaches.

use std::collections::HashMap;

use super::super::certificate::{Certificate, Node, Play, Spot, Stone};
use super::super::points::Points;
use super::super::refusal::{Reason, Refusal};
use super::super::rules::Board;
use super::Effort;
use super::claim::{Answered, Question};

/// A position at a node.
pub(super) struct State {
    pub(super) node: u32,
    /// True if the prover still has to play the node's answer.
    pub(super) is_provers: bool,
    /// True if the side under the ban has not moved yet.
    pub(super) is_first: bool,
    stones: Box<[u8]>,
    /// The previous state, and the other side's play there.
    from: Option<(u32, Play)>,
    /// Plays from the root, on the line that found this state.
    pub(super) plies: u32,
    /// The other side's plays that were followed, and their states.
    pub(super) children: Vec<(Play, u32)>,
    /// True if the prover reaches the claim by a play here.
    pub(super) ends_by_play: bool,
}

impl State {
    pub(super) fn board(&self, size: u8) -> Board {
        Board::unpacked(size, &self.stones)
    }

    /// Plays from here to a successor state.
    pub(super) fn plays(&self) -> u32 {
        u32::from(self.is_provers) + 1
    }
}

/// The identity of a state.
type Key = (u32, bool, bool, Box<[u8]>);

/// The positions found so far.
pub(super) struct Walk<'a> {
    pub(super) certificate: &'a Certificate,
    pub(super) question: &'a Question,
    effort: Effort,
    stop: &'a dyn Fn() -> bool,
    /// The number of visits to positions.
    looks: u64,
    pub(super) states: Vec<State>,
    known: HashMap<Key, u32>,
}

impl<'a> Walk<'a> {
    /// A walk at the root.
    pub(super) fn new(
        certificate: &'a Certificate,
        question: &'a Question,
        effort: Effort,
        stop: &'a dyn Fn() -> bool,
    ) -> Result<Self, Refusal> {
        let mut walk = Self {
            certificate,
            question,
            effort,
            stop,
            looks: 0,
            states: Vec::new(),
            known: HashMap::new(),
        };
        let is_provers = question.to_move == question.prover;
        let turn = (is_provers, question.has_ban());
        let entered = walk.enter(0, turn, &question.board, None, 0);
        let answers = certificate.nodes.first().and_then(|root| root.answer);
        let reason = match (entered, answers) {
            (Err(reason), _) => reason,
            (Ok(_), Some(_)) if !is_provers => Reason::RootAnswers,
            (Ok(_), _) => return Ok(walk),
        };
        Err(Refusal::new(reason, Some(0), question.size))
    }

    /// The node of a state.
    pub(super) fn node(&self, number: usize) -> &'a Node {
        &self.certificate.nodes[self.states[number].node as usize]
    }

    /// The result of the node's answer in a state.
    pub(super) fn answered(&mut self, number: usize) -> Result<Answered, Reason> {
        self.looks += 1;
        if self.looks.is_multiple_of(64) && (self.stop)() {
            return Err(Reason::Stopped);
        }
        let node = self.node(number);
        let state = &mut self.states[number];
        let board = state.board(self.question.size);
        let question = self.question;
        let answered = question.answer(node, &board, state.is_provers, state.is_first)?;
        // No play is made where an escape is reached already.
        state.ends_by_play = matches!(answered, Answered::Won(_))
            && state.is_provers
            && node.answer.is_some()
            && !self.question.has_escaped(&board);
        Ok(answered)
    }

    /// Follows the listed replies of the node, and the pass if it has an answer.
    pub(super) fn follow_listed(&mut self, number: usize, board: &Board) -> Result<(), Reason> {
        let node = self.node(number);
        for &(play, to) in &node.replies {
            match play {
                Play::Pass => self.add(number, play, to, true, board)?,
                Play::At(spot) => self.follow(number, board, spot)?,
            }
        }
        let is_first = self.states[number].is_first;
        match node.otherwise {
            Some(to) => self.add(number, Play::Pass, to, true, board),
            None if self.question.may_pass(board, is_first) => Err(Reason::NoOtherwise),
            None => Ok(()),
        }
    }

    /// Follows a play of the other side to its answer, if the play is possible. A shared node may
    /// answer plays that are impossible in some positions.
    pub(super) fn follow(
        &mut self,
        number: usize,
        board: &Board,
        spot: Spot,
    ) -> Result<(), Reason> {
        let is_first = self.states[number].is_first;
        let Some(after) = self.question.reply(board, spot, is_first) else {
            return Ok(());
        };
        let play = Play::At(spot);
        if let Some(reason) = self.question.failure(&after, play) {
            return Err(reason);
        }
        let node = self.node(number);
        let listed = node.replies.iter().find(|&&(it, _)| it == play);
        let may_pass = self.question.may_pass(board, is_first);
        match listed.map(|&(_, to)| to).or(node.otherwise) {
            Some(to) => self.add(number, play, to, true, &after),
            // The defender of an escape passes and stays at this node.
            None if !may_pass => {
                let here = self.states[number].node;
                self.add(number, play, here, false, &after)
            }
            None => Err(Reason::NoOtherwise),
        }
    }

    fn add(
        &mut self,
        number: usize,
        play: Play,
        to: u32,
        is_provers: bool,
        board: &Board,
    ) -> Result<(), Reason> {
        let state = &self.states[number];
        let plies = state.plies + state.plays();
        // The other side has moved; the prover has too, if it was its turn or if it passes now.
        let is_first =
            state.is_first && self.question.bans_prover() && !state.is_provers && is_provers;
        let from = Some((number as u32, play));
        let child = self.enter(to, (is_provers, is_first), board, from, plies)?;
        self.states[number].children.push((play, child));
        Ok(())
    }

    /// The state of that position; adds it if new.
    fn enter(
        &mut self,
        node: u32,
        (is_provers, is_first): (bool, bool),
        board: &Board,
        from: Option<(u32, Play)>,
        plies: u32,
    ) -> Result<u32, Reason> {
        let stones = board.packed();
        let key = (node, is_provers, is_first, stones.clone());
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
            is_first,
            stones,
            from,
            plies,
            children: Vec::new(),
            ends_by_play: false,
        });
        Ok(number)
    }

    /// The points whose plays have been followed from a state.
    pub(super) fn followed(&self, number: usize) -> Points {
        let children = self.states[number].children.iter();
        children
            .filter_map(|&(play, _)| match play {
                Play::At(spot) => Some(spot),
                Play::Pass => None,
            })
            .collect()
    }

    /// A refusal at a state, with the line that leads there.
    pub(super) fn refusal(&self, reason: Reason, at: usize) -> Refusal {
        let question = self.question;
        let mut line: Vec<(Stone, Play)> = Vec::new();
        let mut state = &self.states[at];
        while let Some((before, play)) = state.from {
            if !state.is_provers {
                line.push((question.prover, Play::Pass));
            }
            line.push((question.prover.other(), play));
            state = &self.states[before as usize];
            let answer = self.certificate.nodes[state.node as usize].answer;
            let answer = answer.filter(|_| state.is_provers);
            line.extend(answer.map(|answer| (question.prover, answer)));
        }
        line.reverse();
        Refusal {
            reason,
            node: Some(self.states[at].node),
            line,
            size: question.size,
        }
    }
}
