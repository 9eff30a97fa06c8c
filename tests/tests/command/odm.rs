//! The operator's command over the models of the tests.

mongo_odm::cli!(odm_tests::shop);
