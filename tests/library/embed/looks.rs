//! Tests of tints, textures, order and visibility of single parts.

use pchr::document::{ImageId, MeshId};
use pchr::image::Pixels;
use pchr::render::{GpuImage, GpuModel, Instance, PartLook, TargetOptions};
use pchr::scene::{Frame, Geometry, MeshView, WrongSubject};
use pchr::wgpu;

use crate::embed::host::{
    FORMAT, Figure, GREEN, Host, RED, WHITE, frame, images, picture, pixel, sample,
};
use crate::fixture::Builder;

/// Three squares side by side: two with one image, and one with another.
fn three() -> Builder {
    let quad = |builder: Builder, name, image, x: f32| {
        builder.quad(name, image, 0, [x, -2.0], [x + 4.0, 2.0])
    };
    let builder = Builder::new().image(1, &[WHITE]).image(1, &[RED]).bones(1);
    quad(quad(quad(builder, "a", 0, -6.0), "b", 0, -2.0), "c", 1, 2.0).still("still", true, 1)
}

fn stage() -> (Host, Figure, Instance) {
    let host = Host::new();
    let mut figure = host.figure(&three().document());
    let instance = figure.instance(&host, frame(0, 0));
    (host, figure, instance)
}

fn shown(host: &Host, figure: &Figure, instance: &Instance) -> [[u8; 4]; 3] {
    let view = host.view_of(&picture([16, 16]));
    let got = host.show([16, 16], &TargetOptions::new(FORMAT), &view, &figure.model, instance);
    [3, 7, 11].map(|x| pixel(&got, x, 8))
}

fn tint(tint: [f32; 4]) -> PartLook {
    PartLook { tint, texture: None }
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_tint_multiplies_colour_and_opacity() {
    let (host, figure, mut instance) = stage();
    assert_eq!(shown(&host, &figure, &instance), [WHITE, WHITE, RED]);
    assert_eq!(instance.runs(&figure.model).count(), 2);
    instance.set_tint([1.0, 0.4, 0.2, 1.0]);
    assert_eq!(shown(&host, &figure, &instance), [WHITE, WHITE, RED], "not written yet");
    instance.refresh(&host.device, &host.queue);
    let both = [255, 102, 51, 255];
    assert_eq!(shown(&host, &figure, &instance), [both, both, RED]);
    instance.set_tint([1.0, 1.0, 1.0, 0.6]);
    instance.set_part(MeshId(1), tint([0.0, 1.0, 0.0, 0.5]));
    instance.set_part(MeshId(2), tint([0.5, 1.0, 1.0, 1.0]));
    instance.refresh(&host.device, &host.queue);
    let faded = [[153; 4], [0, 77, 0, 77], [77, 0, 0, 153]];
    let got = shown(&host, &figure, &instance);
    let off = got.as_flattened().iter().zip(faded.as_flattened());
    assert!(off.clone().all(|(a, b)| a.abs_diff(*b) <= 1), "{got:?}");
    assert_eq!(instance.runs(&figure.model).count(), 3);
    // Values below 0 and NaN count as 0.
    for none in [-1.0, f32::NAN] {
        instance.set_tint([none; 4]);
        instance.set_part(MeshId(1), tint([none; 4]));
        instance.refresh(&host.device, &host.queue);
        assert_eq!(shown(&host, &figure, &instance), [[0; 4]; 3], "{none}");
    }
    // Back to the start.
    instance.set_tint([1.0; 4]);
    (1..3).for_each(|mesh| instance.set_part(MeshId(mesh), PartLook::default()));
    instance.refresh(&host.device, &host.queue);
    assert_eq!(shown(&host, &figure, &instance), [WHITE, WHITE, RED]);
    assert_eq!(instance.runs(&figure.model).count(), 2);
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_part_has_another_texture_in_one_instance_alone() {
    let (host, mut figure, mut instance) = stage();
    let other = figure.instance(&host, frame(0, 0));
    let green = Pixels { width: 1, height: 1, rgba: GREEN.to_vec() };
    let uploaded = GpuImage::new(&host.device, &host.queue, &host.layouts, &green, false);
    // A texture of the host program, and one of the library.
    let texture = host.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let size = wgpu::Extent3d { depth_or_array_layers: 1, ..texture.size() };
    host.queue.write_texture(texture.as_image_copy(), &GREEN, Default::default(), size);
    let own = GpuImage::of_texture(&host.device, &host.layouts, &texture).unwrap();
    for texture in [uploaded, own] {
        let look = PartLook { texture: Some(texture), ..PartLook::default() };
        for mesh in [1, 2] {
            instance.set_part(MeshId(mesh), look.clone());
        }
        instance.refresh(&host.device, &host.queue);
        assert_eq!(shown(&host, &figure, &instance), [WHITE, GREEN, GREEN]);
        assert_eq!(instance.runs(&figure.model).count(), 2, "one texture is one run");
        assert_eq!(shown(&host, &figure, &other), [WHITE, WHITE, RED]);
    }
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn order_and_visibility_are_the_draw_lists_and_keep_the_looks() {
    let (host, mut figure, mut instance) = stage();
    instance.set_part(MeshId(2), tint([0.2, 1.0, 1.0, 1.0]));
    let dim = [51, 0, 0, 255];
    for (hidden, wanted) in
        [(0, [[0; 4], WHITE, dim]), (1, [WHITE, [0; 4], dim]), (2, [WHITE, WHITE, [0; 4]])]
    {
        figure.options.meshes = vec![MeshView::default(); 3];
        figure.options.meshes[hidden].visible = Some(false);
        figure.pose(&host, &mut instance, frame(0, 0));
        assert_eq!(shown(&host, &figure, &instance), wanted);
    }
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_frame_or_model_of_another_subject_is_an_error_and_draws_nothing() {
    let (host, mut figure, mut instance) = stage();
    let copy = host.figure(&three().document());
    assert!(instance.is_of(&figure.model) && !instance.is_of(&copy.model));
    assert_eq!(shown(&host, &copy, &instance), [[0; 4]; 3]);
    let fox = host.figure(&sample());
    let (device, queue) = (&host.device, &host.queue);
    let mut other = Figure { frame: Frame::new(&fox.character, frame(2, 7), &fox.options), ..fox };
    let (of_frame, of_model) = (other.character.document().meshes().len(), 3);
    let (list, pose) = (other.frame.list(), other.frame.pose());
    let refused = instance.prepare(device, queue, &mut figure.model, list, pose);
    assert_eq!(refused, Err(WrongSubject::Meshes { of_frame, of_model }));
    assert_eq!(shown(&host, &figure, &instance), [[0; 4]; 3]);
    let refused = instance.prepare(device, queue, &mut figure.model, figure.frame.list(), pose);
    let bones = other.character.document().bones().len();
    let wanted = format!("the pose has {bones} bones, but the model has 1");
    assert_eq!(refused.unwrap_err().to_string(), wanted);
    let own = (figure.frame.list(), figure.frame.pose());
    let refused = instance.prepare(device, queue, &mut other.model, own.0, own.1);
    assert_eq!(refused, Err(WrongSubject::Model));
    assert_eq!(shown(&host, &figure, &instance), [[0; 4]; 3]);
    // Its own frame is drawn again, in the looks that it had.
    instance.set_part(MeshId(1), tint([0.0, 1.0, 0.0, 1.0]));
    instance.refresh(device, queue);
    figure.pose(&host, &mut instance, frame(0, 0));
    assert_eq!(shown(&host, &figure, &instance), [WHITE, GREEN, RED]);
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn images_may_come_after_the_model() {
    let (host, mut figure, _) = stage();
    let images = images(figure.character.document());
    let (device, queue) = (&host.device, &host.queue);
    figure.model = GpuModel::with_images(device, &figure.character, Vec::new());
    let instance = figure.instance(&host, frame(0, 0));
    assert_eq!(shown(&host, &figure, &instance), [[0; 4]; 3]);
    for (id, pixels) in (0..).map(ImageId).zip(&images) {
        figure.model.set_image(id, GpuImage::new(device, queue, &host.layouts, pixels, false));
    }
    assert_eq!(shown(&host, &figure, &instance), [WHITE, WHITE, RED]);
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn images_that_are_missing_or_broken_are_warned_of() {
    let (host, figure, _) = stage();
    let image = |width, height, bytes| Pixels { width, height, rgba: vec![255; bytes] };
    let warnings = |images: &[Pixels]| {
        let (device, queue) = (&host.device, &host.queue);
        let character: &dyn Geometry = &figure.character;
        GpuModel::new(device, queue, &host.layouts, character, images, false).warnings().join("; ")
    };
    let missing = "images: 0 given, expected 2; meshes of missing images are not drawn";
    assert_eq!(warnings(&[]), missing);
    assert_eq!(warnings(&[image(4, 4, 64), Pixels::transparent()]), "");
    let most = u32::MAX;
    for (broken, wanted) in [
        (image(4, 4, 63), "4 x 4 pixels in 63 bytes, expected 64"),
        (image(0, 0, 0), "0 x 0 pixels, expected at least 1 x 1"),
        (
            image(most, most, 4),
            "4294967295 x 4294967295 pixels in 4 bytes, expected 73786976260478468100",
        ),
    ] {
        let wanted = format!("images[0]: {wanted}; its meshes are not drawn");
        assert_eq!(warnings(&[broken, Pixels::transparent()]), wanted);
    }
}
