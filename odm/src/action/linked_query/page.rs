//! Pages of linked documents. Each page contains documents of every kind.
//!
//! The token of a page contains a separate token for each kind, so each kind continues independently of the other
//! kinds.

use mongodb::{bson::Document, options::FindOptions};

use super::{KindQuery, LinkedQuery, conditions::together};
use crate::{
    action::page::{PageStart, PageToken, PreparedPage, page},
    client::{
        odm::{Exec, into_future, traced},
        plan::Plan,
    },
    error::Result,
    model::{projection::ProjectedBy, shape::ModelShape},
    observe::{
        slow_statements::{followed, next_page},
        stats,
    },
    query::{
        filter::merge,
        single_collection::{FoundKind, Grouped, read_found},
    },
    value::decode::Decode,
};

/// A query for one page of linked documents: `Enrollment::linked(&odm, "S12345").page(20)`.
///
/// All documents of kinds that are not in the enum together count as one further kind. You cannot set a `limit` for a
/// kind in a paged query.
///
/// # Sends
///
/// One `find` for each kind that still has unread documents. The documents are ordered by the kind's sort, and then by
/// `_id`. As in [`PageOf`](crate::action::PageOf), each `find` reads one document more than the page contains.
///
/// # Errors
///
/// The errors of [`LinkedQuery`] and [`PageOf`](crate::action::PageOf).
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct LinkedPageOf<V> {
    query: LinkedQuery<V>,
    size: u32,
    after: Option<PageToken>,
}

/// One page of documents of several kinds.
#[non_exhaustive]
pub struct LinkedPage<V: Grouped> {
    /// The documents, by kind.
    pub items: V::Linked,
    /// The start of the next page; `None` on the last page.
    pub next: Option<PageToken>,
}

impl<V: Grouped> std::fmt::Debug for LinkedPage<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinkedPage")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

/// The name that a token uses for all kinds that are not in the enum.
const OTHERS: &str = "";

/// The page of one kind.
struct KindPage<V> {
    name: &'static str,
    page: PreparedPage<FoundKind<V>>,
}

impl<V: Grouped> LinkedPageOf<V> {
    pub(super) const fn new(query: LinkedQuery<V>, size: u32) -> Self {
        Self {
            query,
            size,
            after: None,
        }
    }

    /// Starts after the page that returned this token, or at the beginning if there is no token.
    ///
    /// # Examples
    ///
    /// See [`LinkedQuery`](super::LinkedQuery).
    pub fn after(mut self, token: impl PageStart) -> Self {
        self.after = token.into_token();
        self
    }

    #[doc = include_str!("../../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let exec = self.query.exec.clone();
        let pages = self.pages()?.into_iter();
        exec.plan_reads(pages.map(|kind| kind.page.find))
    }

    /// Prepares one page for each kind that still has unread documents.
    fn pages(self) -> Result<Vec<KindPage<V>>> {
        let models = self.query.models();
        let LinkedQuery {
            by,
            kinds,
            only,
            options,
            exec,
            ..
        } = self.query;
        let condition = LinkedQuery::<V>::condition(by?)?;
        let asked = Asked {
            condition,
            options,
            size: self.size,
            after: self.after,
            exec,
        };
        let mut kinds = kinds;
        let mut pages = Vec::new();
        for model in &models {
            let of_kind = kinds
                .iter()
                .position(|it| it.model.documents() == model.documents());
            let of_kind = of_kind.map(|at| kinds.swap_remove(at));
            pages.extend(asked.of_kind(model, of_kind)?);
        }
        if let Some(other) = kinds.first() {
            return Err(super::not_asked(other.model));
        }
        if only.is_none() {
            let others = together(&[], &models, &[], false);
            pages.extend(asked.page(OTHERS, V::SHAPE, others, None)?);
        }
        Ok(pages)
    }

    async fn run(self) -> Result<LinkedPage<V>> {
        let (mut found, mut next) = (Vec::new(), Vec::new());
        let exec = self.query.exec.clone();
        let (about, is_first) = ((V::__ODM_LINKED, V::SHAPE), self.after.is_none());
        let pages = self.pages()?;
        let related = if is_first {
            followed(about, stats::Asked::Load, 1, &exec)
        } else {
            next_page(about, &exec)
        };
        for kind in pages {
            let find = &kind.page.find;
            let reads = exec.odm().count_query(find, Some(related.clone()));
            let page = kind.page.run(reads).await?;
            found.extend(page.items);
            next.extend(page.next.map(|token| (kind.name, token)));
        }
        Ok(LinkedPage {
            items: V::group(found),
            next: PageToken::of_parts(next),
        })
    }
}

/// The parts of the query that all kinds share.
struct Asked {
    condition: Document,
    options: FindOptions,
    size: u32,
    after: Option<PageToken>,
    exec: Exec,
}

impl Asked {
    fn of_kind<V: Grouped>(
        &self,
        model: &'static ModelShape,
        of_kind: Option<KindQuery>,
    ) -> Result<Option<KindPage<V>>> {
        let name = model.kind.map_or(OTHERS, |kind| kind.value);
        let Some(of_kind) = of_kind else {
            return self.page(name, model, Document::new(), None);
        };
        if of_kind.limit.is_some() {
            return Err(super::limited(model));
        }
        let filter = of_kind.filter.map_err(|error| error.in_model(model))?;
        self.page(name, model, filter, of_kind.sort)
    }

    /// Prepares the page for one kind, or returns `None` if earlier pages contain all documents of that kind.
    fn page<V: Grouped>(
        &self,
        name: &'static str,
        model: &'static ModelShape,
        filter: Document,
        sort: Option<Document>,
    ) -> Result<Option<KindPage<V>>> {
        let after = match &self.after {
            None => None,
            Some(token) => match token.part(name)? {
                None => return Ok(None),
                after => after,
            },
        };
        let mut options = self.options.clone();
        options.sort = sort;
        let filter = merge("$and", self.condition.clone(), filter);
        let (find, sort, strip) = page(
            model,
            Ok(filter),
            (options, None, ProjectedBy::Struct),
            self.size,
            after.as_ref(),
        )?;
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let page = PreparedPage {
            find,
            sort,
            strip,
            size,
            exec: self.exec.clone(),
            decode: Decode::with_reader(read_found::<V>),
        };
        Ok(Some(KindPage { name, page }))
    }
}

into_future!(
    [V: Grouped] LinkedPageOf<V> => LinkedPage<V>,
    |it| traced(V::SHAPE, "linked", it.run())
);
