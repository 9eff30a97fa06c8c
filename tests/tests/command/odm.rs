//! The operator's command over the models of the tests.

mongo_odm_tools::cli!(odm_tests::shop);
