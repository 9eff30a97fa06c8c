//! Draws the models of the catalogue, or prints text from which other programs draw them. Nothing is sent to a server.
//!
//! `cargo run -p odm-examples --bin schema > examples/schema.svg` creates the picture in the README.

#![allow(unreachable_pub, reason = "models read better with `pub`")]

use clap::{Parser, ValueEnum};
use mongo_odm_tools::Pictures;

#[allow(dead_code, reason = "the models are drawn, and no document is read")]
#[path = "catalogue/models.rs"]
mod models;

/// Prints the models of the catalogue as a picture or as text for a drawing program.
#[derive(Debug, Parser)]
struct Arguments {
    /// The format to print
    #[arg(value_enum, default_value_t = Form::Svg)]
    form: Form,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    Svg,
    Mermaid,
    Dot,
    Json,
}

fn main() {
    let schema = mongo_odm::schema();
    let text = match Arguments::parse().form {
        Form::Svg => schema.svg(),
        Form::Mermaid => schema.mermaid(),
        Form::Dot => schema.dot(),
        Form::Json => schema.json() + "\n",
    };
    print!("{text}");
}
