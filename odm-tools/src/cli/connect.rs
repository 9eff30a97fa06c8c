//! Connects the command to its database.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use mongo_odm::{__tools::Reads, Odm, Settings, Settle};
use mongodb::{
    Client,
    bson::doc,
    error::ErrorKind,
    options::{ClientOptions, ServerAddress, Tls},
};

use super::{
    arguments::Connection,
    failure::{Exit, Failure},
    uri::{is_database, is_harmless, mistake},
};

const NO_URI: &str =
    "no database is selected; set MONGODB_URI, or pass `--uri mongodb://localhost:27017/shop`";

const UNUSABLE: &str = "the connection string cannot be used; its form is \
`mongodb://user:password@host:port/database?options`, with `%40` for an `@` in the password";

const NO_DATABASE: &str = "the connection string names no database; add it after the hosts, \
`mongodb://localhost:27017/shop`, or pass `--database`";

/// Connects to the database and sends one `hello`, so that all commands report an unreachable server in the same way.
pub(super) async fn connect(connection: &Connection) -> Result<Odm, Failure> {
    let uri = connection.uri();
    let uri = uri.ok_or_else(|| Failure::new(Exit::Usage, NO_URI))?;
    let mut options = options(&uri).await?;
    options.server_selection_timeout = Some(connection.timeout);
    options.connect_timeout.get_or_insert(connection.timeout);
    options.app_name.get_or_insert_with(|| "odm".to_owned());
    let hosts: Vec<String> = options.hosts.iter().map(ServerAddress::to_string).collect();
    let set = options.repl_set_name.clone();
    readable(&options)?;
    let client = Client::with_options(options).map_err(|error| unusable(&error, &uri))?;
    let named = connection.database.as_deref();
    if let Some(name) = named.filter(|name| !is_database(name)) {
        let message = format!(
            "`{name}` is not a valid name of a database: a name has at most 63 bytes, without space, `.`, `$`, \
            `\"`, `/` and `\\`"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    let named = named.map(|name| client.database(name));
    let database = named.or_else(|| client.default_database());
    let database = database.ok_or_else(|| Failure::new(Exit::Usage, NO_DATABASE))?;
    let settings = Settings::default().settle(Settle::Manual);
    let odm = Odm::new(database).with_settings(settings);
    let reads = Reads::new(&odm);
    let hello = reads.command("hello", doc! { "hello": 1 });
    let answer = tokio::time::timeout(connection.timeout * 2, hello);
    let Ok(answer) = answer.await else {
        let hosts = hosts.join(", ");
        let message = format!("{hosts} did not answer in time; `--timeout` waits longer");
        return Err(Failure::new(Exit::Away, message));
    };
    if let Err(error) = answer {
        return Err(of_set(error.into(), set.as_deref()));
    }
    Ok(odm)
}

/// Adds the name of the replica set to the message about an unreachable server. The name is useful because the driver
/// ignores servers that belong to a different replica set.
fn of_set(failure: Failure, set: Option<&str>) -> Failure {
    match set {
        Some(set) if failure.is_away() => failure.and(&format!(
            "the connection string accepts only members of the replica set `{set}` (`replicaSet`): compare it with \
            `rs.status().set`"
        )),
        _ => failure,
    }
}

/// Rejects a connection string that refers to unreadable files. The driver's own message would not contain the names of
/// these files.
fn readable(options: &ClientOptions) -> Result<(), Failure> {
    let Some(Tls::Enabled(tls)) = &options.tls else {
        return Ok(());
    };
    let files = [
        ("tlsCAFile", &tls.ca_file_path),
        ("tlsCertificateKeyFile", &tls.cert_key_file_path),
    ];
    for (option, path) in files {
        let Some(path) = path else {
            continue;
        };
        if let Err(error) = std::fs::File::open(path) {
            let path = path.display();
            let message = format!(
                "`{option}` in the connection string is the file {path}, which cannot be read: {error}"
            );
            return Err(Failure::new(Exit::Usage, message));
        }
    }
    Ok(())
}

/// Parses the connection string. The error messages contain no part of the password.
async fn options(uri: &str) -> Result<ClientOptions, Failure> {
    if let Some(mistake) = mistake(uri) {
        return Err(Failure::new(Exit::Usage, mistake));
    }
    // The driver panics on some passwords, and its message contains a part of the password.
    let parsed = AssertUnwindSafe(async { ClientOptions::parse(uri).await }).catch_unwind();
    match parsed.await {
        Ok(parsed) => parsed.map_err(|error| unusable(&error, uri)),
        Err(_) => Err(Failure::new(Exit::Usage, UNUSABLE)),
    }
}

/// Converts an error of the driver to an error that contains no secrets. The driver's message can contain parts of the
/// connection string, including the password.
fn unusable(error: &mongodb::error::Error, uri: &str) -> Failure {
    let failure = |why: &str| {
        let message = format!("the connection string cannot be used: {why}");
        Failure::new(Exit::Usage, message)
    };
    match error.kind.as_ref() {
        ErrorKind::DnsResolve { .. } => Failure::new(
            Exit::Away,
            "the name of the server in the connection string cannot be resolved; check it, and the network",
        ),
        ErrorKind::InvalidArgument { message, .. } if is_harmless(message, uri) => failure(message),
        _ => Failure::new(Exit::Usage, UNUSABLE),
    }
}
