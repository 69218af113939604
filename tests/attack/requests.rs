//! Hostile requests to a server of pages: the server answers none without the token, and none keeps
//! out a client with it.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::scale::{Dice, Scale};
use crate::browser::serve::{Server, othello, played};
use crate::common::Sandbox;

/// Time limit for an answer, and for the end of a refused connection.
const PATIENCE: Duration = Duration::from_secs(20);
/// Memory limit of the server, in kB.
const MEMORY: u64 = 256 << 10;
/// The most connections that are kept open.
const HELD: usize = 300;

/// A server, and silent connections to it.
struct Attacked {
    server: Server,
    held: Vec<TcpStream>,
}

impl Attacked {
    fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.server.host()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // The server may refuse before it has read all.
        let _ = stream.write_all(bytes);
        stream
    }

    /// Sends bytes that no answer follows, and keeps the connection.
    fn hold(&mut self, bytes: &[u8]) {
        let stream = self.send(bytes);
        self.held.push(stream);
    }

    /// Sends a request that the server has to refuse, and close.
    fn assert_refused(&self, bytes: &[u8]) {
        let answer = read_to_end(self.send(bytes));
        let status = answer.get(9..12).and_then(|it| it.parse().ok());
        let refused = match status {
            None => answer.is_empty(),
            Some(status) => (400_u32..500).contains(&status),
        };
        let request = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
        assert!(refused, "{request:?} gets {answer}");
    }

    fn assert_person_is_answered(&self) {
        let begun = Instant::now();
        let request = format!(
            "GET /runs HTTP/1.1\r\n{}Connection: close\r\n\r\n",
            self.own()
        );
        let answer = read_to_end(self.send(request.as_bytes()));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer:.200}");
        assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    }

    fn port(&self) -> &str {
        self.server.host().rsplit(':').next().expect("a port")
    }

    fn host(&self) -> String {
        format!("Host: {}\r\n", self.server.host())
    }

    fn cookie(&self) -> String {
        format!("Cookie: leitai-{}={}\r\n", self.port(), self.server.token())
    }

    /// The headers of a person with the token.
    fn own(&self) -> String {
        self.host() + &self.cookie()
    }
}

/// The answer, up to the end of the connection.
fn read_to_end(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        // A connection that is closed before the server has read all is reset.
        Err(error) if error.kind() != ErrorKind::ConnectionReset => {
            panic!("{error} after {}", String::from_utf8_lossy(&answer))
        }
        _ => String::from_utf8_lossy(&answer).into_owned(),
    }
}

type Request = fn(&mut Attacked, &mut Dice);

/// Kinds of hostile requests.
const KINDS: [Request; 12] = [
    |it, dice| {
        let part = dice.of(&[
            "",
            "\r\n\r\n",
            "\n\n\n",
            "G",
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nX: ",
        ]);
        it.hold(part.as_bytes());
    },
    |it, dice| {
        // A body that never arrives, with the token too.
        let head = format!(
            "POST /control HTTP/1.1\r\n{}X-Leitai: 1\r\nContent-Type: application/json\r\n",
            it.own()
        );
        let end = *dice.of(&[
            "Content-Length: 100\r\n\r\n",
            "Content-Length: 100\r\n\r\n{",
            "Transfer-Encoding: chunked\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5\r\n{",
        ]);
        it.hold((head + end).as_bytes());
    },
    |it, dice| {
        // A list that is never read.
        let request = format!("GET /verdicts.json HTTP/1.1\r\n{}\r\n", it.own());
        it.hold(request.repeat(1 + dice.below(50)).as_bytes());
    },
    |it, dice| {
        let port = it.port();
        let host = match dice.below(6) {
            0 => format!("evil.example:{port}"),
            1 => format!("127.0.0.1.evil.example:{port}"),
            2 => format!("127.0.0.1:{port}@evil.example"),
            3 => String::new(),
            4 => format!("localhost:{port}\r\nHost: localhost:{port}"),
            _ => format!("10.0.0.1:{port}"),
        };
        let cookie = it.cookie();
        it.assert_refused(format!("GET /runs HTTP/1.1\r\nHost: {host}\r\n{cookie}\r\n").as_bytes());
    },
    |it, dice| {
        let from = *dice.of(&[
            "Origin: http://evil.example",
            "Origin: null",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors",
            "Sec-Fetch-Site: nonsense",
        ]);
        let own = it.own();
        it.assert_refused(format!("GET /runs HTTP/1.1\r\n{own}{from}\r\n\r\n").as_bytes());
    },
    |it, dice| {
        let (host, port, token) = (it.host(), it.port(), it.server.token());
        let cookie = match dice.below(6) {
            0 => String::new(),
            1 => format!("Cookie: leitai-{port}={}\r\n", &token[1..]),
            2 => format!("Cookie: leitai={token}\r\n"),
            3 => format!("Cookie: x=1; leitai-{port}=\r\n"),
            4 => format!("Authorization: Bearer {token}\r\n"),
            _ => format!("X-Cookie: leitai-{port}={token}\r\n"),
        };
        let path = dice.of(&[
            "/runs",
            "/verdicts.json",
            "/?token=guess",
            "/app/live.js",
            "/x",
        ]);
        it.assert_refused(format!("GET {path} HTTP/1.1\r\n{host}{cookie}\r\n").as_bytes());
    },
    |it, dice| {
        let method = dice.of(&[
            "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW",
        ]);
        let own = it.own();
        it.assert_refused(format!("{method} /runs HTTP/1.1\r\n{own}\r\n").as_bytes());
    },
    |it, dice| {
        // Requests that only a page of this server may send.
        let kind = *dice.of(&["text/plain", "application/x-www-form-urlencoded", ""]);
        let own = it.own();
        let request = format!(
            "POST /control HTTP/1.1\r\n{own}Content-Type: {kind}\r\nX-Leitai: 1\r\n\
             Content-Length: 16\r\n\r\n{{\"wish\":\"drain\"}}"
        );
        it.assert_refused(request.as_bytes());
    },
    |it, dice| {
        let path = dice.of(&[
            "/app/../Cargo.toml",
            "/app/%2e%2e%2fCargo.toml",
            "/run/../../etc/passwd",
            "/run/%00",
            "//etc/passwd",
            "/run/'; drop table runs; --",
            "/run/0000/games?games=%ff",
        ]);
        let own = it.own() + "Connection: close\r\n";
        it.assert_refused(format!("GET {path} HTTP/1.1\r\n{own}\r\n").as_bytes());
    },
    |it, dice| {
        // Two readings of where a request ends.
        let framing = *dice.of(&[
            "Content-Length: 3\r\nContent-Length: 4\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 99999999999999999999\r\n\r\n",
            "Transfer-Encoding: chunked, gzip\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        ]);
        let own = it.own();
        let head = "X-Leitai: 1\r\nContent-Type: application/json\r\n";
        it.assert_refused(format!("POST /control HTTP/1.1\r\n{own}{head}{framing}").as_bytes());
    },
    |it, dice| {
        let own = it.own();
        let long = "a".repeat(1 << (14 + dice.below(7)));
        let request = match dice.below(3) {
            0 => format!(
                "GET /runs HTTP/1.1\r\n{own}{}\r\n",
                "X: y\r\n".repeat(2_000)
            ),
            1 => format!("GET /{} HTTP/1.1\r\n{own}\r\n", long.repeat(40)),
            _ => format!(
                "POST /control HTTP/1.1\r\n{own}X-Leitai: 1\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\n\r\n{}",
                long.len() * 8,
                long.repeat(8)
            ),
        };
        it.assert_refused(request.as_bytes());
    },
    |it, dice| {
        // A request without the cookie, with bytes changed.
        let host = it.host();
        let mut request = format!("GET /runs HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        let mut bytes = std::mem::take(&mut request).into_bytes();
        for _ in 0..=dice.below(6) {
            let at = dice.below(bytes.len() - 4);
            bytes[at] = dice.next() as u8;
        }
        it.assert_refused(&bytes);
    },
];

pub(crate) fn attack(scale: &Scale) -> String {
    let sandbox = Sandbox::new();
    let store = played(&sandbox, "r", &othello(2, ""));
    let mut attacked = Attacked {
        server: Server::start(&["serve", &store]),
        held: Vec::new(),
    };
    let mut dice = scale.dice("requests");
    for number in 0..scale.requests {
        KINDS[number % KINDS.len()](&mut attacked, &mut dice);
        if attacked.held.len() > HELD {
            attacked.held.remove(0);
        }
        attacked.assert_person_is_answered();
    }
    let peak = attacked.server.peak_memory();
    assert!(peak < MEMORY, "{peak} kB");
    let closed = all_closed(&mut attacked.held);
    format!(
        "{} hostile requests, {closed} of them silent and closed, {peak} kB of memory",
        scale.requests
    )
}

/// Waits until the server has closed all connections; returns their number.
fn all_closed(held: &mut Vec<TcpStream>) -> usize {
    let count = held.len();
    for mut stream in held.drain(..) {
        let mut answer = vec![0; 1 << 16];
        loop {
            match stream.read(&mut answer) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
                    break;
                }
            }
        }
    }
    count
}
