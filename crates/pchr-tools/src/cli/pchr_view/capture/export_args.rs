//! Options of animations and other exports.

use clap::Args;

use crate::export::Trimming;
use crate::run::Failure;
use crate::view::reel::ReelOptions;
use crate::view::{Output, Playing, Shown, Size, rate};

/// Options of exports.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Exports")]
pub(super) struct ExportArgs {
    /// Pictures per second of an animation, 0.1 to 1000 [default: the frames of the clip]
    #[arg(long, value_name = "FPS", value_parser = rate)]
    pub(super) fps: Option<f64>,
    /// Number of times that an animation plays; 0 is for ever. A video holds it as often [default: 0; a video: 1]
    #[arg(long, value_name = "N")]
    pub(super) loops: Option<u16>,
    /// Show the end of an animation as one more picture: of a loop its first one again
    #[arg(long)]
    pub(super) include_last: bool,
    /// Cut off what is transparent around all pictures (of an animation), or around each
    #[arg(long, value_name = "all|each", num_args = 0..=1, require_equals = true, default_missing_value = "all", hide_possible_values = true)]
    pub(super) trim: Option<Trimming>,
    /// Transparent pixels around each picture
    #[arg(long, value_name = "PIXELS", default_value_t, value_parser = clap::value_parser!(u32).range(..=4096), hide_default_value = true)]
    pub(super) pad: u32,
    /// Draw larger or smaller: 200% has twice the size and zoom
    #[arg(long, value_name = "PERCENT", value_parser = scale)]
    pub(super) scale: Option<f64>,
}

impl ExportArgs {
    /// Checks that its options mean something for an output.
    ///
    /// # Errors
    /// [`Failure::Usage`] for the first that does not.
    pub(super) fn check(&self, outputs: &[Output]) -> Result<(), Failure> {
        let moves = |output: &Output| matches!(output, Output::Animation(..));
        let stays = |output: &Output| matches!(output, Output::Files(_));
        let of_animations = [
            ("--fps", self.fps.is_some()),
            ("--loops", self.loops.is_some()),
            ("--include-last", self.include_last),
        ];
        let of_pictures = [("--trim", self.trim.is_some()), ("--pad", self.pad > 0)];
        let mut given = of_animations.into_iter().filter(|(_, given)| *given);
        if let Some((option, _)) = given.next()
            && !outputs.iter().any(moves)
        {
            return Err(Failure::Usage(format!(
                "{option} is for animations; write to a name that ends in .gif, .webp, .apng, .mp4, .webm or .mov"
            )));
        }
        let mut given = of_pictures.into_iter().filter(|(_, given)| *given);
        match given.next() {
            Some((option, _)) if !outputs.iter().any(|output| moves(output) || stays(output)) => {
                let why = "is for .png files and animations; an atlas is trimmed anyway";
                Err(Failure::Usage(format!("{option} {why}")))
            }
            _ if self.trim == Some(Trimming::Each) && outputs.iter().any(moves) => {
                let why = "--trim=each: frames of an animation have one size; use --trim";
                Err(Failure::Usage(why.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Makes pictures larger or smaller, as asked.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a size that pictures cannot have.
    pub(super) fn rescale(&self, shown: &mut Shown) -> Result<(), Failure> {
        let Some(scale) = self.scale else {
            return Ok(());
        };
        let scaled = |side: u32| (f64::from(side) * scale).round().max(1.0);
        let [width, height] = shown.size().map(scaled);
        let size: Result<Size, String> = format!("{width}x{height}").parse();
        let size = size.map_err(|error| Failure::Usage(format!("--scale: {error}")))?;
        shown.resolution = Some(size);
        shown.zoom = shown.zoom.map(|zoom| zoom * scale);
        Ok(())
    }

    /// How animations become files, as these options and those of a session say.
    pub(super) fn reel(&self, playing: &Playing) -> ReelOptions {
        ReelOptions {
            fps: self.fps,
            includes_last: self.include_last,
            plays: self.loops.unwrap_or(0),
            rate: playing.rate,
            speed: playing.speed,
            section: playing.section,
            is_ping_pong: playing.ping_pong == Some(true),
        }
    }
}

/// Reads a percentage or a factor: 1 % to 3200 %.
fn scale(text: &str) -> Result<f64, String> {
    let factor = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|percent| percent / 100.0),
        None => text.parse::<f64>().ok(),
    };
    let factor = factor.filter(|factor| (0.01..=32.0).contains(factor));
    factor.ok_or_else(|| format!("invalid scale {text:?}: expected 1% to 3200%, like 50%"))
}
