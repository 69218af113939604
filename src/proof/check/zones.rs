//! Whether every play that could matter is answered.

use std::collections::VecDeque;

use super::super::certificate::{Certificate, Play};
use super::super::points::Points;
use super::super::refusal::{Reason, Refusal};
use super::claim::{Answered, Question};
use super::explore::{State, refusal};
use super::shape::Order;

/// Finds the least zones that fit together, and looks whether the certificate answers
/// every play inside them. What is not answered in a zone that still grows is not
/// answered in the end either.
pub(super) fn settle(
    certificate: &Certificate,
    question: &Question,
    order: &Order,
    states: &mut [State],
) -> Result<(), Refusal> {
    let mut parents: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    if !question.must_end {
        for (number, state) in states.iter().enumerate() {
            for &(child, _) in &state.children {
                parents[child as usize].push(number as u32);
            }
        }
    }
    // Of a plan that ends, what follows comes first, so that each state is looked at
    // once; otherwise what is farther from the root, as often as something below it
    // has grown.
    let mut open: VecDeque<usize> = if question.must_end {
        order.of(states).into()
    } else {
        (0..states.len()).rev().collect()
    };
    let mut waits = vec![true; states.len()];
    while let Some(number) = open.pop_front() {
        waits[number] = false;
        if states[number].is_won {
            continue;
        }
        let zone = zone(certificate, question, states, number)
            .map_err(|reason| refusal(reason, certificate, question, states, number))?;
        if zone == states[number].zone {
            continue;
        }
        states[number].zone = zone;
        for &parent in &parents[number] {
            if !std::mem::replace(&mut waits[parent as usize], true) {
                open.push_back(parent as usize);
            }
        }
    }
    Ok(())
}

/// The zone of a state, from those of the states that follow it.
fn zone(
    certificate: &Certificate,
    question: &Question,
    states: &[State],
    number: usize,
) -> Result<Points, Reason> {
    let state = &states[number];
    let node = &certificate.nodes[state.node as usize];
    let board = state.board(question.size);
    let after = match question.answer(node, &board, state.is_provers)? {
        Answered::Won(zone) => return Ok(zone),
        Answered::Open(after) => after,
    };
    let mut zone = Points::default();
    for &(child, _) in &state.children {
        zone.add(&states[child as usize].zone);
    }
    let plays = question.before_replies(&after, &mut zone);
    let answered = node.replies.iter();
    let answered: Points = answered
        .filter_map(|&(play, _)| match play {
            Play::At(spot) => Some(spot),
            Play::Pass => None,
        })
        .collect();
    if let Some(open) = plays.iter().find(|&play| !answered.contains(play)) {
        let play = Play::At(open);
        let takes = question
            .reply(&after, open)
            .is_some_and(|board| question.is_taken(&board));
        return Err(if takes {
            Reason::TargetTaken(play)
        } else {
            Reason::Unanswered(play)
        });
    }
    if state.is_provers {
        question.before_answer(node, &board, &mut zone);
    }
    Ok(zone)
}
