//! Rules about budgets that a project sets: sizes of files, and costs of drawing them.

use crate::finding::rules;

rules! {
    /// A budget that a subject exceeds, in a file of any format.
    BudgetRule "BUDGET"

    /// The meshes have at most so many vertices together.
    Vertices = Error "001" "budget-vertices" {
        example: "meshes[3]: 5112 vertices, budget 4000: 1112 too many; \"body\" has 900",
        advice: "Simplify the largest meshes, or split the character.",
    }
    /// There are at most so many bones.
    Bones = Error "002" "budget-bones" {
        example: "bones: 96 bones, budget 80: 16 too many",
        advice: "Remove bones that move nothing, or merge chains.",
    }
    /// No frame needs more draws: one for each run of meshes with the same image.
    Draws = Error "003" "budget-draws" {
        example: "animations[2].frames[7]: 15 draws, budget 12: 3 too many, in \"walk\" on frame 7",
        advice: "Put the images into one atlas, or keep meshes of one image together in the draw order.",
    }
    /// No image is wider or higher.
    Atlas = Error "004" "budget-atlas" {
        example: "images[0]: 4096x2048, budget 2048x2048",
        advice: "Export a smaller atlas, or several.",
    }
    /// Images, vertices and indices take at most so many bytes on a graphics device.
    Memory = Error "005" "budget-memory" {
        example: "images: 17.25 MB, budget 16.00 MB: 1.25 MB too many",
        advice: "Export a smaller atlas: it takes 4 bytes a pixel, transparent or not.",
    }
    /// In no frame does a covered pixel have more layers on average.
    Overdraw = Error "006" "budget-overdraw" {
        example: "animations[2].frames[7]: overdraw 3.41, budget 3, in \"walk\" on frame 7",
        advice: "Cut meshes closer to their opaque pixels, and hide what others cover.",
    }
    /// Overdraw is measured at every moment of the animations, unless there are thousands, or the file is very large.
    Sampled = Note "007" "budget-sampled" {
        example: "animations: overdraw was measured at 1 moment of every 6, 1000 in all",
        advice: "Split the file to have each of its moments measured.",
    }
}
