//! The older program: the declarations of some models as they were before.

#[allow(unreachable_pub, reason = "one source for all that include it")]
mod declared {
    use odm_oracle::generated::Adapters;

    include!(concat!(env!("OUT_DIR"), "/older.rs"));
}

#[tokio::main]
async fn main() {
    odm_oracle::older::main(declared::DECLARED).await;
}
