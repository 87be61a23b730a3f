//! The event loop of the program. It passes events to the state, time to the playback, and frames to the screen.
//!
//! It sleeps until something happens. While an animation plays it wakes for the next frame. Paused and untouched it
//! does not wake at all.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{
    ActiveEventLoop, ControlFlow, EventLoop, EventLoopBuilder, EventLoopProxy,
};
use winit::window::{Fullscreen, Window, WindowId, WindowLevel};

use pchr::render::load_drivers;

#[cfg(target_os = "linux")]
use super::drag_and_drop::Drops;
use super::errands::Errands;
use super::events::{Posted, ViewerError};
use super::graphics::Graphics;
use super::load::Loader;
use super::places::Places;
use super::save_and_copy::Export;
use super::surface::{FrameCosts, PREVIEW, Screen, WINDOW};
use super::{events, files, places};
use crate::viewer::action::{Action, Bindings, FileAction, InterfaceAction, PlaybackAction};
use crate::viewer::command_line::ViewerOptions;
use crate::viewer::focus;
use crate::viewer::input;
use crate::viewer::input::Over;
use crate::viewer::panels::{self, Surroundings};
use crate::viewer::problem::Problem;
use crate::viewer::settings::WindowMemory;
use crate::viewer::state::{Request, State};
use crate::viewer::switch::Switch;

/// Display rate in hertz, if the window system reports none.
const DISPLAY_RATE: f64 = 60.0;
/// Time until a frame that could not be shown is tried again.
const RETRY: Duration = Duration::from_millis(20);
/// Number of device losses in quick succession before the program gives up.
const LOSSES: u32 = 3;
/// Time after which a loss no longer counts.
const FORGIVEN: Duration = Duration::from_secs(60);

/// Opens the window and stays until it is closed.
///
/// # Errors
/// [`ViewerError`] if it cannot be opened, or cannot be drawn to any longer.
pub fn run(mut options: ViewerOptions) -> Result<(), ViewerError> {
    check_scale_factor(std::env::var_os(SCALE_FACTOR).as_deref())?;
    let gpu = options.gpu.clone();
    drop(events::start(move || load_drivers(&gpu))); // without a thread, they are loaded later
    let event_loop =
        event_loop().build().map_err(|error| ViewerError::NoDisplay(reason(&error)))?;
    let proxy = event_loop.create_proxy();
    let places = Places::find();
    let mut settings = places::read(places.as_ref());
    let config = places.as_ref().map(|places| places.config.display().to_string());
    let keys = Arc::new(settings.bindings(&config.unwrap_or_default()));
    let named = options.files.clone();
    let last = places.as_ref().map(|places| places.session.clone());
    let last = last.filter(|_| settings.config.restore);
    let restored = last.as_deref().filter(|_| named.is_empty());
    let restored = restored.and_then(places::last);
    if let Some(session) = &restored {
        options.files = vec![session.file.clone()];
        options.allow_outside |= session.allow_outside;
        options.shown = session.shown.clone();
        options.playing = session.playing.clone();
    }
    let mut is_of_folder = false;
    options.files = match files::list(options.openers, &options.files) {
        Ok(listing) => {
            is_of_folder = listing.is_of_folder && listing.files.len() > 1;
            listing.files
        }
        Err(problem) => {
            settings.trouble = Some(problem);
            Vec::new() // the sample is shown
        }
    };
    let mut state = State::with_settings(&options, &settings);
    match restored {
        Some(_) => state.start_exactly(),
        None => state.list_is_of(named),
    }
    if is_of_folder {
        state.apply(Action::Toggle(Switch::Gallery));
    }
    let place = places.map(|places| places.memory);
    let screenshots = settings.config.screenshots.clone();
    let loader = Loader::new(options.openers, options.allow_outside);
    let export = Export::new(proxy.clone(), screenshots, &options);
    let mut app = App {
        state,
        options,
        errands: Errands::new(proxy.clone(), loader, settings.memory, place),
        export,
        keys,
        proxy,
        window: None,
        normal: WindowMemory::default(),
        ticked: Instant::now(),
        due: None,
        visible: true,
        losses: 0,
        lost: None,
        costs: FrameCosts::default(),
        dropped: Vec::new(),
        #[cfg(target_os = "linux")]
        drops: None,
        title: String::new(),
        system_theme: None,
        failure: None,
    };
    let themes = app.proxy.clone();
    let following = super::events::follow(move |wishes| {
        drop(themes.send_event(Posted::Wishes(wishes)));
    });
    app.requests(None); // the file is read while the window and the device are made
    let ended = event_loop.run_app(&mut app);
    drop(following);
    app.export.close();
    if let (Some(last), Some((_, graphics))) = (&last, &app.window)
        && let Err(error) = app.export.keep(last, graphics, &app.state)
    {
        let text = "the view was not kept for the next start";
        let _ = writeln!(io::stderr(), "warning: {text}: {error}"); // without a terminal, nobody is told
    }
    match (app.failure, ended) {
        (Some(failure), _) => Err(failure),
        (None, Err(error)) => Err(ViewerError::Window(reason(&error))),
        (None, Ok(())) => Ok(()),
    }
}

/// Environment variable that overrides the scale factor of the displays on X11.
const SCALE_FACTOR: &str = "WINIT_X11_SCALE_FACTOR";

/// Checks the scale factor before winit reads it, since winit panics.
fn check_scale_factor(typed: Option<&OsStr>) -> Result<(), ViewerError> {
    let typed = typed.unwrap_or_default().to_string_lossy();
    let is_fit = |number: f64| (0.25..=16.0).contains(&number);
    if typed.is_empty() || typed.eq_ignore_ascii_case("randr") || typed.parse().is_ok_and(is_fit) {
        return Ok(());
    }
    Err(ViewerError::Environment(format!(
        "invalid {SCALE_FACTOR} {typed:?}: expected a number from 0.25 to 16, randr, or no value"
    )))
}

/// Returns a builder of the event loop. Prefers X11 to Wayland where both exist, since files cannot be dropped on
/// Wayland windows yet.
#[cfg(target_os = "linux")]
fn event_loop() -> EventLoopBuilder<Posted> {
    use winit::platform::x11::EventLoopBuilderExtX11 as _;

    let mut builder = EventLoop::<Posted>::with_user_event();
    if std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty()) {
        builder.with_x11();
    }
    builder
}

/// Returns a builder of the event loop.
#[cfg(not(target_os = "linux"))]
fn event_loop() -> EventLoopBuilder<Posted> {
    EventLoop::<Posted>::with_user_event()
}

/// Returns the message of a window-system error, without the source location at its start.
fn reason(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    let after_place = text.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    let said = after_place.map_or(text.as_str(), |(_, said)| said);
    said.trim_end_matches('.').to_owned()
}

struct App {
    options: ViewerOptions,
    proxy: EventLoopProxy<Posted>,
    state: State,
    errands: Errands,
    export: Export,
    keys: Arc<Bindings>,
    window: Option<(Arc<Window>, Graphics)>,
    /// Size of the window while it is neither a preview nor maximised nor full screen.
    normal: WindowMemory,
    /// Time of the playback's last update.
    ticked: Instant,
    /// Time of the next frame, if nothing else happens.
    due: Option<Instant>,
    visible: bool,
    losses: u32,
    /// Time of the last device loss.
    lost: Option<Instant>,
    costs: FrameCosts,
    /// Files dropped together, which arrive one by one.
    dropped: Vec<std::path::PathBuf>,
    #[cfg(target_os = "linux")]
    drops: Option<Drops>,
    title: String,
    system_theme: Option<bool>,
    failure: Option<ViewerError>,
}

impl App {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), ViewerError> {
        let before = self.errands.memory.window.filter(|_| self.options.window_size.is_none());
        let size = self.options.window_size.or(before.map(|window| window.size));
        let screen = Screen::of(event_loop);
        let is_preview = self.state.is_on(Switch::Preview);
        let maximised = before.is_some_and(|window| window.maximised);
        let sizes = screen.sizes(size, WINDOW);
        self.normal = WindowMemory { size: sizes.0, maximised };
        let preview = self.errands.memory.preview;
        let sizes = if is_preview { screen.sizes(preview, PREVIEW) } else { sizes };
        let ([width, height], [min_width, min_height]) = sizes;
        let attributes = Window::default_attributes()
            .with_title("pchr-view")
            .with_inner_size(LogicalSize::new(width, height))
            .with_min_inner_size(LogicalSize::new(min_width, min_height))
            .with_maximized(maximised && !is_preview)
            .with_visible(false);
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| ViewerError::Window(reason(&error)))?;
        let window = Arc::new(window);
        let graphics = self.graphics(&window, event_loop)?;
        #[cfg(target_os = "linux")]
        {
            self.export.set_window(&window);
            let proxy = self.proxy.clone();
            self.drops = Drops::start(&window, move |action| {
                drop(proxy.send_event(Posted::Action(action)));
            });
        }
        window.set_visible(true);
        if is_preview {
            window.set_window_level(WindowLevel::AlwaysOnTop);
        }
        window.request_redraw();
        self.window = Some((window, graphics));
        self.ticked = Instant::now();
        Ok(())
    }

    fn graphics(
        &self,
        window: &Arc<Window>,
        event_loop: &ActiveEventLoop,
    ) -> Result<Graphics, ViewerError> {
        let proxy = self.proxy.clone();
        let mut graphics = Graphics::new(&self.options.gpu, window, event_loop, proxy)?;
        graphics.egui.set_system_theme(self.system_theme);
        Arc::clone(&self.keys).install(graphics.egui.context());
        Ok(graphics)
    }

    fn apply(&mut self, action: Action, event_loop: Option<&ActiveEventLoop>) {
        self.state.apply(action);
        self.requests(event_loop);
        if let Some((window, _)) = &self.window {
            window.request_redraw();
        }
    }

    /// Carries out the requests of the state.
    fn requests(&mut self, event_loop: Option<&ActiveEventLoop>) {
        for request in self.state.take_requests() {
            match (request, &mut self.window, event_loop) {
                (Request::FullScreen(on), Some((window, _)), _) => {
                    window.set_fullscreen(on.then_some(Fullscreen::Borderless(None)));
                }
                (Request::Preview(on), Some((window, _)), Some(event_loop)) => {
                    let screen = Screen::of(event_loop);
                    preview(on, window, self.normal, screen, self.errands.memory.preview);
                }
                (Request::Export(export), Some((_, graphics)), _) => {
                    self.export.run(export, graphics, &self.state);
                }
                (Request::Quit, _, Some(event_loop)) => event_loop.exit(),
                (errand, window, _) => {
                    let window = window.as_ref().map(|(window, _)| window);
                    self.errands.run(errand, &self.state, window);
                }
            }
        }
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let passed = now.duration_since(self.ticked).as_secs_f64();
        self.ticked = now;
        self.due = None;
        if self.state.is_moving() {
            self.state.apply(Action::Playback(PlaybackAction::Advance(passed)));
        }
        let Some((window, graphics)) = &mut self.window else { return };
        let window = Arc::clone(window);
        let size: [u32; 2] = window.inner_size().into();
        if size.contains(&0) || !self.visible {
            return; // minimised: the window system says when it is shown again
        }
        graphics.resize(size);
        let surroundings = Surroundings {
            adapter: graphics.gpu.describe(),
            software: self.errands.warns_of(graphics.gpu.is_software()),
            warnings: graphics.warnings().to_vec(),
            costs: graphics.costs(&self.costs),
            atlas: graphics.atlas(&self.state),
        };
        graphics.egui.set_theme(self.state.looking().theme);
        let interface = self.state.interface();
        graphics.egui.set_comfort(interface.comfort());
        let room: [f64; 2] = window.inner_size().to_logical::<f64>(window.scale_factor()).into();
        graphics.egui.set_scale(interface.scale.factor(room));
        if interface.room != room {
            self.state.apply(Action::Interface(InterfaceAction::Room(room)));
        }
        let mut changed = false;
        let uploaded = graphics.uploaded();
        let drawn = graphics.draw(&window, &mut self.state, |state, ui| {
            focus::recall(ui.ctx(), state.kept().focus);
            let mut actions = input::of_keys(
                ui.ctx(),
                Over::of(state),
                state.kind(),
                input::focused_mesh(ui.ctx(), state),
            );
            let corner = panels::ui(ui, state, &surroundings, &mut actions);
            changed |= !actions.is_empty();
            for action in actions {
                state.apply(action);
            }
            corner
        });
        changed |= graphics.uploaded() != uploaded; // its images can be shown in panels now
        self.requests(Some(event_loop));
        match drawn {
            Ok(drawn) => {
                self.costs.add(now, now.elapsed().saturating_sub(drawn.waited));
                if changed {
                    window.request_redraw(); // the panels show what was before
                } else {
                    let wait = if drawn.again { RETRY } else { drawn.repaint_after };
                    self.due = now.checked_add(wait);
                }
                self.set_title(&window);
            }
            Err(error) => self.lost(error, &window, event_loop),
        }
    }

    /// Sets up the GPU again after a device loss, a few times at most.
    fn lost(&mut self, error: ViewerError, window: &Arc<Window>, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let recent = self.lost.is_some_and(|lost| now.duration_since(lost) < FORGIVEN);
        self.losses = if recent { self.losses.saturating_add(1) } else { 1 };
        self.lost = Some(now);
        self.window = None;
        if self.losses > LOSSES {
            return self.fail(error, event_loop);
        }
        // Assistive technology is connected while the window is hidden.
        window.set_visible(false);
        let mended = self.graphics(window, event_loop);
        window.set_visible(true);
        match mended {
            Ok(graphics) => {
                let title = "The graphics device was lost";
                let problem = Problem::new(title, "Graphics were restarted.");
                self.state.apply(Action::Report(problem));
                self.window = Some((Arc::clone(window), graphics));
                window.request_redraw();
            }
            Err(error) => self.fail(error, event_loop),
        }
    }

    fn fail(&mut self, error: ViewerError, event_loop: &ActiveEventLoop) {
        self.failure = Some(error);
        event_loop.exit();
    }

    fn set_title(&mut self, window: &Window) {
        let title = match self.state.model() {
            Some(model) => {
                let name = self.state.name_of(&model.loaded().source);
                let mark = if self.state.is_stage_unsaved() { "*" } else { "" };
                format!("{name}{mark} - pchr-view")
            }
            None => "pchr-view".to_owned(),
        };
        if title != self.title {
            window.set_title(&title);
            self.title = title;
        }
    }

    /// Returns the time of the next change of the picture by the animation, limited to the display's rate.
    fn next_frame(&self, window: &Window) -> Option<Instant> {
        let until = self.state.until_change()?;
        let rate = window
            .current_monitor()
            .and_then(|monitor| monitor.refresh_rate_millihertz())
            .map_or(DISPLAY_RATE, |rate| f64::from(rate) / 1000.0);
        let until = until.max(1.0 / rate.max(1.0));
        self.ticked.checked_add(Duration::try_from_secs_f64(until).ok()?)
    }
}

/// Makes the window a preview of a remembered size, or returns to its normal one.
fn preview(
    on: bool,
    window: &Window,
    normal: WindowMemory,
    screen: Screen,
    remembered: Option<[u32; 2]>,
) {
    let (sizes, level) = match on {
        true => (screen.sizes(remembered, PREVIEW), WindowLevel::AlwaysOnTop),
        false => (screen.sizes(Some(normal.size), WINDOW), WindowLevel::Normal),
    };
    let ([width, height], [min_width, min_height]) = sizes;
    if on {
        window.set_maximized(false);
    }
    window.set_window_level(level);
    window.set_min_inner_size(Some(LogicalSize::new(min_width, min_height)));
    // The answer comes as an event.
    let _ = window.request_inner_size(LogicalSize::new(width, height));
    if !on {
        window.set_maximized(normal.maximised);
    }
}

impl ApplicationHandler<Posted> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_none()
            && let Err(error) = self.open(event_loop)
        {
            self.fail(error, event_loop);
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if let StartCause::ResumeTimeReached { .. } = cause
            && let Some((window, _)) = &self.window
        {
            window.request_redraw();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, posted: Posted) {
        match posted {
            Posted::Action(action) => {
                if matches!(action, Action::Files(FileAction::Loaded(_))) {
                    self.ticked = Instant::now(); // a new file starts at its start
                }
                self.apply(action, Some(event_loop));
            }
            Posted::Wishes(wishes) => {
                self.system_theme = wishes.dark;
                if let Some((_, graphics)) = &mut self.window {
                    graphics.egui.set_system_theme(wishes.dark);
                }
                let action = InterfaceAction::System(wishes.comfort);
                self.apply(Action::Interface(action), Some(event_loop));
            }
            Posted::Accessibility(event) => {
                if let Some((window, graphics)) = &mut self.window {
                    graphics.egui.on_accessibility(event.window_event);
                    window.request_redraw();
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some((window, graphics)) = &mut self.window else { return };
        if matches!(event, WindowEvent::RedrawRequested) {
            self.draw(event_loop);
            return;
        }
        // A clipboard without text gives egui no event, and may still hold files.
        if events::pastes_files(graphics.egui.context(), &self.keys, &event) {
            self.apply(Action::PastePath, Some(event_loop));
            return;
        }
        if graphics.egui.on_event(window, &event) {
            window.request_redraw();
        }
        match &event {
            WindowEvent::Occluded(occluded) => self.visible = !occluded,
            WindowEvent::Resized(size) if size.width > 0 && size.height > 0 => {
                let maximised = window.is_maximized();
                let is_free = !maximised && window.fullscreen().is_none();
                let size = size.to_logical::<u32>(window.scale_factor()).into();
                if !self.state.is_on(Switch::Preview) {
                    let size = if is_free { size } else { self.normal.size };
                    self.normal = WindowMemory { size, maximised };
                    // A size given on the command line is not remembered for the next run.
                    if self.options.window_size.is_none() {
                        self.errands.remember(&self.state, Some(self.normal));
                    }
                } else if is_free {
                    self.errands.memory.preview = Some(size);
                    self.errands.remember(&self.state, None);
                }
            }
            #[cfg(target_os = "linux")]
            WindowEvent::DroppedFile(_) if self.drops.as_ref().is_some_and(Drops::are_heard) => {}
            WindowEvent::DroppedFile(path) => self.dropped.push(path.clone()),
            WindowEvent::CloseRequested => self.apply(Action::Quit, Some(event_loop)),
            WindowEvent::HoveredFile(path) => {
                let hover = FileAction::Hover(Some(path.clone()));
                self.apply(Action::Files(hover), Some(event_loop));
            }
            WindowEvent::HoveredFileCancelled => {
                self.apply(Action::Files(FileAction::Hover(None)), Some(event_loop));
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if !self.dropped.is_empty() {
            let dropped = std::mem::take(&mut self.dropped);
            let held = self
                .window
                .as_ref()
                .map(|(_, graphics)| graphics.egui.context().input(|input| input.modifiers));
            let held = held.unwrap_or_default();
            let action = events::of_drop(dropped, held.command, held.shift);
            self.apply(action, Some(event_loop));
        }
        let next = match &self.window {
            Some((window, _)) if self.visible => {
                let animation = self.next_frame(window);
                animation.into_iter().chain(self.due).min()
            }
            _ => None,
        };
        event_loop.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_factor_that_winit_would_not_survive_is_refused() {
        let check = |typed: &str| check_scale_factor(Some(OsStr::new(typed)));
        for fit in ["", "1", "0.25", "2.5", "16", "randr", "RANDR"] {
            assert!(check(fit).is_ok(), "{fit}");
        }
        assert!(check_scale_factor(None).is_ok());
        for odd in ["0", "-1", "nan", "inf", "abc", "1e-320", "0.0001", "100"] {
            let said = check(odd).unwrap_err().to_string();
            let wanted = "expected a number from 0.25 to 16, randr, or no value";
            assert_eq!(said, format!("invalid WINIT_X11_SCALE_FACTOR {odd:?}: {wanted}"));
        }
    }
}
