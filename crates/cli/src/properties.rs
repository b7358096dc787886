//! Which properties are looked at.

use program::{Property, PropertySet};

/// What `check` leaves out if nobody asks for it: not every program has to clean up before it ends.
const NOT_BY_DEFAULT: [Property; 3] = [Property::ValidMemtrack, Property::ValidMemcleanup, Property::NoThreadLeak];

/// What the commands that run a program look for if nobody says otherwise.
pub const DEFAULT_PROPERTIES: [Property; 2] = [Property::Assert, Property::UnreachCall];

/// `--property`, shared by the commands that look for violations.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PropertyArguments {
    /// Look for violations of this property; may be repeated [default: `check` all but leaks; `predict` assert,
    /// unreach-call, no-data-race, no-deadlock and lock-misuse; else assert and unreach-call]
    ///
    /// One of assert, unreach-call, no-data-race, no-deadlock, valid-deref, valid-free, valid-memtrack,
    /// valid-memcleanup, no-overflow, no-div-by-zero, no-bad-shift, lock-misuse, no-thread-leak, atomicity (predict
    /// and replay only); valid-memsafety stands for valid-deref, valid-free and valid-memtrack.
    #[arg(long = "property", short = 'p', value_name = "PROPERTY", value_parser = parse_property)]
    pub named: Vec<PropertySet>,
}

impl PropertyArguments {
    pub fn selected(&self) -> PropertySet {
        if self.named.is_empty() {
            return PropertySet::of(&DEFAULT_PROPERTIES);
        }
        self.named.iter().copied().fold(PropertySet::EMPTY, PropertySet::union)
    }

    /// As [`selected`](Self::selected), for a check by an engine.
    pub fn selected_for_check(&self) -> PropertySet {
        if self.named.is_empty() {
            return Property::of_executions().filter(|property| !NOT_BY_DEFAULT.contains(property)).collect();
        }
        self.selected()
    }
}

fn parse_property(name: &str) -> Result<PropertySet, String> {
    PropertySet::named(name).ok_or_else(|| {
        let names: Vec<&str> = Property::ALL.iter().map(|property| property.name()).collect();
        format!("there is no such property; the properties are valid-memsafety, {}", names.join(", "))
    })
}
