//! Names a missing feature.
//!
//! The driver has an error for it, too, but it does not know the features of this library. A build script without
//! dependencies is compiled long before the driver.

#[cfg(not(any(feature = "rustls-tls", feature = "openssl-tls")))]
compile_error!(
    "`mongo-odm` needs a TLS feature: add `rustls-tls` or `openssl-tls` to the features of `mongo-odm`"
);

#[cfg(not(any(feature = "bson-2", feature = "bson-3")))]
compile_error!(
    "`mongo-odm` needs a BSON feature: add `bson-3` or `bson-2` to the features of `mongo-odm`"
);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
