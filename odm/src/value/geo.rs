//! `GeoJSON` geometries: points, lines and polygons on the surface of the earth.
//!
//! The library defines its own types instead of using the crates `geojson` or `geo-types`:
//!
//! - In `geojson`, all geometries are variants of one enum, and contain vectors of numbers. So you could not declare a
//!   field as a point, and stored values would not be checked.
//! - The types of `geo-types` describe a plane, and serde writes them as objects that contain `x` and `y`, which the
//!   server cannot index.
//!
//! A value of these types is always valid: its coordinates are in their ranges, and the rings of polygons are closed.
//! The server would detect an invalid geometry only when it is written, and only if the field has a `2dsphere` index.

mod geometry;

use std::borrow::Cow;

use mongodb::bson::{Bson, Document, doc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use geometry::{Geometry, Position};

/// The error for coordinates that are not a valid geometry.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct InvalidGeometry {
    /// A description of the mistake.
    pub message: Cow<'static, str>,
}

impl InvalidGeometry {
    fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

/// A point on the surface of the earth, stored as `{ type: "Point", coordinates: [longitude, latitude] }`.
///
/// # Examples
///
/// ```
/// use mongo_odm::geo::Point;
///
/// let bern = Point::new(7.44, 46.95)?;
/// assert_eq!((bern.longitude(), bern.latitude()), (7.44, 46.95));
/// assert!(Point::new(46.95, 107.44).is_err());
/// # Ok::<(), mongo_odm::geo::InvalidGeometry>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(Position);

impl Point {
    /// Creates a point. The longitude comes first, as in `GeoJSON`.
    ///
    /// # Errors
    ///
    /// [`InvalidGeometry`] if the longitude is not between -180 and 180, or the latitude is not between -90 and 90.
    ///
    /// # Examples
    ///
    /// See [`Point`](Self).
    pub fn new(longitude: f64, latitude: f64) -> Result<Self, InvalidGeometry> {
        Self::at([longitude, latitude])
    }

    fn at(position: Position) -> Result<Self, InvalidGeometry> {
        let [longitude, latitude] = position;
        if !(-180.0..=180.0).contains(&longitude) {
            let message = format!("a longitude is between -180 and 180, and not {longitude}");
            return Err(InvalidGeometry::new(message));
        }
        if !(-90.0..=90.0).contains(&latitude) {
            let message = format!(
                "a latitude is between -90 and 90, and not {latitude}; the longitude comes first"
            );
            return Err(InvalidGeometry::new(message));
        }
        Ok(Self(position))
    }

    /// Returns the longitude, in degrees.
    ///
    /// # Examples
    ///
    /// See [`Point`](Self).
    pub const fn longitude(&self) -> f64 {
        let [longitude, _] = self.0;
        longitude
    }

    /// Returns the latitude, in degrees.
    ///
    /// # Examples
    ///
    /// See [`Point`](Self).
    pub const fn latitude(&self) -> f64 {
        let [_, latitude] = self.0;
        latitude
    }
}

/// A line through two or more points, stored as `{ type: "LineString", coordinates: [..] }`.
#[derive(Clone, Debug, PartialEq)]
pub struct LineString(Vec<Point>);

impl LineString {
    /// Creates a line through the points.
    ///
    /// # Errors
    ///
    /// [`InvalidGeometry`] if the line has fewer than two different points.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::geo::{LineString, Point};
    ///
    /// let line = LineString::new([Point::new(7.4, 46.9)?, Point::new(7.6, 46.8)?])?;
    /// assert_eq!(line.points().len(), 2);
    /// # Ok::<(), mongo_odm::geo::InvalidGeometry>(())
    /// ```
    pub fn new(points: impl IntoIterator<Item = Point>) -> Result<Self, InvalidGeometry> {
        let points: Vec<Point> = points.into_iter().collect();
        let Some(first) = points.first() else {
            return Err(InvalidGeometry::new("a line has at least two points"));
        };
        if points.iter().all(|point| point == first) {
            let message = "a line has at least two different points";
            return Err(InvalidGeometry::new(message));
        }
        Ok(Self(points))
    }

    /// Returns the points of the line.
    ///
    /// # Examples
    ///
    /// See [`LineString::new`](Self::new).
    pub fn points(&self) -> &[Point] {
        &self.0
    }
}

/// A polygon, which can have holes, stored as `{ type: "Polygon", coordinates: [[..], ..] }`.
///
/// # Examples
///
/// ```
/// use mongo_odm::geo::{Point, Polygon};
///
/// let corners = [(7.0, 46.0), (8.0, 46.0), (8.0, 47.0), (7.0, 46.0)];
/// let corners = corners.map(|(longitude, latitude)| Point::new(longitude, latitude));
/// let triangle = Polygon::new(corners.into_iter().collect::<Result<Vec<_>, _>>()?)?;
/// assert_eq!(triangle.exterior().len(), 4);
/// # Ok::<(), mongo_odm::geo::InvalidGeometry>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    exterior: Vec<Point>,
    holes: Vec<Vec<Point>>,
}

impl Polygon {
    /// Creates a polygon from its outer ring. The last point of the ring must equal the first point.
    ///
    /// # Errors
    ///
    /// [`InvalidGeometry`] if the ring is not closed, or has fewer than three different corners.
    ///
    /// # Examples
    ///
    /// See [`Polygon`](Self).
    pub fn new(exterior: impl IntoIterator<Item = Point>) -> Result<Self, InvalidGeometry> {
        Ok(Self {
            exterior: ring(exterior)?,
            holes: Vec::new(),
        })
    }

    /// Adds a hole. The last point of the ring must equal the first point.
    ///
    /// # Errors
    ///
    /// [`InvalidGeometry`] if the ring is not closed, or has fewer than three different corners.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::geo::{InvalidGeometry, Point, Polygon};
    ///
    /// fn square(from: f64, to: f64) -> Result<Vec<Point>, InvalidGeometry> {
    ///     let corners = [(from, from), (to, from), (to, to), (from, to), (from, from)];
    ///     corners.into_iter().map(|(longitude, latitude)| Point::new(longitude, latitude)).collect()
    /// }
    ///
    /// let ring = Polygon::new(square(0.0, 9.0)?)?.with_hole(square(4.0, 5.0)?)?;
    /// assert_eq!(ring.holes().len(), 1);
    /// # Ok::<(), InvalidGeometry>(())
    /// ```
    pub fn with_hole(
        mut self,
        hole: impl IntoIterator<Item = Point>,
    ) -> Result<Self, InvalidGeometry> {
        self.holes.push(ring(hole)?);
        Ok(self)
    }

    /// Returns the outer ring.
    ///
    /// # Examples
    ///
    /// See [`Polygon`](Self).
    pub fn exterior(&self) -> &[Point] {
        &self.exterior
    }

    /// Returns the rings of the holes.
    ///
    /// # Examples
    ///
    /// See [`with_hole`](Self::with_hole).
    pub fn holes(&self) -> &[Vec<Point>] {
        &self.holes
    }
}

fn ring(points: impl IntoIterator<Item = Point>) -> Result<Vec<Point>, InvalidGeometry> {
    let points: Vec<Point> = points.into_iter().collect();
    if points.is_empty() || points.first() != points.last() {
        let message = "a ring of a polygon is closed: its last point equals the first one";
        return Err(InvalidGeometry::new(message));
    }
    if points.len() < 4 {
        return Err(InvalidGeometry::new(
            "a ring of a polygon has at least three corners",
        ));
    }
    Ok(points)
}

/// A geometry that a filter can compare with stored geometries: a [`Point`], a [`LineString`] or a [`Polygon`].
pub trait Shape: Serialize + sealed::Sealed {
    /// Returns the geometry in the form that the server expects.
    #[doc(hidden)]
    fn geometry(&self) -> Document;
}

mod sealed {
    pub trait Sealed {}
}

/// Implements serde's traits and [`Shape`] for a geometry type, which stores only its coordinates.
macro_rules! geometries {
    ($($type:ty: $name:literal, $coordinates:ty;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Geometry::new($name, self.coordinates()).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let geometry = Geometry::<$coordinates>::deserialize(deserializer)?;
                let coordinates = geometry.of_type($name).map_err(D::Error::custom)?;
                Self::of_coordinates(coordinates).map_err(D::Error::custom)
            }
        }

        impl sealed::Sealed for $type {}

        impl Shape for $type {
            fn geometry(&self) -> Document {
                doc! { "type": $name, "coordinates": Bson::from(self.coordinates()) }
            }
        }
    )*};
}
geometries! {
    Point: "Point", Vec<f64>;
    LineString: "LineString", Vec<Vec<f64>>;
    Polygon: "Polygon", Vec<Vec<Vec<f64>>>;
}

impl Point {
    fn coordinates(self) -> Vec<f64> {
        self.0.to_vec()
    }

    fn of_coordinates(coordinates: Vec<f64>) -> Result<Self, InvalidGeometry> {
        let position = Position::try_from(coordinates);
        let position = position.map_err(|_| {
            InvalidGeometry::new("a position has two numbers: the longitude and the latitude")
        })?;
        Self::at(position)
    }
}

impl LineString {
    fn coordinates(&self) -> Vec<Vec<f64>> {
        coordinates(&self.0)
    }

    fn of_coordinates(coordinates: Vec<Vec<f64>>) -> Result<Self, InvalidGeometry> {
        Self::new(points(coordinates)?)
    }
}

impl Polygon {
    fn coordinates(&self) -> Vec<Vec<Vec<f64>>> {
        let rings = std::iter::once(&self.exterior).chain(&self.holes);
        rings.map(|ring| coordinates(ring)).collect()
    }

    fn of_coordinates(coordinates: Vec<Vec<Vec<f64>>>) -> Result<Self, InvalidGeometry> {
        let mut rings = coordinates.into_iter();
        let polygon = Self::new(points(rings.next().unwrap_or_default())?)?;
        rings.try_fold(polygon, |polygon, hole| polygon.with_hole(points(hole)?))
    }
}

fn coordinates(points: &[Point]) -> Vec<Vec<f64>> {
    points.iter().map(|point| point.coordinates()).collect()
}

fn points(coordinates: Vec<Vec<f64>>) -> Result<Vec<Point>, InvalidGeometry> {
    coordinates.into_iter().map(Point::of_coordinates).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{from_str, json, to_value};

    use super::*;

    #[test]
    fn json_is_geojson() {
        let point = Point::new(7.5, 46.0).unwrap();
        let written = json!({ "type": "Point", "coordinates": [7.5, 46.0] });
        assert_eq!(to_value(point).unwrap(), written);
        let read = from_str(r#"{ "coordinates": [7.5, 46], "type": "Point" }"#);
        assert_eq!(point, read.unwrap());
    }

    #[test]
    fn invalid_geometries_are_rejected() {
        let point = |text| from_str::<Point>(text).unwrap_err().to_string();
        let polygon = |text| from_str::<Polygon>(text).unwrap_err().to_string();
        let line = |text| from_str::<LineString>(text).unwrap_err().to_string();
        for (message, part) in [
            (
                point(r#"{"type":"Point","coordinates":[181,0]}"#),
                "longitude",
            ),
            (
                point(r#"{"type":"Point","coordinates":[0,91]}"#),
                "latitude",
            ),
            (
                point(r#"{"type":"Point","coordinates":[0,1,2]}"#),
                "two numbers",
            ),
            (
                point(r#"{"type":"Polygon","coordinates":[0,1]}"#),
                "`Polygon`",
            ),
            (
                line(r#"{"type":"LineString","coordinates":[[0,1],[0,1]]}"#),
                "different",
            ),
            (
                polygon(r#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}"#),
                "closed",
            ),
            (polygon(r#"{"type":"Polygon","coordinates":[]}"#), "closed"),
            (
                polygon(r#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}"#),
                "three corners",
            ),
        ] {
            assert!(message.contains(part), "{message}");
        }
    }
}
