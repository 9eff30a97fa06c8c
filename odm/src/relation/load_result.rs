//! Fetches the documents of a load, checks them, and puts them in their final order.

use futures_util::future::BoxFuture;

use super::{
    absence::Absence,
    fetched_documents::{Decoded, KeyMatches, Store},
    key_number::{index, number},
    load::{Form, Load},
    owner_keys::OwnerKeys,
    placement::{Groups, Position, TakeOnce, in_order},
    request::Window,
    slot::Slot,
    statement_choice::{ReadyLoad, Sends},
};
use crate::{
    client::odm::traced_relation,
    error::Result,
    observe::stats::{Asked, Related},
    value::{decode::Decode, key::JoinKey},
};

/// Loads documents in their final order, inside the `tracing` span of an operation.
pub(super) async fn documents<V: Send + 'static>(
    load: Load,
    operation: &'static str,
    decode: Decode<V>,
) -> Result<Vec<V>> {
    let mut documents = Decoded::new(decode);
    let order = fetched(load, operation, &mut documents).await?;
    Ok(documents.in_order(order))
}

/// Loads documents into a store, inside the `tracing` span of an operation. This code does not depend on the document
/// type, so it is compiled only once.
fn fetched<'a>(
    load: Load,
    operation: &'static str,
    store: &'a mut dyn Store,
) -> BoxFuture<'a, Result<Option<Vec<u32>>>> {
    traced_relation(load.request.relation_and_model(), operation, async move {
        load.ready()?.fetch_in_order(store).await
    })
}

/// The result of a join without the documents themselves. This struct describes the keys that the documents belong to.
pub(super) struct Placed {
    pub(super) keys: OwnerKeys,
    pub(super) groups: Groups,
    pub(super) sorted: bool,
    pub(super) window: Window,
    pub(super) absence: Absence,
}

/// Loads the documents of a join into a store, inside the `tracing` span of the join. This code does not depend on the
/// document type, so it is compiled only once.
pub(super) fn placed(load: Load, store: &mut dyn Store) -> BoxFuture<'_, Result<Placed>> {
    traced_relation(load.request.relation_and_model(), "join", async move {
        let ready = load.ready()?;
        let matches = ready.fetch_matches(store).await?;
        Ok(Placed {
            groups: ready.groups(&matches)?,
            sorted: ready.ordered,
            window: ready.window,
            absence: ready.absence(),
            keys: ready.keys,
        })
    })
}

impl ReadyLoad {
    async fn fetch_matches(&self, store: &mut dyn Store) -> Result<KeyMatches> {
        let (request, keys) = (&self.request, &self.keys.index);
        let related = self.count_call();
        let matches = match self.sends {
            Sends::Nothing => KeyMatches::default(),
            Sends::Find => request.fetch(keys, &self.exec, store).await?,
            Sends::Lookup(window) => request.fetch_each(keys, window, &self.exec, store).await?,
        };
        related.add(index(matches.documents));
        Ok(matches)
    }

    fn is_limited(&self) -> bool {
        self.window.limit.is_some() || self.request.limit.is_some()
    }

    /// Counts the call in the statistics if it sends a statement. Returns the counters to which the caller adds the
    /// number of returned documents.
    pub(super) fn count_call(&self) -> Related {
        if self.sends == Sends::Nothing {
            return Related::default();
        }
        // A load of polymorphic references works as if a single owner stored all the references, but is counted as a
        // join.
        let of_several = self.form == Form::Many && self.to_one && self.keys.positions.len() > 1;
        let asked = if self.form == Form::Each || of_several {
            Asked::Join {
                owners: number(self.keys.owners),
            }
        } else if self.form == Form::Many && self.is_limited() {
            Asked::LoadSome
        } else {
            Asked::Load
        };
        let related = self.request.count_call(asked, &self.keys.index, &self.exec);
        if self.is_partial() {
            related.of_part();
        }
        related
    }

    /// Returns whether the result may lack documents that match one of the keys.
    fn is_partial(&self) -> bool {
        let request = &self.request;
        // If one document is expected, the limit only serves to detect a second one.
        let is_cut = self.form != Form::One && (request.skip.is_some() || request.limit.is_some());
        let is_looked_up = matches!(self.sends, Sends::Lookup(_));
        is_cut || is_looked_up || request.is_filtered() || !self.window.is_open()
    }

    /// Groups documents by key. Fails if a key is ambiguous or has no document and the builder forbids this.
    pub(super) fn groups(&self, matches: &KeyMatches) -> Result<Groups> {
        let index = &self.keys.index;
        let groups = Groups::new(index.len(), &matches.pairs);
        if let (true, Some((key, found))) = (self.to_one, groups.ambiguous(&self.request.repeats)) {
            let key = index.key(key).unwrap_or(JoinKey::NULL);
            return Err(self.request.ambiguous(&key, found));
        }
        if self.require_all && self.sends != Sends::Nothing {
            match &*index.keys_where(|key| groups.documents(*key).is_empty()) {
                [] => {}
                absent => return Err(self.request.absent(self.absence(), absent)),
            }
        }
        Ok(groups)
    }

    /// Returns the indices of the documents in their final order, or `None` if the documents arrived in that order.
    fn order(&self, matches: &KeyMatches) -> Result<Option<Vec<u32>>> {
        if self.is_final_order() {
            return Ok(None);
        }
        let groups = self.groups(matches)?;
        let mut order: Vec<u32> = if self.ordered {
            (0..matches.documents).collect()
        } else {
            let places = in_order(&self.keys.positions, &groups, &self.request.repeats);
            let documents = places.into_iter().filter_map(Position::document);
            documents.collect()
        };
        self.window.cut(&mut order);
        Ok(Some(order))
    }

    /// Fetches documents in the order of the server's reply.
    async fn fetch<V>(&self, decode: Decode<V>) -> Result<(Vec<V>, KeyMatches)>
    where
        V: Send + 'static,
    {
        let mut documents = Decoded::new(decode);
        let matches = self.fetch_matches(&mut documents).await?;
        Ok((documents.finish(), matches))
    }

    /// Fetches documents in their final order.
    pub(super) async fn documents<V>(self, decode: Decode<V>) -> Result<Vec<V>>
    where
        V: Send + 'static,
    {
        let mut documents = Decoded::new(decode);
        let order = self.fetch_in_order(&mut documents).await?;
        Ok(documents.in_order(order))
    }

    /// Fetches documents into a store. Returns the indices of the documents in their final order, or `None` if they
    /// arrived in that order.
    fn fetch_in_order<'a>(self, store: &'a mut dyn Store) -> BoxFuture<'a, Result<Option<Vec<u32>>>>
    where
        Self: 'a,
    {
        Box::pin(async move { self.order(&self.fetch_matches(store).await?) })
    }

    /// Fetches the documents, and returns one slot for each stored reference of the owner.
    pub(super) async fn slots<V>(self, decode: Decode<V>) -> Result<Vec<Slot<V>>>
    where
        V: Send + 'static,
    {
        let (documents, matches) = self.fetch(decode).await?;
        let groups = self.groups(&matches)?;
        let mut documents = TakeOnce::from(documents);
        let slot = |place| match place {
            Position::Document(at) => documents.take(at).map(Slot::Found),
            Position::Null => Some(Slot::Null),
            Position::Empty(key) => self.keys.index.key(key).map(|key| self.absence().slot(key)),
        };
        let places = in_order(&self.keys.positions, &groups, &self.request.repeats);
        Ok(places.into_iter().filter_map(slot).collect())
    }
}
