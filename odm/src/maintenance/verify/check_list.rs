//! Decides which checks a verification runs. The shapes of the models determine the list.

use std::{collections::BTreeSet, sync::Arc};

use mongodb::bson::Document;

use crate::{
    client::{command::Command, plan::Statement},
    derived::{declaration, outbox::JOBS},
    error::{Error, Result},
    graph::{KeyOwner, LinkedDocuments, graph},
    maintenance::invariant::{
        bounds as bounded,
        copies::{self, Copies},
        dangling_reference::{self, DeclaredReference},
        links,
        options::Options,
        two_way::pair::TwoWay,
    },
    model::{
        array_bound::{Bound, bounds},
        shape::{DocumentSet, ModelShape},
    },
};

/// One of the checks that a verification runs.
#[derive(Clone, Debug)]
pub(super) enum Check {
    Copies(Copies),
    TwoWay(Arc<TwoWay>),
    Links(&'static LinkedDocuments),
    References(Arc<DeclaredReference>),
    Bounds(&'static ModelShape, Vec<Bound>),
    /// The check for jobs that no program can run.
    Jobs,
}

#[derive(Clone, Debug)]
pub(super) struct Checks {
    pub(super) all: Vec<Check>,
}

impl Checks {
    /// Lists the checks for all selected models.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if no model is linked into the program.
    pub(super) fn all(options: &Options) -> Result<Self> {
        let models = options.only.models()?;
        let pairs = TwoWay::all(&models);
        let mut references = Vec::new();
        if options.references {
            references = DeclaredReference::all(&models, &pairs);
        }
        // These arrays are compared by the check of two-way references, so the check of copies skips them.
        let compared = graph().references.iter().filter_map(|reference| {
            let fields = reference.fields.iter().enumerate();
            let copied = fields.filter(|(_, field)| field.fold.key_of_elements().is_none());
            let copied: BTreeSet<usize> = copied.map(|(at, _)| at).collect();
            (!copied.is_empty()).then(|| reference.part(&copied))
        });
        let copies = compared.map(|reference| {
            let key = reference.key_path();
            let its_key = |it: &&DeclaredReference| it.is_at(reference.target.shape(), &key);
            let required = references
                .iter()
                .find(its_key)
                .is_some_and(|it| it.stored.required);
            Copies {
                required: reference.key_owner() == KeyOwner::Target && required,
                reference,
            }
        });
        let mut all: Vec<Check> = copies.map(Check::Copies).collect();
        all.extend(pairs.into_iter().map(|pair| Check::TwoWay(Arc::new(pair))));
        all.extend(graph().linked.iter().map(Check::Links));
        let unchecked = references
            .into_iter()
            .filter(DeclaredReference::is_unchecked);
        all.extend(unchecked.map(|it| Check::References(Arc::new(it))));
        let bounded = models.iter().map(|model| (*model, bounds(model)));
        let bounded = bounded.filter(|(_, bounds)| !bounds.is_empty());
        all.extend(bounded.map(|(model, bounds)| Check::Bounds(model, bounds)));
        all.push(Check::Jobs);
        all.retain(|check| {
            check
                .documents()
                .iter()
                .any(|it| options.only.includes(*it))
        });
        Ok(Self { all })
    }

    /// Keeps only the checks of the relation with this name.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if no relation has this name. The message lists names that exist.
    pub(super) fn named(mut self, name: Option<&str>) -> Result<Self> {
        let Some(name) = name else {
            return Ok(self);
        };
        let known: Vec<String> = self.all.iter().flat_map(Check::names).collect();
        self.all.retain_mut(|check| check.restrict(name));
        if self.all.is_empty() {
            return Err(no_relation(name, &known));
        }
        Ok(self)
    }
}

/// Returns the error for an unknown name. The error lists the relations of the model in the name. If the
/// model is unknown, too, it lists some relations of all models.
fn no_relation(name: &str, known: &[String]) -> Error {
    const SHOWN: usize = 10;
    let model = |name: &str| name.split('.').next().map(str::to_owned);
    let near = known.iter().filter(|known| model(known) == model(name));
    let mut shown: Vec<&str> = near.map(String::as_str).collect();
    if shown.is_empty() {
        shown = known.iter().map(String::as_str).collect();
    }
    let more = match shown.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.truncate(SHOWN);
    let shown = shown.join("`, `");
    Error::invalid(format!(
        "there is no relation `{name}`; known relations are `{shown}`{more}"
    ))
}

/// Whether `meant` selects the relation `name`. `meant` can be the whole name, or only the part before the
/// arrow.
fn name_matches(name: &str, meant: &str) -> bool {
    let before = name.split_once(' ').map(|(before, _)| before);
    name == meant || before == Some(meant)
}

impl Check {
    /// Lists the documents that the check reads, as sets.
    pub(super) fn documents(&self) -> Vec<DocumentSet<'static>> {
        match self {
            Self::Copies(copies) => vec![copies.reference.target.shape().documents()],
            Self::TwoWay(pair) => {
                vec![pair.left.model.documents(), pair.right.model.documents()]
            }
            Self::Links(linked) => vec![linked.all.documents()],
            Self::References(reference) => vec![reference.stored.model.documents()],
            Self::Bounds(model, _) => vec![model.documents()],
            Self::Jobs => vec![DocumentSet::whole_collection(JOBS)],
        }
    }

    /// Restricts the check to the relation with this name. Returns whether anything is left to check.
    fn restrict(&mut self, name: &str) -> bool {
        if let Self::Bounds(model, bounds) = self {
            bounds.retain(|bound| bounded::name(model, bound) == name);
            return !bounds.is_empty();
        }
        if let Self::TwoWay(pair) = self
            && name_matches(&pair.reversed(), name)
        {
            return true;
        }
        self.names().iter().any(|it| name_matches(it, name))
    }

    fn names(&self) -> Vec<String> {
        match self {
            Self::Copies(copies) => vec![copies.reference.name.clone()],
            Self::TwoWay(pair) => vec![pair.name.clone()],
            Self::Links(linked) => vec![linked.name()],
            Self::References(reference) => vec![reference.stored.name.clone()],
            Self::Bounds(model, bounds) => {
                let names = bounds.iter().map(|bound| bounded::name(model, bound));
                names.collect()
            }
            Self::Jobs => Vec::new(),
        }
    }

    /// Returns the first statement that the check sends, for the plan.
    pub(super) fn statement(&self) -> Statement {
        match self {
            Self::Copies(copies) => copies::aggregate(&copies.reference).shown(),
            Self::References(reference) => dangling_reference::aggregate(reference).shown(),
            Self::TwoWay(pair) => pair.left.query(Document::new()).shown(),
            Self::Links(linked) => links::query(linked, Document::new()).shown(),
            Self::Bounds(model, bounds) => bounded::query(model, bounds).shown(),
            Self::Jobs => declaration::of_others().shown(),
        }
    }
}
