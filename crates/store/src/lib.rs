//! Journals, seats and chat on disk.
