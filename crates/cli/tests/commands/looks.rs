use crate::support::{Answer, Folder, example};

fn check_with(variables: &[(&str, &str)]) -> Answer {
    let folder = Folder::new();
    let mut command = folder.command(&["check", &example("lost_update.c")]);
    command.envs(variables.iter().copied());
    Answer::from(command.output().expect("gordian should start")).exits(1)
}

#[test]
fn a_pipe_gets_no_colours_and_a_plain_locale_only_ascii() {
    let plain = check_with(&[]);
    assert!(plain.out.is_ascii() && !plain.out.contains('\x1b'), "{plain:#?}");
    assert!(plain.out.lines().all(|line| line.len() <= 100), "{plain:#?}");
}

#[test]
fn a_utf8_locale_gets_lines_and_forced_colours_are_colours() {
    let fancy = check_with(&[("LC_ALL", "C.UTF-8"), ("CLICOLOR_FORCE", "1")]);
    assert!(fancy.out.contains('│') && fancy.out.contains("\x1b["), "{fancy:#?}");
    let without = check_with(&[("LC_ALL", "C.UTF-8"), ("NO_COLOR", "1")]);
    assert!(without.out.contains('│') && !without.out.contains('\x1b'), "{without:#?}");
}

#[test]
fn an_answer_is_the_same_every_time() {
    let without_time = |answer: Answer| {
        let lines = answer.out.lines().filter(|line| !line.starts_with("Done in"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_time(check_with(&[])), without_time(check_with(&[])));
}

#[test]
fn a_long_interleaving_loses_its_middle_unless_asked_for() {
    let folder = Folder::new();
    folder.write(
        "long.c",
        "#include <assert.h>\nint x;\nint main(void) {\n  for (int i = 0; i < 200; i++) {\n    x = i;\n    \
         x = x + 1;\n  }\n  assert(x == 0);\n  return 0;\n}\n",
    );
    let run = ["run", "long.c"];
    let short = folder.gordian(&run).exits(1).says("--full-trace").says("!! assertion");
    let full = folder.gordian(&[&run[..], &["--full-trace"]].concat()).exits(1);
    assert!(full.out.lines().count() > 2 * short.out.lines().count());
}
