//! The list of all models that are linked into the program.
//!
//! The command-line tool and the advisor check documents, but do not know the Rust types of the models. Therefore
//! each `Registered` contains a function that checks whether a document can be decoded as the model.

use super::shape::{DocumentSet, ModelShape, StructShape};
use crate::error::{Error, Result};

/// An entry for a model. The derive adds the entry to the list of linked models.
#[derive(Debug)]
pub struct Registered {
    pub(crate) shape: &'static ModelShape,
    pub(crate) fits: Fits,
}

/// A function that returns an error if a document cannot be decoded as the model. The arguments are the name of the
/// collection and the document.
pub(crate) type Fits = fn(&str, &mongodb::bson::RawDocument) -> Result<()>;

inventory::collect!(Registered);

/// An entry for an embedded struct. The derive adds the entry to the list of linked structs.
#[derive(Debug)]
pub struct RegisteredEmbedded(
    /// The shape of the struct.
    pub &'static StructShape,
);

inventory::collect!(RegisteredEmbedded);

/// Lists the embedded structs that are linked into the program and contain declarations.
pub(crate) fn embedded() -> impl Iterator<Item = &'static StructShape> {
    let all = inventory::iter::<RegisteredEmbedded>.into_iter();
    all.map(|registered| registered.0)
        .filter(|shape| shape.declares())
}

/// Lists all models that are linked into the program, sorted by collection and name.
///
/// The linker drops crates that the program does not use, so their models are missing from the list. To keep such a
/// crate, name it in [`link!`](crate::link).
///
/// # Examples
///
/// ```
/// for model in mongo_odm::models() {
///     println!("{} in {}", model.name, model.collection);
/// }
/// ```
pub fn models() -> Vec<&'static ModelShape> {
    let mut models: Vec<_> = inventory::iter::<Registered>
        .into_iter()
        .map(|registered| registered.shape)
        .collect();
    models.sort_by_key(|model| (model.collection, model.name));
    models
}

/// Lists all models that are linked into the program. Each model is paired with a function that checks whether a
/// document can be decoded as the model.
pub(crate) fn readers() -> Vec<(&'static ModelShape, Fits)> {
    let all = inventory::iter::<Registered>.into_iter();
    let mut readers: Vec<_> = all.map(|it| (it.shape, it.fits)).collect();
    readers.sort_by_key(|(model, _)| (model.collection, model.name));
    readers
}

/// Links the models of other crates into the program and thereby registers them.
///
/// The linker keeps a model only if the program uses an item of the model's crate. Use this macro for crates that
/// the program does not otherwise use. Typical cases are:
///
/// - a worker,
/// - a call to [`sync_indexes`](crate::Odm::sync_indexes), [`verify`](crate::Odm::verify) or
///   [`check_models`](crate::check_models) that concerns models of other programs,
/// - models that other models copy from or refer to.
///
/// A path to any module or item links the whole crate. Unlike a `use`, the macro does not cause a lint about
/// unused imports. The macro sends nothing to the server.
///
/// # Examples
///
/// ```ignore
/// // In `main.rs`; the crates `app` and `billing` contain models.
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

/// The models that a call applies to. If no model was selected, the call applies to all models.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelSelection {
    models: Vec<&'static ModelShape>,
}

impl ModelSelection {
    /// Selects a model.
    pub(crate) fn add(&mut self, model: &'static ModelShape) {
        self.models.push(model);
    }

    /// Returns whether the call applies to any of these documents.
    pub(crate) fn includes(&self, documents: DocumentSet<'_>) -> bool {
        let mut named = self.models.iter();
        self.models.is_empty() || named.any(|model| documents.overlaps(*model))
    }

    /// Lists the models that a call compares with the database: all models that are linked into the program, and the
    /// selected models.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if there are no models. Without this error, the call would always report that the database
    /// matches the models.
    pub(crate) fn models(&self) -> Result<Vec<&'static ModelShape>> {
        let mut all = models();
        for model in &self.models {
            // A selected model may be missing from the list of linked models if its `Model` impl was written by
            // hand.
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

const NO_MODELS: &str = "no model is linked into this program, so there are no declarations to compare with \
    the database; the linker drops a crate that the program does not use: write `mongo_odm::link!(models);`, or \
    `mongo_odm_tools::cli!(models);` in `src/bin/odm.rs` for a command `odm`; replace `models` with the name of the \
    crate that declares the models";
