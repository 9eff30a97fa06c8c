//! All models that are linked into the program.

use crate::shape::ModelShape;

/// One registered model; submitted by the derive.
#[derive(Debug)]
pub struct Registered(
    /// The description of the model.
    pub &'static ModelShape,
);

inventory::collect!(Registered);

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
