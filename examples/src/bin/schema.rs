//! The models of the catalogue as a picture; nothing is sent to a server.
//!
//! `cargo run -p odm-examples --bin schema > examples/schema.svg` is how the picture in the README is made.

use clap::{Parser, ValueEnum};

#[path = "catalogue/models.rs"]
#[allow(dead_code, reason = "the models are looked at, not used")]
mod models;

/// Prints the models of the catalogue in a form that can be drawn.
#[derive(Parser)]
struct Arguments {
    /// What to print.
    #[arg(value_enum, default_value_t = Form::Svg)]
    form: Form,
}

#[derive(Clone, Copy, ValueEnum)]
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
