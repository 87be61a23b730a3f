use arbitrary::{Result, Unstructured};
use pchr::document::AnimationId;
use pchr::playback::{FrameSpec, Timeline};
use pchr_tools::capture::{Template, TemplateFields};

/// Parses choices of frames, times and output names: frames must exist, and paths must stay in their folder.
pub fn plans(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let _ = timeline(&mut u).and_then(|()| frames(&mut u)).and_then(|()| template(&mut u));
}

fn frames(u: &mut Unstructured<'_>) -> Result<()> {
    let count: u16 = u.arbitrary()?;
    let text = match u.int_in_range(0..=7)? {
        0 => text(u, 24)?,
        1 => u.arbitrary::<u16>()?.to_string(),
        2 => "all".to_owned(),
        kind => {
            let equals = if kind % 2 == 0 { "=" } else { "" };
            let step = if kind > 4 { format!(":{}", u.arbitrary::<u16>()?) } else { String::new() };
            format!("{}..{equals}{}{step}", u.arbitrary::<u16>()?, u.arbitrary::<u16>()?)
        }
    };
    let Ok(spec) = text.parse::<FrameSpec>() else { return Ok(()) };
    let again = spec.to_string().parse::<FrameSpec>();
    assert_eq!(again.as_ref(), Ok(&spec), "what is written is read: {text}");
    let all = spec == FrameSpec::All;
    if let Ok(frames) = spec.frames(count) {
        let frames = Vec::from_iter(frames);
        let there = frames.iter().all(|frame| *frame < count);
        let ascending = frames.windows(2).all(|two| two[0] < two[1]);
        assert!(there && ascending && (all || !frames.is_empty()), "{text} of {count}");
    }
    Ok(())
}

fn timeline(u: &mut Unstructured<'_>) -> Result<()> {
    let fps: u16 = u.arbitrary()?;
    let timeline = Timeline {
        frame_count: u.arbitrary()?,
        fps: f64::from(fps.max(1)),
        looping: u.arbitrary()?,
        smooth: u.arbitrary()?,
    };
    let seconds = match u.arbitrary()? {
        true => f64::from(u.arbitrary::<f32>()?),
        false => f64::from_bits(u.arbitrary()?),
    };
    let at = timeline.at(AnimationId(0), seconds);
    let count = timeline.frame_count.max(1);
    assert!(at.frame < count && at.next < count, "{timeline:?} at {seconds}: {at:?}");
    assert!((0.0..=1.0).contains(&at.blend), "{timeline:?} at {seconds}: {at:?}");
    assert!(timeline.duration() > 0.0);
    Ok(())
}

fn template(u: &mut Unstructured<'_>) -> Result<()> {
    let (animation, file) = (text(u, 40)?, text(u, 40)?);
    let template = match u.int_in_range(0..=2)? {
        0 => text(u, 60)?,
        1 => "{animation}".to_owned(),
        _ => "{file}".to_owned(),
    };
    let Ok(parsed) = template.parse::<Template>() else { return Ok(()) };
    assert_eq!(parsed.as_str(), template);
    let fields = TemplateFields { frame: u.arbitrary()?, animation: &animation, file: &file };
    let path = parsed.fill(&fields);
    if template == "{animation}" || template == "{file}" {
        assert!(!path.contains(['/', '\\', ':', '\0', '\n']), "{path:?} stays in its folder");
        assert!(!path.is_empty() && path != "." && path != "..", "{path:?} is a name");
    }
    Ok(())
}

fn text(u: &mut Unstructured<'_>, most: usize) -> Result<String> {
    Ok(u.arbitrary::<&str>()?.chars().take(most).collect())
}
