//! The setters for options of the driver, which are the same in all builders.

/// Generates the setters for some options of the driver.
///
/// The builder has a method `options_mut`, which returns the driver's options.
macro_rules! option_setters {
    ($($name:ident),+) => { $( $crate::setters::option_setters!(@ $name); )+ };
    (@ hint) => {
        /// Makes the server use the index with these keys.
        pub fn hint(mut self, keys: impl Into<mongodb::bson::Document>) -> Self {
            self.options_mut().hint = Some(mongodb::options::Hint::Keys(keys.into()));
            self
        }
    };
    (@ collation) => {
        /// Compares strings by the rules of a language.
        pub fn collation(mut self, collation: mongodb::options::Collation) -> Self {
            self.options_mut().collation = Some(collation);
            self
        }
    };
    (@ comment) => {
        /// Adds a comment to the statement, which appears in the server's log and profile.
        pub fn comment(mut self, comment: impl Into<mongodb::bson::Bson>) -> Self {
            self.options_mut().comment = Some(comment.into());
            self
        }
    };
    (@ max_time) => {
        /// Sets the time limit on the server, in milliseconds; at least one.
        pub fn max_time(mut self, time: std::time::Duration) -> Self {
            // The server interprets 0 as no limit.
            let least = std::time::Duration::from_millis(1);
            self.options_mut().max_time = Some(time.max(least));
            self
        }
    };
    (@ let_vars) => {
        /// Defines variables for expressions: `$$name`.
        pub fn let_vars(mut self, variables: impl Into<mongodb::bson::Document>) -> Self {
            self.options_mut().let_vars = Some(variables.into());
            self
        }
    };
    (@ allow_disk_use) => {
        /// Allows the server to sort and group on disk if memory is not sufficient.
        pub fn allow_disk_use(mut self) -> Self {
            self.options_mut().allow_disk_use = Some(true);
            self
        }
    };
    (@ read_concern) => {
        /// Sets the read concern. Calls in a transaction reject it, because a transaction reads a snapshot.
        pub fn read_concern(mut self, concern: mongodb::options::ReadConcern) -> Self {
            self.options_mut().read_concern = Some(concern);
            self
        }
    };
    (@ read_preference) => {
        /// Sets the members of the replica set that may reply. Calls in a transaction reject it, because transactions
        /// run on the primary.
        pub fn read_preference(mut self, preference: mongodb::options::ReadPreference) -> Self {
            let criteria = mongodb::options::SelectionCriteria::ReadPreference(preference);
            self.options_mut().selection_criteria = Some(criteria);
            self
        }
    };
    (@ write_concern) => {
        /// Sets the members of the replica set that must store the write before the call returns.
        ///
        /// A write with dependent documents is a transaction, and its commit waits for a majority. Calls in a
        /// transaction reject it.
        pub fn write_concern(mut self, concern: mongodb::options::WriteConcern) -> Self {
            self.options_mut().write_concern = Some(concern);
            self
        }
    };
    (@ any $options:ty) => {
        /// Changes any option of the driver.
        pub fn options(mut self, change: impl FnOnce(&mut $options)) -> Self {
            change(self.options_mut());
            self
        }
    };
}

pub(crate) use option_setters;
