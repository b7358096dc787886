//! Builders: one method per operator. Each checks sorts, tries the rewrite rules, and else interns the node.
//!
//! Operands of mismatched sorts are a bug of the caller and panic.

use crate::arena::Terms;
use crate::rewrite;
use crate::term::{BinaryOp, Relation, Sort, Term, TermId, UnaryOp};

/// Boolean operators.
impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        self.expect_bool(a);
        if self.rewriting
            && let Some(term) = rewrite::not(self, a)
        {
            return term;
        }
        self.intern(Term::Not(a), Sort::Bool)
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(a);
        self.expect_bool(b);
        let (a, b) = (a.min(b), a.max(b));
        if self.rewriting
            && let Some(term) = rewrite::and(self, a, b)
        {
            return term;
        }
        self.intern(Term::And(a, b), Sort::Bool)
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let a = self.not(a);
        self.or(a, b)
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(a);
        self.expect_bool(b);
        let (a, b) = (a.min(b), a.max(b));
        if self.rewriting
            && let Some(term) = rewrite::xor(self, a, b)
        {
            return term;
        }
        self.intern(Term::Xor(a, b), Sort::Bool)
    }

    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let differ = self.xor(a, b);
        self.not(differ)
    }

    /// The conjunction as a balanced tree; true for none.
    pub fn and_all(&mut self, operands: &[TermId]) -> TermId {
        let neutral = self.boolean(true);
        self.balanced(operands, neutral, Self::and)
    }

    /// The disjunction as a balanced tree; false for none.
    pub fn or_all(&mut self, operands: &[TermId]) -> TermId {
        let neutral = self.boolean(false);
        self.balanced(operands, neutral, Self::or)
    }

    fn balanced(
        &mut self,
        operands: &[TermId],
        neutral: TermId,
        join: fn(&mut Self, TermId, TermId) -> TermId,
    ) -> TermId {
        let mut layer = operands.to_vec();
        while layer.len() > 1 {
            layer = layer.chunks(2).map(|pair| if let [a, b] = *pair { join(self, a, b) } else { pair[0] }).collect();
        }
        layer.first().copied().unwrap_or(neutral)
    }

    /// If-then-else of either sort.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        self.expect_bool(condition);
        let sort = self.common_sort(a, b);
        if self.rewriting
            && let Some(term) = rewrite::ite(self, condition, a, b)
        {
            return term;
        }
        self.intern(Term::Ite(condition, a, b), sort)
    }

    fn expect_bool(&self, term: TermId) {
        assert!(self.sort(term) == Sort::Bool, "{term} should be Boolean");
    }

    fn common_sort(&self, a: TermId, b: TermId) -> Sort {
        let sort = self.sort(a);
        assert!(sort == self.sort(b), "{a} and {b} should have one sort, not {sort} and {}", self.sort(b));
        sort
    }
}

/// Bit-vector operators. Division by zero and shifts by the width or more are as in SMT-LIB.
impl Terms {
    pub fn bit_not(&mut self, a: TermId) -> TermId {
        self.unary(UnaryOp::Not, a)
    }
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.unary(UnaryOp::Neg, a)
    }
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Add, a, b)
    }
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Sub, a, b)
    }
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Mul, a, b)
    }
    /// Unsigned quotient; all ones for a zero divisor.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Udiv, a, b)
    }
    /// Unsigned remainder; the dividend for a zero divisor.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Urem, a, b)
    }
    /// Signed quotient, rounded towards zero; 1 or -1 for a zero divisor, of the sign opposite to the dividend's.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Sdiv, a, b)
    }
    /// Signed remainder with the sign of the dividend; the dividend for a zero divisor.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Srem, a, b)
    }
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Shl, a, b)
    }
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Lshr, a, b)
    }
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Ashr, a, b)
    }
    pub fn bit_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::And, a, b)
    }
    pub fn bit_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Or, a, b)
    }
    pub fn bit_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Xor, a, b)
    }

    pub fn unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        let width = self.width(a);
        if self.rewriting
            && let Some(term) = rewrite::unary(self, op, a)
        {
            return term;
        }
        self.intern(Term::Unary(op, a), Sort::BitVec(width))
    }

    pub fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let width = self.common_sort(a, b).width();
        let (a, b) = if op.is_commutative() { self.constant_last(a, b) } else { (a, b) };
        if self.rewriting
            && let Some(term) = rewrite::binary(self, op, a, b)
        {
            return term;
        }
        self.intern(Term::Binary(op, a, b), Sort::BitVec(width))
    }

    /// `high` above `low`; together at most [`MAX_WIDTH`](crate::MAX_WIDTH) bits.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        assert!(width <= crate::MAX_WIDTH, "a concatenation should have at most {} bits", crate::MAX_WIDTH);
        if self.rewriting
            && let Some(term) = rewrite::concat(self, high, low)
        {
            return term;
        }
        self.intern(Term::Concat(high, low), Sort::BitVec(width))
    }

    /// The bits `low..=high` of `arg`.
    pub fn extract(&mut self, arg: TermId, high: u32, low: u32) -> TermId {
        assert!(low <= high && high < self.width(arg), "bits {low}..={high} should lie within {arg}");
        if self.rewriting
            && let Some(term) = rewrite::extract(self, arg, high, low)
        {
            return term;
        }
        self.intern(Term::Extract { arg, high: high as u8, low: low as u8 }, Sort::BitVec(high - low + 1))
    }

    /// Zeros above `arg`, up to `width` bits in all.
    pub fn zero_extend(&mut self, arg: TermId, width: u32) -> TermId {
        let own = self.width(arg);
        assert!(own <= width, "an extension to {width} bits should not shorten {arg}");
        if own == width {
            return arg;
        }
        let zeros = self.constant(width - own, 0);
        self.concat(zeros, arg)
    }

    /// Copies of the sign above `arg`, up to `width` bits in all.
    pub fn sign_extend(&mut self, arg: TermId, width: u32) -> TermId {
        let own = self.width(arg);
        assert!(own <= width && width <= crate::MAX_WIDTH, "an extension to {width} bits should not shorten {arg}");
        if own == width {
            return arg;
        }
        if self.rewriting
            && let Some(term) = rewrite::sign_extend(self, arg, width)
        {
            return term;
        }
        self.intern(Term::SignExtend { arg, width: width as u8 }, Sort::BitVec(width))
    }

    /// The low bits of `arg`, or `arg` extended: a C conversion to an integer of `width` bits.
    pub fn resize(&mut self, arg: TermId, width: u32, signed: bool) -> TermId {
        if self.width(arg) > width {
            self.extract(arg, width - 1, 0)
        } else if signed {
            self.sign_extend(arg, width)
        } else {
            self.zero_extend(arg, width)
        }
    }

    /// 1 or 0 in `width` bits.
    pub fn bool_to_bv(&mut self, condition: TermId, width: u32) -> TermId {
        let (one, zero) = (self.constant(width, 1), self.constant(width, 0));
        self.ite(condition, one, zero)
    }

    /// Whether `a` is not zero.
    pub fn bv_to_bool(&mut self, a: TermId) -> TermId {
        let zero = self.constant(self.width(a), 0);
        self.distinct(a, zero)
    }

    fn constant_last(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let key = |term| (self.as_constant(term).is_some(), term);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }
}

/// Comparisons and overflow.
impl Terms {
    /// Equality of two terms of one sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        match self.common_sort(a, b) {
            Sort::Bool => self.iff(a, b),
            Sort::BitVec(_) => self.compare(Relation::Eq, a, b),
            Sort::Array(_) => unreachable!("arrays should be compared element by element"),
        }
    }
    pub fn distinct(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(Relation::Ult, a, b)
    }
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(Relation::Slt, a, b)
    }
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    pub fn compare(&mut self, relation: Relation, a: TermId, b: TermId) -> TermId {
        self.common_sort(a, b).width();
        let (a, b) = if relation.is_commutative() { self.constant_last(a, b) } else { (a, b) };
        if self.rewriting
            && let Some(term) = rewrite::compare(self, relation, a, b)
        {
            return term;
        }
        self.intern(Term::Compare(relation, a, b), Sort::Bool)
    }

    /// The unsigned sum does not fit: it is less than an operand.
    pub fn uadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }
    pub fn usub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }
    pub fn umul_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(Relation::UmulOverflow, a, b)
    }
    /// The signed sum does not fit: the operands have one sign and the sum the other.
    pub fn sadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        let (a, b, sum) = (self.is_negative(a), self.is_negative(b), self.is_negative(sum));
        let (same, changed) = (self.iff(a, b), self.xor(a, sum));
        self.and(same, changed)
    }
    /// The signed difference does not fit: the operands differ in sign and the result from the first.
    pub fn ssub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let (a, b, difference) = (self.is_negative(a), self.is_negative(b), self.is_negative(difference));
        let (differ, changed) = (self.xor(a, b), self.xor(a, difference));
        self.and(differ, changed)
    }
    pub fn smul_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(Relation::SmulOverflow, a, b)
    }
    /// The signed quotient does not fit: the least value divided by -1.
    pub fn sdiv_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (least, minus_one) = (self.constant(width, 1 << (width - 1)), self.constant(width, u64::MAX));
        let (a, b) = (self.eq(a, least), self.eq(b, minus_one));
        self.and(a, b)
    }

    /// The sign bit.
    pub fn is_negative(&mut self, a: TermId) -> TermId {
        let zero = self.constant(self.width(a), 0);
        self.slt(a, zero)
    }
}
