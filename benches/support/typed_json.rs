//! Pachario JSON read the usual way: with derived types that borrow their texts.
#![allow(dead_code, reason = "it is parsed, and dropped")]

use std::borrow::Cow;

use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Typed<'a> {
    version: u32,
    fps: u16,
    #[serde(borrow)]
    images: Vec<Image<'a>>,
    #[serde(borrow)]
    bones: Vec<Bone<'a>>,
    #[serde(borrow)]
    meshes: Vec<Mesh<'a>>,
    #[serde(borrow)]
    animations: Vec<Animation<'a>>,
}

#[derive(Deserialize)]
struct Image<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    path: Cow<'a, str>,
    width: u16,
    height: u16,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bone<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    parent_idx: i16,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mesh<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    image_idx: u16,
    vertices: Vec<Vertex>,
    triangles: Vec<u16>,
}

#[derive(Deserialize)]
struct Vertex {
    x: f32,
    y: f32,
    u: f32,
    v: f32,
    bones: Vec<Influence>,
}

#[derive(Deserialize)]
struct Influence {
    idx: u16,
    weight: f32,
}

#[derive(Deserialize)]
struct Animation<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(rename = "loop")]
    looping: bool,
    frames: Vec<Vec<Transform>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Transform {
    x: f32,
    y: f32,
    rotation: f32,
    scale_x: f32,
    scale_y: f32,
    visible: bool,
    z_order: i16,
}
