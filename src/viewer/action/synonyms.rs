//! Names of commands in other programs, by which the palette also finds them.

/// Ids of commands with their synonyms.
const SYNONYMS: &[(&str, &str)] = &[
    ("open", "load import file"),
    ("turn-left", "rotate orbit 3d"),
    ("turn-right", "rotate orbit 3d"),
    ("turn-up", "rotate orbit 3d"),
    ("turn-down", "rotate orbit 3d"),
    ("open-folder", "load import directory batch"),
    ("open-sample", "example demo"),
    ("reload", "refresh reopen revert"),
    ("choose-skeleton", "rig armature bones bind"),
    ("next-file", "forward"),
    ("previous-file", "back"),
    (
        "screenshot",
        "save export capture picture image png render snapshot",
    ),
    (
        "screenshot-plain",
        "save export capture picture image png render",
    ),
    (
        "show-in-folder",
        "reveal explorer finder file manager screenshot saved",
    ),
    ("copy-picture", "clipboard image export"),
    (
        "copy-command-line",
        "record script batch capture export cli terminal ci",
    ),
    ("play", "start stop pause resume"),
    ("play-backwards", "reverse rewind"),
    ("step-back", "previous frame"),
    ("step-forward", "next frame"),
    ("first-frame", "start beginning rewind"),
    ("last-frame", "end"),
    ("previous-mark", "key event marker note"),
    ("next-mark", "key event marker note"),
    ("slower", "speed rate slow motion"),
    ("faster", "speed rate"),
    ("normal-speed", "reset speed rate 100 %"),
    ("longer-fade", "crossfade transition blend mix"),
    ("shorter-fade", "crossfade transition blend mix cut"),
    (
        "next-fade-curve",
        "crossfade transition blend mix easing linear smooth",
    ),
    ("next-loop-mode", "repeat cycle ping-pong once"),
    ("file-loop-mode", "repeat reset"),
    ("section-start", "section range in point loop from"),
    ("section-end", "section range out point loop to"),
    ("whole-animation", "clear range section"),
    ("animations", "clips actions list"),
    ("time-line", "timeline scrub seek"),
    ("smooth", "interpolate blend tween"),
    ("fit", "frame zoom all center centre home reset view"),
    ("actual-size", "zoom 1:1 100 % pixels"),
    (
        "nearest",
        "pixel art filter interpolation texture texels blur sharp",
    ),
    ("y-down", "flip mirror upside down vertical"),
    (
        "next-background",
        "colour color checkerboard transparent alpha",
    ),
    (
        "background-colour",
        "color black white grey gray transparent hex",
    ),
    ("checkerboard", "checkers transparent alpha"),
    ("background-picture", "image colour color backdrop"),
    ("bones", "skeleton rig armature joints"),
    ("bone-names", "labels"),
    ("wireframe", "mesh triangles edges topology"),
    ("bounds", "bounding box aabb"),
    ("origin", "axes pivot zero"),
    ("grid", "ground floor"),
    ("trail", "motion path trajectory arc"),
    ("trail-vertex", "motion path trajectory arc point"),
    ("ghosts", "ghosts ghosting light table"),
    (
        "ghost-settings",
        "ghosts before after step colour color number frames",
    ),
    ("draw-order", "z order depth layers"),
    ("weights", "skinning influences paint"),
    ("atlas", "texture page uv image sheet"),
    ("statistics", "fps performance stats frame rate hud cost"),
    ("hide", "visibility show toggle eye"),
    ("solo", "solo alone only"),
    ("show-all", "unhide visibility reveal"),
    ("hide-all", "visibility none"),
    ("reset-meshes", "revert undo overrides visibility order"),
    ("choose-nothing", "deselect unselect clear selection"),
    ("meshes", "parts slots layers list outliner"),
    ("tree", "bones skeleton hierarchy list outliner"),
    ("larger-interface", "ui scale size zoom dpi"),
    ("smaller-interface", "ui scale size zoom dpi"),
    ("usual-interface", "ui scale size reset dpi"),
    ("undo", "revert back"),
    ("redo", "repeat again"),
    ("curves", "graph editor dope sheet keys"),
    ("palette", "commands search find"),
    ("keys", "shortcuts help hotkeys keyboard"),
    ("hints", "help tips tutorial"),
    ("panels", "hide interface ui sidebar"),
    ("full-screen", "maximise maximize presentation"),
    ("warnings", "errors problems validate findings"),
    ("next-theme", "dark light appearance"),
    ("theme-dark", "night appearance"),
    ("theme-light", "day appearance"),
    ("quit", "exit close"),
];

/// Returns the synonyms of a command, in lower case.
pub(crate) fn synonyms(id: &str) -> &'static str {
    let found = SYNONYMS.iter().find(|(of, _)| *of == id);
    found.map_or("", |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::action::COMMANDS;

    #[test]
    fn each_entry_is_of_a_command_and_in_lower_case() {
        for (id, words) in SYNONYMS {
            let count = COMMANDS.iter().filter(|command| command.id == *id).count();
            assert_eq!(count, 1, "{id}");
            assert_eq!(*words, words.to_lowercase());
        }
    }
}
