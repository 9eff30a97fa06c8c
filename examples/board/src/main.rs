//! Starts the service. `cargo run -p odm-board` also starts a MongoDB server.
//!
//! | environment variable | meaning |
//! |---|---|
//! | `MONGODB_URI` | the database, such as `mongodb://localhost:27017/board`; without it, a server is started |
//! | `BOARD_ADDRESS` | the address of the service; the default is `127.0.0.1:3000` |
//! | `RUST_LOG` | the level of the log, such as `debug`, which includes each statement |

use std::{env, io};

use anyhow::Context;
use mongo_odm::{Odm, Settings, Settle};
use mongo_odm_testkit::Server;
use odm_board::{Board, sample, serve};
use tokio::net::TcpListener;
use tracing::Level;

/// The database of a server that this program starts.
const DATABASE: &str = "board";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let level: Level = env::var("RUST_LOG").map_or(Ok(Level::INFO), |level| level.parse())?;
    tracing_subscriber::fmt().with_max_level(level).init();

    // The server, if this program starts one, runs as long as this value exists.
    let (odm, _server) = connect().await?;
    odm.sync_indexes().await?;
    sample::insert_if_empty(&odm).await?;

    let address = env::var("BOARD_ADDRESS").unwrap_or_else(|_| "127.0.0.1:3000".to_owned());
    let listener = TcpListener::bind(&address).await;
    let listener = listener.with_context(|| format!("cannot listen on {address}"))?;
    // From here on, a signal does not kill the program: requests and jobs that have started end first.
    let stop = stop_signal()?;
    println!("the board is at http://{}", listener.local_addr()?);

    let board = Board::new(odm);
    let shutdown = board.shutdown.clone();
    tokio::spawn(async move {
        stop.await;
        println!("the board is stopping");
        shutdown.cancel();
    });
    let jobs = serve(listener, board).await?;
    println!("the board has stopped: {jobs}");
    Ok(())
}

/// Handles the signals with which terminals (Ctrl-C) and containers stop a program. The returned future waits for one
/// of these signals.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Handles Ctrl-C. The returned future waits for this signal.
#[cfg(windows)]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        interrupt.recv().await;
    })
}

/// Connects to the database at `MONGODB_URI`. Without this variable, starts a server and removes it at the end.
async fn connect() -> anyhow::Result<(Odm, Option<Server>)> {
    // The worker of `serve` runs all jobs, so the handle does not need tasks for them.
    let settings = Settings::default().settle(Settle::Manual).program("board");
    if let Ok(uri) = env::var("MONGODB_URI") {
        let odm = Odm::connect(uri).await?;
        return Ok((odm.with_settings(settings), None));
    }
    let server = Server::builder().start().await?;
    let client = mongo_odm::mongodb::Client::with_options(server.client_options().await?)?;
    let odm = Odm::new(client.database(DATABASE)).with_settings(settings);
    Ok((odm, Some(server)))
}
