//! The programs of the chapters, one module each, and checks of all chapters.

mod blocks;
mod links;

#[path = "01_getting_started.rs"]
mod getting_started;
