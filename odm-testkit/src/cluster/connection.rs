//! The context of a command: the connections of its client to the servers, and the state that all clients share.

use std::sync::Arc;

use mongodb::bson::Document;

use crate::cluster::{link::Links, message::call::Call, route::table::Place, state::Shared};

/// A client of the front, with its own connections to the servers.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) shared: Arc<Shared>,
    pub(super) links: Links,
    /// The name of the client's application. A failpoint can apply only to the commands of one application.
    pub(super) app_name: Option<String>,
}

impl Connection {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let links = Links::new(Arc::clone(&shared.ports), Arc::clone(&shared.clock));
        Self {
            shared,
            links,
            app_name: None,
        }
    }

    /// Returns the location of the collection of a command.
    pub(super) async fn place(&mut self, call: &Call) -> Result<Place, Document> {
        let shared = Arc::clone(&self.shared);
        shared
            .routing
            .place(&mut self.links, &call.db, call.collection())
            .await
    }
}
