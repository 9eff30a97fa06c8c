//! A load or a join without its types: what is asked for, how it is sent, what comes back.

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use super::{
    fetched_documents::{Answers, Decoded, Store},
    key_index::KeyIndex,
    key_number::{index, number},
    owner_keys::HeldKeys,
    placement::{Groups, Position, Taken, in_order, repeats},
    request::{Request, Window},
    slot::{Absence, Slot},
};
use crate::{
    client::{
        odm::{Exec, traced_relation},
        plan::Plan,
    },
    error::{EncodeError, Error, Result},
    model::{projection::Projected, shape::ModelShape},
    observe::stats::{Asked, Related},
    query::filter::RelationScope,
    value::{decode::Decode, key::JoinKey},
};

/// How the documents of a relation are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The only one of one owner.
    One,
    /// Those of one owner.
    Many,
    /// Those of each of many owners.
    Each,
}

/// What a builder has been told.
#[derive(Debug)]
pub(crate) struct Load {
    form: Form,
    pub(super) keys: HeldKeys,
    pub(super) request: Request,
    /// What went wrong while it was told; nothing is sent then.
    failed: Option<Error>,
    /// Which documents of each owner are wanted.
    pub(super) window: Window,
    /// Whether a key without a document is an error.
    pub(super) require_all: bool,
    /// Whether a key with several documents is one.
    pub(super) to_one: bool,
    pub(super) exec: Exec,
}

impl Load {
    pub(super) fn new(
        form: Form,
        relation: &'static str,
        (target, path): (&'static ModelShape, String),
        keys: Result<HeldKeys, EncodeError>,
        exec: Exec,
    ) -> Self {
        let (keys, failed) = match keys {
            Ok(keys) => (keys, None),
            Err(source) => {
                let error = Error::encode(format!("a key of `{relation}`"), source);
                (HeldKeys::default(), Some(error))
            }
        };
        Self {
            form,
            keys,
            request: Request::new(relation, target, path),
            failed,
            window: Window::default(),
            require_all: false,
            to_one: form == Form::One,
            exec: exec.for_relation(relation),
        }
    }

    /// Reports what went wrong while the builder was told what to load.
    pub(super) fn check(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)?;
        let options = &self.request.options;
        let kept = [
            ("sort", options.sort.is_some()),
            ("skip", options.skip.is_some()),
            ("limit", options.limit.is_some()),
            ("projection", options.projection.is_some()),
        ];
        match kept.into_iter().find(|(_, is_set)| *is_set) {
            None => Ok(()),
            Some((name, _)) => Err(Error::invalid(format!(
                "the `{name}` of `{}` is no plain option, because the documents are put to their references; use \
                 the methods of the same kind, or load without it",
                self.request.relation
            ))),
        }
    }

    /// Reports what is wrong with counting instead of loading, by the keys that are counted.
    pub(super) fn check_count(&mut self, keys: &KeyIndex) -> Result<()> {
        self.check()?;
        let relation = self.request.relation;
        if self.request.finds_too_much(keys) {
            return Err(Error::invalid(format!(
                "a collation of your own compares the keys of `{relation}` as well, and the server would count \
                 documents of other keys; remove `collation`, or load the documents"
            )));
        }
        if self.require_all || !self.window.is_open() {
            return Err(Error::invalid(format!(
                "all documents of `{relation}` are counted; remove `limit_each`, `skip_each` and \
                 `require_all`, or load the documents"
            )));
        }
        Ok(())
    }

    /// Adds what the relation declares for all loads.
    pub(super) fn declared(
        self,
        filter: Option<Result<RelationScope>>,
        sort: Option<Document>,
    ) -> Self {
        let load = match filter {
            Some(filter) => self.scoped(filter),
            None => self,
        };
        match sort {
            Some(sort) => load.sort(sort),
            None => load,
        }
    }

    pub(super) fn filter(self, filter: Result<Document>) -> Self {
        let element = None;
        self.scoped(filter.map(|whole| RelationScope { whole, element }))
    }

    /// Restricts it by a filter of the documents, and by a condition on the element with the key.
    pub(super) fn scoped(mut self, scope: Result<RelationScope>) -> Self {
        let narrowed = scope.and_then(|scope| {
            self.request.narrow(scope.whole);
            let element = scope.element;
            element.map_or(Ok(()), |element| self.request.match_element(element))
        });
        if let Err(error) = narrowed {
            self.failed.get_or_insert(error);
        }
        self
    }

    /// Orders the documents; an empty sort brings back the stored order.
    pub(super) fn sort(mut self, sort: Document) -> Self {
        self.request.sort = Some(sort).filter(|sort| !sort.is_empty());
        self
    }

    pub(super) fn project(mut self, plan: impl FnOnce(&str) -> Result<Projected>) -> Self {
        match plan(&self.request.path) {
            Ok(projected) => self.request.projected = projected,
            Err(error) => {
                self.failed.get_or_insert(error);
            }
        }
        self
    }

    /// Asks for the whole relation in stored order.
    pub(super) fn in_stored_order(mut self) -> Self {
        self.window = Window::default();
        self.request.sort = None;
        self
    }

    pub(super) fn plan(self) -> Result<Plan> {
        let ready = self.ready()?;
        let (index, exec) = (&ready.keys.index, &ready.exec);
        match ready.sends {
            Sends::Nothing => Ok(Plan::default()),
            Sends::Find => ready.request.plan(index, exec),
            Sends::Lookup(window) => ready.request.plan_each(index, window, exec),
        }
    }

    /// Returns the keys that no document has, sorted. Nothing but keys comes back.
    pub(super) async fn missing(mut self) -> Result<Vec<JoinKey>> {
        self.check()?;
        let mut request = self.request;
        request.projected = Projected::only_path(&request.path);
        (request.filter, request.sort) = (None, None);
        request.elements.clear();
        let index = self.keys.index;
        let mut keys_alone = Decoded::new(Decode::nothing());
        let answers = request.fetch(&index, &self.exec, &mut keys_alone).await?;
        let groups = Groups::new(index.len(), &answers.pairs);
        Ok(index.keys_where(|key| groups.of(*key).is_empty()))
    }

    /// Decides who puts the documents in order and cuts them, the server or this library.
    pub(super) fn ready(mut self) -> Result<ReadyLoad> {
        self.check()?;
        self.request.refuse_collation(&self.keys.index)?;
        let mut ready = ReadyLoad {
            request: self.request,
            sends: Sends::Find,
            ordered: false,
            window: self.window,
            keys: self.keys,
            require_all: self.require_all,
            to_one: self.to_one,
            form: self.form,
            exec: self.exec,
        };
        if ready.keys.index.len() == 0 || ready.window.limit == Some(0) {
            ready.sends = Sends::Nothing;
            return Ok(ready);
        }
        match self.form {
            Form::One => ready.limit_to_one(),
            Form::Many => ready.order_many(),
            Form::Each => ready.limit_each()?,
        }
        Ok(ready)
    }
}

/// Loads documents in the order in which they are wanted, in the span of an operation.
pub(super) async fn documents<V: Send + 'static>(
    load: Load,
    operation: &'static str,
    decode: Decode<V>,
) -> Result<Vec<V>> {
    let mut documents = Decoded::new(decode);
    let order = fetched(load, operation, &mut documents).await?;
    Ok(documents.in_order(order))
}

/// Loads documents into a store, in the span of an operation; compiled once.
fn fetched<'a>(
    load: Load,
    operation: &'static str,
    store: &'a mut dyn Store,
) -> BoxFuture<'a, Result<Option<Vec<u32>>>> {
    traced_relation(load.request.relation_and_model(), operation, async move {
        load.ready()?.fetch_in_order(store).await
    })
}

/// The documents of a join but for themselves: where they belong.
pub(super) struct Placed {
    pub(super) keys: HeldKeys,
    pub(super) groups: Groups,
    pub(super) sorted: bool,
    pub(super) window: Window,
    pub(super) absence: Absence,
}

/// Joins documents into a store, in the span of the join; compiled once.
pub(super) fn placed(load: Load, store: &mut dyn Store) -> BoxFuture<'_, Result<Placed>> {
    traced_relation(load.request.relation_and_model(), "join", async move {
        let ready = load.ready()?;
        let answers = ready.answers(store).await?;
        Ok(Placed {
            groups: ready.groups(&answers)?,
            sorted: ready.ordered,
            window: ready.window,
            absence: ready.absence(),
            keys: ready.keys,
        })
    })
}

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sends {
    Nothing,
    Find,
    /// An aggregation that looks up what a window shows of each key.
    Lookup(Window),
}

/// A load that knows how it is sent.
pub(super) struct ReadyLoad {
    pub(super) request: Request,
    pub(super) keys: HeldKeys,
    pub(super) sends: Sends,
    /// Whether documents come in the order in which they are wanted.
    pub(super) ordered: bool,
    /// What remains to be cut when they have come.
    pub(super) window: Window,
    require_all: bool,
    to_one: bool,
    form: Form,
    pub(super) exec: Exec,
}

impl ReadyLoad {
    /// Asks for two documents, to see that a key is not unique.
    fn limit_to_one(&mut self) {
        self.request.limit = (self.request.path != "_id").then_some(2);
        self.ordered = true;
    }

    fn order_many(&mut self) {
        // With one key, the order of the reply is the order of the result.
        self.ordered = self.request.sort.is_some() || self.keys.positions.len() <= 1;
        if !self.ordered {
            self.request.repeats = repeats(&self.keys.positions, self.keys.index.len());
        } else if !self.require_all && !self.request.finds_too_much(&self.keys.index) {
            let Window { skip, limit } = std::mem::take(&mut self.window);
            self.request.skip = (skip > 0).then_some((skip as u64).min(i64::MAX.unsigned_abs()));
            self.request.limit = limit.and_then(|limit| i64::try_from(limit).ok());
        }
    }

    /// Lets the server cut the documents of each owner if they are those of one key.
    fn limit_each(&mut self) -> Result<()> {
        let of_one_key = self.keys.most <= 1 && self.request.path != "_id";
        // What is skipped over would look as if it were not there.
        let hides = self.require_all && self.window.skip > 0;
        let exact = !self.request.finds_too_much(&self.keys.index);
        if self.window.limit.is_some() && of_one_key && exact && !hides {
            self.request.refuse_hint()?;
            self.sends = Sends::Lookup(std::mem::take(&mut self.window));
        }
        self.ordered = self.request.sort.is_some() && self.sends == Sends::Find;
        Ok(())
    }

    /// Returns what it means that a key has no document.
    pub(super) const fn absence(&self) -> Absence {
        match self.sends {
            Sends::Nothing => Absence::NotAsked,
            Sends::Lookup(Window { skip: 1.., .. }) => Absence::Unmatched,
            _ if self.request.is_filtered() => Absence::Unmatched,
            _ => Absence::Missing,
        }
    }

    /// Whether documents can be handed over as they come.
    pub(super) const fn needs_no_look(&self) -> bool {
        self.ordered && !self.require_all && !self.to_one && self.window.is_open()
    }

    /// Whether they come batch by batch from a cursor of documents and nothing else.
    pub(super) fn is_cursor(&self) -> bool {
        let tells_keys = self.request.tells_keys(&self.keys.index);
        self.sends == Sends::Find && self.needs_no_look() && !tells_keys
    }

    async fn answers(&self, store: &mut dyn Store) -> Result<Answers> {
        let (request, keys) = (&self.request, &self.keys.index);
        let related = self.counted();
        let answers = match self.sends {
            Sends::Nothing => Answers::default(),
            Sends::Find => request.fetch(keys, &self.exec, store).await?,
            Sends::Lookup(window) => request.fetch_each(keys, window, &self.exec, store).await?,
        };
        related.add(index(answers.documents));
        Ok(answers)
    }

    fn is_limited(&self) -> bool {
        self.window.limit.is_some() || self.request.limit.is_some()
    }

    /// Counts the call, if it sends something; returns what counts its documents.
    pub(super) fn counted(&self) -> Related {
        if self.sends == Sends::Nothing {
            return Related::default();
        }
        // Polymorphic references are loaded together as if one owner held them all.
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
        let related = self.request.counted(asked, &self.keys.index, &self.exec);
        if self.is_of_part() {
            related.of_part();
        }
        related
    }

    /// Whether documents that the keys lead to are left out.
    fn is_of_part(&self) -> bool {
        let request = &self.request;
        // Of one document the limit says whether there is another one.
        let is_cut = self.form != Form::One && (request.skip.is_some() || request.limit.is_some());
        let is_looked_up = matches!(self.sends, Sends::Lookup(_));
        is_cut || is_looked_up || request.is_filtered() || !self.window.is_open()
    }

    /// Groups what has come, and refuses what the builder said is an error.
    pub(super) fn groups(&self, answers: &Answers) -> Result<Groups> {
        let index = &self.keys.index;
        let groups = Groups::new(index.len(), &answers.pairs);
        if let (true, Some((key, found))) = (self.to_one, groups.ambiguous(&self.request.repeats)) {
            let key = index.key(key).unwrap_or(JoinKey::NULL);
            return Err(self.request.ambiguous(&key, found));
        }
        if self.require_all && self.sends != Sends::Nothing {
            match &*index.keys_where(|key| groups.of(*key).is_empty()) {
                [] => {}
                absent => return Err(self.request.absent(self.absence(), absent)),
            }
        }
        Ok(groups)
    }

    /// Returns the numbers of documents in the order in which they are wanted; none if they have come
    /// so.
    fn order(&self, answers: &Answers) -> Result<Option<Vec<u32>>> {
        if self.needs_no_look() {
            return Ok(None);
        }
        let groups = self.groups(answers)?;
        let mut order: Vec<u32> = if self.ordered {
            (0..answers.documents).collect()
        } else {
            let places = in_order(&self.keys.positions, &groups, &self.request.repeats);
            let documents = places.into_iter().filter_map(Position::document);
            documents.collect()
        };
        self.window.cut(&mut order);
        Ok(Some(order))
    }

    /// Fetches documents as they come.
    async fn fetch<V>(&self, decode: Decode<V>) -> Result<(Vec<V>, Answers)>
    where
        V: Send + 'static,
    {
        let mut documents = Decoded::new(decode);
        let answers = self.answers(&mut documents).await?;
        Ok((documents.finish(), answers))
    }

    /// Fetches documents in the order in which they are wanted.
    pub(super) async fn documents<V>(self, decode: Decode<V>) -> Result<Vec<V>>
    where
        V: Send + 'static,
    {
        let mut documents = Decoded::new(decode);
        let order = self.fetch_in_order(&mut documents).await?;
        Ok(documents.in_order(order))
    }

    /// Fetches documents into a store; returns their numbers in the order in which they are wanted, or none if
    /// they have come so.
    fn fetch_in_order<'a>(self, store: &'a mut dyn Store) -> BoxFuture<'a, Result<Option<Vec<u32>>>>
    where
        Self: 'a,
    {
        Box::pin(async move { self.order(&self.answers(store).await?) })
    }

    /// Fetches what stands at each position of the owner.
    pub(super) async fn slots<V>(self, decode: Decode<V>) -> Result<Vec<Slot<V>>>
    where
        V: Send + 'static,
    {
        let (documents, answers) = self.fetch(decode).await?;
        let groups = self.groups(&answers)?;
        let mut documents = Taken::from(documents);
        let slot = |place| match place {
            Position::Document(at) => documents.take(at).map(Slot::Found),
            Position::Null => Some(Slot::Null),
            Position::Empty(key) => self.keys.index.key(key).map(|key| self.absence().slot(key)),
        };
        let places = in_order(&self.keys.positions, &groups, &self.request.repeats);
        Ok(places.into_iter().filter_map(slot).collect())
    }
}
