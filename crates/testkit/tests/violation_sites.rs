//! A property without a violation site must have none either in the program in which every unsupported construct is
//! replaced by something that it may do: a call of every function whose address is taken, with unknown arguments.

use std::collections::BTreeSet;
use std::path::Path;

use program::{
    Analyses, Callee, FunctionId, Instruction, InstructionKind, NondetKind, Operand, Program, Property, PropertySet,
    Register, RegisterId, Type,
};
use testkit::program_tests::discover;
use testkit::subject::Subject;

#[test]
fn unsupported_constructs_hide_no_violation_site() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let programs = discover(&root).expect("the folder of test programs should be readable");
    let all: PropertySet = Property::of_executions().collect();
    let mut mistakes = Vec::new();
    let mut replaced = 0;
    for path in programs {
        let subject = Subject::from_file(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let Some(wild) = with_wild_calls(&subject.program) else { continue };
        replaced += 1;
        let claimed = engines::sites::properties_with_sites(&subject.analyses(), all);
        let found = engines::sites::properties_with_sites(&Analyses::new(&wild), all);
        let hidden: Vec<String> =
            found.iter().filter(|property| !claimed.contains(*property)).map(|property| property.to_string()).collect();
        if !hidden.is_empty() {
            mistakes.push(format!("{}: {}", path.display(), hidden.join(", ")));
        }
    }
    assert!(replaced >= 3, "only {replaced} test programs have an unsupported construct");
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// The program with calls in the place of unsupported constructs, if it has any.
fn with_wild_calls(program: &Program) -> Option<Program> {
    let mut wild = program.clone();
    let callable = address_taken(program);
    let mut any = false;
    for function in wild.functions.iter_mut() {
        let mut registers = std::mem::take(&mut function.registers);
        for block in function.blocks.iter_mut() {
            let mut instructions = Vec::new();
            for instruction in std::mem::take(&mut block.instructions) {
                if !matches!(instruction.kind, InstructionKind::Unsupported { .. }) {
                    instructions.push(instruction);
                    continue;
                }
                any = true;
                let span = instruction.span;
                for &callee in &callable {
                    let parameters = &program.functions[callee].parameters;
                    let types = parameters.iter().map(|&parameter| program.functions[callee].registers[parameter].ty);
                    let arguments: Vec<Operand> = types
                        .map(|ty| {
                            let target: RegisterId = registers.push(unnamed(ty));
                            let kind = InstructionKind::Nondet { target, ty, kind: NondetKind::Input };
                            instructions.push(Instruction { kind, span });
                            Operand::Register(target)
                        })
                        .collect();
                    let kind = InstructionKind::Call { target: None, callee: Callee::Direct(callee), arguments };
                    instructions.push(Instruction { kind, span });
                }
            }
            block.instructions = instructions;
        }
        function.registers = registers;
    }
    any.then_some(wild)
}

fn unnamed(ty: Type) -> Register {
    Register { ty, name: None }
}

fn address_taken(program: &Program) -> BTreeSet<FunctionId> {
    let function = |operand: Operand| match operand {
        Operand::Function(id) => Some(id),
        _ => None,
    };
    let relocations = program.globals.iter().flat_map(|global| &global.initial.relocations);
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let operands = blocks.flat_map(|block| {
        let inside = block.instructions.iter().flat_map(|instruction| instruction.kind.operands());
        inside.chain(block.terminator.kind.operand())
    });
    relocations.filter_map(|relocation| function(relocation.value)).chain(operands.filter_map(function)).collect()
}
