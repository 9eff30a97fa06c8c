//! The error message for an unreachable server. The message lists the hosts that were tried, and
//! suggests a remedy.

use std::{fmt, time::Duration};

use mongodb::error::{Error as DriverError, ErrorKind as DriverKind};

/// The driver's attempts to reach a server, parsed from the message of the driver's error. The driver does not provide
/// these attempts in any other way.
#[derive(Clone, Copy)]
pub(super) struct Attempts<'a>(pub(super) &'a DriverError);

impl<'a> Attempts<'a> {
    fn text(self) -> &'a str {
        match self.0.kind.as_ref() {
            DriverKind::ServerSelection { message, .. }
            | DriverKind::DnsResolve { message, .. } => message,
            _ => "",
        }
    }

    /// Lists the hosts that were tried, each with its error if the driver reports one.
    pub(super) fn hosts(self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let servers = self.text().split("{ Address: ").skip(1);
        servers.filter_map(|server| {
            let (host, rest) = server.split_once(", Type: ")?;
            let why = rest.split_once("Error: Kind: ");
            let why = why.and_then(|(_, why)| why.split(", labels: ").next());
            Some((host, why))
        })
    }

    /// Returns a remedy. If servers are running but the read preference excludes them, the remedy concerns the read
    /// preference.
    pub(super) fn remedy(self) -> &'static str {
        let is_refused = self.reason().contains("ReadPreference(");
        let is_of_primary = self.reason().contains("ReadPreference(Primary)");
        if is_refused && !is_of_primary && self.hosts().any(|(_, why)| why.is_none()) {
            "start a member that the read preference takes, or ask for another one (`readPreference`, `read_preference`)"
        } else {
            "start it, or check the hosts of the connection string and the network access (firewall, VPN, allowed \
             addresses)"
        }
    }

    fn reason(self) -> &'a str {
        let reason = self.text().split(" Topology: ").next().unwrap_or_default();
        let reason = reason.trim_start_matches("Server selection timeout: ");
        reason.trim_end_matches('.')
    }
}

impl fmt::Display for Attempts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " ({})", self.reason())?;
        for (at, (host, why)) in self.hosts().enumerate() {
            f.write_str(if at == 0 { "; tried " } else { ", " })?;
            write!(f, "`{host}`")?;
            if let Some(why) = why {
                write!(f, " ({why})")?;
            }
        }
        Ok(())
    }
}

/// Formats how long the driver tried. Writes nothing if the time is not known.
pub(super) struct WaitedFor(pub(super) Option<Duration>);

impl fmt::Display for WaitedFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |waited| {
            write!(f, " for {:.1} s", waited.as_secs_f64())
        })
    }
}
