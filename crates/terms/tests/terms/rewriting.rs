//! Every rewrite rule, by trying the simplifying builders on all shapes of operands at small widths, under all
//! assignments.

use terms::{BinaryOp, Relation, Sort, Term, TermId, Terms, UnaryOp};

use crate::oracle;
use crate::random::{ALL_BINARY, ALL_RELATIONS, Random};

/// The value of a term under each assignment.
type Table = Vec<u8>;

/// A derived operator: its name, its builder, its meaning.
type Predicate<M> = (&'static str, fn(&mut Terms, TermId, TermId) -> TermId, M);
type Connective = Predicate<fn(u64, u64) -> bool>;

/// All terms over two bit-vectors and two Booleans, with the oracle's table of each.
struct Universe {
    width: u32,
    terms: Terms,
    tables: Vec<Table>,
    vectors: Vec<TermId>,
    booleans: Vec<TermId>,
    checked: usize,
}

impl Universe {
    fn new(width: u32) -> Self {
        let mut terms = Terms::new();
        let mut vectors = vec![terms.bv_variable("x", width), terms.bv_variable("y", width)];
        let booleans =
            vec![terms.bool_variable("p"), terms.bool_variable("q"), terms.boolean(true), terms.boolean(false)];
        vectors.extend((0..1u64 << width).map(|value| terms.constant(width, value)));
        Self { width, terms, tables: Vec::new(), vectors, booleans, checked: 0 }
    }

    fn assignments(&self) -> usize {
        1 << (2 * self.width + 2)
    }

    /// The n-th assignment, as values of x, y, p and q in this order.
    fn variable_value(&self, variable: usize, assignment: usize) -> u64 {
        let width = self.width as usize;
        let (shift, width) = [(0, width), (width, width), (2 * width, 1), (2 * width + 1, 1)][variable];
        (assignment >> shift & ((1 << width) - 1)) as u64
    }

    /// Computes the tables of all terms that have none yet; operands come first.
    fn complete_tables(&mut self) {
        for index in self.tables.len()..self.terms.len() {
            let node = self.terms.get(TermId(index as u32));
            let value_at = |assignment: usize| {
                let variable = match node {
                    Term::Variable(id) => self.variable_value(id.0 as usize, assignment),
                    _ => 0,
                };
                let operand = |id: TermId| u64::from(self.tables[id.0 as usize][assignment]);
                oracle::node(&self.terms, node, variable, operand) as u8
            };
            let table = (0..self.assignments()).map(value_at).collect();
            self.tables.push(table);
        }
    }

    /// Builds a term and compares it with the oracle's answer for the operator.
    fn check(
        &mut self,
        what: &dyn std::fmt::Debug,
        operands: &[TermId],
        build: impl Fn(&mut Terms, &[TermId]) -> TermId,
        expected: impl Fn(&[u64]) -> u64,
    ) -> TermId {
        let result = build(&mut self.terms, operands);
        self.complete_tables();
        let table = |id: TermId| &self.tables[id.0 as usize];
        let mut values = [0; 3];
        for assignment in 0..self.assignments() {
            for (value, &operand) in values.iter_mut().zip(operands) {
                *value = u64::from(table(operand)[assignment]);
            }
            let expected = expected(&values[..operands.len()]);
            let actual = u64::from(table(result)[assignment]);
            assert_eq!(actual, expected, "{what:?} of {:?} is {:?}", self.shape(operands), self.shape(&[result]));
        }
        self.checked += 1;
        result
    }

    fn shape(&self, ids: &[TermId]) -> Vec<String> {
        let node = |id: TermId| format!("{id}: {:?}", self.terms.get(id));
        let with_operands = |id: TermId| {
            let inner: Vec<String> = self.terms.get(id).operands().map(node).collect();
            format!("{} [{}]", node(id), inner.join(", "))
        };
        ids.iter().map(|&id| with_operands(id)).collect()
    }

    fn check_unary(&mut self, a: TermId) -> Vec<TermId> {
        let w = self.width;
        let mut results = Vec::new();
        for op in [UnaryOp::Not, UnaryOp::Neg] {
            results.push(self.check(&op, &[a], |t, o| t.unary(op, o[0]), |v| oracle::unary(op, w, v[0])));
        }
        results.push(self.check(&"bv_to_bool", &[a], |t, o| t.bv_to_bool(o[0]), |v| u64::from(v[0] != 0)));
        results.push(self.check(
            &"is_negative",
            &[a],
            |t, o| t.is_negative(o[0]),
            |v| u64::from(oracle::signed(w, v[0]) < 0),
        ));
        for low in 0..w {
            for high in low..w {
                let part = |v: u64| oracle::from_bits(high - low + 1, |i| oracle::bit(v, i + low));
                let zero = |t: &mut Terms, o: &[TermId]| {
                    let part = t.extract(o[0], high, low);
                    t.resize(part, w, false)
                };
                results.push(self.check(&("zero-extended extract", high, low), &[a], zero, |v| part(v[0])));
                let sign = |t: &mut Terms, o: &[TermId]| {
                    let part = t.extract(o[0], high, low);
                    t.resize(part, w, true)
                };
                let signed = |v: u64| oracle::from_bits(w, |i| oracle::bit(v, (i + low).min(high)));
                results.push(self.check(&("sign-extended extract", high, low), &[a], sign, |v| signed(v[0])));
            }
        }
        results
    }

    fn check_binary(&mut self, a: TermId, b: TermId) -> Vec<TermId> {
        let w = self.width;
        let mut results = Vec::new();
        for op in ALL_BINARY {
            results.push(self.check(
                &op,
                &[a, b],
                |t, o| t.binary(op, o[0], o[1]),
                |v| oracle::binary(op, w, v[0], v[1]),
            ));
        }
        for relation in ALL_RELATIONS {
            let expected = |v: &[u64]| u64::from(oracle::compare(relation, w, v[0], v[1]));
            results.push(self.check(&relation, &[a, b], |t, o| t.compare(relation, o[0], o[1]), expected));
        }
        for boundary in 1..w {
            let build = |t: &mut Terms, o: &[TermId]| {
                let (high, low) = (t.extract(o[0], w - 1, boundary), t.extract(o[1], boundary - 1, 0));
                t.concat(high, low)
            };
            let expected = |v: &[u64]| oracle::from_bits(w, |i| oracle::bit(v[usize::from(i < boundary)], i));
            results.push(self.check(&("concat", boundary), &[a, b], build, expected));
        }
        results
    }

    /// The derived predicates: their rules are those of the operators they are made of.
    fn check_derived(&mut self, a: TermId, b: TermId) {
        let w = self.width;
        let s = move |v: u64| oracle::signed(w, v);
        let overflow = move |result: i128| oracle::signed_overflow(w, result);
        let table: [Predicate<&dyn Fn(u64, u64) -> bool>; 8] = [
            ("ule", Terms::ule, &|x, y| x <= y),
            ("sle", Terms::sle, &|x, y| s(x) <= s(y)),
            ("distinct", Terms::distinct, &|x, y| x != y),
            ("uadd_overflow", Terms::uadd_overflow, &|x, y| x + y >= 1 << w),
            ("usub_overflow", Terms::usub_overflow, &|x, y| x < y),
            ("sadd_overflow", Terms::sadd_overflow, &|x, y| overflow(s(x) + s(y))),
            ("ssub_overflow", Terms::ssub_overflow, &|x, y| overflow(s(x) - s(y))),
            ("sdiv_overflow", Terms::sdiv_overflow, &|x, y| y != 0 && overflow(s(x) / s(y))),
        ];
        for (name, build, expected) in table {
            self.check(&name, &[a, b], |t, o| build(t, o[0], o[1]), |v| u64::from(expected(v[0], v[1])));
        }
    }

    fn check_ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        self.check(&"ite", &[c, a, b], |t, o| t.ite(o[0], o[1], o[2]), |v| v[if v[0] == 1 { 1 } else { 2 }])
    }

    fn check_boolean(&mut self, a: TermId, b: TermId) -> Vec<TermId> {
        let table: [Connective; 5] = [
            ("and", Terms::and, |x, y| x + y == 2),
            ("or", Terms::or, |x, y| x + y > 0),
            ("xor", Terms::xor, |x, y| x + y == 1),
            ("iff", Terms::iff, |x, y| x == y),
            ("implies", Terms::implies, |x, y| x <= y),
        ];
        let check = |(name, build, expected): Connective| {
            self.check(&name, &[a, b], |t, o| build(t, o[0], o[1]), |v| u64::from(expected(v[0], v[1])))
        };
        table.into_iter().map(check).collect()
    }

    fn check_boolean_unary(&mut self, a: TermId) -> Vec<TermId> {
        let w = self.width;
        let not = self.check(&"not", &[a], |t, o| t.not(o[0]), |v| 1 - v[0]);
        let word = self.check(&"bool_to_bv", &[a], |t, o| t.bool_to_bv(o[0], w), |v| v[0]);
        vec![not, word]
    }

    /// All terms with one operator over the leaves, and the leaves.
    fn first_level(&mut self) -> (Vec<TermId>, Vec<TermId>) {
        let (vectors, booleans) = (self.vectors.clone(), self.booleans.clone());
        let mut all: Vec<TermId> = vectors.iter().chain(&booleans).copied().collect();
        for &a in &vectors {
            all.extend(self.check_unary(a));
            for &b in &vectors {
                all.extend(self.check_binary(a, b));
                self.check_derived(a, b);
                all.extend(booleans.iter().map(|&c| self.check_ite(c, a, b)).collect::<Vec<_>>());
            }
        }
        for &a in &booleans {
            all.extend(self.check_boolean_unary(a));
            for &b in &booleans {
                all.extend(self.check_boolean(a, b));
                all.extend(booleans.iter().map(|&c| self.check_ite(c, a, b)).collect::<Vec<_>>());
            }
        }
        self.split(all)
    }

    fn split(&self, mut all: Vec<TermId>) -> (Vec<TermId>, Vec<TermId>) {
        all.sort();
        all.dedup();
        all.into_iter().partition(|&id| self.terms.sort(id) == Sort::BitVec(self.width))
    }
}

/// Every operator over one operand of the first level and one leaf, in both orders.
fn exhaustive_two_levels(width: u32) {
    let mut u = Universe::new(width);
    let (leaves, boolean_leaves) = (u.vectors.clone(), u.booleans.clone());
    let (vectors, booleans) = u.first_level();
    for &a in &vectors {
        u.check_unary(a);
        for &b in &leaves {
            u.check_binary(a, b);
            u.check_binary(b, a);
            u.check_derived(a, b);
            for &c in &boolean_leaves[..2] {
                u.check_ite(c, a, b);
                u.check_ite(c, b, a);
            }
        }
    }
    for &a in &booleans {
        u.check_boolean_unary(a);
        for &b in &booleans {
            u.check_boolean(a, b);
        }
        for &b in &leaves {
            for &c in &leaves[..3] {
                u.check_ite(a, b, c);
                u.check_ite(a, c, b);
            }
        }
        for &b in &boolean_leaves {
            for &c in &boolean_leaves {
                u.check_ite(a, b, c);
            }
        }
    }
    assert!(u.checked > 10_000, "{} should be many", u.checked);
}

#[test]
fn two_levels_at_width_1() {
    exhaustive_two_levels(1);
}

#[test]
fn two_levels_at_width_2() {
    exhaustive_two_levels(2);
}

/// Every operator over pairs of bits that only moved, and over an operation with a constant together with any leaf.
fn exhaustive_wires_and_constants(width: u32) {
    let mut u = Universe::new(width);
    let leaves = u.vectors.clone();
    let mut wires = leaves.clone();
    let mut with_constants = Vec::new();
    for &a in &leaves[..2] {
        wires.extend(u.check_unary(a));
        for &b in &leaves[1..] {
            with_constants.extend(u.check_binary(a, b));
            with_constants.extend(u.check_binary(b, a));
        }
    }
    for (firsts, seconds) in [(&wires, &wires), (&with_constants, &leaves)] {
        let (firsts, _) = u.split(firsts.clone());
        let (seconds, _) = u.split(seconds.clone());
        for &a in &firsts {
            u.check_unary(a);
            for &b in &seconds {
                u.check_binary(a, b);
                u.check_binary(b, a);
            }
        }
    }
}

#[test]
fn wires_and_constants_at_width_3() {
    exhaustive_wires_and_constants(3);
}

/// Every operator over all pairs of terms of the first level: rules that look into both operands.
fn exhaustive_pairs(width: u32) {
    let mut u = Universe::new(width);
    let (p, q) = (u.booleans[0], u.booleans[1]);
    let (vectors, _) = u.first_level();
    for &a in &vectors {
        for &b in &vectors {
            u.check_binary(a, b);
            u.check_ite(p, a, b);
            u.check_ite(q, a, b);
        }
    }
    assert!(u.checked > 10_000, "{} should be many", u.checked);
}

#[test]
fn pairs_at_width_1() {
    exhaustive_pairs(1);
}

#[test]
fn pairs_at_width_2() {
    exhaustive_pairs(2);
}

/// Choices between all Boolean terms of one operator, under all of them.
#[test]
fn boolean_choices() {
    let mut u = Universe::new(1);
    let (_, booleans) = u.first_level();
    for &c in &booleans {
        for &a in &booleans {
            for &b in &booleans {
                u.check_ite(c, a, b);
            }
        }
    }
}

/// Random operators over a growing set of terms, so that shapes of more levels meet.
fn random_shapes(width: u32, rounds: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut u = Universe::new(width);
    let (mut vectors, mut booleans) = u.first_level();
    for _ in 0..rounds {
        let [a, b, d] = [(); 3].map(|()| *random.pick(&vectors));
        let [p, q, r] = [(); 3].map(|()| *random.pick(&booleans));
        let mut results = match random.below(8) {
            0 => u.check_unary(a),
            1 | 2 => u.check_binary(a, b),
            3 => vec![u.check_ite(p, a, b), u.check_ite(q, d, b)],
            4 => vec![u.check_ite(p, q, r)],
            5 => u.check_boolean_unary(p),
            6 => {
                u.check_derived(a, b);
                Vec::new()
            }
            _ => u.check_boolean(p, q),
        };
        results.truncate(random.below(4));
        let (more_vectors, more_booleans) = u.split(results);
        vectors.extend(more_vectors);
        booleans.extend(more_booleans);
    }
}

#[test]
fn random_shapes_at_width_2() {
    random_shapes(2, 15_000, 2);
}

#[test]
fn random_shapes_at_width_3() {
    random_shapes(3, 8_000, 3);
}

#[test]
fn random_shapes_at_width_4() {
    random_shapes(4, 1_500, 4);
}

/// The oracle has the last word on the values themselves, too, at widths where the word size matters.
#[test]
fn constants_fold_as_the_oracle_says() {
    let mut random = Random::new(5);
    for _ in 0..20_000 {
        let width = 1 + random.below(64) as u32;
        let (x, y) = (random.value(width), random.value(width));
        let mut terms = Terms::new();
        let (a, b) = (terms.constant(width, x), terms.constant(width, y));
        for op in ALL_BINARY {
            let folded = terms.binary(op, a, b);
            assert_eq!(terms.as_constant(folded), Some(oracle::binary(op, width, x, y)), "{op:?} {width} {x} {y}");
        }
        for relation in ALL_RELATIONS {
            let folded = terms.compare(relation, a, b);
            assert_eq!(terms.as_boolean(folded), Some(oracle::compare(relation, width, x, y)));
        }
        let extended = terms.sign_extend(a, 64);
        assert_eq!(terms.as_constant(extended), Some(oracle::signed(width, x) as u64));
    }
}

#[test]
fn the_rules_find_what_they_are_for() {
    let mut t = Terms::new();
    let (x, y) = (t.bv_variable("x", 32), t.bv_variable("y", 32));
    let p = t.bool_variable("p");
    let (zero, one, five) = (t.constant(32, 0), t.constant(32, 1), t.constant(32, 5));
    let (sum, choice) = (t.add(x, y), t.ite(p, one, five));

    assert_eq!(t.sub(sum, y), x);
    assert_eq!(t.bit_and(x, zero), zero);
    assert_eq!(t.eq(choice, five), t.not(p));
    assert_eq!(t.ult(x, zero), t.boolean(false));
    let bytes: Vec<TermId> = (0..4).map(|i| t.extract(x, 8 * i + 7, 8 * i)).collect();
    let reassembled = bytes.iter().copied().reduce(|low, high| t.concat(high, low)).unwrap();
    assert_eq!(reassembled, x);
    let increments = t.add(x, one);
    let increments = t.add(increments, five);
    assert_eq!(t.get(increments), Term::Binary(BinaryOp::Add, x, t.constant(32, 6)));
    let as_word = t.bool_to_bv(p, 32);
    assert_eq!(t.bv_to_bool(as_word), p);
    assert!(matches!(t.get(sum), Term::Binary(BinaryOp::Add, ..)));
    assert_eq!(t.compare(Relation::Eq, sum, x), t.eq(y, zero));
}
