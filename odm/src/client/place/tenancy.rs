//! Restricts statements to the documents of one tenant.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use super::Place;
use crate::{
    client::odm::Tenant,
    error::{Error, Result},
    model::shape::ModelShape,
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

    /// Replaces `OfHandle` with the tenant of the handle.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the model has a tenant, but the handle does not.
    pub(crate) fn resolve_tenant(&mut self, tenant: &Tenant) -> Result<()> {
        let (Tenancy::OfHandle, Some(model)) = (&self.tenancy, self.model()) else {
            return Ok(());
        };
        self.tenancy = match tenant {
            _ if model.tenant().is_none() => Tenancy::All,
            Tenant::All => Tenancy::All,
            Tenant::One(tenant) => Tenancy::One(Arc::clone(tenant)),
            Tenant::Unknown => return Err(without_tenant(model)),
        };
        Ok(())
    }

    /// Restricts a filter to the tenant.
    pub(super) fn scope_to_tenant(&self, mut filter: Document) -> Document {
        let field = self.model().and_then(ModelShape::tenant);
        match (&self.tenancy, field) {
            (Tenancy::One(tenant), Some(field)) => {
                if filter.get(field) == Some(&**tenant) {
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

/// Returns the error for a call through a handle without a tenant, if the model has a tenant.
pub(crate) fn without_tenant(model: &'static ModelShape) -> Error {
    let (name, field) = (model.name, model.tenant().unwrap_or_default());
    let message = format!(
        "each `{name}` belongs to a tenant (`{field}`), and this handle has none; call `odm.for_tenant(..)`, or \
         `odm.all_tenants()` for the documents of all tenants"
    );
    Error::invalid(message).in_model(model)
}
