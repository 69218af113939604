//! A server of bounded size that runs until the command ends.

use std::future::Future as _;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::time::{Sleep, sleep};

use super::access::{Access, guard};
use super::compress::compress;
use super::places::Places;
use leitai_players::play::Cancel;

/// The timeout of a whole request head, and of an idle connection.
const HEAD: Duration = Duration::from_secs(10);
/// The most bytes of a request head.
const LARGEST_HEAD: usize = 64 << 10;
/// The timeout of a client that reads nothing of an answer.
const STALL: Duration = Duration::from_secs(10);
/// Interval for checking whether the command is to end.
const TICK: Duration = Duration::from_millis(50);

/// An open listening port.
#[derive(Debug)]
pub struct Port {
    listener: std::net::TcpListener,
    address: SocketAddr,
}

impl Port {
    /// Listens at that address; `None` is the default port, or any free one.
    ///
    /// # Errors
    /// The port is in use, or the address does not belong to this machine.
    pub fn open(host: IpAddr, port: Option<u16>) -> io::Result<Self> {
        let listener = match port {
            Some(port) => std::net::TcpListener::bind((host, port)),
            None => std::net::TcpListener::bind((host, super::PORT))
                .or_else(|_| std::net::TcpListener::bind((host, 0))),
        }?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the command is asked to end.
    ///
    /// # Errors
    /// The system refuses threads or sockets.
    pub fn serve(self, router: Router, access: Access, cancel: &'static Cancel) -> io::Result<()> {
        let router = router
            .layer(from_fn(compress))
            .layer(from_fn_with_state(access, guard));
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(8)
            .thread_name("web")
            .enable_all()
            .build()?;
        let served = runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener)?;
            let ended = async {
                while !cancel.is_draining() {
                    sleep(TICK).await;
                }
            };
            // Streams of events have no end: they are cut off.
            tokio::select! {
                () = accept(listener, router) => {},
                () = ended => {},
            }
            Ok(())
        });
        runtime.shutdown_background();
        served
    }
}

/// Answers each connection in its place.
async fn accept(listener: TcpListener, router: Router) {
    let places = Arc::new(Places::default());
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD);
    server.max_buf_size(LARGEST_HEAD).half_close(true);
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // File descriptors have run out, or the client has disconnected.
            sleep(TICK).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (place, closed) = places.admit(peer.ip());
        let service = router.clone().layer(Extension(Arc::new(place)));
        let stream = TokioIo::new(Connection::new(stream));
        let answered = server.serve_connection(stream, TowerToHyperService::new(service));
        tokio::spawn(async {
            tokio::select! {
                _ = answered => {},
                _ = closed => {},
            }
        });
    }
}

/// A connection that fails if its client reads no answers.
struct Connection {
    stream: TcpStream,
    /// The end of the wait for the client, while it lasts.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    fn new(stream: TcpStream) -> Self {
        let stalled = None;
        Self { stream, stalled }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALL)));
        stalled
            .as_mut()
            .poll(context)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
