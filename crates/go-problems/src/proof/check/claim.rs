//! The meaning of a well-formed statement.

use super::super::apart::{separate, wall};
use super::super::certificate::{Ban, Claim, Master, Node, Play, Spot, Statement, Stone};
use super::super::life::life;
use super::super::points::Points;
use super::super::refusal::{Reason, Refusal};
use super::super::rules::{Board, Illegal, SIZES};
use super::super::zone;

/// A well-formed statement.
pub(in crate::proof) struct Question {
    pub(in crate::proof) board: Board,
    pub(in crate::proof) size: u8,
    pub(in crate::proof) target: Spot,
    /// The block at stake, or the block to connect with.
    other: Option<Spot>,
    claim: Claim,
    pub(in crate::proof) to_move: Stone,
    /// The side that makes the claim.
    pub(in crate::proof) prover: Stone,
    /// True if the prover must succeed in finitely many moves: the attacker's claim.
    pub(in crate::proof) must_end: bool,
    /// True if only the prover may take kos; false if only the other side may.
    prover_is_master: bool,
    /// The ko that is forbidden to the master on its first move.
    ban: Option<Ban>,
    escape: Option<u32>,
}

/// The state of a position at a node after the prover's answer.
pub(in crate::proof) enum Answered {
    /// The claim is reached; the points of the position on which that depends.
    Won(Points),
    /// The other side has to move here.
    Open(Box<Board>),
}

impl Question {
    /// Checks that a statement is well-formed.
    pub(in crate::proof) fn of(statement: &Statement) -> Result<Question, Refusal> {
        let side = statement.rows.len();
        let size = u8::try_from(side).ok().filter(|size| SIZES.contains(size));
        let refuse = |reason| Refusal::new(reason, None, size.unwrap_or_default());
        let size = size.ok_or_else(|| refuse(Reason::Size))?;
        let mut board = Board::empty(size);
        for (row, letters) in (0..size).zip(&statement.rows) {
            if letters.chars().count() != side {
                return Err(refuse(Reason::Size));
            }
            for (col, letter) in (0..size).zip(letters.chars()) {
                let stone = match letter {
                    '.' => None,
                    'X' => Some(Stone::Black),
                    'O' => Some(Stone::White),
                    other => return Err(refuse(Reason::Letter(other))),
                };
                board.set(Spot { col, row }, stone);
            }
        }
        for spot in board.spots() {
            let block = board.block(spot);
            if block.is_some_and(|block| block.liberties.len() == 0) {
                return Err(refuse(Reason::NoLiberties(spot)));
            }
        }
        let target = statement.target;
        if !board.has(target) {
            return Err(refuse(Reason::Outside(target)));
        }
        let owner = board
            .at(target)
            .ok_or_else(|| refuse(Reason::EmptyTarget))?;
        let escape = statement.escape_liberties;
        if let Some(count @ 0..=1) = escape {
            return Err(refuse(Reason::Liberties(count)));
        }
        let claim = statement.claim;
        let (must_end, prover) = (claim.must_end(), claim.prover(owner));
        let prover_is_master = must_end == (statement.master == Master::Attacker);
        if let Some(Ban { spot, stone }) = statement.ban
            && !board.play(spot, stone).is_ok_and(|played| played.is_ko)
        {
            return Err(refuse(Reason::NoKo(spot)));
        }
        let other = other(statement, &board, target, owner).map_err(refuse)?;
        Ok(Question {
            board,
            size,
            target,
            other,
            claim,
            to_move: statement.to_move,
            prover,
            must_end,
            prover_is_master,
            ban: (statement.ban).filter(|ban| (ban.stone == prover) == prover_is_master),
            escape: escape.filter(|_| claim == Claim::Escapes).map(u32::from),
        })
    }

    /// Returns whether any ko is forbidden at first.
    pub(in crate::proof) fn has_ban(&self) -> bool {
        self.ban.is_some()
    }

    /// Returns whether a ko is forbidden to the prover.
    pub(in crate::proof) fn bans_prover(&self) -> bool {
        self.ban.is_some_and(|ban| ban.stone == self.prover)
    }

    /// The point of the ko that is forbidden to the side. `is_first`: the side under the ban has
    /// not moved yet.
    fn banned(&self, stone: Stone, is_first: bool) -> Option<Spot> {
        let ban = self.ban.filter(|ban| is_first && ban.stone == stone);
        ban.map(|ban| ban.spot)
    }

    /// The ko that a ban forbids to the side here; the side may pass instead.
    fn kept_from(&self, stone: Stone, board: &Board, is_first: bool) -> Option<Spot> {
        let takes = |&spot: &Spot| board.play(spot, stone).is_ok_and(|it| it.is_ko);
        self.banned(stone, is_first).filter(takes)
    }

    /// Returns whether the other side may pass, so that the pass and unlisted plays need an answer:
    /// always in a capture, since the defender may pass; in an escape where a ban allows the
    /// attacker to pass.
    pub(in crate::proof) fn may_pass(&self, board: &Board, is_first: bool) -> bool {
        let other = self.prover.other();
        self.must_end || self.kept_from(other, board, is_first).is_some()
    }

    /// The result of a play of the other side, if it is allowed.
    pub(in crate::proof) fn reply(
        &self,
        board: &Board,
        play: Spot,
        is_first: bool,
    ) -> Option<Board> {
        let other = self.prover.other();
        let played = board.play(play, other).ok()?;
        let is_banned = self.banned(other, is_first) == Some(play);
        let is_forbidden = (self.prover_is_master || is_banned) && played.is_ko;
        (!is_forbidden).then_some(played.board)
    }

    /// Returns whether the target was captured.
    pub(in crate::proof) fn is_taken(&self, board: &Board) -> bool {
        board.at(self.target).is_none()
    }

    /// Returns whether the other block has been taken.
    fn is_other_taken(&self, board: &Board) -> bool {
        self.other.is_some_and(|other| board.at(other).is_none())
    }

    /// Returns whether the target and the other block are joined.
    fn is_joined(&self, board: &Board) -> bool {
        let block = board.block(self.target);
        let other = self.other.filter(|_| self.claim.is_connection());
        block
            .zip(other)
            .is_some_and(|(block, other)| block.stones.contains(other))
    }

    /// Returns whether the prover has reached the claim by its play.
    fn is_reached(&self, board: &Board) -> bool {
        match self.claim {
            Claim::Captured => self.is_taken(board),
            Claim::Escapes => self.is_other_taken(board),
            Claim::Connected => self.is_joined(board),
            Claim::Cut => self.is_taken(board) || self.is_other_taken(board),
        }
    }

    /// The reason why the claim fails after this play of the other side, which has led to `board`.
    pub(in crate::proof) fn failure(&self, board: &Board, play: Play) -> Option<Reason> {
        match self.claim {
            Claim::Captured => self
                .is_other_taken(board)
                .then_some(Reason::StakeTaken(play)),
            Claim::Escapes => self.is_taken(board).then_some(Reason::TargetTaken(play)),
            Claim::Connected => {
                let is_taken = self.is_taken(board) || self.is_other_taken(board);
                is_taken.then_some(Reason::TargetTaken(play))
            }
            Claim::Cut => self.is_joined(board).then_some(Reason::Joined(play)),
        }
    }

    /// The two blocks of a connection.
    fn ends(&self) -> Option<[Spot; 2]> {
        let other = self.other.filter(|_| self.claim.is_connection());
        other.map(|other| [self.target, other])
    }

    /// Returns whether the target of an escape has enough liberties.
    pub(in crate::proof) fn has_escaped(&self, board: &Board) -> bool {
        let liberties = || board.block(self.target).map(|block| block.liberties.len());
        self.escape
            .is_some_and(|wanted| liberties().is_some_and(|liberties| liberties >= wanted))
    }

    /// The zone of a position in which the target has escaped.
    fn escaped(&self, board: &Board) -> Points {
        let mut zone = Points::from_iter([self.target]);
        zone::close(board, self.prover, &mut zone);
        zone
    }

    /// Plays the prover's answer at a node. `is_its_turn`: the prover still has to play there;
    /// `is_first`: the side under the ban has not moved yet.
    pub(in crate::proof) fn answer(
        &self,
        node: &Node,
        board: &Board,
        is_its_turn: bool,
        is_first: bool,
    ) -> Result<Answered, Reason> {
        if self.has_escaped(board) {
            return Ok(Answered::Won(self.escaped(board)));
        }
        if !is_its_turn {
            return Ok(Answered::Open(Box::new(board.clone())));
        }
        match node.answer {
            None if self.must_end => Err(Reason::NoAnswer),
            None => {
                let ground = match self.ends() {
                    Some(ends) => wall(board, self.prover, ends),
                    None => life(board, self.target),
                };
                ground.map(Answered::Won).ok_or(Reason::NoAnswer)
            }
            Some(Play::Pass)
                if self.must_end && self.kept_from(self.prover, board, is_first).is_none() =>
            {
                Err(Reason::AttackerPasses)
            }
            Some(Play::Pass) => Ok(Answered::Open(Box::new(board.clone()))),
            Some(Play::At(spot)) => self.play(board, spot, is_first),
        }
    }

    fn play(&self, board: &Board, spot: Spot, is_first: bool) -> Result<Answered, Reason> {
        let played = board.play(spot, self.prover).map_err(|why| match why {
            Illegal::OffBoard => Reason::Outside(spot),
            Illegal::Occupied => Reason::Occupied(spot),
            Illegal::Suicide => Reason::Suicide(spot),
        })?;
        if played.is_ko && !self.prover_is_master {
            return Err(Reason::ForbiddenKo(spot));
        }
        if played.is_ko && self.banned(self.prover, is_first) == Some(spot) {
            return Err(Reason::Banned(spot));
        }
        let mut zone = Points::default();
        if self.has_escaped(&played.board) {
            zone = self.escaped(&played.board);
            zone.insert(spot);
            if !played.takes {
                return Ok(Answered::Won(zone));
            }
        } else if !self.is_reached(&played.board) {
            return Ok(Answered::Open(Box::new(played.board)));
        } else if self.claim == Claim::Captured {
            zone::for_capture(board, self.prover, spot, self.target, &mut zone);
            return Ok(Answered::Won(zone));
        } else if self.claim == Claim::Connected {
            zone.insert(self.target);
            zone::close(&played.board, self.prover, &mut zone);
        }
        self.keep_apart(board, &mut zone);
        zone::for_play(board, self.prover, spot, &mut zone);
        Ok(Answered::Won(zone))
    }

    /// The points that always belong to the zone of a position with the other side to move: the
    /// blocks that it would win by taking, and the points that keep two blocks apart.
    pub(in crate::proof) fn held(&self, board: &Board) -> Points {
        let mut held = Points::default();
        match (self.claim, self.other) {
            (Claim::Captured, stake) => held.add(&stake.into_iter().collect()),
            (Claim::Escapes, _) => held.insert(self.target),
            (Claim::Connected, _) => held.add(&self.ends().into_iter().flatten().collect()),
            (Claim::Cut, _) => self.keep_apart(board, &mut held),
        }
        held
    }

    /// The zone of a position with the other side to move, from the `zone` of all its successors;
    /// and the plays of the other side inside.
    pub(in crate::proof) fn before_replies(
        &self,
        board: &Board,
        zone: &mut Points,
        is_first: bool,
    ) -> Points {
        let banned = self.banned(self.prover.other(), is_first);
        let may_take_ko = |spot| !self.prover_is_master && banned != Some(spot);
        zone::for_replies(board, self.prover, may_take_ko, zone)
    }

    /// The zone of a position in which the prover plays the node's answer, from the `zone` of its
    /// successor.
    pub(in crate::proof) fn before_answer(
        &self,
        node: &Node,
        board: &Board,
        zone: &mut Points,
        is_first: bool,
    ) {
        let spot = match node.answer {
            Some(Play::At(spot)) => Some(spot),
            // The attacker may pass while the ko is there.
            Some(Play::Pass) if self.must_end => self.kept_from(self.prover, board, is_first),
            Some(Play::Pass) | None => None,
        };
        if let Some(spot) = spot {
            self.keep_apart(board, zone);
            zone::for_play(board, self.prover, spot, zone);
        }
    }

    /// Adds to the zone of a cut the points that keep the blocks apart with any stones outside.
    fn keep_apart(&self, board: &Board, zone: &mut Points) {
        if self.claim == Claim::Cut
            && let Some(ends) = self.ends()
        {
            separate(board, self.prover, ends, zone);
        }
    }
}

/// The other block, if the statement names one that fits its claim.
fn other(
    statement: &Statement,
    board: &Board,
    target: Spot,
    owner: Stone,
) -> Result<Option<Spot>, Reason> {
    let is_connection = statement.claim.is_connection();
    let Some(other) = statement.other else {
        return if is_connection {
            Err(Reason::NoOther)
        } else {
            Ok(None)
        };
    };
    let wanted = if is_connection { owner } else { owner.other() };
    if !board.has(other) || board.at(other) != Some(wanted) {
        return Err(Reason::WrongOther(other));
    }
    let block = board.block(target);
    if block.is_some_and(|block| block.stones.contains(other)) {
        return Err(Reason::OneBlock);
    }
    Ok(Some(other))
}
