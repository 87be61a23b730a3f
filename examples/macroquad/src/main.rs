//! The sample character in macroquad: an engine with its own graphics stack, which takes vertices that are skinned on the CPU.
//!
//! ```sh
//! cargo run --release --manifest-path examples/macroquad/Cargo.toml
//! cargo run --release --manifest-path examples/macroquad/Cargo.toml -- --screenshot jump.png
//! ```
//!
//! The second command makes the same picture as
//! `pchr-view capture assets/sample.pchr -a jump -f 22 -s 240x280 --center 0,40 --zoom 0.5 --background '#a0b4c4' -o jump.png`.

use std::error::Error;

use macroquad::miniquad::{BlendFactor, BlendState, BlendValue, Equation, PipelineParams};
use macroquad::models::{Mesh, Vertex, draw_mesh};
use macroquad::prelude::*;
use pchr::character::Character;
use pchr::document::Document;
use pchr::finding::Findings;
use pchr::format;
use pchr::image::decode_all;
use pchr::playback::{FadeOptions, FrameAt, Player};
use pchr::pose::BindChoice;
use pchr::scene::{Frame, Geometry, Subject, ViewOptions};

const SIZE: [u16; 2] = [240, 280];
const ZOOM: f32 = 0.5;
const CENTER: [f32; 2] = [0.0, 40.0];
const PAPER: Color = Color::new(160.0 / 255.0, 180.0 / 255.0, 196.0 / 255.0, 1.0);
const CLIP: &str = "jump";
const FRAME: u16 = 22;

fn window() -> Conf {
    Conf {
        window_title: "A character in macroquad".into(),
        window_width: SIZE[0].into(),
        window_height: SIZE[1].into(),
        ..Conf::default()
    }
}

#[macroquad::main(window)]
async fn main() {
    if let Err(error) = run().await {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let document = format::read(include_bytes!("../../../assets/sample.pchr").as_slice())?;
    let clip = document.animation_named(CLIP).ok_or("no such clip")?;
    let mut actor = Actor::new(document)?;

    let mut args = std::env::args().skip(1);
    if args.next().as_deref() == Some("--screenshot") {
        let path = args.next().ok_or("--screenshot needs a file")?;
        let [width, height] = SIZE.map(u32::from);
        let target =
            render_target_ex(width, height, RenderTargetParams { sample_count: 4, depth: false });
        actor.draw(FrameAt::exact(clip, FRAME), Some(target.clone()));
        next_frame().await; // draws, and resolves the samples
        target.texture.get_texture_data().export_png(&path);
        return Ok(());
    }

    let timelines = (&actor.character as &dyn Subject).timelines();
    let mut player = Player::default();
    player.start(clip, FadeOptions::default());
    while !is_key_pressed(KeyCode::Escape) {
        player.advance(&timelines, get_frame_time().into());
        let (at, _) = player.moment(&timelines).ok_or("nothing plays")?;
        actor.draw(at, None);
        next_frame().await;
    }
    Ok(())
}

/// A character and everything that the engine needs to draw it.
struct Actor {
    character: Character,
    frame: Frame,
    /// Indices, texture coordinates and texture of each mesh, with the positions of the last pose.
    meshes: Vec<Mesh>,
    /// Positions of one mesh.
    places: Vec<[f32; 2]>,
    material: Material,
}

impl Actor {
    fn new(document: Document) -> Result<Self, Box<dyn Error>> {
        let mut findings = Findings::default();
        let textures: Vec<Texture2D> = decode_all(&document, &mut findings)
            .iter()
            .map(|image| {
                let [width, height] = [image.width, image.height].map(|side| side as u16);
                let texture = Texture2D::from_rgba8(width, height, &image.rgba);
                texture.set_filter(FilterMode::Linear);
                texture
            })
            .collect();
        // A placeholder is drawn for an image that does not decode.
        findings.iter().for_each(|finding| eprintln!("{finding}"));
        let character = Character::new(document, BindChoice::Auto);
        let geometry: &dyn Geometry = &character;
        let meshes = geometry.meshes().map(|mesh| Mesh {
            vertices: mesh
                .vertices()
                .map(|vertex| Vertex::new2(Vec3::ZERO, vertex.uv.into(), WHITE))
                .collect(),
            indices: mesh.indices().collect(),
            texture: textures.get(mesh.image().index()).cloned(),
        });
        Ok(Self {
            meshes: meshes.collect(),
            character,
            frame: Frame::default(),
            places: Vec::new(),
            material: premultiplied()?,
        })
    }

    fn draw(&mut self, at: FrameAt, target: Option<RenderTarget>) {
        self.frame.fill(&self.character, Some(at), &ViewOptions::default());
        let size = vec2(SIZE[0].into(), SIZE[1].into());
        set_camera(&Camera2D {
            target: CENTER.into(),
            zoom: 2.0 * ZOOM / size,
            render_target: target,
            ..Camera2D::default()
        });
        clear_background(PAPER);
        gl_use_material(&self.material);
        let geometry: &dyn Geometry = &self.character;
        for draw in self.frame.draws() {
            let (Some(mesh), Some(own)) =
                (geometry.mesh(draw.mesh), self.meshes.get_mut(draw.mesh.index()))
            else {
                continue;
            };
            self.places.clear();
            self.frame.pose().place(&mesh, &mut self.places);
            for (vertex, [x, y]) in own.vertices.iter_mut().zip(&self.places) {
                vertex.position = vec3(*x, *y, 0.0);
            }
            draw_mesh(own);
        }
        gl_use_default_material();
    }
}

/// Returns a material that blends premultiplied colours, as in decoded images; macroquad's own expects straight alpha.
fn premultiplied() -> Result<Material, macroquad::Error> {
    let over = BlendState::new(
        Equation::Add,
        BlendFactor::One,
        BlendFactor::OneMinusValue(BlendValue::SourceAlpha),
    );
    load_material(
        ShaderSource::Glsl { vertex: VERTEX, fragment: FRAGMENT },
        MaterialParams {
            pipeline_params: PipelineParams {
                color_blend: Some(over),
                alpha_blend: Some(over),
                ..PipelineParams::default()
            },
            ..MaterialParams::default()
        },
    )
}

const VERTEX: &str = "#version 100
attribute vec3 position;
attribute vec2 texcoord;
varying highp vec2 uv;
uniform mat4 Model;
uniform mat4 Projection;
void main() {
    gl_Position = Projection * Model * vec4(position, 1);
    uv = texcoord;
}";

const FRAGMENT: &str = "#version 100
precision highp float;
varying highp vec2 uv;
uniform sampler2D Texture;
void main() {
    gl_FragColor = texture2D(Texture, uv);
}";
