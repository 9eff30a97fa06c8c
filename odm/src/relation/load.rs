//! The settings collected by the builder of a load or a join. This code is not generic, so it is compiled only once.

use mongodb::bson::Document;

use super::{
    fetched_documents::Decoded,
    key_index::KeyIndex,
    owner_keys::OwnerKeys,
    placement::Groups,
    request::{Request, Window},
};
use crate::{
    client::{odm::Exec, place::Visibility},
    error::{EncodeError, Error, Result},
    model::{projection::Projected, shape::ModelShape},
    query::filter::RelationScope,
    value::{decode::Decode, key::JoinKey},
};

/// The form in which a load returns its documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The single related document of one owner.
    One,
    /// The related documents of one owner.
    Many,
    /// The related documents of many owners, separately for each owner.
    Each,
}

/// A load, a join or a count that has not been sent yet.
#[derive(Debug)]
pub(crate) struct Load {
    pub(super) form: Form,
    pub(super) keys: OwnerKeys,
    pub(super) request: Request,
    /// The first error from a builder method. Awaiting the builder returns this error and sends nothing.
    failed: Option<Error>,
    /// The skip and the limit for the documents of each owner.
    pub(super) window: Window,
    /// Whether the call fails if one of the keys matches no document.
    pub(super) require_all: bool,
    /// Whether the call fails if several documents match the same key.
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
        let (keys, mut failed) = match keys {
            Ok(keys) => (keys, None),
            Err(source) => {
                let error = Error::encode(format!("a key of `{relation}`"), source);
                (OwnerKeys::default(), Some(error))
            }
        };
        let mut place = exec.place(target);
        if let Err(error) = place.resolve_tenant(exec.odm().tenancy()) {
            failed.get_or_insert(error);
        }
        Self {
            form,
            keys,
            request: Request::new(relation, target, path, place),
            failed,
            window: Window::default(),
            require_all: false,
            to_one: form == Form::One,
            exec: exec.for_relation(relation),
        }
    }

    /// Fails with the first error from the builder methods, or if your code has set an option that only the library may
    /// set.
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
                "`options` cannot set `{name}` for `{}`, because the library assigns the documents to their \
                 references; use `sort`, `skip`, `limit`, `limit_each`, `select` or `project` of the builder",
                self.request.relation
            ))),
        }
    }

    /// Rejects settings that a count cannot apply.
    pub(super) fn check_count(&mut self, keys: &KeyIndex) -> Result<()> {
        self.check()?;
        let relation = self.request.relation;
        if self.request.finds_other_keys(keys) {
            return Err(Error::invalid(format!(
                "the collation of this call also applies to the keys of `{relation}`, so the server would count \
                 documents of other keys; remove `collation`, or load the documents"
            )));
        }
        if self.require_all || !self.window.is_open() {
            return Err(Error::invalid(format!(
                "a count of `{relation}` includes all documents; remove `limit_each`, `skip_each` and \
                 `require_all`, or load the documents"
            )));
        }
        Ok(())
    }

    /// Adds the filter and the sort that the relation declares for all loads.
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

    /// Adds a filter on documents, and a condition on the element that contains the key.
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

    /// Sets the order of the documents. An empty sort restores the order of the stored references.
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

    /// Removes the sort, the skip and the limit.
    pub(super) fn in_stored_order(mut self) -> Self {
        self.window = Window::default();
        self.request.sort = None;
        self
    }

    /// Returns the sorted keys for which no document exists. The statement ignores the filter and returns only keys.
    pub(super) async fn missing(mut self) -> Result<Vec<JoinKey>> {
        self.check()?;
        let mut request = self.request;
        request.projected = Projected::only_path(&request.path);
        (request.filter, request.sort) = (None, None);
        request.see(Visibility::All);
        request.elements.clear();
        let index = self.keys.index;
        let mut keys_alone = Decoded::new(Decode::nothing());
        let matches = request.fetch(&index, &self.exec, &mut keys_alone).await?;
        let groups = Groups::new(index.len(), &matches.pairs);
        Ok(index.keys_where(|key| groups.documents(*key).is_empty()))
    }
}
