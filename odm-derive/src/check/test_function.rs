//! Checks the signature of a test function.

use syn::{FnArg, ReturnType, Safety, Signature, Type};

use crate::{error::Errors, hygiene::text, ir::TestFunction};

pub(crate) fn test_function(test: &TestFunction, errors: &mut Errors) {
    for other in &test.other_tests {
        let name = text(other.path());
        let message = format!(
            "`#[mongo_odm_testkit::test]` also declares the test and starts the runtime; remove `#[{name}]`"
        );
        errors.at(other, message);
    }
    words(&test.signature, errors);
    generics(&test.signature, errors);
    arguments(&test.signature, errors);
    output(test, errors);
}

/// Checks the keywords before `fn`, such as `async`.
fn words(signature: &Signature, errors: &mut Errors) {
    const PLAIN: &str = "a test is a plain `async fn`";
    if let Some(word) = &signature.constness {
        errors.at(word, format!("{PLAIN}; remove `const`"));
    }
    if let Safety::Unsafe(word) = &signature.safety {
        errors.at(
            word,
            format!("{PLAIN}; remove `unsafe`, and write the block `unsafe {{ .. }}` in it"),
        );
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, format!("{PLAIN}; remove `extern`"));
    }
    if signature.asyncness.is_none() {
        errors.at(
            signature.fn_token,
            "a test that uses a database is asynchronous; write `async fn`",
        );
    }
}

fn generics(signature: &Signature, errors: &mut Errors) {
    let generics = &signature.generics;
    if generics.lt_token.is_some() {
        errors.at(
            generics,
            "a test cannot have generic parameters; remove them, and write the types",
        );
    }
    if let Some(clause) = &generics.where_clause {
        errors.at(
            clause,
            "a test has no type parameters; remove the `where` clause",
        );
    }
}

fn arguments(signature: &Signature, errors: &mut Errors) {
    for argument in &signature.inputs {
        match argument {
            FnArg::Receiver(receiver) => {
                let message = "a test is not a method; remove `self`, and write the test outside of the `impl`";
                errors.at(receiver.self_token, message);
            }
            FnArg::Typed(argument) => {
                if let Type::ImplTrait(ty) = &*argument.ty {
                    errors.at(ty, "a test needs the types of its arguments; write `Odm`, `TestClock` or `&TestDb`");
                }
            }
        }
    }
}

fn output(test: &TestFunction, errors: &mut Errors) {
    let ReturnType::Type(_, ty) = &test.signature.output else {
        return;
    };
    if let Type::ImplTrait(ty) = &**ty {
        errors.at(ty, "a test needs the type of its result; write `Result<(), Error>` with the type of the error");
    } else if test.should_panic().is_some() {
        let message = "a test with `#[should_panic]` returns nothing; remove the type, and unwrap the results in the test";
        errors.at(ty, message);
    }
}
