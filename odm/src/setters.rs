//! The setters of options of the driver, the same in all builders.

/// Writes the setters of options of the driver that a builder has.
///
/// The builder has a method `options_mut` that leads to the driver's options.
macro_rules! option_setters {
    ($($name:ident),+) => { $( $crate::setters::option_setters!(@ $name); )+ };
    (@ hint) => {
        /// Makes the server use an index, by its keys.
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
        /// Writes a comment beside the statement into the server's log and profile.
        pub fn comment(mut self, comment: impl Into<mongodb::bson::Bson>) -> Self {
            self.options_mut().comment = Some(comment.into());
            self
        }
    };
    (@ max_time) => {
        /// Makes the server give up after this time, which it counts in milliseconds: at least one.
        pub fn max_time(mut self, time: std::time::Duration) -> Self {
            // For the server, 0 is no limit.
            let least = std::time::Duration::from_millis(1);
            self.options_mut().max_time = Some(time.max(least));
            self
        }
    };
    (@ let_vars) => {
        /// Names values that expressions use as `$$name`.
        pub fn let_vars(mut self, variables: impl Into<mongodb::bson::Document>) -> Self {
            self.options_mut().let_vars = Some(variables.into());
            self
        }
    };
    (@ allow_disk_use) => {
        /// Lets the server sort and group on its disk where memory does not do.
        pub fn allow_disk_use(mut self) -> Self {
            self.options_mut().allow_disk_use = Some(true);
            self
        }
    };
    (@ read_concern) => {
        /// Says what the server has to be sure of before it answers; not in a transaction, which reads a
        /// snapshot.
        pub fn read_concern(mut self, concern: mongodb::options::ReadConcern) -> Self {
            self.options_mut().read_concern = Some(concern);
            self
        }
    };
    (@ read_preference) => {
        /// Says which members of the replica set may answer; not in a transaction, which asks the primary.
        pub fn read_preference(mut self, preference: mongodb::options::ReadPreference) -> Self {
            let criteria = mongodb::options::SelectionCriteria::ReadPreference(preference);
            self.options_mut().selection_criteria = Some(criteria);
            self
        }
    };
    (@ write_concern) => {
        /// Says which members of the replica set must have the write before it returns.
        ///
        /// Where something follows the write, both are a transaction, and a majority has to have it.
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
