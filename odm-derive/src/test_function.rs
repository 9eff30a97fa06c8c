//! The attribute `#[mongo_odm_testkit::test]`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{attr, check, error::Errors, expand, ir::TestFunction};

/// Generates a test from a function that has the attribute. If there are errors, the function is emitted, but not as a
/// test.
pub(crate) fn test_function(options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = attr::test_options(options, &mut errors);
    let test = match syn::parse2::<TestFunction>(item.clone()) {
        Ok(test) => test,
        Err(error) => {
            errors.push(error);
            let errors = errors.finish();
            return quote!(#errors #item);
        }
    };
    check::test_function(&test, &mut errors);
    match errors.finish() {
        None => expand::test_function(&test, &options),
        Some(errors) => {
            let function = expand::without_test(&test);
            quote!(#errors #function)
        }
    }
}
