//! The page of `--html` in a real browser: it opens without errors, steps by keys, and shows the values.

use serde_json::Value;

use crate::support::{Folder, example, skip};
use crate::web_driver::Browser;

const RIGHT: &str = "\u{E014}";
const LEFT: &str = "\u{E012}";
const HOME: &str = "\u{E011}";
const END: &str = "\u{E010}";

fn address(folder: &Folder, name: &str) -> String {
    format!("file://{}", folder.path().join(name).display())
}

/// What the bar says: `step 3 of 12: T1 reads x = 0`.
fn position(browser: &Browser) -> String {
    browser.evaluate("return document.querySelector('.position').textContent").as_str().unwrap_or_default().to_owned()
}

/// The value that is shown for a place in memory.
fn value(browser: &Browser, name: &str) -> Value {
    browser.evaluate(&format!(
        "for (const row of document.querySelectorAll('.values tr')) \
         if (row.cells[0].textContent === '{name}') return row.cells[1].textContent; return null"
    ))
}

fn browser() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        skip("there is no chromedriver, or no chromium");
    }
    browser
}

#[test]
fn an_interleaving_is_stepped_through_by_keys() {
    let folder = Folder::new();
    folder.gordian(&["check", &example("lost_update.c"), "-p", "assert", "--html", "report.html"]).exits(1);
    let Some(browser) = browser() else { return };
    browser.open(&address(&folder, "report.html"));
    assert!(position(&browser).starts_with("step 1 of "), "{}", position(&browser));
    assert_eq!(value(&browser, "counter"), "");
    browser.press(END);
    assert!(position(&browser).contains("assertion `counter == 2` fails"), "{}", position(&browser));
    assert_eq!(value(&browser, "counter"), "1");
    browser.press(LEFT);
    assert!(position(&browser).contains("reads counter = 1"), "{}", position(&browser));
    let source = browser.evaluate("return document.querySelectorAll('.source-of-now').length");
    assert_eq!(source, 1, "the write that is read from is marked");
    browser.press(HOME);
    browser.press(RIGHT);
    assert!(position(&browser).starts_with("step 2 of "), "{}", position(&browser));
    let arrows = browser.evaluate("return document.querySelectorAll('svg .from').length");
    assert!(arrows.as_u64() > Some(0), "{arrows}");
    let line = browser.evaluate("return document.querySelector('.source .now').textContent");
    assert!(line.as_str().is_some_and(|line| line.contains("pthread_create") || line.contains("counter")), "{line}");
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn a_long_interleaving_and_strings_like_markup_do_no_harm() {
    let folder = Folder::new();
    folder.write(
        "evil.c",
        "#include <assert.h>\n#include <pthread.h>\n/* </script><script>document.title = 'broken'</script> */\nint x;\n\
         const char *text = \"</script>\\\"><img src=x onerror=alert(1)>\";\nvoid *work(void *p) {\n  \
         for (int i = 0; i < 160; i++) x = x + i;\n  return 0;\n}\nint main(void) {\n  pthread_t t;\n  \
         pthread_create(&t, 0, work, 0);\n  pthread_join(t, 0);\n  \
         assert(x == 1 && \"</script>\\\"><img src=x onerror=document.title='broken'>\");\n  return 0;\n}\n",
    );
    folder.gordian(&["check", "evil.c", "-p", "assert", "--html", "report.html", "--full-trace"]).exits(1);
    let size = std::fs::metadata(folder.path().join("report.html")).expect("a page").len();
    assert!(size < 2_000_000, "{size} bytes");
    let Some(browser) = browser() else { return };
    browser.open(&address(&folder, "report.html"));
    assert_eq!(browser.evaluate("return document.title"), "Gordian report");
    assert_eq!(browser.evaluate("return document.querySelectorAll('img').length"), 0);
    browser.press(END);
    let words = position(&browser);
    let steps: u64 = words.split(' ').nth(1).and_then(|number| number.parse().ok()).expect("a number");
    assert!(steps > 300 && words.contains("<img src=x onerror="), "{words}");
    assert_eq!(value(&browser, "x"), "12720");
    assert_eq!(browser.console(), Vec::<String>::new());
}
