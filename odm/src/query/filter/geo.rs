//! Filters on `GeoJSON` geometries.

use std::{marker::PhantomData, ops::BitAnd};

use mongodb::bson::{Document, doc};

use super::{Filter, IntoFilter};
use crate::{
    error::{Error, Result, cloned_result},
    model::derive_traits::{HasFields, Path, Queried},
    query::field::{Field, FieldOf, InDocuments},
    value::{
        geo::{LineString, Point, Polygon, Shape},
        presence::Presence,
    },
};

/// A field type that is stored as a `GeoJSON` geometry.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as a GeoJSON geometry",
    label = "not a geometry",
    note = "geometries are `mongo_odm::geo::Point`, `LineString`, `Polygon`, and options of them"
)]
pub trait GeoType {}

impl GeoType for Point {}
impl GeoType for LineString {}
impl GeoType for Polygon {}

#[diagnostic::do_not_recommend]
impl<T: GeoType> GeoType for Option<T> {}

#[diagnostic::do_not_recommend]
impl<T: GeoType> GeoType for Presence<T> {}

/// The equatorial radius of the earth in meters, which the server uses to convert radians.
const RADIUS: f64 = 6_378_100.0;

/// Methods that return a filter on a geometry.
impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R>
where
    P: Path,
    O: HasFields + 'static,
    T: 'static,
    Self: FieldOf<M, Value = T>,
{
    /// `$near`: sorts the documents by their distance from a point, the nearest document first. To limit the distance,
    /// use [`Near::max_distance_meters`].
    ///
    /// # Index
    ///
    /// The field requires a `2dsphere` index. Without this index, the server rejects the query.
    ///
    /// # Limits
    ///
    /// The server accepts this filter only in `find`. For `count`, for aggregations, and for the total number of
    /// documents on all pages, use [`within_meters`](Self::within_meters).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{geo::Point, prelude::*};
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "shops", index(keys(place = "2dsphere")))]
    /// struct Shop {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Shop>,
    ///     place: Point,
    /// }
    ///
    /// # async fn example(odm: Odm, here: Point) -> mongo_odm::Result<()> {
    /// let near = Shop::fields().place.near(here).max_distance_meters(500.0);
    /// let shops = Shop::find(&odm).filter(near).limit(10).await?;
    /// # Ok(()) }
    /// ```
    pub fn near(self, point: Point) -> Near<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: GeoType,
    {
        Near {
            path: FieldOf::path(self),
            operand: FieldOf::check_search(self).map(|()| doc! { "$geometry": point.geometry() }),
            of: PhantomData,
        }
    }

    /// `$geoWithin`: the geometry is inside the polygon.
    ///
    /// # Index
    ///
    /// The server can use a `2dsphere` index.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{geo::{Point, Polygon}, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "shops")]
    /// # struct Shop { #[serde(rename = "_id")] id: Id<Shop>, place: Point }
    /// async fn inside(odm: &Odm, town: &Polygon) -> mongo_odm::Result<Vec<Shop>> {
    ///     Shop::find(odm).filter(Shop::fields().place.within(town)).await
    /// }
    /// ```
    pub fn within(self, polygon: &Polygon) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: GeoType,
    {
        self.operator(
            "$geoWithin",
            doc! { "$geometry": polygon.geometry() }.into(),
        )
    }

    /// `$geoWithin` and `$centerSphere`: the geometry is within the given distance of a point. The documents are not
    /// sorted.
    ///
    /// # Index
    ///
    /// The server can use a `2dsphere` index.
    ///
    /// # Errors
    ///
    /// If the distance is negative or not a finite number, the call that uses the filter fails with [`Error::Invalid`].
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{geo::{Point, Polygon}, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "shops")]
    /// # struct Shop { #[serde(rename = "_id")] id: Id<Shop>, place: Point }
    /// async fn count(odm: &Odm, here: Point) -> mongo_odm::Result<u64> {
    ///     Shop::count(odm).filter(Shop::fields().place.within_meters(here, 500.0)).await
    /// }
    /// ```
    pub fn within_meters(self, point: Point, meters: f64) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: GeoType,
    {
        let center = [point.longitude(), point.latitude()].to_vec();
        match distance(meters) {
            Ok(meters) => self.operator(
                "$geoWithin",
                doc! { "$centerSphere": [center, meters / RADIUS] }.into(),
            ),
            Err(error) => Filter::new(Err(error)),
        }
    }

    /// `$geoIntersects`: the geometry shares at least one point with the given geometry.
    ///
    /// # Index
    ///
    /// The server can use a `2dsphere` index.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{geo::{LineString, Polygon}, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "trips")]
    /// # struct Trip { #[serde(rename = "_id")] id: Id<Trip>, route: LineString }
    /// async fn through(odm: &Odm, park: &Polygon) -> mongo_odm::Result<Vec<Trip>> {
    ///     Trip::find(odm).filter(Trip::fields().route.intersects(park)).await
    /// }
    /// ```
    pub fn intersects(self, shape: &impl Shape) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: GeoType,
    {
        self.operator(
            "$geoIntersects",
            doc! { "$geometry": shape.geometry() }.into(),
        )
    }
}

/// A filter that sorts documents by their distance: `place.near(point).max_distance_meters(500.0)`.
#[derive(Debug)]
#[must_use = "a filter does nothing until a query uses it"]
pub struct Near<M> {
    path: String,
    /// The operand of `$near`.
    operand: Result<Document>,
    of: PhantomData<fn() -> M>,
}

impl<M> Clone for Near<M> {
    fn clone(&self) -> Self {
        Self {
            path: self.path.clone(),
            operand: cloned_result(&self.operand),
            of: PhantomData,
        }
    }
}

impl<M> Near<M> {
    /// Leaves out documents that are farther away than the given distance. If the distance is negative or not a finite
    /// number, the call that uses the filter fails with [`Error::Invalid`].
    ///
    /// # Examples
    ///
    /// See [`Field::near`](crate::field::Field::near).
    pub fn max_distance_meters(self, meters: f64) -> Self {
        self.with("$maxDistance", meters)
    }

    /// Leaves out documents that are nearer than the given distance. If the distance is negative or not a finite
    /// number, the call that uses the filter fails with [`Error::Invalid`].
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{geo::{Point, Polygon}, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "shops")]
    /// # struct Shop { #[serde(rename = "_id")] id: Id<Shop>, place: Point }
    /// async fn farther(odm: &Odm, here: Point) -> mongo_odm::Result<Vec<Shop>> {
    ///     let near = Shop::fields().place.near(here);
    ///     Shop::find(odm).filter(near.min_distance_meters(500.0)).limit(10).await
    /// }
    /// ```
    pub fn min_distance_meters(self, meters: f64) -> Self {
        self.with("$minDistance", meters)
    }

    fn with(mut self, operator: &str, meters: f64) -> Self {
        self.operand = self.operand.and_then(|mut operand| {
            operand.insert(operator, distance(meters)?);
            Ok(operand)
        });
        self
    }
}

#[diagnostic::do_not_recommend]
impl<M> IntoFilter<M> for Near<M> {
    fn into_filter(self) -> Filter<M> {
        Filter::new(
            self.operand
                .map(|operand| doc! { self.path: { "$near": operand } }),
        )
    }
}

// There is no `&` operator with the filter on the left. Such an operator would make the compiler's message longer if a
// program combines the filters of two models.
impl<M> BitAnd<Filter<M>> for Near<M> {
    type Output = Filter<M>;

    fn bitand(self, other: Filter<M>) -> Filter<M> {
        self.into_filter().and(other)
    }
}

fn distance(meters: f64) -> Result<f64> {
    if meters >= 0.0 && meters.is_finite() {
        return Ok(meters);
    }
    Err(Error::invalid(format!(
        "{meters} is not a valid distance; pass a finite number of meters that is not negative"
    )))
}
