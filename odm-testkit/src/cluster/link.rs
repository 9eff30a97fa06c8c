//! Connections of one client of the front to the servers of the cluster.
//!
//! Each client has its own connections. When the client disconnects, its connections are closed, and the servers stop
//! the commands that still run on them.

pub(crate) mod clock;
pub(crate) mod role;

use std::{collections::HashMap, io, net::Ipv4Addr, sync::Arc};

use mongodb::bson::Document;
use tokio::net::TcpStream;

use self::{clock::Clock, role::Role};
use crate::cluster::message::{
    reply::{HOST_UNREACHABLE, failure, result_of},
    wire,
};

/// The ports of the primaries, which do not change when a process is restarted.
pub(crate) type Ports = HashMap<Role, u16>;

/// Fields that replies of a shard contain, but replies of a router do not.
const INTERNAL: [&str; 4] = [
    "lastCommittedOpTime",
    "$configTime",
    "$topologyTime",
    "electionId",
];

#[derive(Debug)]
pub(crate) struct Links {
    ports: Arc<Ports>,
    clock: Arc<Clock>,
    open: HashMap<Role, TcpStream>,
    last_id: i32,
}

impl Links {
    pub(crate) fn new(ports: Arc<Ports>, clock: Arc<Clock>) -> Self {
        Self {
            ports,
            clock,
            open: HashMap::new(),
            last_id: 0,
        }
    }

    /// Sends a command to a server and returns its reply, which may be an error of the server. If the server cannot be
    /// reached, returns the reply that a router would send.
    pub(crate) async fn reply(&mut self, role: Role, db: &str, command: Document) -> Document {
        let replies = self.replies(db, vec![(role, command)]).await;
        replies.into_iter().next().unwrap_or_default()
    }

    /// Does the same as [`reply`](Self::reply), but returns the reply as an error if the command has failed.
    pub(crate) async fn call(
        &mut self,
        role: Role,
        db: &str,
        command: Document,
    ) -> Result<Document, Document> {
        let reply = self.reply(role, db, command).await;
        result_of(reply)
    }

    /// Sends commands to different servers at the same time. The replies have the order of the commands.
    pub(crate) async fn replies(
        &mut self,
        db: &str,
        commands: Vec<(Role, Document)>,
    ) -> Vec<Document> {
        let mut sent = Vec::new();
        for (role, command) in commands {
            sent.push((role, self.send(role, db, command).await));
        }
        let mut replies = Vec::new();
        for (role, sent) in sent {
            let reply = match sent {
                Ok(()) => self.receive(role).await,
                Err(error) => Err(error),
            };
            replies.push(reply.unwrap_or_else(|error| self.unreachable(role, &error)));
        }
        replies
    }

    async fn send(&mut self, role: Role, db: &str, mut command: Document) -> io::Result<()> {
        command.insert("$db", db);
        self.clock.add_to(&mut command);
        self.last_id = self.last_id.wrapping_add(1);
        let id = self.last_id;
        let link = match self.open.remove(&role) {
            Some(link) if is_open(&link) => link,
            _ => self.connect(role).await?,
        };
        let link = self.open.entry(role).or_insert(link);
        wire::write(link, id, 0, command).await
    }

    async fn receive(&mut self, role: Role) -> io::Result<Document> {
        let link = self.open.get_mut(&role);
        let link = link.ok_or(io::ErrorKind::NotConnected)?;
        let reply = wire::read(link).await?;
        let mut reply = reply.ok_or(io::ErrorKind::UnexpectedEof)?.body;
        self.clock.note(&reply);
        for field in INTERNAL {
            reply.remove(field);
        }
        Ok(reply)
    }

    async fn connect(&self, role: Role) -> io::Result<TcpStream> {
        let port = self.ports.get(&role).ok_or(io::ErrorKind::NotFound)?;
        let link = TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).await?;
        link.set_nodelay(true)?;
        Ok(link)
    }

    fn unreachable(&mut self, role: Role, error: &io::Error) -> Document {
        self.open.remove(&role);
        let message = format!("cannot reach {}: {error}", role.name());
        failure(HOST_UNREACHABLE, "HostUnreachable", message)
    }
}

/// Whether a connection on which no reply is expected is still usable. If the server was killed, the connection is
/// closed.
fn is_open(link: &TcpStream) -> bool {
    let read = link.try_read(&mut [0]);
    matches!(read, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
}
