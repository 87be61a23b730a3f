//! Families of fonts that are asked first, by script: the same order in every language of the system.

use unicode_script::Script;

const BASE: &[&str] = &[
    "DejaVu Sans",
    "Noto Sans",
    "Segoe UI",
    "Helvetica Neue",
    "Helvetica",
    "Arial",
    "Liberation Sans",
];
const SYMBOLS: &[&str] = &[
    "Noto Sans Symbols",
    "Noto Sans Symbols 2",
    "Noto Sans Symbols2",
    "Noto Sans Math",
    "Noto Emoji",
    "Segoe UI Symbol",
    "Segoe UI Emoji",
    "Apple Symbols",
    "Symbola",
];
const JAPANESE: &[&str] = &[
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans",
    "Source Han Sans JP",
    "Hiragino Sans",
    "Hiragino Kaku Gothic ProN",
    "Yu Gothic UI",
    "Yu Gothic",
    "Meiryo UI",
    "Meiryo",
    "MS Gothic",
    "VL Gothic",
    "IPAGothic",
    "TakaoGothic",
];
const SIMPLIFIED: &[&str] = &[
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "SimSun",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
];
const TRADITIONAL: &[&str] = &[
    "Noto Sans CJK TC",
    "Noto Sans TC",
    "Source Han Sans TC",
    "PingFang TC",
    "Heiti TC",
    "Microsoft JhengHei UI",
    "Microsoft JhengHei",
    "PMingLiU",
    "MingLiU",
];
const KOREAN: &[&str] = &[
    "Noto Sans CJK KR",
    "Noto Sans KR",
    "Source Han Sans K",
    "Apple SD Gothic Neo",
    "Malgun Gothic",
    "NanumGothic",
    "Nanum Gothic",
    "UnDotum",
];
const ARABIC: &[&str] = &[
    "Noto Sans Arabic UI",
    "Noto Sans Arabic",
    "Noto Naskh Arabic UI",
    "Noto Naskh Arabic",
    "Segoe UI",
    "Geeza Pro",
];
const HEBREW: &[&str] = &["Noto Sans Hebrew", "Segoe UI", "Arial Hebrew"];
const INDIC: &[&str] = &["Nirmala UI"];
const DEVANAGARI: &[&str] = &["Kohinoor Devanagari", "Devanagari Sangam MN"];
const THAI: &[&str] = &["Leelawadee UI", "Thonburi", "Loma", "Garuda"];

/// Names of families, those that are asked first in front.
pub(super) fn families(script: Option<Script>) -> Vec<String> {
    let Some(script) = script else {
        return named(&[BASE, SYMBOLS, JAPANESE, SIMPLIFIED, TRADITIONAL, KOREAN]);
    };
    let mut families = named(match script {
        Script::Latin | Script::Greek | Script::Cyrillic => &[BASE],
        Script::Han | Script::Hiragana | Script::Katakana => {
            &[JAPANESE, SIMPLIFIED, TRADITIONAL, KOREAN]
        }
        Script::Bopomofo => &[TRADITIONAL, SIMPLIFIED, JAPANESE, KOREAN],
        Script::Hangul => &[KOREAN, JAPANESE, SIMPLIFIED, TRADITIONAL],
        Script::Arabic => &[ARABIC],
        Script::Hebrew => &[HEBREW],
        _ => &[],
    });
    let name = script.full_name().replace('_', " ");
    families.push(format!("Noto Sans {name} UI"));
    families.push(format!("Noto Sans {name}"));
    families.extend(named(match script {
        Script::Devanagari => &[DEVANAGARI, INDIC],
        Script::Bengali
        | Script::Gurmukhi
        | Script::Gujarati
        | Script::Oriya
        | Script::Tamil
        | Script::Telugu
        | Script::Kannada
        | Script::Malayalam
        | Script::Sinhala => &[INDIC],
        Script::Thai => &[THAI],
        _ => &[],
    }));
    families.push(format!("Lohit {name}"));
    families.push(format!("Noto Serif {name}"));
    families.extend(named(&[BASE]));
    families
}

/// Returns true if a family is made to stand in for characters that it does not draw.
pub(super) fn is_stand_in(family: &str) -> bool {
    family.starts_with('.')
        || [
            "LastResort",
            "Last Resort",
            "Adobe Blank",
            "Adobe NotDef",
            "Tofu",
        ]
        .iter()
        .any(|name| family.starts_with(name))
}

fn named(lists: &[&[&str]]) -> Vec<String> {
    lists.concat().into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_is_asked_of_japan_first() {
        let families = families(Some(Script::Han));
        let place = |name: &str| families.iter().position(|family| family == name).unwrap();
        let order =
            ["JP", "SC", "TC", "KR"].map(|region| place(&format!("Noto Sans CJK {region}")));
        assert!(order.is_sorted(), "{order:?}");
    }

    #[test]
    fn a_family_may_be_named_after_its_script() {
        assert!(
            families(Some(Script::Meetei_Mayek)).contains(&"Noto Sans Meetei Mayek".to_owned())
        );
    }
}
