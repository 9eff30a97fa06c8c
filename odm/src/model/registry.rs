//! All models that are linked into the program.
//!
//! The command and the advisor check documents without knowing the types of the models. So each `Registered` has a
//! function that decodes a document and returns only the error.

use super::shape::{DocumentSet, ModelShape, StructShape};
use crate::error::{Error, Result};

/// One registered model; submitted by the derive.
#[derive(Debug)]
pub struct Registered {
    pub(crate) shape: &'static ModelShape,
    pub(crate) fits: Fits,
}

/// Decodes a document of a collection, for the error alone.
pub(crate) type Fits = fn(&str, &mongodb::bson::RawDocument) -> Result<()>;

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
/// A crate that the program never names is not linked and registers nothing: [`link!`](crate::link) names it.
pub fn models() -> Vec<&'static ModelShape> {
    let mut models: Vec<_> = inventory::iter::<Registered>
        .into_iter()
        .map(|registered| registered.shape)
        .collect();
    models.sort_by_key(|model| (model.collection, model.name));
    models
}

/// Lists every model that is linked into the program with what tells whether a document fits it.
pub(crate) fn readers() -> Vec<(&'static ModelShape, Fits)> {
    let all = inventory::iter::<Registered>.into_iter();
    let mut readers: Vec<_> = all.map(|it| (it.shape, it.fits)).collect();
    readers.sort_by_key(|(model, _)| (model.collection, model.name));
    readers
}

/// Links the models of other crates into the program, so that they are registered.
///
/// A model that the program uses itself is linked anyway. This is for crates of which it names nothing: a worker, or a call of
/// [`sync_indexes`](crate::Odm::sync_indexes), [`verify`](crate::Odm::verify) or [`check_models`](crate::check_models) for models
/// that others use; and for models that others copy from or refer to. Unlike a `use`, it is no import that a lint calls unused.
/// The whole crate is linked, whichever of its modules or items is named. Sends nothing to the server.
///
/// # Examples
///
/// ```ignore
/// // In `main.rs`, where `app` and `billing` are crates with models.
/// mongo_odm::link!(app::models, billing);
/// ```
#[macro_export]
macro_rules! link {
    (@more) => {};
    (@more $($more:tt)+) => {
        $crate::link!($($more)+);
    };
    (:: $($segment:ident)::+ $(, $($more:tt)*)?) => {
        const _: () = {
            #[allow(unused_imports)]
            use ::$($segment)::+ as _;
        };
        $($crate::link!(@more $($more)*);)?
    };
    ($($segment:ident)::+ $(, $($more:tt)*)?) => {
        const _: () = {
            #[allow(unused_imports, clippy::single_component_path_imports)]
            use $($segment)::+ as _;
        };
        $($crate::link!(@more $($more)*);)?
    };
}

/// What a call is about: the collections of some models, or of all.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelSelection {
    models: Vec<&'static ModelShape>,
}

impl ModelSelection {
    /// Names a model; without any, a call is about all collections.
    pub(crate) fn add(&mut self, model: &'static ModelShape) {
        self.models.push(model);
    }

    /// Whether some of these documents are meant.
    pub(crate) fn includes(&self, documents: DocumentSet<'_>) -> bool {
        let mut named = self.models.iter();
        self.models.is_empty() || named.any(|model| documents.overlaps(model))
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
    the database; a crate that the program never names is not linked: write `mongo_odm::link!(models);`, and \
    `mongo_odm_tools::cli!(models);` in `src/bin/odm.rs` for a command \
    `odm` that has them, with the name of the crate that declares the models in the place of `models`";
