//! All models that are linked into the program.

use crate::{
    error::{Error, Result},
    shape::{DocumentSet, ModelShape, StructShape},
};

/// One registered model; submitted by the derive.
#[derive(Debug)]
pub struct Registered(
    /// The description of the model.
    pub &'static ModelShape,
);

inventory::collect!(Registered);

/// One registered struct inside documents; submitted by the derive.
#[derive(Debug)]
pub struct RegisteredEmbedded(
    /// The description of the struct.
    pub &'static StructShape,
);

inventory::collect!(RegisteredEmbedded);

/// Lists every struct inside documents that declares something and is linked into the program.
pub(crate) fn embedded() -> impl Iterator<Item = &'static StructShape> {
    let all = inventory::iter::<RegisteredEmbedded>.into_iter();
    all.map(|registered| registered.0)
        .filter(|shape| shape.declares())
}

/// Lists every model that is linked into the program, by collection and name.
///
/// A crate that the program never names is not linked and registers nothing: `use models as _;`
/// names it.
pub fn models() -> Vec<&'static ModelShape> {
    let mut models: Vec<_> = inventory::iter::<Registered>
        .into_iter()
        .map(|registered| registered.0)
        .collect();
    models.sort_by_key(|model| (model.collection, model.name));
    models
}

/// What a call is about: the collections of some models, or of all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Only {
    models: Vec<&'static ModelShape>,
}

impl Only {
    /// Names a model; without any, a call is about all collections.
    pub(crate) fn add(&mut self, model: &'static ModelShape) {
        self.models.push(model);
    }

    /// Whether some of these documents are meant.
    pub(crate) fn has(&self, documents: DocumentSet<'_>) -> bool {
        let mut named = self.models.iter();
        self.models.is_empty() || named.any(|model| documents.meet(model))
    }

    /// Lists the models that have a say: all that are linked, and those that the call names.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if there is none: "all as declared" would be the answer to every question.
    pub(crate) fn models(&self) -> Result<Vec<&'static ModelShape>> {
        let mut all = models();
        for model in &self.models {
            // One whose `Model` is written by hand may not be registered.
            let is_new = |known: &&ModelShape| {
                (known.collection, known.name) != (model.collection, model.name)
            };
            if all.iter().all(is_new) {
                all.push(model);
            }
        }
        if all.is_empty() {
            return Err(Error::invalid(NO_MODELS.to_owned()));
        }
        Ok(all)
    }
}

const NO_MODELS: &str = "no model is linked into this program, so that there is nothing to compare with \
    the database; a crate that the program never names is not linked: write `use models as _;`, with the \
    name of the crate that declares the models in the place of `models`";
