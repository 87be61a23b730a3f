//! What is wrong with a text is said with its line, column and path.
