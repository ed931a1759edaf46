//! Where sentences end.
