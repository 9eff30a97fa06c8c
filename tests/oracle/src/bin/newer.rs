//! The program with the new versions of declarations. The test of versions starts this program, and sends it the calls
//! to make.

#[allow(
    unreachable_pub,
    missing_docs,
    reason = "one source for all that include it"
)]
mod declared {
    use odm_oracle::generated::Adapters;

    include!(concat!(env!("OUT_DIR"), "/newer.rs"));
}

#[tokio::main]
async fn main() {
    odm_oracle::run::serve(declared::DECLARED).await;
}
