//! What the compiler says about what does not compile; what compiles is in `tests/valid.rs`.
//!
//! `TRYBUILD=overwrite cargo test -p mongo-odm-derive --test ui` writes the messages anew; read them
//! as a user would.

#[test]
fn invalid_fixtures_say_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/fixtures/invalid/*.rs");
}
