//! A glTF file whose keys are at times in seconds: between frames, and with steps.

/// Text of the file. The arm is at 0, 1, 2 and 3 along x after 0, 0.0123, 0.777 and 1 s in "reach". The hand turns half a turn about z
/// at 0.5 s in "flip", at once, and back at 1 s.
pub(crate) const TIMED: &str = r#"{
    "asset": {"version": "2.0"},
    "nodes": [
        {"name": "arm", "children": [1]},
        {"name": "hand", "translation": [1, 0, 0], "children": [2]},
        {"name": "tip", "translation": [1, 0, 0]}
    ],
    "buffers": [{"byteLength": 124, "uri": "data:application/octet-stream;base64,AAAAAPCFSTx56UY/AACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAEAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAA/AACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPw=="}],
    "bufferViews": [
        {"buffer": 0, "byteLength": 16},
        {"buffer": 0, "byteOffset": 16, "byteLength": 48},
        {"buffer": 0, "byteOffset": 64, "byteLength": 12},
        {"buffer": 0, "byteOffset": 76, "byteLength": 48}
    ],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 2, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 3, "componentType": 5126, "count": 3, "type": "VEC4"}
    ],
    "animations": [
        {
            "name": "reach",
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": 0, "output": 1}]
        },
        {
            "name": "flip",
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
            "samplers": [{"input": 2, "output": 3, "interpolation": "STEP"}]
        }
    ]
}"#;
