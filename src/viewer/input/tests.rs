use egui::Pos2;

use super::*;

fn event(key: Key, modifiers: Modifiers, pressed: bool) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
}

/// A key at the place of another one.
fn placed(place: Key, key: Key, modifiers: Modifiers, pressed: bool) -> Event {
    Event::Key { key, physical_key: Some(place), pressed, repeat: false, modifiers }
}

fn input(events: impl Into<Vec<Event>>) -> egui::RawInput {
    egui::RawInput { events: events.into(), ..Default::default() }
}

/// Returns the input for a key that is pressed, and released unless `held`.
fn press(key: Key, modifiers: Modifiers, held: bool) -> egui::RawInput {
    let up = (!held).then(|| event(key, modifiers, false));
    input(std::iter::once(event(key, modifiers, true)).chain(up).collect::<Vec<_>>())
}

/// The actions of an input beside a field with this text, which has the keyboard while it says so.
fn names(context: &egui::Context, input: egui::RawInput, text: &str) -> Vec<&'static str> {
    let (mut actions, mut text) = (Vec::new(), text.to_owned());
    let output = context.run_ui(input, |ui| {
        actions.extend(of_keys(ui.ctx(), None, ContentKind::default(), None));
        let field = ui.text_edit_singleline(&mut text);
        if text == "typing" {
            field.request_focus();
        }
    });
    output.drop_without_applying_deltas();
    actions.iter().map(Action::name).collect()
}

fn context() -> egui::Context {
    let context = egui::Context::default();
    super::super::theme::install(&context);
    install(&context);
    context
}

#[test]
fn a_key_does_its_action_and_holding_it_only_where_that_is_meant() {
    let context = context();
    let command = Modifiers::CTRL | Modifiers::COMMAND;
    for (key, modifiers, held, wanted) in [
        (Key::Space, Modifiers::NONE, true, &["Play or pause"][..]),
        (Key::Space, Modifiers::NONE, true, &[]),
        (Key::Period, Modifiers::NONE, true, &["Step forward"]),
        (Key::Period, Modifiers::NONE, true, &["Step forward"]),
        (Key::V, Modifiers::SHIFT, false, &[]),
        (Key::Q, Modifiers::NONE, false, &[]),
        (Key::Q, command, false, &["Quit"]),
        // A key that is bound with Shift is not taken for the one without.
        (Key::OpenBracket, Modifiers::NONE, false, &["Slower"]),
        (Key::OpenBracket, Modifiers::SHIFT, false, &["Start the loop range here"]),
        (Key::B, Modifiers::SHIFT, false, &["Bone names"]),
    ] {
        assert_eq!(names(&context, press(key, modifiers, held), ""), wanted);
    }
}

#[test]
fn no_single_key_acts_while_text_is_typed() {
    let context = context();
    let _ = names(&context, egui::RawInput::default(), "typing");
    for (key, modifiers, wanted) in [
        (Key::F, Modifiers::NONE, &[][..]),
        (Key::Space, Modifiers::NONE, &[]),
        (Key::Q, Modifiers::CTRL | Modifiers::COMMAND, &["Quit"]),
    ] {
        assert_eq!(names(&context, press(key, modifiers, false), "typing"), wanted);
    }
}

#[test]
fn signs_do_the_same_whether_or_not_they_lie_behind_shift() {
    let context = context();
    let press = |key, modifiers| names(&context, press(key, modifiers, false), "");
    for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
        assert_eq!(press(Key::OpenCurlyBracket, modifiers), ["Start the loop range here"]);
        assert_eq!(press(Key::Questionmark, modifiers), ["All keys"]);
        assert_eq!(press(Key::Plus, modifiers), ["Zoom in"]);
        assert_eq!(press(Key::Period, modifiers), ["Step forward"]);
    }
}

/// Shift and the key left of it, let go in either order.
fn shifted(plain: Key, sign: Key, shift_first: bool) -> [Event; 2] {
    let end = if shift_first { (plain, Modifiers::NONE) } else { (sign, Modifiers::SHIFT) };
    [placed(plain, sign, Modifiers::SHIFT, true), placed(plain, end.0, end.1, false)]
}

#[test]
fn a_sign_behind_shift_counts_each_time_whichever_of_both_is_let_go_first() {
    let context = context();
    for (plain, sign, name) in [
        (Key::Slash, Key::Questionmark, "All keys"),
        (Key::OpenBracket, Key::OpenCurlyBracket, "Start the loop range here"),
        (Key::CloseBracket, Key::CloseCurlyBracket, "End the loop range here"),
        // As on German keyboards, where egui does not report the key's character without Shift.
        (Key::Minus, Key::Questionmark, "All keys"),
    ] {
        for round in 0..10 {
            for shift_first in [true, false] {
                let [down, up] = shifted(plain, sign, shift_first);
                let mut done = Vec::new();
                for event in [down.clone(), down, up] {
                    done.extend(names(&context, input([event]), ""));
                }
                assert_eq!(done, [name], "{round}, {shift_first}");
            }
        }
    }
}

#[test]
fn what_opens_a_sheet_gives_it_the_keyboard_at_once() {
    let context = context();
    let key = |key, modifiers| event(key, modifiers, true);
    let typed = |text: &str| Event::Text(text.into());
    let openers = [
        vec![key(Key::K, Modifiers::CTRL | Modifiers::COMMAND)],
        vec![key(Key::Questionmark, Modifiers::SHIFT), typed("?")],
    ];
    for (mut events, name) in openers.into_iter().zip(["All actions", "All keys"]) {
        // A letter before it is a shortcut as usual, letters after it are not.
        events.insert(0, key(Key::F, Modifiers::NONE));
        events.extend([key(Key::B, Modifiers::NONE), typed("b")]);
        assert_eq!(names(&context, input(events), ""), ["Fit the animation"]);
        assert_eq!(names(&context, egui::RawInput::default(), ""), [name]);
        let mut left = Vec::new();
        let output = context.run_ui(egui::RawInput::default(), |ui| {
            let sheet = Some(Over::Sheet(Switch::Palette));
            assert_eq!(of_keys(ui.ctx(), sheet, ContentKind::default(), None), []);
            left.extend(ui.input(|input| input.events.clone()));
        });
        output.drop_without_applying_deltas();
        assert_eq!(left.len(), 2, "{left:?}");
        assert_eq!(left[1], typed("b"));
        for up in [Key::F, Key::K, Key::B, Key::Questionmark] {
            let _ = names(&context, input([event(up, Modifiers::NONE, false)]), "");
        }
    }
}

#[test]
fn nothing_behind_a_sheet_takes_the_keyboard() {
    let context = context();
    let sheet = Some(Over::Sheet(Switch::Palette));
    for bare in [Key::G, Key::Num1, Key::Num4] {
        let input = press(bare, Modifiers::CTRL | Modifiers::COMMAND, false);
        let output = context.run_ui(input, |ui| {
            assert_eq!(of_keys(ui.ctx(), sheet, ContentKind::default(), None), [], "{bare:?}");
        });
        output.drop_without_applying_deltas();
    }
}

/// Returns the numbers of events in each frame.
fn frames(events: Vec<Event>, typing: bool) -> Vec<usize> {
    let (mut order, mut events) = (KeyOrder::default(), events);
    let mut frames = Vec::new();
    loop {
        order.split(&mut events, false, typing);
        frames.push(std::mem::take(&mut events).len());
        if order.waiting.is_empty() {
            return frames;
        }
    }
}

#[test]
fn a_frame_has_one_key_and_a_text_flows() {
    let down = |pressed| placed(pressed, pressed, Modifiers::NONE, true);
    let text = || Event::Text("a".into());
    let [click, release] = [true, false].map(|pressed| Event::PointerButton {
        pos: Pos2::ZERO,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
    let moved = Event::PointerMoved(Pos2::ZERO);
    let keys = [Key::A, Key::B, Key::Escape, Key::ControlLeft];
    let [a, b, escape, control] = keys.map(down);
    for (events, plain, typing) in [
        (vec![a.clone(), b.clone()], vec![1, 1], vec![2]),
        (vec![a.clone(), a.clone()], vec![2], vec![2]),
        (vec![a.clone(), text(), b.clone(), text()], vec![2, 2], vec![4]),
        (vec![a.clone(), escape.clone(), b.clone()], vec![1, 1, 1], vec![1, 1, 1]),
        (vec![escape, text()], vec![1, 1], vec![1, 1]),
        (vec![a.clone(), click.clone()], vec![1, 1], vec![1, 1]),
        (vec![click.clone(), moved.clone(), a.clone()], vec![2, 1], vec![2, 1]),
        // A click takes two frames, and keys wait for the frame after that.
        (vec![click.clone(), release.clone(), moved.clone()], vec![1, 2], vec![1, 2]),
        (
            vec![click.clone(), release.clone(), click, release.clone()],
            vec![1, 2, 1],
            vec![1, 2, 1],
        ),
        (vec![release, a.clone(), text()], vec![1, 0, 2], vec![1, 0, 2]),
        (vec![moved, a.clone()], vec![1, 1], vec![1, 1]),
        // Modifiers take no frame of their own.
        (vec![control.clone(), a.clone(), control.clone(), a], vec![4], vec![4]),
    ] {
        assert_eq!(frames(events.clone(), false), plain, "{events:?}");
        assert_eq!(frames(events.clone(), true), typing, "{events:?}");
    }
}

#[test]
fn a_key_means_what_it_meant_when_it_went_down_until_it_is_let_go() {
    let settled = |keys: &mut KeyOrder, place, sign_now, pressed| {
        let mut event = placed(place, sign_now, Modifiers::NONE, pressed);
        keys.settle(&mut event);
        let Event::Key { key, .. } = event else { panic!("{event:?}") };
        key
    };
    let mut keys = KeyOrder::default();
    let (slash, question) = (Key::Slash, Key::Questionmark);
    assert_eq!(settled(&mut keys, slash, question, true), question);
    assert_eq!(settled(&mut keys, slash, slash, true), question, "it is held");
    assert_eq!(settled(&mut keys, Key::B, Key::B, true), Key::B);
    assert_eq!(settled(&mut keys, slash, slash, false), question);
    assert_eq!(settled(&mut keys, slash, slash, true), slash);
    keys.settle(&mut Event::WindowFocused(false));
    assert_eq!(settled(&mut keys, slash, question, true), question, "nothing is held elsewhere");
}
