//! The expansion of `#[mongo_odm_testkit::test]`.

use std::str::FromStr;

use expect_test::expect;
use proc_macro2::TokenStream;

use crate::test_function::test_function;

/// Expands the attribute with some options on a function, and checks that the result is valid Rust.
fn expand(options: &str, function: &str) -> String {
    let tokens = |source| TokenStream::from_str(source).unwrap();
    let expansion = test_function(tokens(options), &tokens(function));
    let file = syn::parse2(expansion).unwrap_or_else(|error| panic!("{error}: {function}"));
    prettyplease::unparse(&file)
}

#[test]
fn a_test_becomes_a_function_that_opens_a_database() {
    let expansion = expand(
        r#"flavor = "multi_thread", worker_threads = 2, indexes(Part), settle = "manual", crate = kit"#,
        "#[cfg(unix)] async fn counts(odm: Odm, database: &TestDb) -> Result<(), Error> { Ok(()) }",
    );
    expect![[r#"
        #[cfg(unix)]
        #[::core::prelude::v1::test]
        fn counts() {
            #[allow(clippy::needless_pass_by_value, clippy::unused_async)]
            async fn counts(odm: Odm, database: &TestDb) -> Result<(), Error> {
                Ok(())
            }
            use kit::__private as __odm;
            __odm::run(
                ::core::concat!(::core::module_path!(), "::", ::core::stringify!(counts)),
                &__odm::Options {
                    runtime: __odm::Runtime::MultiThread(::core::option::Option::Some(2)),
                    indexes: ::core::option::Option::Some(|__odm_sync| {
                        __odm_sync.only::<Part>()
                    }),
                    settle: __odm::Settle::Manual,
                    should_panic: false,
                },
                async |__odm_test: &__odm::Test| <Result<
                    (),
                    Error,
                > as __odm::TestOutcome>::into_failure(
                    counts(
                            <Odm as __odm::TestArgument<'_>>::of_test(__odm_test),
                            <&TestDb as __odm::TestArgument<'_>>::of_test(__odm_test),
                        )
                        .await,
                ),
            )
        }
    "#]]
    .assert_eq(&expansion);
}

#[test]
fn an_unfinished_body_causes_no_error_of_the_macro() {
    let function = TokenStream::from_str("async fn counts(odm: Odm) { let part = }").unwrap();
    let expansion = test_function(TokenStream::new(), &function).to_string();
    assert!(!expansion.contains("compile_error"), "{expansion}");
    assert!(expansion.contains("{ let part = }"), "{expansion}");
}
