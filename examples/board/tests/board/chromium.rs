//! A headless browser, which the test controls through the protocol of its developer tools.
//!
//! With `--remote-debugging-pipe`, the browser reads commands from file descriptor 3, and writes replies and events to
//! file descriptor 4. Each message is JSON and ends with a zero byte. A shell connects the two descriptors to the
//! standard input and output of the process.

use std::{env, ffi::OsString, path::PathBuf, process::Stdio, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::{Instant, sleep, timeout},
};

/// The names of the program, in the order in which they are searched for.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// The longest time to wait for a reply or for a change of a page.
const LIMIT: Duration = Duration::from_secs(30);

/// A running browser.
pub(crate) struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: BufReader<ChildStdout>,
    last_id: u64,
    /// The browser's own folder, which is deleted at the end.
    _profile: TempDir,
}

/// An open page. Several pages share one browser.
pub(crate) struct Page {
    session: String,
}

/// Returns the path of the browser: the environment variable `CHROME`, or a program in `PATH`.
pub(crate) fn find() -> Option<PathBuf> {
    if let Some(program) = env::var_os("CHROME") {
        return Some(program.into());
    }
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let mut programs = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |it| it.join(name)));
    programs.find(|program| program.is_file())
}

impl Browser {
    /// Starts a browser without a window.
    pub(crate) fn start(program: PathBuf) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut data = OsString::from("--user-data-dir=");
        data.push(profile.path());
        let mut command = Command::new("sh");
        command.args([
            "-c",
            r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#,
        ]);
        command.arg(program).arg(data).args([
            "--headless",
            "--remote-debugging-pipe",
            "--no-first-run",
            // The browser shows only the page of this test, and containers often forbid the sandbox.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
        ]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.kill_on_drop(true).spawn().unwrap();
        Self {
            commands: process.stdin.take().unwrap(),
            messages: BufReader::new(process.stdout.take().unwrap()),
            process,
            last_id: 0,
            _profile: profile,
        }
    }

    /// Opens a page.
    pub(crate) async fn open(&mut self, url: &str) -> Page {
        let target = json!({ "url": url, "newWindow": true });
        let target = self.call(None, "Target.createTarget", target).await;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.call(None, "Target.attachToTarget", attach).await;
        let session = attached["sessionId"].as_str().unwrap().to_owned();
        // From now on, the browser reports exceptions of the page.
        self.call(Some(&session), "Runtime.enable", json!({})).await;
        Page { session }
    }

    /// Stops the browser.
    pub(crate) async fn close(mut self) {
        self.call(None, "Browser.close", json!({})).await;
        let end = timeout(LIMIT, self.process.wait()).await;
        end.expect("the browser should end").unwrap();
    }

    /// Returns the value of an expression in the page.
    pub(crate) async fn evaluate(&mut self, page: &Page, expression: &str) -> Value {
        let call = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let session = Some(&*page.session);
        let mut reply = self.call(session, "Runtime.evaluate", call).await;
        let exception = &reply["exceptionDetails"];
        assert!(exception.is_null(), "{expression}: {exception}");
        reply["result"]["value"].take()
    }

    /// Waits until an expression in the page is true.
    pub(crate) async fn wait_for(&mut self, page: &Page, condition: &str) {
        let started = Instant::now();
        while self.evaluate(page, condition).await != true {
            if started.elapsed() > LIMIT {
                let text = self.evaluate(page, "document.body.innerText").await;
                panic!("{condition} is not true for the page {text}");
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Replaces the text of an input, and presses the key Enter.
    pub(crate) async fn enter(&mut self, page: &Page, input: &str, text: &str) {
        let focus = format!("(it => {{ it.focus(); it.select(); }})({input})");
        self.evaluate(page, &focus).await;
        let session = Some(&*page.session);
        let insert = json!({ "text": text });
        self.call(session, "Input.insertText", insert).await;
        for kind in ["keyDown", "keyUp"] {
            let key = json!({
                "type": kind, "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13,
            });
            self.call(session, "Input.dispatchKeyEvent", key).await;
        }
    }

    /// Sends a command, and returns the result. Fails if a page has thrown an exception in the meantime.
    async fn call(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut command = json!({ "id": self.last_id, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        let mut command = command.to_string().into_bytes();
        command.push(0);
        self.commands.write_all(&command).await.unwrap();
        loop {
            let mut message = Vec::new();
            let read = self.messages.read_until(0, &mut message);
            let read = timeout(LIMIT, read)
                .await
                .expect("the browser should reply");
            assert_ne!(read.unwrap(), 0, "the browser has ended");
            message.pop();
            let mut message: Value = serde_json::from_slice(&message).unwrap();
            assert_ne!(message["method"], "Runtime.exceptionThrown", "{message}");
            if message["id"] == self.last_id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }
}
