//! Declarations, function definitions and initialisers.

use super::Printer;
use crate::ast::{
    Alignment, Asm, AsmOperand, Attribute, AttributeKind, Declaration, Declarator, Designator, DesignatorKind,
    FunctionDefinition, Initializer, InitializerList, Item, Specifiers, StaticAssert, StorageClass,
};

impl Printer<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Function(function) => self.function(function),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            Item::Asm(asm) => self.asm(asm),
        }
    }

    /// One line per declared name.
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        if declaration.declarators.is_empty() {
            self.begin("declare ");
            self.specifiers(&declaration.specifiers);
            self.type_expr(declaration.specifiers.ty);
            self.end();
        }
        for init in &declaration.declarators {
            self.begin("declare ");
            self.specifiers(&declaration.specifiers);
            self.declarator(&init.declarator);
            if let Some(initializer) = &init.initializer {
                self.write(" = ");
                self.initializer(initializer);
            }
            self.end();
        }
    }

    fn function(&mut self, function: &FunctionDefinition) {
        self.begin("define ");
        self.specifiers(&function.specifiers);
        self.declarator(&function.declarator);
        self.end();
        self.indented(|printer| {
            for declaration in &function.parameter_declarations {
                printer.declaration(declaration);
            }
            printer.stmt(function.body);
        });
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) {
        self.begin("static_assert ");
        self.expr(assertion.condition);
        if let Some(message) = &assertion.message {
            self.write(" ");
            self.bytes(message);
        }
        self.end();
    }

    fn specifiers(&mut self, specifiers: &Specifiers) {
        self.write(match specifiers.storage {
            None => "",
            Some(StorageClass::Typedef) => "typedef ",
            Some(StorageClass::Extern) => "extern ",
            Some(StorageClass::Static) => "static ",
            Some(StorageClass::Auto) => "auto ",
            Some(StorageClass::Register) => "register ",
        });
        let flags = [
            (specifiers.thread_local, "thread_local "),
            (specifiers.inline, "inline "),
            (specifiers.noreturn, "noreturn "),
        ];
        for (_, word) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            self.write(word);
        }
        self.alignment(&specifiers.alignment);
        self.attributes(&specifiers.attributes);
    }

    pub(super) fn alignment(&mut self, alignment: &[Alignment]) {
        for alignment in alignment {
            self.write("alignas(");
            match alignment {
                Alignment::Type(ty) => self.type_expr(*ty),
                Alignment::Expr(expr) => self.expr(*expr),
            }
            self.write(") ");
        }
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.write("[");
            self.attribute(&attribute.kind);
            self.write("] ");
        }
    }

    fn attribute(&mut self, kind: &AttributeKind) {
        let (name, argument) = match kind {
            AttributeKind::Aligned(argument) => ("aligned", *argument),
            AttributeKind::Constructor(argument) => ("constructor", *argument),
            AttributeKind::Destructor(argument) => ("destructor", *argument),
            AttributeKind::VectorSize(argument) => ("vector_size", Some(*argument)),
            AttributeKind::Packed => ("packed", None),
            AttributeKind::Noreturn => ("noreturn", None),
            AttributeKind::TransparentUnion => ("transparent_union", None),
            AttributeKind::Weak => ("weak", None),
            AttributeKind::GnuInline => ("gnu_inline", None),
            AttributeKind::Mode(mode) => {
                self.write("mode ");
                return self.name(*mode);
            }
            AttributeKind::Cleanup(function) => {
                self.write("cleanup ");
                return self.name(*function);
            }
            AttributeKind::WeakRef(target) => {
                self.write("weakref ");
                return self.bytes(target);
            }
            AttributeKind::Alias(target) => {
                self.write("alias ");
                return self.bytes(target);
            }
            AttributeKind::Options(options) => return self.write(&format!("options {}", options.join(" "))),
            AttributeKind::Other(name) => return self.name(*name),
        };
        self.write(name);
        if let Some(argument) = argument {
            self.write(" ");
            self.expr(argument);
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.attributes(&declarator.attributes);
        self.name(declarator.name);
        self.write(": ");
        self.type_expr(declarator.ty);
        if let Some(label) = &declarator.asm_label {
            self.write(" asm ");
            self.bytes(label);
        }
    }

    pub(super) fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(expr) => self.expr(*expr),
            Initializer::List(list) => self.initializer_list(list),
        }
    }

    pub(super) fn initializer_list(&mut self, list: &InitializerList) {
        self.write("{");
        for (index, item) in list.items.iter().enumerate() {
            self.write(if index == 0 { "" } else { ", " });
            if !item.designators.is_empty() {
                self.designators(&item.designators);
                self.write(" = ");
            }
            self.initializer(&item.value);
        }
        self.write("}");
    }

    pub(super) fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator.kind {
                DesignatorKind::Field(field) => {
                    self.write(".");
                    self.name(field);
                }
                DesignatorKind::Index(index) => {
                    self.write("[");
                    self.expr(index);
                    self.write("]");
                }
                DesignatorKind::Range(first, last) => {
                    self.write("[");
                    self.expr(first);
                    self.write(" ... ");
                    self.expr(last);
                    self.write("]");
                }
            }
        }
    }

    pub(super) fn asm(&mut self, asm: &Asm) {
        self.begin(if asm.volatile { "asm volatile " } else { "asm " });
        self.bytes(&asm.template);
        self.asm_operands(" out ", &asm.outputs);
        self.asm_operands(" in ", &asm.inputs);
        for clobber in &asm.clobbers {
            self.write(" clobber ");
            self.bytes(clobber);
        }
        for label in &asm.labels {
            self.write(" goto ");
            self.name(*label);
        }
        self.end();
    }

    fn asm_operands(&mut self, direction: &str, operands: &[AsmOperand]) {
        for operand in operands {
            self.write(direction);
            if let Some(name) = operand.name {
                self.write("[");
                self.name(name);
                self.write("] ");
            }
            self.bytes(&operand.constraint);
            self.write(" ");
            self.expr(operand.value);
        }
    }
}
