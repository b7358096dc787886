//! The rim of the process, where accidents are caught: panics become a message and an exit code, an interrupt becomes
//! a cancelled budget, and the work gets a stack that deep input cannot exhaust soon.

use std::backtrace::BacktraceStatus;
use std::panic::PanicHookInfo;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use base::CancelToken;

use crate::exit_code::Exit;
use crate::failure::{CommandFailure, bug_text};
use crate::session::Session;

/// Virtual memory only: pages count when they are touched. The second size is for systems that limit even that.
const STACK_SIZES: [usize; 2] = [512 << 20, 64 << 20];

/// Runs `work` on a thread with a large stack. A panic anywhere in it is a bug of ours, with its message.
pub fn guarded<T: Send>(work: impl Fn() -> T + Sync) -> Result<T, CommandFailure> {
    let first_panic = keep_first_panic();
    for stack in STACK_SIZES {
        let finished = thread::scope(|scope| {
            let worker = thread::Builder::new().name("worker".to_owned()).stack_size(stack);
            worker.spawn_scoped(scope, &work).map(|handle| handle.join())
        });
        match finished {
            Err(_) => continue,
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(_)) => return Err(CommandFailure::Bug(lock(&first_panic).take().unwrap_or_default())),
        }
    }
    Err(CommandFailure::Usage("the system does not allow a thread with a stack of 64 MB".to_owned()))
}

/// Calls `handler` at every interrupt, on a thread of its own.
pub fn on_interrupt(handler: impl FnMut() + Send + 'static) {
    // Without a handler an interrupt ends the process at once, which is no reason not to start.
    let _ = ctrlc::set_handler(handler);
}

/// The first interrupt cancels, so that what was learned is still said; the second ends the process.
pub fn cancel_on_interrupt(cancel: &CancelToken) {
    let cancel = cancel.clone();
    on_interrupt(move || {
        if cancel.is_cancelled() {
            process::exit(i32::from(Exit::Unknown.code()));
        }
        cancel.cancel();
    });
}

type Message = Arc<Mutex<Option<String>>>;

fn lock(message: &Message) -> std::sync::MutexGuard<'_, Option<String>> {
    message.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs a hook that keeps the message of the first panic instead of printing it.
fn keep_first_panic() -> Message {
    let message = Message::default();
    let kept = message.clone();
    let wants_backtrace = std::backtrace::Backtrace::capture().status() == BacktraceStatus::Captured;
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if wants_backtrace {
            default_hook(info);
        }
        let text = describe(info);
        let first = lock(&kept).get_or_insert(text.clone()).clone();
        // After this one, thrown where a foreign frame forbids unwinding, the process would abort: say it now.
        if text.starts_with("panic in a function that cannot unwind") {
            let session = Session::new();
            session.remark(&bug_text(&first, &session));
            process::exit(i32::from(Exit::Bug.code()));
        }
    }));
    message
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("a panic without a message");
    match info.location() {
        Some(place) => format!("{text}\nat {}:{}", place.file(), place.line()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_bug_with_its_message() {
        let result = guarded(|| {
            if std::hint::black_box(true) {
                panic!("the moon should be round");
            }
            1
        });
        let Err(CommandFailure::Bug(text)) = result else { panic!("{result:?} should be a bug") };
        assert!(text.starts_with("the moon should be round\nat ") && text.contains("rim.rs"), "{text}");
        assert_eq!(guarded(|| 2), Ok(2));
    }
}
