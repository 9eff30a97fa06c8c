//! Methods that are the same in the impls of `Command` for different commands. The commands have the fields that the
//! methods use: all have `place`, and most have `filter` and `options`.

/// Generates the methods that return the place of a command.
macro_rules! at_place {
    () => {
        fn place(&self) -> &$crate::client::place::Place {
            &self.place
        }

        fn place_mut(&mut self) -> &mut $crate::client::place::Place {
            &mut self.place
        }
    };
}
pub(super) use at_place;

/// Generates the method that sets the comment and the time limit in the options of a read.
macro_rules! limit {
    () => {
        /// Keeps an existing comment and an existing shorter limit.
        fn limit(&mut self, (time, comment): $crate::client::command::Limit) {
            let options = &mut self.options;
            options.max_time = Some(options.max_time.map_or(time, |known| known.min(time)));
            options.comment.get_or_insert_with(|| comment.into());
        }
    };
}
pub(super) use limit;

/// Generates the methods of a read whose options contain a read concern, a read preference and a time limit.
macro_rules! read {
    () => {
        const READS: bool = true;

        $crate::client::command::shared_methods::at_place!();

        fn outside_transactions(&self) -> Option<&'static str> {
            let options = &self.options;
            $crate::client::command::transaction_wide_option(
                options.read_concern.as_ref(),
                options.selection_criteria.as_ref(),
            )
        }

        $crate::client::command::shared_methods::limit!();
    };
}
pub(super) use read;

/// Generates the method that describes the search of a statement with a filter, from the listed options and the number
/// of documents after which the server can stop.
macro_rules! search {
    ([$($option:ident),*], |$command:pat_param| $enough:expr) => {
        fn search(&self) -> Option<$crate::client::command::Search<'_>> {
            let $command = self;
            let search = $crate::client::command::Search::new(&self.place, &self.filter)?;
            let search = search.enough($enough);
            $(let search = search.$option(self.options.$option.as_ref());)*
            Some(search)
        }
    };
}
pub(super) use search;

/// Generates the methods of a read that has a filter.
macro_rules! read_by_filter {
    () => {
        $crate::client::command::shared_methods::read!();

        fn scoped(mut self, in_transaction: bool) -> Self {
            let options = &mut self.options;
            let (concern, criteria) = (&mut options.read_concern, &mut options.selection_criteria);
            self.place.read_safely(in_transaction, concern, criteria);
            self.filter = self.place.scope(self.filter);
            self
        }
    };
}
pub(super) use read_by_filter;

/// Generates the methods of a write that has a filter.
macro_rules! write_by_filter {
    () => {
        $crate::client::command::shared_methods::at_place!();

        fn scoped(mut self, in_transaction: bool) -> Self {
            let concern = &mut self.options.write_concern;
            self.place.write_safely(in_transaction, concern);
            self.filter = self.place.scope(self.filter);
            self
        }
    };
}
pub(super) use write_by_filter;
