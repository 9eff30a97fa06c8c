//! Generates the `#[test]` function that opens a database and runs the user's function with it.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, ReturnType, spanned::Spanned};

use crate::ir::{TestFunction, TestIndexes, TestOptions, TestRuntime};

/// Generates the test. The user's function becomes a nested function, so its tokens do not change.
pub(crate) fn test_function(test: &TestFunction, options: &TestOptions) -> TokenStream {
    let TestFunction {
        attrs,
        vis,
        signature,
        body,
        ..
    } = test;
    let (name, library) = (&signature.ident, &options.library);
    let options = settings(test, options);
    let outcome = outcome(test);
    quote! {
        #(#attrs)*
        #[::core::prelude::v1::test]
        #vis fn #name() {
            // The arguments are passed by value, even if the body only borrows them.
            #[allow(clippy::needless_pass_by_value, clippy::unused_async)]
            #signature #body
            use #library::__private as __odm;
            __odm::run(
                ::core::concat!(::core::module_path!(), "::", ::core::stringify!(#name)),
                &#options,
                async |__odm_test: &__odm::Test| #outcome,
            )
        }
    }
}

/// Generates the function as the user wrote it, but not as a test. So a mistake in the attribute causes only one error.
pub(crate) fn without_test(test: &TestFunction) -> TokenStream {
    let TestFunction {
        attrs, vis, body, ..
    } = test;
    let mut signature = test.signature.clone();
    signature.asyncness.get_or_insert_default();
    let attrs = attrs.iter().filter(|attribute| {
        let path = attribute.path();
        !path.is_ident("should_panic") && !path.is_ident("ignore")
    });
    quote!(#(#attrs)* #[allow(dead_code)] #vis #signature #body)
}

fn settings(test: &TestFunction, options: &TestOptions) -> TokenStream {
    let runtime = match &options.runtime {
        TestRuntime::CurrentThread => quote!(__odm::Runtime::CurrentThread),
        TestRuntime::MultiThread(None) => {
            quote!(__odm::Runtime::MultiThread(::core::option::Option::None))
        }
        TestRuntime::MultiThread(Some(threads)) => {
            let threads = Literal::u32_unsuffixed(*threads);
            quote!(__odm::Runtime::MultiThread(::core::option::Option::Some(#threads)))
        }
    };
    let indexes = match &options.indexes {
        TestIndexes::All => quote!(::core::option::Option::Some(|__odm_sync| __odm_sync)),
        TestIndexes::None => quote!(::core::option::Option::None),
        TestIndexes::Of(models) => {
            quote!(::core::option::Option::Some(|__odm_sync| __odm_sync #(.only::<#models>())*))
        }
    };
    let (settle, should_panic) = (&options.settle, test.should_panic().is_some());
    quote! {
        __odm::Options {
            runtime: #runtime,
            indexes: #indexes,
            settle: __odm::Settle::#settle,
            should_panic: #should_panic,
        }
    }
}

/// Generates the call of the user's function. The tokens of each trait bound have the span of the type that must
/// satisfy the bound. So the compiler reports a wrong type at the place where the user wrote the type.
fn outcome(test: &TestFunction) -> TokenStream {
    let name = &test.signature.ident;
    let arguments = test.signature.inputs.iter().filter_map(|argument| match argument {
        FnArg::Receiver(_) => None,
        FnArg::Typed(argument) => {
            let ty = &argument.ty;
            Some(quote_spanned!(ty.span()=> <#ty as __odm::TestArgument<'_>>::of_test(__odm_test)))
        }
    });
    let call = quote!(#name(#(#arguments),*).await);
    match &test.signature.output {
        ReturnType::Default => quote! {{
            #call;
            ::core::option::Option::None
        }},
        ReturnType::Type(_, ty) => {
            quote_spanned!(ty.span()=> <#ty as __odm::TestOutcome>::into_failure(#call))
        }
    }
}
