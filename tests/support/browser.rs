//! Headless Chromium, driven by real events through its DevTools protocol. It ends with the test.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pchr::bytes::Budget;
use pchr::image::decode_straight;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Longest wait for anything, even on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    calls: u64,
    events: Vec<Value>,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let call = json!({"id": 0, "method": "Browser.close"}).to_string();
        let asked = self.socket.send(Message::text(call));
        let start = Instant::now();
        while asked.is_ok() && start.elapsed() < Duration::from_secs(5) {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser {
    /// Starts a browser with one page of 1280 by 900 pixels, in light colours and with motion.
    pub(crate) fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut folder = std::ffi::OsString::from("--user-data-dir=");
        folder.push(profile.path());
        let mut child = Command::new("chromium");
        child.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
        child.arg("--remote-debugging-port=0").arg(folder).arg("about:blank");
        child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = child.spawn();
        let mut child =
            child.expect("chromium must be installed (Debian: apt-get install chromium)");
        let port = profile.path().join("DevToolsActivePort");
        let start = Instant::now();
        let (port, path) = loop {
            let text = fs::read_to_string(&port).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n').filter(|(_, path)| !path.is_empty()) {
                break (port.parse().unwrap(), path.trim().to_owned());
            }
            assert_eq!(child.try_wait().unwrap(), None, "chromium ended");
            assert!(start.elapsed() < PATIENCE, "chromium does not listen");
            sleep(Duration::from_millis(20));
        };
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client(url, stream).unwrap();
        let mut browser =
            Self { child, socket, session: None, calls: 0, events: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.size(1280, 900);
        browser.prefer("light", "no-preference");
        browser
    }

    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut call = json!({"id": self.calls, "method": method, "params": params});
        if let Some(session) = &self.session {
            call["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(call.to_string())).unwrap();
        loop {
            let message = self.socket.read().unwrap();
            let mut answer: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
            if answer["id"] == self.calls {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    /// Sets the size of the window, with one device pixel per page pixel.
    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Sets the user's preferences: `light` or `dark`, `reduce` or `no-preference`.
    pub(crate) fn prefer(&mut self, scheme: &str, motion: &str) {
        let features = json!([
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) fn open(&mut self, path: &Path, hash: &str) {
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.events.clear();
        let url = format!("file://{}{hash}", path.display());
        self.visit(&url);
    }

    /// Goes to an address and waits until the page is loaded.
    pub(crate) fn visit(&mut self, url: &str) {
        let opened = self.call("Page.navigate", json!({"url": url}));
        assert_eq!(opened["errorText"], Value::Null, "{url}");
        self.wait("location.protocol !== 'about:' && document.readyState === 'complete'");
    }

    /// Value of an expression; a promise is awaited.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let call = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", call);
        assert_eq!(answer["exceptionDetails"], Value::Null, "{expression}");
        answer["result"]["value"].take()
    }

    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    pub(crate) fn number(&mut self, expression: &str) -> f64 {
        let value = self.value(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    pub(crate) fn wait(&mut self, condition: &str) {
        let start = Instant::now();
        while self.value(condition) != Value::Bool(true) {
            assert!(start.elapsed() < PATIENCE, "never true: {condition}");
            sleep(Duration::from_millis(20));
        }
    }

    fn settle(&mut self) {
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// Presses a key by its name, such as j, Tab or ArrowLeft.
    pub(crate) fn key(&mut self, key: &str) {
        let named = "9 Tab,13 Enter,27 Escape,32  ,35 End,36 Home,37 ArrowLeft,38 ArrowUp,39 ArrowRight,40 ArrowDown";
        let mut named = named.split(',').map(|one| one.split_once(' ').unwrap());
        let code: u8 =
            named.find(|(_, name)| *name == key).map_or(0, |(code, _)| code.parse().unwrap());
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 => key,
            _ => "",
        };
        let event = |kind: &str, text: &str| json!({"type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text});
        self.call("Input.dispatchKeyEvent", event("keyDown", text));
        self.call("Input.dispatchKeyEvent", event("keyUp", ""));
        self.settle();
    }

    pub(crate) fn keys(&mut self, text: &str) {
        for key in text.chars() {
            self.key(&key.to_string());
        }
    }

    fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], buttons: u8) {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    pub(crate) fn hover(&mut self, at: [f64; 2]) {
        self.mouse("mouseMoved", at, 0);
        self.settle();
    }

    /// Drags through these points; a single point is a click.
    pub(crate) fn drag(&mut self, points: &[[f64; 2]]) {
        self.mouse("mouseMoved", points[0], 0);
        self.mouse("mousePressed", points[0], 1);
        for point in &points[1..] {
            self.mouse("mouseMoved", *point, 1);
        }
        self.mouse("mouseReleased", points[points.len() - 1], 0);
        self.settle();
    }

    /// Left, top, width and height of an element, relative to the window.
    pub(crate) fn place(&mut self, selector: &str) -> [f64; 4] {
        let place = self.value(&format!(
            "(({{x, y, width, height}}) => [x, y, width, height])(document.querySelector({selector:?}).getBoundingClientRect())"
        ));
        [0, 1, 2, 3].map(|i| place[i].as_f64().unwrap())
    }

    pub(crate) fn click(&mut self, selector: &str) {
        self.value(&format!(
            "document.querySelector({selector:?}).scrollIntoView({{ block: 'nearest' }})"
        ));
        let [x, y, width, height] = self.place(selector);
        assert!(width * height > 0.0, "{selector} is not visible");
        self.drag(&[[x + width / 2.0, y + height / 2.0]]);
    }

    pub(crate) fn shot(&mut self) -> Shot {
        self.settle();
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let png = STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        if let Some(folder) = std::env::var_os("PCHR_SHOTS") {
            let name = std::thread::current().name().unwrap().replace("::", "-");
            fs::write(Path::new(&folder).join(format!("{name}-{}.png", self.calls)), &png).unwrap();
        }
        Shot::decode(&png)
    }

    /// Errors and console messages, and requests to other sites.
    pub(crate) fn problems(&mut self) -> Vec<String> {
        self.settle();
        const WRONG: &str = "Runtime.exceptionThrown Runtime.consoleAPICalled Log.entryAdded Network.loadingFailed Page.javascriptDialogOpening";
        let wrong = |event: &&Value| match event["method"].as_str().unwrap() {
            "Network.requestWillBeSent" => {
                let url = event["params"]["request"]["url"].as_str().unwrap();
                !url.starts_with("data:") && !url.starts_with("file:")
            }
            method => WRONG.split(' ').any(|wrong| wrong == method),
        };
        self.events.iter().filter(wrong).map(Value::to_string).collect()
    }
}

/// Pixels of the window: RGB, row by row.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Shot {
    pub(crate) width: usize,
    pub(crate) rgb: Vec<[u8; 3]>,
}

impl Shot {
    fn decode(png: &[u8]) -> Self {
        let picture = decode_straight(png, &Budget::default()).unwrap();
        let rgb = picture.rgba.as_chunks::<4>().0.iter().map(|[r, g, b, _]| [*r, *g, *b]);
        Self { width: picture.width as usize, rgb: rgb.collect() }
    }

    pub(crate) fn at(&self, [x, y]: [f64; 2]) -> [u8; 3] {
        self.rgb[y as usize * self.width + x as usize]
    }
}
