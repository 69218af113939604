//! Places for connections: those that have shown the token keep theirs.
//!
//! A new connection is a guest until a request with the token makes it a member. When all places of
//! a kind are taken, the next connection replaces the oldest one of the network with the most of
//! them: no client keeps others out, and guests never replace members.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot::{Receiver, Sender, channel};

use leitai_base::threads::lock;

/// The most connections without the token.
const GUESTS: usize = 400;
/// The most connections with the token.
const MEMBERS: usize = 100;

/// All places of a server.
#[derive(Debug, Default)]
pub(super) struct Places {
    guests: Mutex<Vec<Entry>>,
    members: Mutex<Vec<Entry>>,
    next: AtomicU64,
}

/// An open connection; in lists, the oldest comes first.
#[derive(Debug)]
struct Entry {
    number: u64,
    network: IpAddr,
    /// Dropped to close the connection.
    _open: Sender<()>,
}

/// The place of a connection.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    number: u64,
    is_member: AtomicBool,
}

impl Places {
    /// The place of a new connection from `peer`; the receiver gets an error when the connection
    /// has to close.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> (Place, Receiver<()>) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (open, closed) = channel();
        let entry = Entry {
            number,
            network: network_of(peer),
            _open: open,
        };
        add(&mut lock(&self.guests), GUESTS, entry);
        let place = Place {
            places: Arc::clone(self),
            number,
            is_member: AtomicBool::new(false),
        };
        (place, closed)
    }
}

impl Place {
    /// Makes the connection a member.
    pub(super) fn make_member(&self) {
        if !self.is_member.swap(true, Ordering::Relaxed)
            && let Some(entry) = remove(&mut lock(&self.places.guests), self.number)
        {
            add(&mut lock(&self.places.members), MEMBERS, entry);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Places {
            guests, members, ..
        } = &*self.places;
        for list in [guests, members] {
            remove(&mut lock(list), self.number);
        }
    }
}

/// Adds an entry, in place of another one if there are `most`.
fn add(list: &mut Vec<Entry>, most: usize, entry: Entry) {
    if list.len() >= most {
        let oldest = oldest_of_largest(list);
        list.remove(oldest);
    }
    list.push(entry);
}

fn remove(list: &mut Vec<Entry>, number: u64) -> Option<Entry> {
    let index = list.iter().position(|entry| entry.number == number)?;
    Some(list.remove(index))
}

/// The index of the oldest entry of the network with the most entries.
fn oldest_of_largest(list: &[Entry]) -> usize {
    let mut sizes: HashMap<IpAddr, usize> = HashMap::new();
    for entry in list {
        *sizes.entry(entry.network).or_default() += 1;
    }
    let most = sizes.values().max();
    let is_largest = |entry: &Entry| sizes.get(&entry.network) == most;
    list.iter().position(is_largest).unwrap_or_default()
}

/// The network that an address counts towards: a single machine may use all 2^64 addresses of an
/// IPv6 network.
fn network_of(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    type Taken = (Place, Receiver<()>);

    fn is_closed(taken: &mut Taken) -> bool {
        taken.1.try_recv() == Err(TryRecvError::Closed)
    }

    #[test]
    fn a_crowd_displaces_its_own_connections() {
        let places = Arc::new(Places::default());
        let mut other = places.admit(address("10.0.0.2"));
        let mut crowd: Vec<Taken> = (0..3 * GUESTS)
            .map(|_| places.admit(address("10.0.0.1")))
            .collect();
        assert!(!is_closed(&mut other));
        let closed: Vec<bool> = crowd.iter_mut().map(is_closed).collect();
        let gone = 2 * GUESTS + 1;
        assert!(closed[..gone].iter().all(|&it| it));
        assert!(!closed[gone..].iter().any(|&it| it));
    }

    #[test]
    fn guests_do_not_displace_members() {
        let places = Arc::new(Places::default());
        let peer = address("127.0.0.1");
        let member = || {
            let taken = places.admit(peer);
            taken.0.make_member();
            taken.0.make_member();
            taken
        };
        let mut members: Vec<Taken> = (0..MEMBERS).map(|_| member()).collect();
        let mut guests: Vec<Taken> = (0..2 * GUESTS).map(|_| places.admit(peer)).collect();
        assert!(!members.iter_mut().any(is_closed));
        // A displaced guest stays closed.
        guests[0].0.make_member();
        assert!(is_closed(&mut guests[0]));
        // A place that is left is free again.
        drop(members.pop());
        let _next = member();
        assert!(!members.iter_mut().any(is_closed));
        let _more = member();
        assert!(is_closed(&mut members[0]));
        assert!(!members[1..].iter_mut().any(is_closed));
    }

    #[test]
    fn addresses_of_a_network_count_together() {
        let [one, other] = ["2001:db8::1", "2001:db8::ffff:1"].map(address);
        assert_eq!(network_of(one), network_of(other));
        assert_ne!(network_of(one), network_of(address("2001:db8:0:1::1")));
        let mapped = network_of(address("::ffff:10.0.0.1"));
        assert_eq!(mapped, address("10.0.0.1"));
    }
}
