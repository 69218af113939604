//! Access control: checks each request before it is routed.
//!
//! The loopback interface alone does not keep other sites out: a browser sends requests for any
//! page, and treats a name that another site has bound to 127.0.0.1 as part of that site (DNS
//! rebinding). So a request must name one of this server's hosts and carry the token, and a request
//! that changes anything must come from a page of this server.

use std::collections::HashSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tokio::time::timeout;

use super::places::Place;

/// The header of requests that change anything: scripts of the server's pages send it, and forms
/// cannot.
pub(super) const OWN_HEADER: &str = "x-leitai";

/// The most bytes in the body of a request.
const BODY: usize = 1 << 16;
/// The timeout of a whole request body.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The content security policy of pages: load from this server, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The rules of access.
#[derive(Clone, Debug)]
pub struct Access {
    token: String,
    cookie: String,
    hosts: HashSet<String>,
    /// The port, if the loopback interface leads to it.
    loopback: Option<u16>,
}

impl Access {
    /// Grants access with `token` to requests for `address`, by its number, as `localhost` and any
    /// loopback address if it is one, or by one of these names.
    pub fn new(token: String, address: SocketAddr, names: &[String]) -> Self {
        let port = address.port();
        let ip = match address {
            SocketAddr::V4(v4) => v4.ip().to_string(),
            SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
        };
        // A listener on all interfaces includes the loopback interface.
        let is_loopback = is_loopback(address.ip()) || address.ip().is_unspecified();
        let local = is_loopback.then(|| "localhost".to_owned());
        let names = local.into_iter().chain([ip]).chain(names.iter().cloned());
        let hosts = names.flat_map(|name| {
            let name = name.to_ascii_lowercase();
            // Browsers omit the usual port, which a proxy may use.
            [format!("{name}:{port}"), name]
        });
        Self {
            token,
            // Cookies belong to a host, regardless of the port.
            cookie: format!("leitai-{port}"),
            hosts: hosts.collect(),
            loopback: is_loopback.then_some(port),
        }
    }

    fn is_host(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let is_ours = host.is_some_and(|host| {
            self.hosts.contains(&host.to_ascii_lowercase()) || self.is_loopback(host)
        });
        is_ours && hosts.next().is_none()
    }

    /// Returns whether a host is a loopback address by its number, which no site can bind.
    fn is_loopback(&self, host: &str) -> bool {
        let Some(port) = self.loopback else {
            return false;
        };
        let suffix = format!(":{port}");
        let number = host.strip_suffix(&suffix).unwrap_or(host);
        let inner = number.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let address = match inner {
            Some(v6) => v6.parse().map(IpAddr::V6).ok(),
            None => number.parse().map(IpAddr::V4).ok(),
        };
        address.is_some_and(is_loopback)
    }

    fn is_token(&self, token: &str) -> bool {
        // Comparing digests takes the same time for every guess.
        Sha256::digest(token) == Sha256::digest(&self.token)
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter();
        let cookies = cookies.filter_map(|it| it.to_str().ok());
        let mut cookies = cookies.flat_map(|it| it.split(';'));
        cookies.any(|cookie| {
            let parts = cookie.trim().split_once('=');
            parts.is_some_and(|(name, value)| name == self.cookie && self.is_token(value))
        })
    }

    /// Moves the token from the address into a cookie; `query` is the rest of the query.
    fn redirect(&self, path: &str, query: &str) -> Response {
        let mark = if query.is_empty() { "" } else { "?" };
        let cookie = format!(
            "{}={}; HttpOnly; SameSite=Strict; Path=/",
            self.cookie, self.token
        );
        // A path with two leading slashes would name another host; browsers treat a backslash as a
        // slash.
        let place = format!("/{}{mark}{query}", path.trim_start_matches(['/', '\\']));
        let parts = [(LOCATION, place), (SET_COOKIE, cookie)];
        (StatusCode::SEE_OTHER, parts).into_response()
    }

    /// The reason to refuse a request; `None` if it may be answered.
    fn refusal(&self, request: &Request) -> Option<Refusal> {
        let headers = request.headers();
        let forbidden = |why| Some((StatusCode::FORBIDDEN, why));
        if !self.is_host(headers) {
            return forbidden("This server does not serve this name; `--allow-host` adds names.");
        }
        let text = |name: &str| headers.get(name).map(|it| it.to_str().unwrap_or("?"));
        if let Some(origin) = text(ORIGIN.as_str()) {
            let host = text(HOST.as_str()).unwrap_or_default();
            let is_own = |scheme| origin.strip_prefix(scheme) == Some(host);
            if !is_own("http://") && !is_own("https://") {
                return forbidden("The request comes from another site.");
            }
        }
        let is_elsewhere = !matches!(text("sec-fetch-site"), None | Some("same-origin" | "none"));
        // Following a link changes nothing and sends no cookie.
        let is_link = request.method() == Method::GET && text("sec-fetch-mode") == Some("navigate");
        if is_elsewhere && !is_link {
            return forbidden("The request comes from another site.");
        }
        match *request.method() {
            Method::GET | Method::HEAD => None,
            Method::POST => {
                let kind = text(CONTENT_TYPE.as_str()).unwrap_or_default();
                let is_json = kind.split(';').next().map(str::trim) == Some("application/json");
                if is_json && text(OWN_HEADER).is_some() {
                    return None;
                }
                forbidden("Only pages of this program may send such requests.")
            }
            _ => Some((
                StatusCode::METHOD_NOT_ALLOWED,
                "This server does not support this method.",
            )),
        }
    }
}

/// Returns whether an address is one of the loopback interface, also an IPv4 address in IPv6 form.
pub fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// The token of a query, and the rest of the query.
fn split_token(query: &str) -> (Option<&str>, String) {
    let is_token = |part: &&str| part.starts_with("token=");
    let token = query.split('&').find(is_token);
    let rest: Vec<&str> = query.split('&').filter(|part| !is_token(part)).collect();
    (
        token.and_then(|it| it.strip_prefix("token=")),
        rest.join("&"),
    )
}

/// Answers permitted requests and refuses others.
pub(super) async fn guard(
    State(access): State<Access>,
    Extension(place): Extension<Arc<Place>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match admitted(&access, &place, request).await {
        Ok(Admitted::To(request)) => next.run(request).await,
        Ok(Admitted::Redirect(response)) => response,
        Err(refusal) => {
            // The next request needs a new connection, behind waiting ones.
            let close = (CONNECTION, HeaderValue::from_static("close"));
            (refusal.0, [close], refusal.1).into_response()
        }
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A request with the token.
enum Admitted {
    /// With its whole body.
    To(Request),
    /// With the token in the address: the response moves it into a cookie.
    Redirect(Response),
}

type Refusal = (StatusCode, &'static str);

async fn admitted(access: &Access, place: &Place, request: Request) -> Result<Admitted, Refusal> {
    if let Some(refusal) = access.refusal(&request) {
        return Err(refusal);
    }
    let (token, rest) = split_token(request.uri().query().unwrap_or_default());
    if token.is_some_and(|token| !access.is_token(token)) {
        return Err((StatusCode::FORBIDDEN, "The token is wrong."));
    }
    if token.is_none() && !access.has_cookie(request.headers()) {
        let help = "Open the address that the command has printed, which includes the token.";
        return Err((StatusCode::UNAUTHORIZED, help));
    }
    place.make_member();
    if token.is_some() {
        return Ok(Admitted::Redirect(
            access.redirect(request.uri().path(), &rest),
        ));
    }
    let (head, body) = request.into_parts();
    match timeout(BODY_TIMEOUT, to_bytes(body, BODY)).await {
        Ok(Ok(body)) => Ok(Admitted::To(Request::from_parts(head, Body::from(body)))),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "The request is too large.")),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "The request is not complete.")),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn access() -> Access {
        let address = "127.0.0.1:8590".parse().expect("an address");
        Access::new("secret".to_owned(), address, &["box.lan".to_owned()])
    }

    fn refused(method: &str, headers: &[(&str, &str)]) -> Option<StatusCode> {
        let mut request = Request::builder().method(method).uri("/run/../state");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).expect("a request");
        access().refusal(&request).map(|(status, _)| status)
    }

    #[test]
    fn names_of_others_are_refused() {
        for host in [
            "127.0.0.1:8590",
            "LOCALHOST:8590",
            "[::1]:8590",
            "127.0.0.5:8590",
            "[::ffff:127.8.0.1]:8590",
            "127.0.0.5",
            "box.lan",
        ] {
            assert_eq!(refused("GET", &[("host", host)]), None, "{host}");
        }
        for hosts in [
            &[][..],
            &[("host", "evil.example:8590")],
            &[("host", "127.0.0.1:8591")],
            &[("host", "localhost.evil.example")],
            &[("host", "localhost:8590"), ("host", "evil.example")],
        ] {
            assert_eq!(
                refused("GET", hosts),
                Some(StatusCode::FORBIDDEN),
                "{hosts:?}"
            );
        }
    }

    #[test]
    fn other_sites_are_refused() {
        let host = ("host", "localhost:8590");
        for headers in [
            &[host, ("origin", "http://evil.example")][..],
            &[host, ("origin", "null")],
            &[host, ("sec-fetch-site", "cross-site")],
            &[
                host,
                ("sec-fetch-site", "same-site"),
                ("sec-fetch-mode", "cors"),
            ],
        ] {
            assert_eq!(
                refused("GET", headers),
                Some(StatusCode::FORBIDDEN),
                "{headers:?}"
            );
        }
        let link = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
        ];
        assert_eq!(refused("GET", &[&[host][..], &link].concat()), None);
        assert!(refused("POST", &[&[host][..], &link].concat()).is_some());
        assert_eq!(
            refused("GET", &[host, ("origin", "http://localhost:8590")]),
            None
        );
    }

    #[test]
    fn only_our_pages_change_anything() {
        let host = ("host", "localhost:8590");
        let json = ("content-type", "application/json; charset=utf-8");
        assert_eq!(refused("POST", &[host, json, (OWN_HEADER, "1")]), None);
        for headers in [
            &[host][..],
            &[host, json],
            &[host, (OWN_HEADER, "1")],
            &[host, (OWN_HEADER, "1"), ("content-type", "text/plain")],
        ] {
            assert_eq!(
                refused("POST", headers),
                Some(StatusCode::FORBIDDEN),
                "{headers:?}"
            );
        }
        assert_eq!(
            refused("PUT", &[host]),
            Some(StatusCode::METHOD_NOT_ALLOWED)
        );
    }

    #[test]
    fn tokens_are_taken_out_of_queries() {
        assert_eq!(split_token(""), (None, String::new()));
        assert_eq!(
            split_token("a=1&token=x&b=2"),
            (Some("x"), "a=1&b=2".to_owned())
        );
    }

    #[test]
    fn cookies_are_of_the_port() {
        let has = |text: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(COOKIE, HeaderValue::from_static(text));
            access().has_cookie(&headers)
        };
        assert!(has("a=b; leitai-8590=secret"));
        assert!(!has("leitai-8591=secret; leitai-8590=secre"));
    }
}
