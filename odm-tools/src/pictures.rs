//! Draws diagrams of a program's models.
//!
//! 1. [`line`](mod@line) finds the lines between fields, and [`words`] writes the labels next to fields.
//! 2. Mermaid, DOT and SVG use only these lines and labels, so all formats show the same information.

use mongo_odm::Schema;

mod dot;
mod line;
mod mermaid;
mod svg;
mod words;

/// Draws diagrams of a schema, and writes source text from which other programs draw diagrams.
pub trait Pictures {
    /// Returns the schema as a Mermaid class diagram, which GitHub and many editors can draw.
    ///
    /// Each model is a class. A solid arrow is a reference, with the cardinality at both ends. A dashed arrow points
    /// from a source to a field that is derived from it: a copy, a recent list or a summary.
    fn mermaid(&self) -> String;

    /// Returns the schema in DOT, the language of Graphviz: `dot -Tpdf schema.dot -o schema.pdf`.
    ///
    /// Each model is a record. Arrows connect the fields of the records.
    fn dot(&self) -> String;

    /// Returns the schema as an SVG image, for a browser or for a README. The image needs no scripts and no fonts.
    ///
    /// Each collection is a box that has a section for each kind and a row for each field. Lines connect the rows. The
    /// label next to a reference is its cardinality: `n:1`.
    fn svg(&self) -> String;
}

impl Pictures for Schema {
    fn mermaid(&self) -> String {
        mermaid::text(self)
    }

    fn dot(&self) -> String {
        dot::text(self)
    }

    fn svg(&self) -> String {
        svg::picture(self)
    }
}
