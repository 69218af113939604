//! Reduces a strategy to fewer nodes.

use std::collections::HashMap;

use super::certificate::{Certificate, Node};

impl Certificate {
    /// The same strategy in fewer nodes: merges equal nodes, drops replies with the same answer as
    /// unlisted plays, and drops unreachable nodes. Valid if the certificate was.
    #[must_use]
    pub fn shrunk(mut self) -> Certificate {
        loop {
            for node in &mut self.nodes {
                let otherwise = node.otherwise;
                node.replies.retain(|&(_, to)| Some(to) != otherwise);
            }
            if !self.merge() {
                break;
            }
        }
        self.renumber();
        self
    }

    /// Merges equal nodes. Returns whether there were any.
    fn merge(&mut self) -> bool {
        let mut first: HashMap<&Node, u32> = HashMap::new();
        let places: Vec<u32> = (0..)
            .zip(&self.nodes)
            // The root stays separate: the other side may move first there.
            .map(|(number, node)| match number {
                0 => 0,
                _ => *first.entry(node).or_insert(number),
            })
            .collect();
        let mut has_changed = false;
        for node in &mut self.nodes {
            let replies = node.replies.iter_mut().map(|(_, to)| to);
            for to in replies.chain(&mut node.otherwise) {
                let place = places.get(*to as usize).copied().unwrap_or(*to);
                has_changed |= place != *to;
                *to = place;
            }
        }
        has_changed
    }

    /// Numbers the nodes in the order of a walk from the root.
    fn renumber(&mut self) {
        let count = self.nodes.len();
        let mut places: Vec<Option<u32>> = vec![None; count];
        let mut order: Vec<usize> = Vec::new();
        let mut open = if count > 0 { vec![0] } else { Vec::new() };
        while let Some(number) = open.pop() {
            if places[number].is_some() {
                continue;
            }
            places[number] = Some(order.len() as u32);
            order.push(number);
            let node = &self.nodes[number];
            let replies = node.replies.iter().map(|&(_, to)| to);
            let following: Vec<u32> = replies.chain(node.otherwise).collect();
            let following = following.iter().rev().map(|&to| to as usize);
            open.extend(following.filter(|&to| to < count));
        }
        // References to missing nodes stay invalid.
        let place = |to: u32| match places.get(to as usize) {
            Some(place) => place.unwrap_or(to),
            None => to,
        };
        let nodes = order.iter().map(|&number| {
            let mut node = std::mem::take(&mut self.nodes[number]);
            let replies = node.replies.iter_mut().map(|(_, to)| to);
            replies
                .chain(&mut node.otherwise)
                .for_each(|to| *to = place(*to));
            node
        });
        self.nodes = nodes.collect();
    }
}
