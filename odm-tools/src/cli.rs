//! The command-line program for operators. To build the program with your models, write one line of code. If you do not
//! have models, use the ready-made binary.
//!
//! `cli!` links the models and defines `main`. All other code is compiled with this library. Each subcommand is a small
//! file that calls the public API and returns an `Output`, which `command` prints.
//!
//! | module | content |
//! |---|---|
//! | [`arguments`] | the arguments of the command line |
//! | [`connect`], [`uri`] | connecting to the database, and mistakes in a connection string |
//! | [`failure`], [`fault`] | errors and panics that end a command, and the exit codes |
//! | [`output`] | the output of a command, as text or JSON |
//! | [`collections`] | checks the collections in the arguments |
//! | [`sampled`] | which share of the collections was read |
//! | [`progress`] | the progress on a terminal |
//! | [`check`] | compares the models with a database |
//! | [`indexes`], [`validators`], [`verify`], [`jobs`], [`worker`], [`backfill`], [`advise`], [`schema`], [`pull`] | one command each |

mod advise;
mod arguments;
mod backfill;
mod check;
mod collections;
mod connect;
mod failure;
mod fault;
mod indexes;
mod jobs;
mod output;
mod progress;
mod pull;
mod sampled;
mod schema;
mod uri;
mod validators;
mod verify;
mod worker;

use std::{panic::AssertUnwindSafe, process::ExitCode};

use clap::Parser;
use futures_util::FutureExt;

use arguments::{Arguments, Command};
use failure::{Exit, Failure, without_passwords};
use output::Output;

/// Defines the `main` function of a command for operators that uses the models of your crate. Write one line that calls
/// this macro in `src/bin/odm.rs`.
///
/// The macro links the models in the same way as [`link!`](mongo_odm::link).
///
/// # Examples
///
/// ```ignore
/// mongo_odm_tools::cli!(my_shop::models);
/// ```
#[doc = include_str!("docs/command.md")]
#[macro_export]
macro_rules! cli {
    ($($models:tt)*) => {
        $crate::__cli_models!($($models)*);

        fn main() -> ::std::process::ExitCode {
            $crate::__private::command()
        }
    };
}

/// Links the models if the macro has arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __cli_models {
    () => {};
    ($($models:tt)+) => {
        $crate::link!($($models)+);
    };
}

/// Runs the command with the program's arguments. This is the `main` function that [`cli!`](macro@crate::cli) defines.
pub fn command() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error, asks_for_json()),
    };
    let is_json = arguments.json;
    let uri = arguments.connection.uri().unwrap_or_default();
    fault::note();
    let ended = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime.block_on(AssertUnwindSafe(run(arguments)).catch_unwind()),
        Err(error) => Ok(Err(Failure::new(Exit::Failed, error.to_string()))),
    };
    match ended {
        Ok(Ok(output)) => output.print(is_json),
        Ok(Err(failure)) => failure.print(is_json),
        Err(_) => fault::failure(|text| uri::is_harmless(text, &uri)).print(is_json),
    }
}

/// Whether the arguments contain `--json`. Clap itself does not return the arguments if it rejects one of them.
fn asks_for_json() -> bool {
    let arguments = std::env::args_os().skip(1);
    let mut options = arguments.take_while(|it| it != "--");
    options.any(|it| it == "--json")
}

/// Prints a usage error or the help, and returns the exit code.
fn usage(error: &clap::Error, is_json: bool) -> ExitCode {
    let text = error.render().to_string();
    let safe = without_passwords(&text);
    if is_json && error.use_stderr() {
        let message = text.trim_end();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        return Failure::new(Exit::Usage, message).print(true);
    }
    if safe == text {
        // Colours appear only on a terminal. The result is ignored, because a closed pipe is not an error.
        let _ = error.print();
    } else {
        failure::say(&safe);
    }
    if error.use_stderr() {
        Exit::Usage
    } else {
        Exit::Fine
    }
    .code()
}

async fn run(arguments: Arguments) -> Result<Output, Failure> {
    let Arguments {
        connection,
        command,
        ..
    } = arguments;
    if let Command::Schema(options) = command {
        return schema::run(options);
    }
    let odm = connect::connect(&connection).await?;
    match command {
        Command::Check(options) => check::run(&odm, options).await,
        Command::Indexes(options) => indexes::run(&odm, options).await,
        Command::Validators(options) => validators::run(&odm, options).await,
        Command::Verify(options) => verify::run(&odm, &options).await,
        Command::Jobs(options) => jobs::run(&odm, options).await,
        Command::Worker(options) => worker::run(&odm, &options).await,
        Command::Backfill(options) => backfill::run(&odm, &options).await,
        Command::Advise(options) => advise::run(&odm, options).await,
        Command::Schema(options) => schema::run(options),
        Command::Pull(options) => pull::run(&odm, options).await,
    }
}
