//! Which properties are looked at.

use program::{Property, PropertySet};

/// What the commands that run a program look for if nobody says otherwise.
pub const DEFAULT_PROPERTIES: [Property; 2] = [Property::Assert, Property::UnreachCall];

/// `--property`, shared by the commands that look for violations.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PropertyArguments {
    /// Look for violations of this property; may be repeated [default: `check` all but those of the end of the process; `predict` assert,
    /// unreach-call, no-data-race, no-deadlock and lock-misuse; else assert and unreach-call]
    ///
    /// One of assert, unreach-call, no-data-race, no-deadlock, valid-deref, valid-free, valid-memtrack,
    /// valid-memcleanup, no-overflow, no-div-by-zero, no-bad-shift, lock-misuse, no-thread-leak, no-exit-while-locked,
    /// atomicity (predict and replay only); valid-memsafety stands for valid-deref, valid-free and valid-memtrack.
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
            return Property::of_executions().filter(|property| !property.is_about_the_end()).collect();
        }
        self.selected()
    }
}

fn parse_property(name: &str) -> Result<PropertySet, String> {
    PropertySet::named(name).ok_or_else(|| {
        let names: Vec<&str> = Property::ALL.iter().map(|property| property.name()).collect();
        format!("unknown property; the properties are valid-memsafety, {}", names.join(", "))
    })
}
