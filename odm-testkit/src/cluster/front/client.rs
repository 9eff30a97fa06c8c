//! One client of the front: reads its commands, and sends the replies.

use std::{future::poll_fn, io};

use mongodb::bson::{DateTime, Document, doc};
use tokio::net::TcpStream;

use crate::cluster::{
    connection::Connection,
    message::{
        call::Call,
        reply::{NOT_MONGOS, add_label, code, is_ok, is_retryable},
        wire::{self, Message},
    },
};

/// The reply to a command, or the end of the connection, which a failpoint can request.
enum Answer {
    Reply(Document),
    Close,
}

impl Connection {
    /// Answers commands until the client closes the connection.
    pub(super) async fn serve(mut self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        while let Some(message) = wire::read(&mut stream).await? {
            let Message {
                id,
                body,
                wants_reply,
            } = message;
            self.shared.clock.note(&body);
            // If the client closes its connection, the command is stopped, and the connections to the servers are
            // closed.
            let answer = tokio::select! {
                answer = self.answer(body) => answer,
                () = closed(&stream) => return Ok(()),
            };
            match answer {
                Answer::Close => return Ok(()),
                Answer::Reply(mut reply) if wants_reply => {
                    self.shared.clock.add_to(&mut reply);
                    self.shared.clock.add_operation_time(&mut reply);
                    wire::write(&mut stream, id, id, reply).await?;
                }
                Answer::Reply(_) => {}
            }
        }
        Ok(())
    }

    async fn answer(&mut self, body: Document) -> Answer {
        let mut call = match Call::new(body) {
            Ok(call) => call,
            Err(reply) => return Answer::Reply(reply),
        };
        if !call.is_in_transaction {
            call.choose_snapshot(self.shared.clock.now());
        }
        if matches!(call.name.as_str(), "hello" | "isMaster" | "ismaster") {
            return Answer::Reply(self.hello(&call));
        }
        let failpoint = self
            .shared
            .failpoints
            .hit(&call.name, self.app_name.as_deref());
        let mut reply = match failpoint {
            None => Box::pin(self.dispatch(&call)).await,
            Some(failpoint) => {
                tokio::time::sleep(failpoint.delay).await;
                if failpoint.closes {
                    return Answer::Close;
                }
                if let Some(reply) = failpoint.reply {
                    return Answer::Reply(reply);
                }
                let mut reply = Box::pin(self.dispatch(&call)).await;
                if let Some(error) = failpoint.concern_error {
                    reply.insert("writeConcernError", error);
                }
                reply
            }
        };
        let is_write = call.origin.is_some() && !call.is_in_transaction;
        if !is_ok(&reply) && is_write && code(&reply).is_some_and(is_retryable) {
            add_label(&mut reply, "RetryableWriteError");
        }
        Answer::Reply(reply)
    }

    /// Describes the front as a router, so that the driver uses sessions and transactions as with `mongos`.
    fn hello(&mut self, call: &Call) -> Document {
        let client = call.document("client");
        let name = client
            .get_document("application")
            .ok()
            .and_then(|it| it.get_str("name").ok());
        if name.is_some() {
            self.app_name = name.map(str::to_owned);
        }
        doc! {
            "ismaster": true,
            "isWritablePrimary": true,
            "helloOk": true,
            "msg": "isdbgrid",
            "front": NOT_MONGOS,
            "maxBsonObjectSize": 16 * 1024 * 1024,
            "maxMessageSizeBytes": 48_000_000,
            "maxWriteBatchSize": 100_000,
            "localTime": DateTime::now(),
            "logicalSessionTimeoutMinutes": 30,
            "minWireVersion": 0,
            "maxWireVersion": 17,
            "readOnly": false,
            "ok": 1.0,
        }
    }
}

/// Waits until the client closes its connection. A driver sends nothing before it has received the reply.
async fn closed(stream: &TcpStream) {
    let mut buffer = [0; 1];
    let peeked = poll_fn(|context| {
        let mut buffer = tokio::io::ReadBuf::new(&mut buffer);
        stream.poll_peek(context, &mut buffer)
    });
    if matches!(peeked.await, Ok(count) if count > 0) {
        // The next command has already arrived. It is read after the reply.
        std::future::pending::<()>().await;
    }
}
