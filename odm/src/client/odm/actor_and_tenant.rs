//! The actor and the tenant of a handle.

use std::sync::Arc;

use mongodb::bson::Bson;

use super::{Odm, Tenant};

impl Odm {
    /// Returns a handle that has an actor, such as the id of the user who sent a request. Writes through this handle
    /// store the actor in the fields that have `#[created_by]` and `#[updated_by]`.
    ///
    /// The new handle shares everything else with this handle. Creating a handle is cheap, so you can create one for
    /// each request. Transactions of the new handle have the same actor.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Errors
    ///
    /// The call itself does not fail. A write fails with [`Error::Invalid`](crate::Error::Invalid) if a field of its model
    /// cannot store the actor.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "users")]
    /// # struct User { #[serde(rename = "_id")] id: Id<User> }
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks")]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     title: String,
    ///     #[created_by]
    ///     creator: Option<Id<User>>,
    ///     #[updated_by]
    ///     editor: Option<Id<User>>,
    /// }
    ///
    /// async fn rename(odm: &Odm, user: &User, task: Id<Task>) -> mongo_odm::Result<()> {
    ///     let odm = odm.acting_as(user.id);
    ///     // $set: { title: "Order timber", editor: <the user's id> }
    ///     Task::update(&odm, task).set(Task::fields().title, "Order timber").await?;
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn acting_as(&self, actor: impl Into<Bson>) -> Self {
        self.with_options(|options| options.actor = Some(actor.into()))
    }

    /// Returns a handle that accesses only the documents of one tenant.
    ///
    /// For models with `#[model(tenant = "..")]`, every call of this handle adds the tenant to its filters and to new
    /// documents. Models without a tenant are not affected. The new handle shares everything else with this handle.
    ///
    /// A call for a model with a tenant fails with [`Error::Invalid`](crate::Error::Invalid) before it sends anything
    /// in two cases: the handle does not have a tenant, or the field of the model cannot store the tenant. A write also
    /// fails if the document belongs to a different tenant.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Limits
    ///
    /// [`collection`](Self::collection) and stages such as `$lookup` are not restricted to the tenant.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "orgs")]
    /// struct Org {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Org>,
    /// }
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks", tenant = "org")]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     org: Id<Org>,
    ///     title: String,
    /// }
    ///
    /// async fn tasks(odm: &Odm, org: Id<Org>) -> mongo_odm::Result<Vec<Task>> {
    ///     // db.tasks.find({ org: <the id> })
    ///     Task::find(&odm.for_tenant(org)).await
    /// }
    /// ```
    #[must_use]
    pub fn for_tenant(&self, tenant: impl Into<Bson>) -> Self {
        self.with_options(|options| options.tenant = Tenant::One(Arc::new(tenant.into())))
    }

    /// Returns a handle that accesses the documents of all tenants, for example for reports. See
    /// [`for_tenant`](Self::for_tenant).
    ///
    /// The struct of a new document must contain the tenant, and so must the filter of an upsert. Otherwise, the call
    /// fails with [`Error::Invalid`](crate::Error::Invalid). The filter of a text search must contain the tenant, too,
    /// because the text index begins with the tenant.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "tasks", tenant = "org")]
    /// # struct Task { #[serde(rename = "_id")] id: Id<Task>, org: String }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let tasks = Task::count(&odm.all_tenants()).await?;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn all_tenants(&self) -> Self {
        self.with_options(|options| options.tenant = Tenant::All)
    }

    /// Returns the tenant of this handle. Returns `None` for a handle without a tenant, and for a handle for all tenants.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{bson::Bson, prelude::*};
    /// # fn example(odm: &Odm) {
    /// let harbour = odm.for_tenant("harbour");
    /// assert_eq!(harbour.tenant(), Some(&Bson::from("harbour")));
    /// assert_eq!(harbour.all_tenants().tenant(), None);
    /// # }
    /// ```
    pub fn tenant(&self) -> Option<&Bson> {
        match self.tenancy() {
            Tenant::One(tenant) => Some(tenant),
            Tenant::All | Tenant::Unknown => None,
        }
    }

    /// Returns the actor of this handle: the value that [`acting_as`](Self::acting_as) was called with. In a hook, write
    /// `tx.odm().actor()`.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{bson::Bson, prelude::*};
    /// # fn example(odm: &Odm) {
    /// assert_eq!(odm.acting_as("ann").actor(), Some(&Bson::from("ann")));
    /// # }
    /// ```
    pub fn actor(&self) -> Option<&Bson> {
        self.options.as_ref()?.actor.as_ref()
    }

    /// Returns the tenancy of this handle: one tenant, all tenants or none.
    pub(crate) fn tenancy(&self) -> &Tenant {
        let options = self.options.as_ref();
        options.map_or(&Tenant::Unknown, |options| &options.tenant)
    }
}
