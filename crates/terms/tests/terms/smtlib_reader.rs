//! Reads the printed SMT-LIB back and evaluates it, from the standard's meaning of the symbols: a check of the text that
//! needs no other solver. Values are (width, bits), with width 0 for Booleans.

use std::collections::HashMap;

use terms::{BinaryOp, Relation, UnaryOp};

use crate::oracle;

pub type Value = (u32, u128);

#[derive(Clone, Debug)]
enum Expr {
    Symbol(String),
    List(Vec<Expr>),
}

/// Evaluates a script whose constants have the given values; returns the values of the assertions.
pub fn assertions(script: &str, constants: &HashMap<String, Value>) -> Vec<Value> {
    let mut values = HashMap::new();
    let mut asserted = Vec::new();
    for command in parse(script) {
        let parts = list(&command);
        match symbol(&parts[0]) {
            "set-logic" | "check-sat" => {}
            "declare-const" => {
                let name = symbol(&parts[1]);
                let value = constants[name];
                assert_eq!(value.0, sort(&parts[2]), "{name} should be declared with its sort");
                assert!(values.insert(name.to_owned(), value).is_none(), "{name} should be declared once");
            }
            "define-fun" => {
                let value = evaluate(&parts[4], &values);
                assert_eq!(value.0, sort(&parts[3]), "{:?} should have the sort it says", parts[1]);
                assert!(values.insert(symbol(&parts[1]).to_owned(), value).is_none());
            }
            "assert" => asserted.push(evaluate(&parts[1], &values)),
            other => panic!("{other} should not be in the script"),
        }
    }
    asserted
}

fn parse(script: &str) -> Vec<Expr> {
    let spaced = script.replace('(', " ( ").replace(')', " ) ");
    let mut stack = vec![Vec::new()];
    for token in spaced.split_whitespace() {
        match token {
            "(" => stack.push(Vec::new()),
            ")" => {
                let done = stack.pop().unwrap();
                stack.last_mut().unwrap().push(Expr::List(done));
            }
            symbol => stack.last_mut().unwrap().push(Expr::Symbol(symbol.to_owned())),
        }
    }
    assert_eq!(stack.len(), 1, "parentheses should match");
    stack.pop().unwrap()
}

fn list(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::List(parts) => parts,
        Expr::Symbol(symbol) => panic!("{symbol} should be a list"),
    }
}

fn symbol(expr: &Expr) -> &str {
    match expr {
        Expr::Symbol(symbol) => symbol,
        Expr::List(parts) => panic!("{parts:?} should be a symbol"),
    }
}

fn number(expr: &Expr) -> u32 {
    symbol(expr).parse().unwrap()
}

fn sort(expr: &Expr) -> u32 {
    match expr {
        Expr::Symbol(name) if name == "Bool" => 0,
        _ => number(&list(expr)[2]),
    }
}

fn evaluate(expr: &Expr, values: &HashMap<String, Value>) -> Value {
    let parts = match expr {
        Expr::Symbol(name) if name == "true" => return (0, 1),
        Expr::Symbol(name) if name == "false" => return (0, 0),
        Expr::Symbol(name) => return values[name],
        Expr::List(parts) => parts,
    };
    match &parts[0] {
        // (_ bvN width)
        Expr::Symbol(name) if name == "_" => (number(&parts[2]), symbol(&parts[1])[2..].parse().unwrap()),
        Expr::Symbol(name) if name == "let" => {
            let mut inner = values.clone();
            for binding in list(&parts[1]) {
                inner.insert(symbol(&list(binding)[0]).to_owned(), evaluate(&list(binding)[1], values));
            }
            evaluate(&parts[2], &inner)
        }
        Expr::Symbol(name) => {
            let operands: Vec<Value> = parts[1..].iter().map(|part| evaluate(part, values)).collect();
            apply(name, &operands)
        }
        Expr::List(indexed) => apply_indexed(indexed, evaluate(&parts[1], values)),
    }
}

fn apply_indexed(operator: &[Expr], (width, value): Value) -> Value {
    let ones = |width: u32| u128::MAX >> (128 - width);
    match symbol(&operator[1]) {
        "extract" => {
            let (high, low) = (number(&operator[2]), number(&operator[3]));
            assert!(low <= high && high < width);
            (high - low + 1, value >> low & ones(high - low + 1))
        }
        "zero_extend" => (width + number(&operator[2]), value),
        "sign_extend" => {
            let to = width + number(&operator[2]);
            let negative = value >> (width - 1) & 1 == 1;
            (to, if negative { value | (ones(to) ^ ones(width)) } else { value })
        }
        other => panic!("{other} should be known"),
    }
}

fn apply(operator: &str, operands: &[Value]) -> Value {
    let (width, first) = operands[0];
    let second = operands.get(1).map_or(0, |operand| operand.1);
    if operands.len() == 2 && operator != "concat" {
        assert_eq!(width, operands[1].0, "{operator} should get operands of one sort");
    }
    let binary = |op| (width, u128::from(oracle::binary(op, width, first as u64, second as u64)));
    let compare = |relation| (0, u128::from(oracle::compare(relation, width, first as u64, second as u64)));
    match operator {
        "not" => (0, 1 - first),
        "and" => (0, first & second),
        "xor" => (0, first ^ second),
        "ite" => operands[if first == 1 { 1 } else { 2 }],
        "=" => (0, u128::from(first == second)),
        "concat" => (width + operands[1].0, first << operands[1].0 | second),
        "bvmul" => (width, first.wrapping_mul(second) & (u128::MAX >> (128 - width))),
        "bvnot" => (width, u128::from(oracle::unary(UnaryOp::Not, width, first as u64))),
        "bvneg" => (width, u128::from(oracle::unary(UnaryOp::Neg, width, first as u64))),
        "bvult" => compare(Relation::Ult),
        "bvslt" => compare(Relation::Slt),
        "bvadd" => binary(BinaryOp::Add),
        "bvsub" => binary(BinaryOp::Sub),
        "bvudiv" => binary(BinaryOp::Udiv),
        "bvurem" => binary(BinaryOp::Urem),
        "bvsdiv" => binary(BinaryOp::Sdiv),
        "bvsrem" => binary(BinaryOp::Srem),
        "bvshl" => binary(BinaryOp::Shl),
        "bvlshr" => binary(BinaryOp::Lshr),
        "bvashr" => binary(BinaryOp::Ashr),
        "bvand" => binary(BinaryOp::And),
        "bvor" => binary(BinaryOp::Or),
        "bvxor" => binary(BinaryOp::Xor),
        other => panic!("{other} should be known"),
    }
}
