//! The operator's command with the models of the tests.

mongo_odm_tools::cli!(odm_tests::shop);
