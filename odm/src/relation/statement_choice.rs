//! Decides whether a load sends nothing, a `find` or an aggregation, and whether the server or the library sorts
//! and limits.
//!
//! | load | order | limit |
//! |---|---|---|
//! | one owner, sorted or with one key | server | server |
//! | one owner, several keys, without a sort | library | library |
//! | many owners, at most one key each (`has_many`) | server | server, by `$lookup` |
//! | many owners with arrays of references | library; with a sort: server | library |
//!
//! The library also applies the limit if the server would count documents that have other keys, or if `require_all` has
//! to check all documents.

use super::{
    load::{Form, Load},
    owner_keys::OwnerKeys,
    placement::repeats,
    request::{Request, Window},
};
use crate::{
    client::{
        command::{limit_of, skip_of},
        odm::Exec,
        plan::Plan,
    },
    error::Result,
};

/// The statement that a load sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sends {
    Nothing,
    Find,
    /// An aggregation that applies a skip and a limit to the documents of each key.
    Lookup(Window),
}

/// A load for which the statement has been chosen.
pub(super) struct ReadyLoad {
    pub(super) request: Request,
    pub(super) keys: OwnerKeys,
    pub(super) sends: Sends,
    /// Whether the documents arrive in their final order.
    pub(super) ordered: bool,
    /// The skip and the limit that the library must still apply.
    pub(super) window: Window,
    pub(super) require_all: bool,
    pub(super) to_one: bool,
    pub(super) form: Form,
    pub(super) exec: Exec,
}

impl Load {
    pub(super) fn plan(self) -> Result<Plan> {
        let ready = self.ready()?;
        let (index, exec) = (&ready.keys.index, &ready.exec);
        match ready.sends {
            Sends::Nothing => Ok(Plan::default()),
            Sends::Find => ready.request.plan(index, exec),
            Sends::Lookup(window) => ready.request.plan_each(index, window, exec),
        }
    }

    /// Chooses the statement, and decides whether the server or the library sorts and limits the documents.
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

impl ReadyLoad {
    /// For a key other than the `_id`, requests two documents, so that the library detects a key that is not unique.
    fn limit_to_one(&mut self) {
        let is_unique = self.request.path == "_id";
        let exact = !self.request.finds_other_keys(&self.keys.index);
        self.request.limit = (exact && !is_unique).then_some(2);
        self.ordered = true;
    }

    fn order_many(&mut self) {
        // If there is only one key, the result has the order of the server's reply.
        self.ordered = self.request.sort.is_some() || self.keys.positions.len() <= 1;
        if !self.ordered {
            self.request.repeats = repeats(&self.keys.positions, self.keys.index.len());
        } else if !self.require_all && !self.request.finds_other_keys(&self.keys.index) {
            let Window { skip, limit } = std::mem::take(&mut self.window);
            self.request.skip = (skip > 0).then(|| skip_of(skip));
            self.request.limit = limit.map(limit_of);
        }
    }

    /// Lets the server apply the limit for each owner, if each owner has at most one key.
    fn limit_each(&mut self) -> Result<()> {
        let of_one_key = self.keys.most_keys <= 1 && self.request.path != "_id";
        // If the server skipped a document, `require_all` would report the document as missing.
        let hides = self.require_all && self.window.skip > 0;
        let exact = !self.request.finds_other_keys(&self.keys.index);
        if self.window.limit.is_some() && of_one_key && exact && !hides {
            self.request.refuse_hint()?;
            self.sends = Sends::Lookup(std::mem::take(&mut self.window));
        }
        self.ordered = self.request.sort.is_some() && self.sends == Sends::Find;
        Ok(())
    }

    /// Returns whether the library can return the documents in the order of the server's reply, without any check.
    pub(super) const fn is_final_order(&self) -> bool {
        self.ordered && !self.require_all && !self.to_one && self.window.is_open()
    }

    /// Returns whether one cursor returns exactly the documents of the result, batch by batch.
    pub(super) fn is_cursor(&self) -> bool {
        let returns_keys = self.request.returns_keys(&self.keys.index);
        self.sends == Sends::Find && self.is_final_order() && !returns_keys
    }
}
