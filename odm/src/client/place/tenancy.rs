//! Restricts statements to the documents of one tenant.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use super::Place;
use crate::{
    client::odm::Tenant,
    error::{Error, Result},
    model::{
        registry::models,
        shape::{IndexKind, IndexShape, ModelShape},
    },
    mongosh,
    value::{
        key::{is_operator_or_pattern, is_same_key},
        path::{equality_in, is_text_search, near_path},
    },
};

/// Whether a statement is restricted to the tenant of its handle.
#[derive(Clone, Debug, Default)]
pub(super) enum Tenancy {
    /// The statement applies to all tenants. This is the value for the library's own statements.
    #[default]
    All,
    /// The tenant of the handle is set when the statement is sent. This is the value for statements of the application.
    OfHandle,
    /// The statement is restricted to this tenant.
    One(Arc<Bson>),
}

impl Place {
    /// Restricts a statement of the application to the tenant of the handle that sends it.
    pub(crate) fn for_tenant_of_handle(mut self) -> Self {
        self.tenancy = Tenancy::OfHandle;
        self
    }

    /// Restricts a statement to the given tenant, if the model has a tenant.
    pub(crate) fn of_tenant(mut self, tenant: Bson) -> Self {
        self.tenancy = Tenancy::One(Arc::new(tenant));
        self
    }

    /// Returns the place of a command that several statements share: if the first statement has a tenant of its own, the
    /// other statements can have the tenant of the handle.
    pub(in crate::client) fn of_command(mut self) -> Self {
        if matches!(self.tenancy, Tenancy::One(_)) {
            self.tenancy = Tenancy::OfHandle;
        }
        self
    }

    /// Returns the place of one statement in a command whose place has the tenant of the handle.
    pub(in crate::client) fn in_command(&self, command: &Self) -> Self {
        let mut place = self.clone();
        if matches!(place.tenancy, Tenancy::OfHandle) {
            place.tenancy = command.tenancy.clone();
        }
        place
    }

    /// Replaces `OfHandle` with the tenant of the handle.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the model has a tenant, but the handle does not, or if the model cannot store the tenant of the
    /// handle.
    pub(crate) fn resolve_tenant(&mut self, tenant: &Tenant) -> Result<()> {
        let (Tenancy::OfHandle, Some(model)) = (&self.tenancy, self.model()) else {
            return Ok(());
        };
        check_tenant(model, tenant)?;
        self.tenancy = match tenant {
            _ if model.tenant().is_none() => Tenancy::All,
            Tenant::All => Tenancy::All,
            Tenant::One(tenant) => Tenancy::One(Arc::clone(tenant)),
            Tenant::Unknown => return Err(without_tenant(model)),
        };
        Ok(())
    }

    /// Rejects a text search over all tenants, and a sort by the distance over all tenants, if the index begins with the
    /// tenant. The server uses such an index only for a filter that requires one tenant.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the filter of such a search does not require one tenant. The message contains the tenant
    /// field.
    pub(crate) fn refuse_search_of_all_tenants(&self, filter: &Document) -> Result<()> {
        let model = self
            .model()
            .filter(|_| matches!(self.tenancy, Tenancy::All));
        let Some((model, field)) = model.and_then(|model| Some((model, model.tenant()?))) else {
            return Ok(());
        };
        let is_text = is_text_search(filter) && indexes_text(model, field);
        let is_near = near_path(filter).is_some() && indexes_spheres(model, field);
        let (search, index) = match (is_text, is_near) {
            _ if equality_in(filter, field).is_some() => return Ok(()),
            (true, _) => ("a text search", "text"),
            (false, true) => ("a sort by distance", "`2dsphere`"),
            (false, false) => return Ok(()),
        };
        Err(Error::invalid(format!(
            "{search} of `{}` needs one tenant, because its {index} index begins with `{field}`; compare `{field}` by `eq` in \
             the filter, or call `odm.for_tenant(..)`",
            model.name
        ))
        .in_model(model))
    }

    /// Restricts a filter to the tenant. A filter that already requires this tenant stays unchanged, because the server
    /// rejects an upsert that requires a value twice.
    pub(super) fn scope_to_tenant(&self, mut filter: Document) -> Document {
        let field = self.model().and_then(ModelShape::tenant);
        match (&self.tenancy, field) {
            (Tenancy::One(tenant), Some(field)) => {
                let given = equality_in(&filter, field);
                if given.is_some_and(|given| is_same_key(tenant, given)) {
                    return filter;
                }
                if filter.contains_key(field) {
                    return doc! { "$and": [{ field: (**tenant).clone() }, filter] };
                }
                let mut scoped = doc! { field: (**tenant).clone() };
                scoped.extend(std::mem::take(&mut filter));
                scoped
            }
            (Tenancy::All | Tenancy::OfHandle, _) | (_, None) => filter,
        }
    }
}

/// Whether the text index of the model's collection begins with the tenant.
fn indexes_text(model: &ModelShape, tenant: &str) -> bool {
    let mut texts = indexes_of_collection(model, IndexKind::Text);
    texts.any(|index| begins_with(index, tenant))
}

/// Whether the geospatial indexes of the model's collection begin with the tenant. In a `2d` index, the position is the
/// first key.
fn indexes_spheres(model: &ModelShape, tenant: &str) -> bool {
    let mut spheres = indexes_of_collection(model, IndexKind::TwoDSphere);
    let mut flat = indexes_of_collection(model, IndexKind::TwoD);
    spheres.any(|index| begins_with(index, tenant)) && flat.next().is_none()
}

/// Whether an index begins with the tenant. If the declaration does not contain the tenant, the library adds it in front
/// of the other keys.
fn begins_with(index: &IndexShape, tenant: &str) -> bool {
    let mut keys = index.keys.iter();
    let position = keys.position(|key| (key.path)() == tenant);
    position.is_none_or(|position| position == 0)
}

/// Lists the indexes of a kind that the models of the collection declare.
fn indexes_of_collection(
    model: &ModelShape,
    kind: IndexKind,
) -> impl Iterator<Item = &'static IndexShape> {
    let of_collection = models().into_iter();
    let of_collection = of_collection.filter(|other| other.collection == model.collection);
    of_collection.flat_map(move |model| model.indexes_of_kind(kind))
}

/// Checks that the model can store the tenant of the handle.
///
/// # Errors
///
/// [`Error::Invalid`] if the model cannot store the tenant. The message contains the tenant field.
pub(crate) fn check_tenant(model: &'static ModelShape, tenant: &Tenant) -> Result<()> {
    let (Tenant::One(tenant), Some((field, ty))) = (tenant, model.tenant_field()) else {
        return Ok(());
    };
    let place = format!("`{}.{}`", model.name, field.name);
    let message = match &**tenant {
        Bson::Null | Bson::Undefined => format!(
            "null is no tenant of {place}; pass a key of the field's type to `for_tenant`, or call `odm.all_tenants()` for \
             the documents of all tenants"
        ),
        tenant if is_operator_or_pattern(tenant) || !ty.accepts(tenant) => format!(
            "{place} cannot store the tenant {}; pass a key of the field's type to `for_tenant`",
            mongosh::value(tenant)
        ),
        _ => return Ok(()),
    };
    Err(Error::invalid(message).in_model(model))
}

/// Returns the error for a call through a handle without a tenant, if the model has a tenant.
pub(crate) fn without_tenant(model: &'static ModelShape) -> Error {
    let (name, field) = (model.name, model.tenant().unwrap_or_default());
    let message = format!(
        "each `{name}` belongs to a tenant (`{field}`), and this handle has none; call `odm.for_tenant(..)`, or \
         `odm.all_tenants()` for the documents of all tenants"
    );
    Error::invalid(message).in_model(model)
}
