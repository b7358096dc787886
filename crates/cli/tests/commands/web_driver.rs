//! A browser under remote control: as much of the WebDriver protocol (W3C) as the tests of pages need, spoken to
//! `chromedriver`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Nothing if `chromedriver` or the browser is not installed.
    pub fn start() -> Option<Self> {
        let mut driver =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let port = port_said_by(&mut driver);
        let mut browser = Browser { driver, port: port?, session: String::new() };
        let arguments = json!(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]);
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let answer = browser.request("POST", "/session", &wanted)?;
        browser.session = answer["sessionId"].as_str()?.to_owned();
        Some(browser)
    }

    pub fn open(&self, address: &str) {
        self.command("url", &json!({ "url": address }));
    }

    /// The value of a script's `return`.
    pub fn evaluate(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({"script": script, "args": []}))
    }

    /// Presses a key in the page, for example `\u{E014}`, the right arrow.
    pub fn press(&self, key: &str) {
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.command("actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    /// Messages of the console.
    pub fn console(&self) -> Vec<String> {
        let log = self.command("se/log", &json!({"type": "browser"}));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    #[track_caller]
    fn command(&self, name: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{name}", self.session);
        self.request("POST", &path, body).unwrap_or_else(|| panic!("the browser should understand {name}"))
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Option<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(120))).ok()?;
        let body = body.to_string();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).ok()?;
        let mut stream = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).ok()?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
        }
        let mut text = vec![0; length];
        stream.read_exact(&mut text).ok()?;
        let answer: Value = serde_json::from_slice(&text).ok()?;
        Some(answer["value"].clone()).filter(|value| value.get("error").is_none())
    }
}

/// The driver says on which port it listens.
fn port_said_by(driver: &mut Child) -> Option<u16> {
    let lines = BufReader::new(driver.stdout.take()?).lines();
    let said = lines.map_while(Result::ok).find(|line| line.contains("on port"))?;
    said.trim_end_matches('.').rsplit(' ').next()?.parse().ok()
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.request("DELETE", &format!("/session/{}", self.session), &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
