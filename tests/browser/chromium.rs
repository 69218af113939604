//! Chromium as driven by tests: commands and events are JSON ended by a zero byte, on the file
//! descriptors 3 and 4 (`--remote-debugging-pipe`).

use std::env;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Time limit; a busy machine takes seconds to start a browser.
const PATIENCE: Duration = Duration::from_mins(1);

const PROGRAMS: [&str; 4] = [
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    session: String,
    last: u64,
    /// The requests of the page.
    pub(crate) requests: Vec<String>,
    /// The errors of the page: console errors, exceptions, and violations of its policy.
    pub(crate) faults: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser; prints a note and returns `None` if there is none and none is required.
    #[expect(clippy::print_stderr, reason = "it is told what is left out")]
    pub(crate) fn start() -> Option<Self> {
        let Some(program) = PROGRAMS.into_iter().find(|it| Path::new(it).is_file()) else {
            let required = env::var_os("LEITAI_BROWSER").is_some_and(|it| it == "required");
            assert!(!required, "no Chromium is installed");
            eprintln!("skipped: no Chromium is installed");
            return None;
        };
        let profile = TempDir::new().expect("a temporary folder");
        let mut user_data = OsString::from("--user-data-dir=");
        user_data.push(profile.path());
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null",
                "sh",
            ])
            .arg(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--remote-debugging-pipe",
            ])
            .arg(user_data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh starts");
        let commands = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            child,
            commands,
            messages,
            session: String::new(),
            last: 0,
            requests: Vec::new(),
            faults: Vec::new(),
            _profile: profile,
        };
        let target = browser.send_command("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.send_command("Target.attachToTarget", &attach);
        attached["sessionId"]
            .as_str()
            .expect("a session")
            .clone_into(&mut browser.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.send_command(&format!("{domain}.enable"), &json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its answer.
    pub(crate) fn send_command(&mut self, method: &str, parameters: &Value) -> Value {
        let message = self.ask(method, parameters);
        assert!(message.get("error").is_none(), "{method}: {message}");
        message["result"].clone()
    }

    /// Does the same, but returns errors.
    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": parameters });
        if !self.session.is_empty() {
            command["sessionId"] = self.session.as_str().into();
        }
        let mut bytes = serde_json::to_vec(&command).expect("JSON");
        bytes.push(0);
        self.commands
            .write_all(&bytes)
            .expect("the browser listens");
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            if message["id"] == self.last {
                return message;
            }
            self.note(&message);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(url.to_owned());
            }
            "Log.entryAdded" if parameters["entry"]["level"] != "verbose" => {
                self.faults.push(parameters["entry"]["text"].to_string());
            }
            "Runtime.exceptionThrown" => {
                self.faults.push(parameters["exceptionDetails"].to_string());
            }
            "Runtime.consoleAPICalled" if parameters["type"] == "error" => {
                self.faults.push(parameters["args"].to_string());
            }
            _ => {}
        }
    }

    /// Opens an address and waits until the page is loaded.
    pub(crate) fn open(&mut self, url: &str) {
        self.send_command("Page.navigate", &json!({ "url": url }));
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        self.evaluate(expression)
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Does the same; an error if the page was replaced meanwhile.
    fn evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let parameters = json!({
            "expression": expression,
            "returnByValue": true,
            "awaitPromise": true
        });
        let message = self.ask("Runtime.evaluate", &parameters);
        let answer = &message["result"];
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        match message.get("error") {
            None => Ok(answer["result"]["value"].clone()),
            Some(error) => Err(error.clone()),
        }
    }

    /// Waits until an expression is true, in the next page if this one is replaced.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        let is_so = format!("Boolean({expression})");
        while self.evaluate(&is_so) != Ok(Value::Bool(true)) {
            assert!(Instant::now() < end, "never came: {expression}");
            thread::sleep(Duration::from_millis(15));
        }
    }

    /// Presses a key, named as the event's `key`.
    pub(crate) fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 => key,
            _ => "",
        };
        let kind = if text.is_empty() {
            "rawKeyDown"
        } else {
            "keyDown"
        };
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let event = |kind: &str| {
            json!({
                "type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code
            })
        };
        self.send_command("Input.dispatchKeyEvent", &event(kind));
        let mut up = event("keyUp");
        up["text"] = "".into();
        self.send_command("Input.dispatchKeyEvent", &up);
    }

    /// Role and name of everything in the accessibility tree.
    pub(crate) fn accessible(&mut self) -> Vec<(String, String)> {
        let tree = self.send_command("Accessibility.getFullAXTree", &json!({}));
        let nodes = tree["nodes"].as_array().expect("nodes");
        let told = nodes.iter().filter(|node| node["ignored"] != true);
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        told.map(|node| (text(&node["role"]), text(&node["name"])))
            .collect()
    }

    /// Sets the light or dark scheme; an empty text resets it.
    pub(crate) fn set_scheme(&mut self, scheme: &str) {
        let wanted = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.send_command("Emulation.setEmulatedMedia", &json!({ "features": wanted }));
    }

    /// Fails if text has too little contrast in the light or dark scheme, if axe-core finds a
    /// fault, or if a control has no name.
    pub(crate) fn assert_readable(&mut self) {
        for scheme in ["light", "dark"] {
            self.set_scheme(scheme);
            let faint = self.value(include_str!("readable.js"));
            assert_eq!(faint, json!([]), "{scheme}");
            self.audit(scheme);
        }
        self.set_scheme("");
        let used = [
            "button",
            "link",
            "combobox",
            "textbox",
            "searchbox",
            "spinbutton",
            "checkbox",
            "radio",
            "slider",
            "grid",
            "img",
        ];
        for (role, name) in self.accessible() {
            let is_named = !name.trim().is_empty() || !used.contains(&role.as_str());
            assert!(is_named, "a {role} has no name");
        }
    }

    /// Fails if axe-core finds a fault. Without a file of it in `LEITAI_AXE`, prints a note.
    #[expect(clippy::print_stderr, reason = "a note about a skipped check")]
    fn audit(&mut self, scheme: &str) {
        let Some(file) = env::var_os("LEITAI_AXE").filter(|file| !file.is_empty()) else {
            eprintln!("skipped: LEITAI_AXE names no axe.min.js");
            return;
        };
        if self.value("typeof axe") == "undefined" {
            let script = std::fs::read_to_string(file).expect("the file of LEITAI_AXE");
            self.value(&format!("{script}; 0"));
        }
        let found = self.value(
            "axe.run().then(({ violations }) => violations.map(({ id, help, nodes }) =>
                `${id}: ${help}: ${nodes.map((it) => it.html).join(' ').slice(0, 400)}`))",
        );
        assert_eq!(found, json!([]), "{scheme}");
    }

    /// The brightness of cells of the visible page, as rows of hexadecimal digits.
    pub(crate) fn cells(&mut self, [columns, rows]: [u32; 2]) -> String {
        let format = json!({ "format": "png" });
        let picture = self.send_command("Page.captureScreenshot", &format);
        let cells = self.value(&format!(
            "({})({}, {columns}, {rows})",
            include_str!("cells.js"),
            picture["data"]
        ));
        cells.as_str().expect("text").to_owned()
    }

    /// Sets the size of the window, in CSS pixels.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false
        });
        self.send_command("Emulation.setDeviceMetricsOverride", &size);
    }

    /// The page as a PNG, from the top of the selected element.
    pub(crate) fn picture(&mut self, selector: &str, [width, height]: [u32; 2]) -> Vec<u8> {
        let top = format!(
            "document.querySelector({selector:?}).getBoundingClientRect().top + scrollY - 8"
        );
        let top = self.value(&top);
        let clip = json!({ "x": 0, "y": top, "width": width, "height": height, "scale": 1 });
        let parameters = json!({ "format": "png", "clip": clip, "captureBeyondViewport": true });
        let picture = self.send_command("Page.captureScreenshot", &parameters);
        let data = picture["data"].as_str().expect("a picture");
        STANDARD.decode(data).expect("base64")
    }

    /// Fails if the page had errors.
    pub(crate) fn assert_sound(&mut self) {
        // Events up to now arrive before the answer.
        self.value("1");
        assert!(self.faults.is_empty(), "{:#?}", self.faults);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
