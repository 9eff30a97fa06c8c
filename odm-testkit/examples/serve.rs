//! Starts a server and leaves it running until Enter or Ctrl-C.
//!
//! `cargo run -p mongo-odm-testkit --example serve`

use std::{io, time::Instant};

use mongo_odm_testkit::{Error, Server};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let start = Instant::now();
    let server = Server::builder().test_commands(true).start().await?;
    println!(
        "{} (after {} ms)",
        server.uri(),
        start.elapsed().as_millis()
    );
    println!("Enter stops it");
    let _ = io::stdin().read_line(&mut String::new());
    Ok(())
}
