//! `leitai serve`: pages of records, while they are played.

use std::fs::Permissions;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use serde_json::Value;

use crate::attack::{peak_memory, stop};
use crate::browser::chromium::Browser;
use crate::common::{Sandbox, json, leitai, project, run, stderr};

/// A name that would be markup if it were not escaped.
const HOSTILE: &str = "<img src=x onerror=alert(1)>";

/// A server that ends with the test.
pub(crate) struct Server {
    child: Child,
    /// The address with the token.
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = leitai();
        command.args(arguments).arg("--json").stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let mut line = String::new();
        let output = child.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let told: Value = serde_json::from_str(&line).expect("JSON");
        let url = told["url"].as_str().expect("an address").to_owned();
        Self { child, url }
    }

    /// Host and port.
    pub(crate) fn host(&self) -> &str {
        let rest = self.url.strip_prefix("http://").expect("an address");
        rest.split('/').next().expect("a host")
    }

    pub(crate) fn token(&self) -> &str {
        self.url.split("token=").nth(1).expect("a token")
    }

    /// The status, the head and the body of a response to a post of a page.
    pub(crate) fn post(&self, path: &str, body: &str) -> (u16, String, String) {
        let request = self.request(path, "").replacen("GET", "POST", 1);
        let request = request.trim_end();
        let length = body.len();
        self.ask(&format!(
            "{request}\r\nX-Leitai: 1\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ))
    }

    /// The status, the head and the body of a response.
    fn ask(&self, request: &str) -> (u16, String, String) {
        let (head, body) = self.exchange(request);
        let status = head.split(' ').nth(1).expect("a status");
        let status = status.parse().expect("a number");
        (status, head, String::from_utf8(body).expect("text"))
    }

    /// The head and the body of a response.
    fn exchange(&self, request: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n");
        let body = answer.split_off(end.expect("a head") + 4);
        (String::from_utf8(answer).expect("text"), body)
    }

    /// Sends a request with the token's cookie.
    pub(crate) fn get(&self, path: &str, headers: &str) -> (u16, String, String) {
        self.ask(&self.request(path, headers))
    }

    fn request(&self, path: &str, headers: &str) -> String {
        let host = self.host();
        let port = host.rsplit(':').next().expect("a port");
        let cookie = format!("Cookie: leitai-{port}={}\r\n", self.token());
        format!("GET {path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n{cookie}{headers}\r\n")
    }
}

impl Server {
    /// The peak of its memory in kB.
    pub(crate) fn peak_memory(&self) -> u64 {
        peak_memory(&self.child.id().to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A config of Othello with this number of pairs.
pub(crate) fn othello(pairs: u32, more: &str) -> String {
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    format!(
        "game = \"othello\"\nseed = 5\nlimits = {{ depth = 1 }}\n[openings]\nfile = {book:?}\n\
         [tournament]\npairs = {pairs}\n[[variant]]\nname = {HOSTILE:?}\n[[variant]]\nname = \"b\"\n\
         limits = {{ depth = 2 }}\n{more}"
    )
}

pub(crate) fn played(sandbox: &Sandbox, name: &str, config: &str) -> String {
    let config = sandbox.write(&format!("{name}.toml"), config);
    let store = sandbox.path(&format!("{name}.sqlite"));
    let output = run(&["run", &config, "--store", &store, "-q"]);
    assert!(output.status.success(), "{}", stderr(&output));
    store
}

#[test]
fn only_authorised_workers_get_replies() {
    let sandbox = Sandbox::new();
    let store = played(&sandbox, "r", &othello(2, ""));
    let server = Server::start(&["serve", &store]);
    let (host, token) = (server.host(), server.token());
    let port = host.rsplit(':').next().expect("a port");
    let request = |path: &str, host: &str, more: &str| {
        let words =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n");
        server.ask(&words)
    };
    // Without the token access is refused; with it the server sets a cookie and removes the token
    // from the address.
    assert_eq!(request("/runs", host, "").0, 401);
    assert_eq!(request("/runs?token=guess", host, "").0, 403);
    let (status, head, _) = request(&format!("//runs?a=1&token={token}"), host, "");
    assert_eq!(status, 303);
    let head = head.to_lowercase();
    assert!(head.contains("location: /runs?a=1\r\n"), "{head}");
    assert!(head.contains("; httponly; samesite=strict"), "{head}");
    assert_eq!(server.get("/runs", "").0, 200);
    // Foreign hosts and sites are refused even with the cookie.
    let cookie = format!("Cookie: leitai-{port}={token}\r\n");
    for (host, more) in [
        (format!("evil.example:{port}"), ""),
        (format!("127.0.0.1.evil.example:{port}"), ""),
        (host.to_owned(), "Origin: http://evil.example\r\n"),
        (host.to_owned(), "Sec-Fetch-Site: cross-site\r\n"),
    ] {
        let (status, head, _) = request("/runs", &host, &format!("{cookie}{more}"));
        assert_eq!(status, 403, "{host} {more}");
        assert!(
            head.to_lowercase()
                .contains("content-security-policy: default-src 'none'")
        );
    }
    // No path leads to files, and no name to anything but a run.
    for path in [
        "/app/../Cargo.toml",
        "/app/%2e%2e%2fCargo.toml",
        "/run/../../etc/passwd",
        "/run/zz",
    ] {
        assert_eq!(server.get(path, "").0, 404, "{path}");
    }
    let post = format!(
        "POST /runs HTTP/1.1\r\nHost: {host}\r\n{cookie}Connection: close\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    assert_eq!(server.ask(&post).0, 403);
}

#[test]
fn beyond_this_machine_a_token_of_a_file_is_needed() {
    let sandbox = Sandbox::new();
    let store = played(&sandbox, "r", &othello(2, ""));
    let refused = run(&["serve", &store, "--host", "0.0.0.0"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("--token-file"),
        "{}",
        stderr(&refused)
    );
    let nothing = run(&["serve", &sandbox.path("none.sqlite")]);
    assert_eq!(nothing.status.code(), Some(2));
    let server = Server::start(&["serve", &store, "--token-file", &sandbox.path("token")]);
    let token = sandbox.path("token");
    let kept = std::fs::read_to_string(&token).expect("kept");
    assert_eq!(kept.trim(), server.token());
    assert_eq!(server.token().len(), 32);
    let mode = std::fs::metadata(&token)
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let again = Server::start(&["serve", &store, "--token-file", &token]);
    assert_eq!(again.token(), server.token());
    let [one, other] = [(); 2].map(|()| Server::start(&["serve", &store]));
    assert_ne!(one.token(), other.token());
    assert_ne!(one.token(), server.token());
    // A file that others may read, and texts that are no tokens.
    for (mode, text, said) in [
        (0o640, &*kept, "chmod 600"),
        (0o600, "short", "is not a token"),
        (0o600, "a b c d e f g h i j k l", "is not a token"),
    ] {
        std::fs::write(&token, text).expect("written");
        std::fs::set_permissions(&token, Permissions::from_mode(mode)).expect("set");
        let refused = run(&["serve", &store, "--token-file", &token]);
        assert_eq!(refused.status.code(), Some(2), "{text}");
        assert!(stderr(&refused).contains(said), "{}", stderr(&refused));
    }
}

/// A removed or replaced record is shown as such.
#[test]
fn a_record_that_is_gone_is_not_shown() {
    let sandbox = Sandbox::new();
    let store = played(&sandbox, "one", &othello(2, ""));
    let other = played(&sandbox, "two", &othello(3, ""));
    let server = Server::start(&["serve", &store]);
    let list = || -> Value {
        let (status, _, body) = server.get("/verdicts.json", "");
        assert_eq!(status, 200);
        serde_json::from_str(&body).expect("JSON")
    };
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_mins(1), "never {what}");
            sleep(Duration::from_millis(20));
        }
    };
    let first = list()["runs"][0]["run"].as_str().expect("a run").to_owned();
    let state = format!("/run/{first}/state");
    assert_eq!(server.get(&state, "").0, 200);
    let troubles = |text: &str| {
        let list = list();
        let trouble = list["troubles"][0].as_str().unwrap_or_default();
        trouble.contains(text) && list["runs"].as_array().is_some_and(Vec::is_empty)
    };
    std::fs::remove_file(&store).expect("removed");
    wait("removed", &|| troubles("there is no record"));
    wait("told of", &|| server.get(&state, "").0 == 404);
    std::fs::copy(&other, &store).expect("copied");
    wait("replaced", &|| {
        let run = &list()["runs"][0];
        run["recorded"] == 3 && run["run"] != first.as_str()
    });
    assert_eq!(server.get(&state, "").0, 404);
    let junk = sandbox.write("junk", "no record");
    std::fs::rename(&junk, &store).expect("moved");
    wait("junk", &|| troubles("not a record"));
    // The run is found again in its record, wherever that was in between.
    played(&sandbox, "again", &othello(2, ""));
    std::fs::rename(sandbox.path("again.sqlite"), &store).expect("moved");
    wait("back", &|| server.get(&state, "").0 == 200);
}

#[test]
fn a_server_listens_on_any_loopback_address_until_a_signal() {
    let sandbox = Sandbox::new();
    let store = played(&sandbox, "r", &othello(2, ""));
    for (host, signal) in [
        ("127.0.0.1", "INT"),
        ("127.0.0.5", "TERM"),
        ("127.9.8.7", "HUP"),
        ("::1", "QUIT"),
    ] {
        let mut server = Server::start(&["serve", &store, "--host", host]);
        assert_eq!(server.get("/runs", "").0, 200, "{host}");
        assert_eq!(stop(&mut server.child, signal), Some(130), "{host}");
    }
}

/// The address permits all that the pages can do, so only the owner may read its file.
#[test]
fn an_address_in_a_file_is_its_owners() {
    let sandbox = Sandbox::new();
    let store = played(&sandbox, "r", &othello(2, ""));
    let file = sandbox.write("address.json", "{}");
    std::fs::set_permissions(&file, Permissions::from_mode(0o644)).expect("set");
    let mut command = leitai();
    command.args(["serve", &store, &format!("--json={file}")]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it runs");
    let mut line = String::new();
    let output = child.stdout.take().expect("piped");
    let mut output = BufReader::new(output);
    output.read_line(&mut line).expect("a line");
    let _server = Server {
        child,
        url: line.trim().to_owned(),
    };
    let begun = Instant::now();
    while std::fs::read_to_string(&file).is_ok_and(|text| text == "{}") {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "nothing is written"
        );
        sleep(Duration::from_millis(5));
    }
    let mode = std::fs::metadata(&file)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let written = std::fs::read_to_string(&file).expect("text");
    assert_eq!(written, format!("{{\"url\":\"{}\"}}\n", line.trim()));
}

#[test]
fn responses_are_compressed_for_clients_that_accept_it() {
    let sandbox = Sandbox::new();
    let store = played(&sandbox, "r", &othello(2, ""));
    let server = Server::start(&["serve", &store]);
    let list = json(&["report", &store, "--list", "--json"]);
    let run = list[0]["run"].as_str().expect("an id");
    let [state, games] = ["state", "games"].map(|it| format!("/run/{run}/{it}"));
    for path in ["/verdicts.json", &state, &games, "/app/viewer.js"] {
        let (status, head, plain) = server.get(path, "");
        assert_eq!(status, 200);
        assert!(!head.contains("content-encoding"), "{head}");
        let request = server.request(path, "Accept-Encoding: br, gzip\r\n");
        let (head, packed) = server.exchange(&request);
        assert!(head.contains("content-encoding: gzip\r\n"), "{head}");
        assert!(head.contains("vary: accept-encoding"), "{head}");
        assert!(packed.len() < plain.len(), "{path}: {}", packed.len());
        let mut text = String::new();
        let mut reader = GzDecoder::new(packed.as_slice());
        reader.read_to_string(&mut text).expect("gzip");
        assert_eq!(text, plain, "{path}");
    }
}

#[test]
fn served_pages_equal_reports() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    a_tune_has_a_page(&mut browser);
    let sandbox = Sandbox::new();
    let stores = [
        played(&sandbox, "one", &othello(4, "")),
        played(&sandbox, "two", &othello(3, "[[variant]]\nname = \"c\"\n")),
    ];
    let server = Server::start(&["serve", &stores[0], &stores[1]]);
    browser.requests.clear();
    browser.open(&server.url);
    browser.wait_for("document.querySelectorAll('.runs tbody tr').length === 2");
    assert_eq!(browser.value("location.search"), "");
    browser.value("[...document.querySelectorAll('.runs a')].find(it => it.textContent.startsWith('one.toml')).click()");
    browser.wait_for("document.querySelectorAll('#viewer [role=gridcell]').length === 64");
    let told = json(&["report", &stores[0], "--json"]);
    let rows = "[...document.querySelectorAll('.standings tbody tr')].map(row => [...row.cells].map(cell => cell.innerText))";
    let rows = browser.value(rows);
    let variants = told["variants"].as_array().expect("variants");
    assert_eq!(rows.as_array().expect("rows").len(), variants.len());
    for (row, variant) in rows.as_array().expect("rows").iter().zip(variants) {
        assert_eq!(row[0], variant["name"]);
        for (column, key) in (7..).zip(["wins", "draws", "losses"]) {
            assert_eq!(row[column], variant[key].to_string(), "{key}: {row}");
        }
    }
    assert_eq!(browser.value("document.images.length"), 0);
    let status = browser.value("document.querySelector('.status').innerText");
    assert!(
        status
            .as_str()
            .expect("text")
            .starts_with("finished · 4 of 4 pairs"),
        "{status}"
    );
    // Cells of the cross table open their games.
    browser.value("document.querySelector('.cross button').click()");
    browser.wait_for("document.querySelector('#viewer').contains(document.activeElement)");
    browser.assert_sound();

    // Two side by side.
    browser.assert_readable();
    browser.value("location.href = '/runs'");
    browser.wait_for("document.querySelectorAll('.runs input').length === 2");
    browser.assert_readable();
    browser.value("document.querySelectorAll('.runs input').forEach(it => it.click())");
    browser.value("[...document.querySelectorAll('button')].find(it => it.textContent === 'Compare two').click()");
    browser.wait_for("document.querySelectorAll('.two .standings').length === 2");
    browser.assert_sound();
    let is_here = |url: &String| url.starts_with("http://127.0.0.1:") || url.starts_with("data:");
    assert!(
        browser.requests.iter().all(is_here),
        "{:?}",
        browser.requests
    );
}

#[test]
fn a_page_follows_the_run_that_is_played() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let sandbox = Sandbox::new();
    // Games for a minute, in progress when a browser connects late.
    let config = sandbox.write(
        "live.toml",
        &othello(300, "").replace("depth = 2", "depth = 7"),
    );
    let store = sandbox.path("live.sqlite");
    let mut playing = leitai()
        .args(["run", &config, "--store", &store, "-q", "--threads", "1"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let recorded = || {
        let listed = run(&["report", &store, "--list", "--json"]);
        let listed: Value = serde_json::from_slice(&listed.stdout).unwrap_or_default();
        listed[0]["recorded"].as_u64()
    };
    while recorded() < Some(2) {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let server = Server::start(&["serve", &store]);
    browser.open(&server.url);
    browser.wait_for("document.querySelector('.status')?.innerText.startsWith('running')");
    let listed = json(&["report", &store, "--list", "--json"]);
    let to_go = listed[0]["seconds_to_go"].as_f64();
    assert!(to_go.is_some_and(|seconds| seconds > 0.0), "{listed}");
    let games = "Number(document.querySelector('.figures dd').innerText.replace(',', ''))";
    let before = browser.value(games).as_f64().expect("a number");
    browser.wait_for(&format!("{games} > {before}"));
    browser.wait_for("document.title.includes(' % ')");
    playing.kill().expect("killed");
    playing.wait().expect("ended");
    browser.wait_for("document.querySelector('.status').innerText.startsWith('stopped')");
    browser.assert_sound();
    // Unchanged data is not sent again.
    let list = json(&["report", &store, "--list", "--json"]);
    let path = format!("/run/{}/state", list[0]["run"].as_str().expect("an id"));
    let (status, head, _) = server.get(&path, "");
    assert_eq!(status, 200);
    let etag = head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .expect("a tag");
    assert_eq!(
        server.get(&path, &format!("If-None-Match: {etag}\r\n")).0,
        304
    );
}

/// Others may read the logs of continuous integration.
#[test]
fn the_address_in_a_log_has_no_token() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("run.toml", &othello(300, ""));
    let store = sandbox.path("r.sqlite");
    for (ci, has_token) in [("true", false), ("false", true)] {
        let mut command = leitai();
        command.args(["run", &config, "--store", &store, "-q", "--serve"]);
        command
            .env("CI", ci)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut playing = command.spawn().expect("the binary runs");
        let mut lines = BufReader::new(playing.stderr.take().expect("piped")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.strip_prefix("pages: ")?.to_owned()));
        playing.kill().expect("killed");
        playing.wait().expect("ended");
        let address = address.expect("an address");
        assert_eq!(address.contains("token="), has_token, "{ci}: {address}");
    }
}

/// Games in progress are shown, and a run is paused, resumed and ended from its page.
#[test]
fn a_run_is_watched_and_controlled_from_its_page() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let sandbox = Sandbox::new();
    let text = othello(300, "").replace("depth = 2", "depth = 6");
    let config = sandbox.write("live.toml", &text);
    let store = sandbox.path("live.sqlite");
    let mut playing = leitai()
        .args([
            "run",
            &config,
            "--store",
            &store,
            "-q",
            "--threads",
            "1",
            "--serve",
            "--control",
        ])
        .env_remove("CI")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut lines = BufReader::new(playing.stderr.take().expect("piped")).lines();
    let url = lines
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| Some(line.strip_prefix("pages: ")?.to_owned()));
    browser.open(&url.expect("an address"));
    // The record is created a moment after the server.
    browser.wait_for("document.querySelector('.status, .runs tbody tr')");
    if browser.value("Boolean(document.querySelector('.runs'))") == true {
        browser.value("document.querySelector('.runs a').click()");
        browser.wait_for("document.querySelector('.status')");
    }
    browser.wait_for("document.querySelector('[data-control] button')");
    browser.value("document.querySelector('.live').open = true");
    browser.wait_for("document.querySelectorAll('.live-games button').length > 0");
    browser.wait_for("document.querySelectorAll('.live [role=gridcell]').length === 64");
    let press = |browser: &mut Browser, text: &str| {
        browser.value(&format!(
            "[...document.querySelectorAll('[data-control] button')].find(it => it.textContent === {text:?}).click()"
        ));
    };
    let recorded = || json(&["report", &store, "--list", "--json"])[0]["recorded"].as_u64();
    let settled = |still: bool| {
        let mut before = recorded();
        loop {
            std::thread::sleep(std::time::Duration::from_millis(400));
            let now = recorded();
            if (now == before) == still {
                break;
            }
            before = now;
        }
    };
    press(&mut browser, "Pause");
    settled(true);
    assert!(playing.try_wait().expect("a status").is_none());
    press(&mut browser, "Go on");
    settled(false);
    press(&mut browser, "End after these pairs");
    let ended = playing.wait().expect("it ends");
    assert_eq!(ended.code(), Some(130));
    assert!(recorded() < Some(300));
    browser.assert_sound();
}

/// The values of a tune are shown from its record, as a file and by the server.
fn a_tune_has_a_page(browser: &mut Browser) {
    let sandbox = Sandbox::new();
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    let config = sandbox.write(
        "tune.toml",
        &format!(
            "game = \"othello\"\nseed = 3\nlimits = {{ depth = 1 }}\nopenings = {{ file = {book:?} }}\n\
             [tune]\ngames = 800\nbatch = 2\nproof = {{ elo0 = 0, elo1 = 60 }}\n[[tune.parameter]]\npath = \"eval.squares[*]\"\nmin = -100\n\
             max = 200\nstep = 20\n[[variant]]\nname = {HOSTILE:?}\neval = {{ preset = \"discs\" }}\n"
        ),
    );
    let (store, page) = (sandbox.path("tune.sqlite"), sandbox.path("page.html"));
    let tuned = run(&["tune", &config, "--store", &store, "-q", "--json"]);
    assert!(tuned.status.success(), "{}", stderr(&tuned));
    let tuned: Value = serde_json::from_slice(&tuned.stdout).expect("JSON");
    let values = |browser: &mut Browser| {
        let rows = "[...document.querySelectorAll('.parameters tbody tr')].map(it => it.innerText)";
        browser.value(rows).as_array().expect("rows").len()
    };
    let id = tuned["run"].as_str().expect("an id");
    let written = run(&["report", &store, "--run", id, &format!("--html={page}")]);
    assert!(written.status.success(), "{}", stderr(&written));
    browser.open(&format!("file://{page}"));
    let rows = values(browser);
    assert!(rows > 0, "no numbers");
    let figures = "document.querySelector('.figures').innerText";
    let figures = browser.value(figures);
    let games = tuned["games"].to_string();
    let lead = browser.value("document.querySelector('.lead').innerText");
    let proof = &tuned["proof"]["candidates"][0];
    assert_eq!(proof["verdict"], "accepted");
    let lead = lead.as_str().expect("text").to_owned();
    let sentence = proof["sentence"]
        .as_str()
        .expect("a sentence")
        .replace('`', "");
    assert!(
        lead.contains(&format!("{sentence}. Elo +")),
        "{lead}: {sentence}"
    );
    assert!(
        figures.as_str().expect("text").contains(&games),
        "{figures}"
    );
    browser.assert_sound();

    // The runs of the record are the tune and its verification match.
    let server = Server::start(&["serve", &store]);
    browser.open(&server.url);
    browser.wait_for("document.querySelectorAll('.runs tbody tr').length === 2");
    browser.value("[...document.querySelectorAll('.runs a')].find(it => it.textContent.startsWith('tune.toml')).click()");
    browser.wait_for("document.querySelector('.status')?.innerText.startsWith('finished')");
    assert_eq!(values(browser), rows);
    assert_eq!(browser.value("document.images.length"), 0);
    browser.assert_readable();
    browser.assert_sound();
    // Leaves the page, so that it does not poll a server that has ended.
    browser.send_command(
        "Page.navigate",
        &serde_json::json!({ "url": "about:blank" }),
    );
    browser.wait_for("location.href === 'about:blank'");
}
