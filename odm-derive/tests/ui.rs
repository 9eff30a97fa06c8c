//! What compiles, and what the compiler says about what does not.
//!
//! `TRYBUILD=overwrite cargo test -p mongo-odm-derive --test ui` writes the messages anew; read them
//! as a user would.

#[test]
fn valid_fixtures_compile_and_run() {
    trybuild::TestCases::new().pass("tests/fixtures/valid/*.rs");
}

#[test]
fn invalid_fixtures_say_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/fixtures/invalid/*.rs");
}
