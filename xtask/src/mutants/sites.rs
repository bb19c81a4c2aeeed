//! Where a source file can be broken, and how.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprLit, Lit, ReturnType, Stmt, Type, UnOp};

/// Stands in a [`Site::template`] for the question whether the site's mutant is switched on.
pub(crate) const SWITCH: &str = "\u{1}";

/// One way to break one place of a file.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// The bytes of the file that are rewritten.
    pub range: Range<usize>,
    /// What is written in their place.
    pub template: String,
    /// What the place says when the mutant is on.
    pub mutated: String,
}

/// All the ways to break a file, in the order of its text.
///
/// # Errors
/// Where it is not Rust.
pub(crate) fn sites(source: &str) -> syn::Result<Vec<Site>> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder { source, found: Vec::new() };
    finder.visit_file(&file);
    finder.found.sort_by_key(|s| (s.range.start, s.range.end));
    Ok(finder.found)
}

/// The modules of a file that are there for tests alone, and lie in files of their own.
pub(crate) fn test_modules(source: &str) -> Vec<String> {
    let Ok(file) = syn::parse_file(source) else { return Vec::new() };
    let of_tests = file.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) if module.content.is_none() && is_for_tests(&module.attrs) => {
            Some(module.ident.to_string())
        }
        _ => None,
    });
    of_tests.collect()
}

struct Finder<'a> {
    source: &'a str,
    found: Vec<Site>,
}

fn bytes(span: Span) -> Range<usize> {
    span.byte_range()
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        a.path().is_ident("test")
            || a.path().is_ident("cfg")
                && matches!(&a.meta, syn::Meta::List(list) if list.tokens.to_string() == "test")
    })
}

fn binds(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(b) => binds(&b.left) || binds(&b.right),
        _ => false,
    }
}

impl Finder<'_> {
    fn text(&self, range: &Range<usize>) -> &str {
        &self.source[range.clone()]
    }

    fn of(&self, node: &impl Spanned) -> String {
        self.text(&bytes(node.span())).to_owned()
    }

    fn add(&mut self, range: Range<usize>, template: String, mutated: String) {
        self.found.push(Site { range, template, mutated });
    }

    /// The expression, or another in its place.
    fn replace(&mut self, node: &impl Spanned, mutated: String) {
        let range = bytes(node.span());
        let template = format!("(if {SWITCH} {{ {mutated} }} else {{ {} }})", self.text(&range));
        self.add(range, template, mutated);
    }

    fn negate(&mut self, condition: &Expr) {
        let range = bytes(condition.span());
        let text = self.text(&range).to_owned();
        self.add(range, format!("({SWITCH} != ({text}))"), format!("!({text})"));
    }

    /// As if the condition always held.
    fn always(&mut self, condition: &Expr) {
        let range = bytes(condition.span());
        let template = format!("({SWITCH} || ({}))", self.text(&range));
        self.add(range, template, "true".into());
    }

    /// As if the condition never held: its branch is left out.
    fn never(&mut self, condition: &Expr) {
        let range = bytes(condition.span());
        let template = format!("(!{SWITCH} && ({}))", self.text(&range));
        self.add(range, template, "false".into());
    }

    fn condition(&mut self, condition: &Expr) {
        if binds(condition) {
            return;
        }
        self.negate(condition);
        self.always(condition);
        self.never(condition);
    }

    fn binary(&mut self, b: &syn::ExprBinary) {
        use BinOp::*;
        let others: &[&str] = match b.op {
            Lt(_) => &["<=", ">="],
            Le(_) => &["<", ">"],
            Gt(_) => &[">=", "<="],
            Ge(_) => &[">", "<"],
            Eq(_) => &["!="],
            Ne(_) => &["=="],
            Add(_) => &["-"],
            Sub(_) => &["+"],
            AddAssign(_) => &["-="],
            SubAssign(_) => &["+="],
            And(_) | Or(_) => return self.connective(b),
            _ => return,
        };
        let (left, right) = (self.of(&b.left), self.of(&b.right));
        for op in others {
            let mutated = match b.op {
                AddAssign(_) | SubAssign(_) => format!("{left} {op} {right}"),
                _ => format!("({left}) {op} ({right})"),
            };
            self.replace(b, mutated);
        }
    }

    fn connective(&mut self, b: &syn::ExprBinary) {
        let both = matches!(b.op, BinOp::And(_));
        for part in [&*b.left, &*b.right] {
            let nested = matches!(part, Expr::Binary(inner) if std::mem::discriminant(&inner.op) == std::mem::discriminant(&b.op));
            if nested || binds(part) {
                continue;
            }
            if both { self.always(part) } else { self.never(part) }
        }
        if !binds(&b.left) && !binds(&b.right) {
            let other = if both { "||" } else { "&&" };
            self.replace(b, format!("({}) {other} ({})", self.of(&b.left), self.of(&b.right)));
        }
    }

    fn literal(&mut self, literal: &ExprLit) {
        let Lit::Int(number) = &literal.lit else { return };
        let Ok(value) = number.base10_parse::<u128>() else { return };
        let suffix = number.suffix();
        self.replace(literal, format!("{}{suffix}", value + 1));
        if value > 0 {
            self.replace(literal, format!("{}{suffix}", value - 1));
        }
    }

    fn method(&mut self, call: &syn::ExprMethodCall) {
        let other = match call.method.to_string().as_str() {
            "min" => "max",
            "max" => "min",
            "any" => "all",
            "all" => "any",
            "is_some" => "is_none",
            "is_none" => "is_some",
            "min_by_key" => "max_by_key",
            "max_by_key" => "min_by_key",
            "is_empty" | "contains" | "is_some_and" | "is_none_or" => {
                let range = bytes(call.span());
                let text = self.text(&range).to_owned();
                return self.add(range, format!("({SWITCH} != ({text}))"), format!("!({text})"));
            }
            _ => return,
        };
        let (whole, name) = (bytes(call.span()), bytes(call.method.span()));
        let mutated =
            format!("{}{other}{}", self.text(&(whole.start..name.start)), self.text(&(name.end..whole.end)));
        self.replace(call, mutated);
    }

    fn body(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, body: &syn::Block) {
        if is_for_tests(attributes) || signature.constness.is_some() {
            return;
        }
        let answers_yes_or_no = matches!(&signature.output, ReturnType::Type(_, of)
            if matches!(&**of, Type::Path(p) if p.path.is_ident("bool")));
        if answers_yes_or_no {
            let start = bytes(body.brace_token.span.open()).end;
            for answer in ["true", "false"] {
                self.add(
                    start..start,
                    format!(" if {SWITCH} {{ return {answer}; }}"),
                    format!(" return {answer};"),
                );
            }
        }
        self.visit_block(body);
    }
}

/// The log is told in words, which no rule depends on.
fn only_tells(name: &str) -> bool {
    matches!(name, "tell" | "say")
}

/// Room is made ahead for speed alone.
fn only_makes_room(name: &str) -> bool {
    matches!(name, "with_capacity" | "reserve" | "reserve_exact" | "shrink_to_fit")
}

impl<'ast> Visit<'ast> for Finder<'_> {
    // Not code that runs, or that must be known while compiling.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_item_macro(&mut self, _: &'ast syn::ItemMacro) {}
    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let debug = item
            .trait_
            .as_ref()
            .is_some_and(|(_, path, _)| path.segments.last().is_some_and(|s| s.ident == "Debug"));
        if !debug && !is_for_tests(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.body(&f.attrs, &f.sig, &f.block);
    }

    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        self.body(&f.attrs, &f.sig, &f.block);
    }

    fn visit_trait_item_fn(&mut self, f: &'ast syn::TraitItemFn) {
        if let Some(block) = &f.default {
            self.body(&f.attrs, &f.sig, block);
        }
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let room = matches!(&*call.func, Expr::Path(p)
            if p.path.segments.last().is_some_and(|s| only_makes_room(&s.ident.to_string())));
        if !room {
            visit::visit_expr_call(self, call);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if only_makes_room(&call.method.to_string()) {
            return;
        }
        self.method(call);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.condition(&branch.cond);
        visit::visit_expr_if(self, branch);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.condition(guard);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_binary(&mut self, b: &'ast syn::ExprBinary) {
        self.binary(b);
        visit::visit_expr_binary(self, b);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_)) {
            self.replace(unary, self.of(&unary.expr));
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_lit(&mut self, literal: &'ast ExprLit) {
        self.literal(literal);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(expr, Some(_)) = statement {
            let called = match expr {
                Expr::Try(t) => &t.expr,
                other => other,
            };
            let removable = match called {
                Expr::MethodCall(call) => {
                    let name = call.method.to_string();
                    call.attrs.is_empty() && !only_makes_room(&name) && !only_tells(&name)
                }
                Expr::Call(call) => call.attrs.is_empty(),
                Expr::Assign(assign) => assign.attrs.is_empty(),
                Expr::Binary(b) => b.attrs.is_empty(),
                _ => false,
            };
            if removable {
                let range = bytes(statement.span());
                let template = format!("if !{SWITCH} {{ {} }}", self.text(&range));
                self.add(range, template, String::new());
            }
        }
        visit::visit_stmt(self, statement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutated(source: &str) -> Vec<String> {
        sites(source)
            .expect("it is Rust")
            .iter()
            .map(|s| format!("{}{}{}", &source[..s.range.start], s.mutated, &source[s.range.end..]))
            .collect()
    }

    #[test]
    fn comparisons_are_turned_and_moved_by_one() {
        assert_eq!(
            mutated("fn f(a: u8, b: u8) { g(a < b) }"),
            ["fn f(a: u8, b: u8) { g((a) <= (b)) }", "fn f(a: u8, b: u8) { g((a) >= (b)) }"]
        );
    }

    #[test]
    fn conditions_are_negated_and_dropped() {
        assert_eq!(
            mutated("fn f() { if x { y } }"),
            ["fn f() { if !(x) { y } }", "fn f() { if true { y } }", "fn f() { if false { y } }"]
        );
    }

    #[test]
    fn patterns_constants_and_tests_are_left_alone() {
        for source in [
            "const A: u8 = 1 + 1;",
            "const fn f() -> u8 { 1 + 1 }",
            "#[cfg(test)] mod tests { fn f() -> u8 { 1 } }",
            "fn f(a: u8) { match a { 1 => x, 2..=3 => y, _ => z } }",
            "fn f() { cite!(\"1.a\") }",
            "fn f() { [x; 4] }",
        ] {
            assert_eq!(mutated(source), [""; 0], "{source}");
        }
    }

    #[test]
    fn a_binding_is_no_condition_to_negate() {
        assert_eq!(
            mutated("fn f() { if let Some(x) = y && x.z { w } }"),
            ["fn f() { if let Some(x) = y && true { w } }"]
        );
    }
}
