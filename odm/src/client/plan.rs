//! The statements that a call would send, in mongosh syntax.
//!
//! All statements are built by `Command::statement`, including those of `Drift::plan` and the text of an index.

use std::fmt;

use mongodb::bson::{Bson, Document};

use crate::mongosh;

/// The statements that a call would send, in order. Call `plan()` on a builder to get its plan.
///
/// `Display` writes the statements in mongosh syntax, one per line.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/part_models.txt")]
/// # fn example(odm: &Odm) -> mongo_odm::Result<()> {
/// let plan = Part::find(odm).limit(5).plan()?;
/// assert_eq!(plan.to_string(), "db.parts.find({}).limit(5)");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

impl Plan {
    /// Returns this plan, followed by the statements of another plan.
    pub(crate) fn followed_by(mut self, next: Self) -> Self {
        self.statements.extend(next.statements);
        self
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, statement) in self.statements.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{statement}")?;
        }
        Ok(())
    }
}

/// A statement: a method call on a collection, and the methods that are chained to this call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Statement {
    /// The collection, or `None` for a statement that applies to the whole database.
    pub collection: Option<String>,
    /// The method, for instance `find`.
    pub method: &'static str,
    /// The arguments of the method.
    pub arguments: Vec<Bson>,
    /// The chained methods: `.sort({..})`, `.limit(5)`.
    pub chain: Vec<(&'static str, Bson)>,
    /// Notes for the reader. The text shows the notes as comments before the statement.
    pub notes: Vec<String>,
    /// The filter that an estimate uses to count the affected copies.
    pub(crate) counted: Option<Document>,
}

impl Statement {
    pub(crate) fn new(collection: &str, method: &'static str) -> Self {
        Self {
            collection: Some(collection.to_owned()),
            method,
            arguments: Vec::new(),
            chain: Vec::new(),
            notes: Vec::new(),
            counted: None,
        }
    }

    /// Returns a statement that calls a method of a collection, or of the database if the name is empty.
    pub(crate) fn on(collection: &str, method: &'static str) -> Self {
        let mut statement = Self::new(collection, method);
        statement.collection = statement.collection.filter(|name| !name.is_empty());
        statement
    }

    pub(crate) fn argument(mut self, argument: impl Into<Bson>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds the options, unless they are empty.
    pub(crate) fn options(self, options: Document) -> Self {
        if options.is_empty() {
            self
        } else {
            self.argument(options)
        }
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(crate) fn counted_by(mut self, filter: Document) -> Self {
        self.counted = Some(filter);
        self
    }

    pub(crate) fn then(mut self, method: &'static str, argument: Option<impl Into<Bson>>) -> Self {
        if let Some(argument) = argument {
            self.chain.push((method, argument.into()));
        }
        self
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for note in &self.notes {
            writeln!(f, "// {note}")?;
        }
        match &self.collection {
            Some(name) if is_identifier(name) => write!(f, "db.{name}.{}(", self.method)?,
            Some(name) => write!(f, "db.getCollection({name:?}).{}(", self.method)?,
            None => write!(f, "db.{}(", self.method)?,
        }
        for (at, argument) in self.arguments.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            f.write_str(&mongosh::value(argument))?;
        }
        f.write_str(")")?;
        for (method, argument) in &self.chain {
            write!(f, ".{method}({})", mongosh::value(argument))?;
        }
        Ok(())
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
