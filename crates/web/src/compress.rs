//! Compression of responses.

use std::io::Write as _;
use std::mem::take;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, VARY};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::StreamExt as _;
use futures_util::stream::unfold;

/// The size in bytes below which a response is sent as it is.
const MIN: u64 = 512;

/// Returns whether a client accepts gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter();
    let accepted = accepted.filter_map(|it| it.to_str().ok());
    let mut codings = accepted.flat_map(|it| it.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts
            .next()
            .is_some_and(|it| it.eq_ignore_ascii_case("gzip"));
        let quality = parts.next().and_then(|it| it.strip_prefix("q="));
        is_gzip && quality.and_then(|it| it.parse().ok()) != Some(0.0)
    })
}

/// Compresses responses for clients that accept it. Each part of a stream is sent at once, and
/// compressed together with the parts before it.
pub(super) async fn compress(request: Request, next: Next) -> Response {
    let is_wanted = request.method() != Method::HEAD && accepts_gzip(request.headers());
    let response = next.run(request).await;
    let size = response.body().size_hint().upper();
    if !is_wanted || size.is_some_and(|size| size < MIN) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    head.headers.remove(CONTENT_LENGTH);
    let gzip = HeaderValue::from_static("gzip");
    head.headers.insert(CONTENT_ENCODING, gzip);
    let vary = HeaderValue::from_static("accept-encoding");
    head.headers.append(VARY, vary);
    let encoder = GzEncoder::new(Vec::new(), Compression::default());
    let parts = unfold((body.into_data_stream(), Some(encoder)), next_part);
    Response::from_parts(head, Body::from_stream(parts))
}

/// A body to compress, and its encoder until the end.
type State = (BodyDataStream, Option<GzEncoder<Vec<u8>>>);

async fn next_part((mut body, encoder): State) -> Option<(Result<Bytes, axum::Error>, State)> {
    let mut encoder = encoder?;
    let part = match body.next().await {
        Some(Ok(part)) => part,
        Some(Err(error)) => return Some((Err(error), (body, None))),
        None => {
            let rest = encoder.finish().map_err(axum::Error::new);
            return Some((rest.map(Bytes::from), (body, None)));
        }
    };
    let written = encoder.write_all(&part).and_then(|()| encoder.flush());
    let part = written.map(|()| Bytes::from(take(encoder.get_mut())));
    Some((part.map_err(axum::Error::new), (body, Some(encoder))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_used_only_on_request() {
        for (header, is_accepted) in [
            ("gzip, deflate, br", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0, br", false),
            ("x-gzip", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(header));
            assert_eq!(accepts_gzip(&headers), is_accepted, "{header}");
        }
    }
}
