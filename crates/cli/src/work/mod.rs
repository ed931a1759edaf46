//! What agents work with: sessions, events, standing rules, entries, resources, relations, checks, locks.
