//! What was sent.

use std::{fmt, panic::Location, time::Duration};

use crate::client::{place::Place, plan::Statement};

/// What a block returned, and the statements that it has sent; see [`Odm::observe`](crate::Odm::observe).
///
/// Shown as text, it is a line for each statement.
#[derive(Clone, Debug)]
#[must_use = "what was sent is for a test to look at"]
#[non_exhaustive]
pub struct Observed<T> {
    /// What the block returned.
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
    /// The collection; none for a statement of the database itself.
    pub collection: Option<String>,
    /// The model whose documents it is about, where it is about one.
    pub model: Option<&'static str>,
    /// The relation that was followed, by a load, a join or a count: `Product.parts`.
    pub relation: Option<&'static str>,
    /// How many documents the reply brings, or how many a write has changed, where the server says so.
    pub documents: Option<u64>,
    /// Time until the reply. None if the block ended, or dropped the call, before the reply: the driver may not have sent
    /// the statement.
    pub duration: Option<Duration>,
    /// Why it failed, if it did.
    pub error: Option<String>,
    /// Whether it counts as a round trip. All do but `hello`, with which a handle asks once what kind of server it has.
    pub is_round_trip: bool,
    /// The line of the application that asked for it; none for what a call of the whole database sends, and for what ends a
    /// transaction.
    pub at: Option<&'static Location<'static>>,
    /// The statement itself, as `plan()` has it; shown as text for mongosh.
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
    /// Returns how many round trips the block has made.
    pub fn round_trips(&self) -> usize {
        self.each_round_trip().count()
    }

    /// Returns the names of the round trips, in their order: `["find", "getMore"]`.
    pub fn names(&self) -> Vec<&'static str> {
        self.each_round_trip().map(|sent| sent.command).collect()
    }

    fn each_round_trip(&self) -> impl Iterator<Item = &SentStatement> {
        self.sent.iter().filter(|sent| sent.is_round_trip)
    }

    /// Returns what the block returned, after a look at how many round trips it has made;
    /// [`assert_round_trips!`](crate::assert_round_trips) is short for it.
    ///
    /// # Panics
    ///
    /// If there were more or less; the message lists the statements, the first 40 of very many, with their lines.
    #[track_caller]
    pub fn assert_round_trips(self, expected: usize) -> T {
        let made = self.round_trips();
        assert!(
            made == expected,
            "{made} round trip{}, and not {expected}:\n{}",
            if made == 1 { "" } else { "s" },
            Listed(&self.sent)
        );
        self.value
    }
}

/// The first of some statements, a line for each, and how many more there are.
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
    /// Takes the error of the block out.
    ///
    /// # Errors
    ///
    /// That of the block.
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

/// One line, of at most some 400 characters.
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

/// Runs a block, and checks how many round trips it makes: `assert_round_trips!(2, odm, async { .. })`.
///
/// Returns what the block returned. It is [`Odm::observe`](crate::Odm::observe) and
/// [`Observed::assert_round_trips`](crate::Observed::assert_round_trips), for `async` tests.
///
/// # Panics
///
/// If there were more or less, at the line of the macro; the message lists the statements.
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::prelude::*;
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "parts")]
/// # struct Part {
/// #     #[serde(rename = "_id")]
/// #     id: Id<Part>,
/// #     name: String,
/// # }
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
