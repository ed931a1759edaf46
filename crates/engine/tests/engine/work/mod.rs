//! What agents work with.
