//! Findings that somebody has looked at and accepted, with a reason. A suppressed violation stays in every report, marked;
//! it never becomes "holds".

use program::{Program, Property, Trace};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    pub property: Property,
    /// The end of the path of the file; `None` means any.
    pub file: Option<String>,
    /// `None` means any line.
    pub line: Option<u32>,
    pub reason: String,
}

impl Suppression {
    /// Those that fit a violation.
    pub fn of<'a>(all: &'a [Suppression], program: &Program, trace: &Trace) -> impl Iterator<Item = &'a Suppression> {
        let violation = &trace.violation;
        let path = program.files.path(violation.span.file).to_owned();
        let (property, line) = (violation.property, violation.span.line);
        all.iter().filter(move |suppression| {
            suppression.property == property
                && suppression.file.as_deref().is_none_or(|file| ends_in(&path, file))
                && suppression.line.is_none_or(|only| only == line)
        })
    }
}

/// Whether `path` is `end` or ends in it at a separator.
fn ends_in(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/') || end.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::lost_update;

    #[test]
    fn a_suppression_fits_its_property_file_and_line() {
        let (program, trace) = lost_update();
        let fits = |property, file: Option<&str>, line| {
            let suppression = Suppression { property, file: file.map(str::to_owned), line, reason: "known".to_owned() };
            Suppression::of(&[suppression], &program, &trace).count() == 1
        };
        assert!(fits(Property::Assert, None, None));
        assert!(fits(Property::Assert, Some("lost.c"), Some(7)));
        assert!(!fits(Property::Assert, Some("ost.c"), None));
        assert!(!fits(Property::Assert, Some("lost.c"), Some(8)));
        assert!(!fits(Property::NoDataRace, None, None));
        assert!(ends_in("src/a.c", "a.c") && !ends_in("src/ba.c", "a.c"));
    }
}
