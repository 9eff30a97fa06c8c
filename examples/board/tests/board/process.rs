//! The program itself: one command starts it, and Ctrl-C stops it.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use mongo_odm_testkit::TestDb;
use tokio::time::sleep;

/// The longest time for a shutdown.
const LIMIT: Duration = Duration::from_secs(60);

/// A process that is killed if the test fails.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The program, its output after the first line, and its address.
struct Running {
    program: Program,
    output: BufReader<ChildStdout>,
    address: String,
}

#[cfg(unix)]
#[mongo_odm_testkit::test(indexes = false)]
async fn the_program_prints_its_address_and_stops_after_a_signal(database: &TestDb) {
    for signal in ["-INT", "-TERM"] {
        let running = start(database);
        assert!(std::net::TcpStream::connect(&running.address).is_ok());
        let members = database.collection("members");
        let count = members.count_documents(mongo_odm::bson::doc! {}).await;
        assert_eq!(count.unwrap(), 3);
        stop(running, signal).await;
    }
}

#[cfg(unix)]
#[mongo_odm_testkit::test(indexes = false)]
async fn a_signal_may_follow_the_address_at_once(database: &TestDb) {
    for signal in ["-INT", "-TERM"].repeat(4) {
        stop(start(database), signal).await;
    }
}

/// Starts the program and waits for its address.
fn start(database: &TestDb) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_odm-board"));
    command.env("MONGODB_URI", database.uri());
    command.env("BOARD_ADDRESS", "127.0.0.1:0");
    command.stdout(Stdio::piped());
    let mut program = Program(command.spawn().unwrap());
    let mut output = BufReader::new(program.0.stdout.take().unwrap());
    loop {
        let mut line = String::new();
        assert_ne!(
            output.read_line(&mut line).unwrap(),
            0,
            "the program has ended"
        );
        if let Some(address) = line.trim().strip_prefix("the board is at http://") {
            let address = address.to_owned();
            return Running {
                program,
                output,
                address,
            };
        }
    }
}

/// Sends `signal` and waits for the end of the program.
async fn stop(mut running: Running, signal: &str) {
    let program = &mut running.program.0;
    let pid = program.id().to_string();
    let sent = Command::new("kill").args([signal, &pid]).status();
    assert!(sent.unwrap().success());
    let started = Instant::now();
    let status = loop {
        if let Some(status) = program.try_wait().unwrap() {
            break status;
        }
        assert!(started.elapsed() < LIMIT, "the program does not stop");
        sleep(Duration::from_millis(20)).await;
    };
    assert!(status.success(), "{signal}: {status}");
    let mut rest = String::new();
    running.output.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("the board has stopped: "), "{rest}");
}
