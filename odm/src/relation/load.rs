//! A load or a join without its types: what is asked for, how it is sent, what comes back.

use mongodb::bson::Document;

use super::{
    fetched_documents::Decoded,
    key_index::KeyIndex,
    owner_keys::OwnerKeys,
    placement::Groups,
    request::{Request, Window},
};
use crate::{
    client::odm::Exec,
    error::{EncodeError, Error, Result},
    model::{projection::Projected, shape::ModelShape},
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
    pub(super) form: Form,
    pub(super) keys: OwnerKeys,
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
        keys: Result<OwnerKeys, EncodeError>,
        exec: Exec,
    ) -> Self {
        let (keys, failed) = match keys {
            Ok(keys) => (keys, None),
            Err(source) => {
                let error = Error::encode(format!("a key of `{relation}`"), source);
                (OwnerKeys::default(), Some(error))
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
        if self.request.finds_other_keys(keys) {
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
    pub(super) fn with_declared(
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

    /// Returns the keys that no document has, sorted. Nothing but keys comes back.
    pub(super) async fn missing(mut self) -> Result<Vec<JoinKey>> {
        self.check()?;
        let mut request = self.request;
        request.projected = Projected::only_path(&request.path);
        (request.filter, request.sort) = (None, None);
        request.elements.clear();
        let index = self.keys.index;
        let mut keys_alone = Decoded::new(Decode::nothing());
        let matches = request.fetch(&index, &self.exec, &mut keys_alone).await?;
        let groups = Groups::new(index.len(), &matches.pairs);
        Ok(index.keys_where(|key| groups.documents(*key).is_empty()))
    }
}
