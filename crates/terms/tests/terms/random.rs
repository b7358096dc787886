//! Random values and random terms, built in several arenas at once.

use terms::{Assignment, BinaryOp, Relation, Sort, TermId, Terms};

pub const ALL_BINARY: [BinaryOp; 13] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Udiv,
    BinaryOp::Urem,
    BinaryOp::Sdiv,
    BinaryOp::Srem,
    BinaryOp::Shl,
    BinaryOp::Lshr,
    BinaryOp::Ashr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
];

pub const ALL_RELATIONS: [Relation; 5] =
    [Relation::Eq, Relation::Ult, Relation::Slt, Relation::UmulOverflow, Relation::SmulOverflow];

/// SplitMix64: small, and the same everywhere.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A value of the width, often a special one.
    pub fn value(&mut self, width: u32) -> u64 {
        let mask = u64::MAX >> (64 - width);
        let top = 1 << (width - 1);
        let small = self.next() % 8;
        let any = self.next();
        *self.pick(&[any, any, any, small, small.wrapping_neg(), top, top - 1, mask, u64::from(width)]) & mask
    }
}

/// A random term: `steps` operators over two bit-vector variables and one Boolean. The same seed builds the same term in
/// any arena. The last term is returned, a bit-vector of any width or a Boolean.
pub fn term(terms: &mut Terms, random: &mut Random, width: u32, steps: usize) -> TermId {
    let (x, y) = (terms.bv_variable("x", width), terms.bv_variable("y", width));
    let mut vectors = vec![x, y];
    let mut booleans = vec![terms.bool_variable("p")];
    let mut last = x;
    for _ in 0..steps {
        let a = *random.pick(&vectors);
        let b = same_width(terms, random, &vectors, a);
        let p = *random.pick(&booleans);
        last = step(terms, random, a, b, p);
        match terms.sort(last) {
            Sort::Bool => booleans.push(last),
            Sort::BitVec(_) => vectors.push(last),
            Sort::Array(_) => unreachable!("no operator here should make arrays"),
        }
    }
    last
}

fn step(terms: &mut Terms, random: &mut Random, a: TermId, b: TermId, p: TermId) -> TermId {
    let width = terms.width(a);
    match random.below(12) {
        0 => terms.ite(p, a, b),
        1 => {
            let low = random.below(width as usize) as u32;
            let high = low + random.below((width - low) as usize) as u32;
            terms.extract(a, high, low)
        }
        2 if 2 * width <= 64 => terms.concat(a, b),
        3 => {
            let to = width + random.below((65 - width) as usize) as u32;
            let signed = random.below(2) == 0;
            terms.resize(a, to, signed)
        }
        4 => terms.neg(a),
        5 => terms.bit_not(a),
        6 => terms.bool_to_bv(p, width),
        7 => {
            let relation = *random.pick(&ALL_RELATIONS);
            let compared = terms.compare(relation, a, b);
            let join = *random.pick(&[Terms::and, Terms::or, Terms::xor, Terms::implies]);
            join(terms, p, compared)
        }
        _ => {
            let op = *random.pick(&ALL_BINARY);
            terms.binary(op, a, b)
        }
    }
}

/// Another term of the width of `a`, or a constant.
fn same_width(terms: &mut Terms, random: &mut Random, vectors: &[TermId], a: TermId) -> TermId {
    let width = terms.width(a);
    let other = *random.pick(vectors);
    if random.below(4) == 0 {
        let value = random.value(width);
        return terms.constant(width, value);
    }
    terms.resize(other, width, true)
}

/// Random inputs for the variables of [`term`].
pub fn random_assignment(terms: &Terms, random: &mut Random) -> Assignment {
    let mut assignment = Assignment::new();
    for variable in terms.variables() {
        let value = match terms.sort(terms.variable_term(variable)) {
            Sort::Bool => random.below(2) as u64,
            Sort::BitVec(width) => random.value(width),
            Sort::Array(_) => unreachable!("no array should be assigned"),
        };
        assignment.set(variable, value);
    }
    assignment
}
