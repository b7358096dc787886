//! What a worker tells its supervisor, in frames on the worker's standard output: one byte for the kind, four for the
//! length, then the payload. A frame is written at once and flushed, so that a worker that is ended leaves whole frames
//! and at most one torn one at the end, which is ignored.

use std::io::{self, Read, Write};

use base::StopReason;

use crate::exit_code::Exit;
use crate::several_programs::OneProgram;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// For standard output.
    Output(Vec<u8>),
    /// For standard error.
    Remark(String),
    /// What is going on, for people who wait.
    Progress(String),
    /// What to print on standard output, and how to exit, if the worker is stopped from now on for this reason.
    Interim { reason: StopReason, exit: Exit, text: String },
    /// The answer is decided, whatever happens while it is being printed.
    Decided(Exit),
    /// The files are several programs: nothing was done.
    Programs(Vec<OneProgram>),
}

const OUTPUT: u8 = 0;
const REMARK: u8 = 1;
const PROGRESS: u8 = 2;
const DECIDED: u8 = 3;
const PROGRAMS: u8 = 4;
/// And one kind per reason, from here on.
const INTERIM: u8 = 5;

pub const REASONS: [StopReason; 4] = [StopReason::Time, StopReason::Memory, StopReason::Cancelled, StopReason::Work];

impl Message {
    pub fn write_to(&self, stream: &mut impl Write) -> io::Result<()> {
        let mut code = Vec::new();
        let programs;
        let (kind, text) = match self {
            Message::Output(bytes) => (OUTPUT, &bytes[..]),
            Message::Remark(text) => (REMARK, text.as_bytes()),
            Message::Progress(text) => (PROGRESS, text.as_bytes()),
            Message::Decided(exit) => {
                code.push(exit.code());
                (DECIDED, &[][..])
            }
            Message::Programs(all) => {
                programs = all.iter().map(OneProgram::to_line).collect::<Vec<_>>().join("\n");
                (PROGRAMS, programs.as_bytes())
            }
            Message::Interim { reason, exit, text } => {
                code.push(exit.code());
                (INTERIM + index_of(*reason) as u8, text.as_bytes())
            }
        };
        let payload = [&code[..], text].concat();
        let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
        let mut frame = Vec::with_capacity(payload.len() + 5);
        frame.push(kind);
        frame.extend_from_slice(&length.to_le_bytes());
        frame.extend_from_slice(&payload);
        stream.write_all(&frame)?;
        stream.flush()
    }

    /// The next message; `None` at the end, and where something follows that no worker wrote.
    pub fn read_from(stream: &mut impl Read) -> Option<Self> {
        let mut head = [0; 5];
        stream.read_exact(&mut head).ok()?;
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        let mut payload = Vec::new();
        stream.take(u64::from(length)).read_to_end(&mut payload).ok()?;
        if payload.len() != length as usize {
            return None;
        }
        let text = |payload| String::from_utf8(payload).ok();
        let exit = |payload: &[u8]| payload.first().and_then(|&code| Exit::from_code(i32::from(code)));
        match head[0] {
            OUTPUT => Some(Message::Output(payload)),
            REMARK => text(payload).map(Message::Remark),
            PROGRESS => text(payload).map(Message::Progress),
            DECIDED => exit(&payload).map(Message::Decided),
            PROGRAMS => {
                let text = text(payload)?;
                text.split('\n').map(OneProgram::parse).collect::<Option<_>>().map(Message::Programs)
            }
            kind => {
                let reason = *REASONS.get(usize::from(kind - INTERIM))?;
                let exit = exit(&payload)?;
                Some(Message::Interim { reason, exit, text: text(payload.split_off(1))? })
            }
        }
    }
}

/// The place of a reason in `REASONS`.
pub fn index_of(reason: StopReason) -> usize {
    REASONS.iter().position(|&known| known == reason).expect("every reason should be listed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_wire_and_a_torn_one_is_ignored() {
        let mut messages = vec![
            Message::Output(vec![0, 255, 10]),
            Message::Remark("warning: ü".to_owned()),
            Message::Progress(String::new()),
            Message::Decided(Exit::Violated),
            Message::Programs(["0,2 a b.c", "1 c.c"].map(|line| OneProgram::parse(line).expect("a line")).to_vec()),
        ];
        let interim = |reason: StopReason| Message::Interim { reason, exit: Exit::Unknown, text: reason.to_string() };
        messages.extend(REASONS.map(interim));
        let mut bytes = Vec::new();
        for message in &messages {
            message.write_to(&mut bytes).expect("room");
        }
        Message::Output(vec![1; 100]).write_to(&mut bytes).expect("room");
        bytes.truncate(bytes.len() - 1);
        let mut stream = &bytes[..];
        let read: Vec<Message> = std::iter::from_fn(|| Message::read_from(&mut stream)).collect();
        assert_eq!(read, messages);
        assert_eq!(Message::read_from(&mut &b"hello world"[..]), None);
    }
}
