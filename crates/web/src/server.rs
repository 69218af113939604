//! A server of bounded size that runs until the command ends.

use std::future::Future as _;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use super::access::{Access, guard};
use super::compress::compress;
use leitai_players::play::Cancel;

/// The most connections at once: further ones wait.
const CONNECTIONS: usize = 100;
/// The timeout of an idle connection, so that silent clients do not keep others out. Streams and
/// delayed answers send something more often.
const IDLE: Duration = Duration::from_secs(10);
/// The most bytes in the body of a request.
const BODY: usize = 1 << 16;
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
            .layer(DefaultBodyLimit::max(BODY))
            .layer(from_fn(compress))
            .layer(from_fn_with_state(access, guard));
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(8)
            .thread_name("web")
            .enable_all()
            .build()?;
        let served = runtime.block_on(async {
            let bounded = Bounded {
                listener: TcpListener::from_std(self.listener)?,
                room: Arc::new(Semaphore::new(CONNECTIONS)),
            };
            let ended = async {
                while !cancel.is_draining() {
                    sleep(TICK).await;
                }
            };
            // Streams of events have no end: they are cut off.
            tokio::select! {
                served = axum::serve(bounded, router).into_future() => served,
                () = ended => Ok(()),
            }
        });
        runtime.shutdown_background();
        served
    }
}

/// A listener with a limit on connections.
struct Bounded {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

impl Listener for Bounded {
    type Io = Counted;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Counted, SocketAddr) {
        loop {
            let room = Arc::clone(&self.room).acquire_owned().await;
            let accepted = self.listener.accept().await;
            if let (Ok(room), Ok((stream, address))) = (room, accepted) {
                let _ = stream.set_nodelay(true);
                let counted = Counted {
                    stream,
                    idle: Box::pin(sleep(IDLE)),
                    is_asked: false,
                    _room: room,
                };
                return (counted, address);
            }
            // File descriptors have run out, or the client has disconnected.
            sleep(TICK).await;
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that counts towards the limit.
struct Counted {
    stream: TcpStream,
    idle: Pin<Box<Sleep>>,
    /// True after a complete request without body, before its answer: a client that waits for an
    /// answer is not idle.
    is_asked: bool,
    _room: OwnedSemaphorePermit,
}

impl Counted {
    /// Resets the timeout after traffic in either direction.
    fn reset_timeout<T>(&mut self, traffic: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if traffic.is_ready() {
            self.idle.as_mut().reset(Instant::now() + IDLE);
        }
        traffic
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let read = self.reset_timeout(read);
        if read.is_ready() {
            self.is_asked = buffer.filled()[before..].ends_with(b"\r\n\r\n");
        }
        if read.is_pending() && !self.is_asked && self.idle.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.is_asked &= written.is_pending();
        self.reset_timeout(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
