//! The places of a program that its native run names by number: scheduling points, assertions, and a place that is watched.

use base::{IdVec, define_id};
use program::instruction::InstructionKind;
use program::{At, Location, Program, Visibility};
use rustc_hash::FxHashMap;

define_id!(
    /// A place of which a native run can speak.
    SiteId,
    "s"
);

#[derive(Clone, Debug)]
pub struct Sites {
    locations: IdVec<SiteId, Location>,
    numbers: FxHashMap<Location, SiteId>,
    watched: Option<Location>,
}

impl Sites {
    pub fn new(program: &Program, visibility: &Visibility) -> Self {
        let mut sites = Self { locations: IdVec::new(), numbers: FxHashMap::default(), watched: None };
        for (id, function) in program.functions.iter_enumerated() {
            for location in function.locations(id) {
                if visibility.is_visible(location) || is_assertion(program.at(location)) {
                    sites.add(location);
                }
            }
        }
        sites
    }

    /// Looks at the arithmetic of the instruction, too.
    pub fn watching(mut self, location: Location) -> Self {
        if !self.numbers.contains_key(&location) {
            self.add(location);
        }
        self.watched = Some(location);
        self
    }

    pub fn watches(&self, location: Location) -> bool {
        self.watched == Some(location)
    }

    fn add(&mut self, location: Location) {
        let site = self.locations.push(location);
        self.numbers.insert(location, site);
    }

    pub fn site(&self, location: Location) -> Option<SiteId> {
        self.numbers.get(&location).copied()
    }

    pub fn location(&self, site: SiteId) -> Option<Location> {
        self.locations.get(site).copied()
    }
}

fn is_assertion(at: At<'_>) -> bool {
    matches!(at, At::Instruction(instruction) if matches!(instruction.kind, InstructionKind::Assert { .. }))
}
