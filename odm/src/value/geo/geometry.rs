//! The form of a geometry in JSON and BSON: its type and its coordinates.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::InvalidGeometry;

/// A longitude and a latitude.
pub(super) type Position = [f64; 2];

#[derive(Deserialize, Serialize)]
pub(super) struct Geometry<C> {
    #[serde(rename = "type")]
    name: Cow<'static, str>,
    coordinates: C,
}

impl<C> Geometry<C> {
    pub(super) const fn new(name: &'static str, coordinates: C) -> Self {
        Self {
            name: Cow::Borrowed(name),
            coordinates,
        }
    }

    /// Returns the coordinates if the geometry has the given type.
    pub(super) fn of_type(self, name: &str) -> Result<C, InvalidGeometry> {
        if self.name == name {
            return Ok(self.coordinates);
        }
        let message = format!("the geometry is a `{}`, and not a `{name}`", self.name);
        Err(InvalidGeometry::new(message))
    }
}
