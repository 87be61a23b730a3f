//! Tests of overlays: positions on the command line and in the picture.
