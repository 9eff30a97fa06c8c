//! The result of `observe`: the statements that a block sent.

use std::{fmt, panic::Location, time::Duration};

use crate::client::{place::Place, plan::Statement};

/// The result of a block, and the statements that the block sent. Returned by [`Odm::observe`](crate::Odm::observe).
///
/// `Display` writes one line for each statement.
#[derive(Clone, Debug)]
#[must_use = "the statements are for a test to check"]
#[non_exhaustive]
pub struct Observed<T> {
    /// The value that the block returned.
    pub value: T,
    /// The statements, in the order in which they were sent.
    pub sent: Vec<SentStatement>,
}

/// A statement that was sent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SentStatement {
    /// The name of the server's command: `find`, `update`, `getMore`, `commitTransaction`.
    pub command: &'static str,
    /// The collection, or `None` for a statement that applies to the whole database.
    pub collection: Option<String>,
    /// The model of the documents, or `None` for statements without a model.
    pub model: Option<&'static str>,
    /// The relation of a load, a join or a count: `Product.parts`.
    pub relation: Option<&'static str>,
    /// Number of documents in the reply, or number of documents that a write changed. The value is `None` if the reply
    /// does not contain the number.
    pub documents: Option<u64>,
    /// Time until the reply, or `None` if the block ended or dropped the call before the reply. A statement without a
    /// reply might not have been sent at all.
    pub duration: Option<Duration>,
    /// The error, if the statement failed.
    pub error: Option<String>,
    /// Whether the statement counts as a round trip. All statements count except `hello`, which a handle sends once to
    /// find out the type of the server.
    pub is_round_trip: bool,
    /// The source line of the call, or `None` for calls that apply to the whole database, and for a commit or an abort.
    pub at: Option<&'static Location<'static>>,
    /// The statement in the same form as in a `plan()`. `Display` writes the statement in mongosh syntax.
    pub statement: Statement,
}

impl SentStatement {
    pub(super) fn new(command: &'static str, place: &Place, statement: Statement) -> Self {
        let about = place.failed(command);
        Self {
            command,
            collection: about.collection,
            model: about.model,
            relation: None,
            documents: None,
            duration: None,
            error: None,
            is_round_trip: command != "hello",
            at: None,
            statement,
        }
    }

    pub(super) fn with_origin(
        mut self,
        at: Option<&'static Location<'static>>,
        relation: Option<&'static str>,
    ) -> Self {
        (self.at, self.relation) = (at, relation);
        self
    }
}

impl<T> Observed<T> {
    /// Returns the number of round trips that the block made.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let observed = odm.observe(async { Book::find(&odm).await }).await.transpose()?;
    /// assert_eq!(observed.round_trips(), 1);
    /// assert_eq!(observed.names(), ["find"]);
    /// println!("{} books, read by {observed}", observed.value.len());
    /// # Ok(()) }
    /// ```
    pub fn round_trips(&self) -> usize {
        self.counted_statements().count()
    }

    /// Returns the commands of the round trips, in order: `["find", "getMore"]`.
    ///
    /// # Examples
    ///
    /// See [`round_trips`](Self::round_trips).
    pub fn names(&self) -> Vec<&'static str> {
        self.counted_statements().map(|sent| sent.command).collect()
    }

    fn counted_statements(&self) -> impl Iterator<Item = &SentStatement> {
        self.sent.iter().filter(|sent| sent.is_round_trip)
    }

    /// Checks the number of round trips, and returns the result of the block. The macro
    /// [`assert_round_trips!`](crate::assert_round_trips) combines this method with `observe`.
    ///
    /// # Panics
    ///
    /// Panics if the number of round trips is not the expected one. The message lists the first 40 statements with
    /// their source lines.
    ///
    /// # Examples
    ///
    /// See [`assert_round_trips!`](crate::assert_round_trips).
    #[track_caller]
    pub fn assert_round_trips(self, expected: usize) -> T {
        let made = self.round_trips();
        assert!(
            made == expected,
            "{made} round trip{} instead of {expected}:\n{}",
            if made == 1 { "" } else { "s" },
            Listed(&self.sent)
        );
        self.value
    }
}

/// Lists the first statements, one per line, and the number of further statements.
struct Listed<'s>(&'s [SentStatement]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LISTED: usize = 40;
        for sent in self.0.iter().take(LISTED) {
            writeln!(f, "  {sent}")?;
        }
        match self.0.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => writeln!(f, "  … and {more} more"),
        }
    }
}

impl<T, E> Observed<Result<T, E>> {
    /// Returns the block's error, or its value together with the statements.
    ///
    /// # Errors
    ///
    /// The error that the block returned.
    ///
    /// # Examples
    ///
    /// See [`round_trips`](Self::round_trips).
    pub fn transpose(self) -> Result<Observed<T>, E> {
        Ok(Observed {
            value: self.value?,
            sent: self.sent,
        })
    }
}

impl<T> fmt::Display for Observed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for sent in &self.sent {
            writeln!(f, "  {sent}")?;
        }
        Ok(())
    }
}

/// Writes the statement as one line of at most about 400 characters.
impl fmt::Display for SentStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 300;
        let text = self.statement.to_string();
        match text.char_indices().nth(SHOWN) {
            None => f.write_str(&text)?,
            Some((end, _)) => write!(f, "{}…", text.get(..end).unwrap_or_default())?,
        }
        f.write_str("  //")?;
        if !self.is_round_trip {
            f.write_str(" not counted,")?;
        }
        if let Some(relation) = self.relation {
            write!(f, " {relation},")?;
        }
        match self.documents {
            Some(1) => f.write_str(" 1 document,")?,
            Some(documents) => write!(f, " {documents} documents,")?,
            None => {}
        }
        match self.duration {
            Some(duration) => write!(f, " {duration:.1?}")?,
            None => f.write_str(" no answer")?,
        }
        if let Some(at) = self.at {
            write!(f, ", at {}:{}", at.file(), at.line())?;
        }
        if let Some(error) = &self.error {
            write!(f, ", failed: {error}")?;
        }
        Ok(())
    }
}

/// Runs a block and checks the number of its round trips: `assert_round_trips!(2, odm, async { .. })`.
///
/// Returns the result of the block. The macro combines [`Odm::observe`](crate::Odm::observe) and
/// [`Observed::assert_round_trips`](crate::Observed::assert_round_trips), for `async` tests.
///
/// # Panics
///
/// Panics if the number of round trips is not the expected one. The panic is reported at the line of the macro, and its
/// message lists the statements.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../../../docs/part_models.txt")]
/// use mongo_odm::assert_round_trips;
///
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let parts = assert_round_trips!(1, odm, async { Part::find(&odm).limit(10).await })?;
/// # Ok(()) }
/// ```
#[macro_export]
macro_rules! assert_round_trips {
    ($expected:expr, $odm:expr, $block:expr $(,)?) => {
        ($odm).observe($block).await.assert_round_trips($expected)
    };
}
