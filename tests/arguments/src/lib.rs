//! The arguments of the compiler, for the tests of its messages.
//!
//! These tests run the compiler, and link the compiled files of their own dependencies. Only cargo knows the names of
//! these files, which change with the packages, features and profile of a build. Cargo passes the names to the
//! compiler, and the compiler executes macros in its own process. So a macro can read the names.

use std::env;

use proc_macro::{Literal, TokenStream, TokenTree};

/// Expands to the program and the arguments that compile the caller. The result is a string literal with one argument
/// per line.
#[proc_macro]
pub fn compiler_arguments(_: TokenStream) -> TokenStream {
    let arguments: Vec<String> = env::args().collect();
    TokenTree::Literal(Literal::string(&arguments.join("\n"))).into()
}
