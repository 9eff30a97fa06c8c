//! Setters for driver options, with the same names and effects in all builders, and copies of options.

/// Generates the setters for the listed driver options.
///
/// The builder must have a method `options_mut` that returns these options. `@ in` generates this method for the options
/// in a field, and `@ any` also generates the method `options`, which changes any option.
macro_rules! option_setters {
    ($($name:ident),+) => { $( $crate::setters::option_setters!(@ $name); )+ };
    (@ hint) => {
        /// Makes the server use the index that has these keys.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     M::find(odm).hint(doc! { "title": 1 }).await
        /// }
        /// ```
        pub fn hint(mut self, keys: impl Into<mongodb::bson::Document>) -> Self {
            self.options_mut().hint = Some(mongodb::options::Hint::Keys(keys.into()));
            self
        }
    };
    (@ collation) => {
        /// Makes the server compare strings by the rules of a language.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// # use mongo_odm::mongodb::options::Collation;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     let german = Collation::builder().locale("de").build();
        ///     M::find(odm).collation(german).await
        /// }
        /// ```
        pub fn collation(mut self, collation: mongodb::options::Collation) -> Self {
            self.options_mut().collation = Some(collation);
            self
        }
    };
    (@ comment) => {
        /// Adds a comment to the statement. The comment appears in the server's log and profile.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     M::find(odm).comment("report of the month").await
        /// }
        /// ```
        pub fn comment(mut self, comment: impl Into<mongodb::bson::Bson>) -> Self {
            self.options_mut().comment = Some(comment.into());
            self
        }
    };
    (@ max_time) => {
        /// Sets the time limit that the server enforces. A limit shorter than one millisecond is raised to one
        /// millisecond, and a limit longer than 24 days is lowered to 24 days.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// # use std::time::Duration;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     M::find(odm).max_time(Duration::from_secs(2)).await
        /// }
        /// ```
        pub fn max_time(mut self, time: std::time::Duration) -> Self {
            // The server would interpret 0 as no limit, and it rejects more milliseconds than an `i32` can contain.
            let [least, most] = [1, 24 * 86_400 * 1_000].map(std::time::Duration::from_millis);
            self.options_mut().max_time = Some(time.clamp(least, most));
            self
        }
    };
    (@ let_vars) => {
        /// Defines variables that expressions can refer to as `$$name`.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     let cheap = doc! { "$expr": { "$lt": ["$price", "$$limit"] } };
        ///     M::find(odm).filter(cheap).let_vars(doc! { "limit": 10 }).await
        /// }
        /// ```
        pub fn let_vars(mut self, variables: impl Into<mongodb::bson::Document>) -> Self {
            self.options_mut().let_vars = Some(variables.into());
            self
        }
    };
    (@ allow_disk_use) => {
        /// Permits the server to sort and group on disk if the operation exceeds the server's memory limit.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     M::find(odm).sort(doc! { "title": 1 }).allow_disk_use().await
        /// }
        /// ```
        pub fn allow_disk_use(mut self) -> Self {
            self.options_mut().allow_disk_use = Some(true);
            self
        }
    };
    (@ read_concern) => {
        /// Sets the read concern. If this option is set, calls in a transaction fail, because a transaction reads from
        /// a snapshot.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// # use mongo_odm::mongodb::options::ReadConcern;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     M::find(odm).read_concern(ReadConcern::linearizable()).await
        /// }
        /// ```
        pub fn read_concern(mut self, concern: mongodb::options::ReadConcern) -> Self {
            self.options_mut().read_concern = Some(concern);
            self
        }
    };
    (@ read_preference) => {
        /// Chooses the members of the replica set from which the call can read. If this option is set, calls in a
        /// transaction fail, because transactions run on the primary.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// # use mongo_odm::mongodb::options::ReadPreference;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     let nearest = ReadPreference::Nearest { options: None };
        ///     M::find(odm).read_preference(nearest).await
        /// }
        /// ```
        pub fn read_preference(mut self, preference: mongodb::options::ReadPreference) -> Self {
            let criteria = mongodb::options::SelectionCriteria::ReadPreference(preference);
            self.options_mut().selection_criteria = Some(criteria);
            self
        }
    };
    (@ write_concern) => {
        /// Sets the write concern: the members of the replica set that must store the write before the call returns.
        ///
        /// If other documents depend on the write, it runs in a transaction, and the commit waits for a majority.
        /// If this option is set, calls in a transaction fail.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// # use mongo_odm::mongodb::options::WriteConcern;
        /// async fn example<M: Model>(odm: &Odm, document: &M) -> mongo_odm::Result<()> {
        ///     document.save(odm).write_concern(WriteConcern::majority()).await?;
        ///     Ok(())
        /// }
        /// ```
        pub fn write_concern(mut self, concern: mongodb::options::WriteConcern) -> Self {
            self.options_mut().write_concern = Some(concern);
            self
        }
    };
    (@ in $($field:ident).+: $options:ty) => {
        const fn options_mut(&mut self) -> &mut $options {
            &mut self.$($field).+
        }
    };
    (@ any $($field:ident).+: $options:ty) => {
        $crate::setters::option_setters!(@ any $options);
        $crate::setters::option_setters!(@ in $($field).+: $options);
    };
    (@ any $options:ty) => {
        /// Changes any of the driver's options.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// async fn example<M: Model>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     M::find(odm).options(|options| options.no_cursor_timeout = Some(true)).await
        /// }
        /// ```
        pub fn options(mut self, change: impl FnOnce(&mut $options)) -> Self {
            change(self.options_mut());
            self
        }
    };
}

pub(crate) use option_setters;

/// Copies the listed options from one struct of driver options to another.
macro_rules! copy_options {
    ($from:expr => $to:expr, [$($name:ident),+]) => {
        $( $to.$name.clone_from(&$from.$name); )+
    };
}

pub(crate) use copy_options;
