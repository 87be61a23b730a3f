// The pictures of a frame: how they are shown, and which part of them. All panes show the same part.

const SIDES = ['expected', 'actual', 'difference'];
/** Room around a picture that fits. */
const MARGIN = 12;
const ZOOMS = [1, 2, 3, 4, 6, 8, 12, 16];
const panes = byId('panes');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** The view: what is shown how. `zoom` is null where pictures fit their panes; `center` is a point of the pictures. */
const view = {
  entry: null, mode: 'side', behind: 'checker', marked: null, zoom: null, center: [0, 0], split: 0.5,
  images: {}, size: null, paused: calm.matches, second: false, inSight: true,
};

/** Which pictures of the entry are there, in the order in which they are shown. */
const sides = () => SIDES.filter(side => view.entry?.pictures?.[side] != null);
/** The mode, as far as there are pictures for it. */
const mode = () => (sides().length < 2 || (view.mode === 'difference' && !sides().includes('difference')) ? 'side' : view.mode);

/** Whether the largest difference is marked: unless it was said, where it would hardly be found. */
function isMarked() {
  const difference = view.entry?.frame.difference;
  return Boolean(difference?.largest) && (view.marked ?? difference.outliers < difference.pixels / 2000);
}

/** Shows the pictures of an entry. Zoom and place are kept from frame to frame while the size is the same. */
function showPictures(entry) {
  view.entry = entry;
  view.images = {};
  view.second = false;
  byId('stage').hidden = sides().length === 0;
  byId('pixel').textContent = '';
  forgetPixels();
  for (const side of sides()) {
    const image = new Image();
    view.images[side] = image;
    image.alt = '';
    image.draggable = false;
    image.addEventListener('load', () => {
      if (view.images[side] === image) measured();
    });
    picture(entry.pictures[side], src => { image.src = src; });
  }
  build();
}

/** Called when the size of a picture is known. */
function measured() {
  const known = Object.values(view.images).filter(image => image.naturalWidth);
  const size = [Math.max(...known.map(image => image.naturalWidth)), Math.max(...known.map(image => image.naturalHeight))];
  if (String(size) !== String(view.size)) {
    view.zoom = null;
    view.center = size.map(length => length / 2);
  }
  view.size = size;
  const said = sides().slice(0, 2).map(side => view.images[side]).filter(image => image?.naturalWidth);
  const sizes = new Set(said.map(image => `${image.naturalWidth} × ${image.naturalHeight}`));
  byId('sizes').textContent = sizes.size > 1
    ? `Different sizes: expected ${[...sizes].join(', actual ')} pixels`
    : `${[...sizes]} pixels`;
  byId('sizes').classList.toggle('loud', sizes.size > 1);
  place();
}

/** Makes the panes of the mode. */
function build() {
  const there = sides();
  const shown = mode();
  panes.replaceChildren();
  showBlink();
  if (there.length === 0) return;
  panes.dataset.mode = shown;
  const layer = side => make('div', { class: `layer ${side}` }, view.images[side]);
  const pane = (titles, ...inside) => make('figure', { class: 'pane' },
    make('figcaption', {}, ...titles), make('div', { class: 'port' }, ...inside, make('i', { class: 'ring', hidden: true })));
  // The colours of the difference picture.
  const { tolerance = 0, ignored = 0 } = view.entry.frame.difference ?? {};
  const ramp = () => make('span', { class: 'ramp' },
    ...(ignored ? ['ignored', make('i', { class: 'ignored' })] : []),
    ...(tolerance ? [`≤ ${tolerance}`, make('i', { class: 'tolerated' })] : []),
    `${tolerance + 1}`, make('i', { class: 'steps' }), '255');
  const titles = side => [
    make('span', {}, there.length === 1 ? 'actual: no baseline to compare it with' : side),
    ...(side === 'difference' ? [ramp()] : []),
  ];
  if (shown === 'side') {
    panes.replaceChildren(...there.map(side => pane(titles(side), layer(side))));
  } else if (shown === 'difference') {
    panes.replaceChildren(pane(titles('difference'), layer('difference')));
  } else if (shown === 'blink') {
    panes.replaceChildren(pane([], layer('expected'), layer('actual')));
  } else {
    const handle = make('div', {
      id: 'handle', role: 'slider', tabindex: 0, 'aria-label': 'Expected on the left, actual on the right',
      'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-orientation': 'horizontal',
    });
    const titles = ['expected', 'actual'].map(side => make('span', {}, side));
    panes.replaceChildren(pane(titles, layer('expected'), layer('actual'), handle));
  }
  for (const button of byId('modes').children) {
    const needs = button.dataset.mode === 'difference' ? 'difference' : 'expected';
    button.setAttribute('aria-pressed', String(button.dataset.mode === shown));
    button.disabled = button.dataset.mode !== 'side' && (there.length === 1 || !there.includes(needs));
  }
  for (const button of byId('behind').children) {
    button.setAttribute('aria-pressed', String(button.dataset.behind === view.behind));
  }
  panes.dataset.behind = view.behind;
  byId('mark').setAttribute('aria-pressed', String(isMarked()));
  byId('mark').hidden = !view.entry?.frame.difference?.largest;
  byId('blinking').hidden = shown !== 'blink';
  showBlink();
  place();
}

/** Pixels of the screen for a pixel of the picture when the picture fits: a whole number, if there is room. */
function fitting([width, height]) {
  const zoom = Math.min(width / view.size[0], height / view.size[1]);
  return zoom < 1 ? zoom : Math.min(Math.floor(zoom), ZOOMS.at(-1));
}

/** Puts pictures, handle and rings where they belong. */
function place() {
  if (view.size === null || !panes.firstChild) return;
  const ports = [...panes.querySelectorAll('.port')];
  const room = Math.max(200, Math.min(innerHeight * 0.6, 1100));
  const across = ports[0].clientWidth;
  // As high as the picture that fits, but not so low that nothing is seen of a larger one.
  const least = Math.min(room, mode() === 'side' ? across * 0.75 : 320);
  const high = Math.round(Math.min(room, Math.max(least, view.size[1] * fitting([across, room]) + 2 * MARGIN)));
  const zoom = view.zoom ?? fitting([across, high]);
  const origin = [across, high].map((length, axis) => {
    const picture = view.size[axis] * zoom;
    if (picture <= length) return Math.round((length - picture) / 2);
    const wanted = length / 2 - view.center[axis] * zoom;
    const kept = Math.round(Math.min(0, Math.max(length - picture, wanted)));
    view.center[axis] = (length / 2 - kept) / zoom;
    return kept;
  });
  Object.assign(view, { origin, scale: zoom, port: [across, high] });
  panes.classList.toggle('larger', isLarger());
  for (const port of ports) port.style.height = `${high}px`;
  for (const image of Object.values(view.images)) {
    const { style } = image.parentElement ?? {};
    if (!style) continue;
    style.width = `${image.naturalWidth * zoom}px`;
    style.height = `${image.naturalHeight * zoom}px`;
    style.transform = `translate(${origin[0]}px, ${origin[1]}px)`;
    image.classList.toggle('pixels', zoom >= 1);
  }
  const at = view.entry.frame.difference?.largest?.at;
  for (const ring of panes.querySelectorAll('.ring')) {
    ring.hidden = !isMarked();
    if (!ring.hidden) {
      const size = Math.max(zoom, 3) + 12;
      ring.style.width = ring.style.height = `${size}px`;
      const corner = at.map((pixel, axis) => origin[axis] + (pixel + 0.5) * zoom - size / 2);
      ring.style.transform = `translate(${corner[0]}px, ${corner[1]}px)`;
    }
  }
  byId('scale').textContent = zoom < 1 ? `${Math.round(zoom * 100)} %` : `${zoom}×`;
  byId('fit').setAttribute('aria-pressed', String(view.zoom === null));
  byId('in').disabled = zoom >= ZOOMS.at(-1);
  byId('out').disabled = zoom <= Math.min(1, fitting(view.port));
  placeSplit();
}

/** Whether the pictures are larger than their panes. */
const isLarger = () => view.size.some((length, axis) => length * view.scale > view.port[axis]);

/** Left and right end of what is seen of the pictures, in a port. */
const seen = () => [Math.max(0, view.origin[0]), Math.min(view.port[0], view.origin[0] + view.size[0] * view.scale)];

/** Shows expected left of the handle, and actual right of it. */
function placeSplit() {
  const handle = byId('handle');
  if (!handle) return;
  const [left, right] = seen();
  const x = Math.round(left + (right - left) * view.split);
  const cut = x - view.origin[0];
  panes.querySelector('.expected').style.clipPath = `polygon(-9px 0, ${cut}px 0, ${cut}px 100%, -9px 100%)`;
  panes.querySelector('.actual').style.clipPath = `polygon(${cut}px 0, 100% 0, 100% 100%, ${cut}px 100%)`;
  handle.style.transform = `translateX(${x}px)`;
  const percent = Math.round(view.split * 100);
  handle.setAttribute('aria-valuenow', percent);
  handle.setAttribute('aria-valuetext', `${percent} % expected`);
}

function setSplit(split) {
  view.split = Math.max(0, Math.min(1, split));
  placeSplit();
}

/** Zooms by a step, or to a step, and keeps a point of the port where it is. */
function setZoom(next, at = view.port.map(length => length / 2)) {
  const point = at.map((place, axis) => (place - view.origin[axis]) / view.scale);
  view.zoom = next;
  const scale = next ?? fitting(view.port);
  view.center = point.map((pixel, axis) => pixel + (view.port[axis] / 2 - at[axis]) / scale);
  place();
}

function stepZoom(up, at) {
  if (!view.size) return;
  const fit = fitting(view.port);
  const steps = fit < 1 ? [fit, ...ZOOMS] : ZOOMS;
  const next = up ? steps.find(step => step > view.scale) : steps.findLast(step => step < view.scale);
  if (next !== undefined) setZoom(next < 1 ? null : next, at);
}

function pan(x, y) {
  view.center = view.center.map((pixel, axis) => pixel - [x, y][axis] / view.scale);
  place();
}

/** Shows the largest difference: the ring around it, in the middle, and large. */
function showLargest() {
  const { at } = view.entry.frame.difference.largest;
  view.marked = true;
  view.zoom = Math.max(view.scale, 8);
  view.center = at.map(pixel => pixel + 0.5);
  build();
  panes.focus();
}

// Blinking: it rests where nobody looks, and where motion is unwanted until it is asked for.

let timer = null;

function showBlink() {
  clearInterval(timer);
  timer = null;
  byId('pause').textContent = view.paused ? 'Resume' : 'Pause';
  if (mode() !== 'blink' || !panes.firstChild) return;
  const [first, second] = ['expected', 'actual'];
  panes.dataset.shown = view.second ? second : first;
  panes.querySelector('figcaption').textContent = panes.dataset.shown;
  if (!view.paused && view.inSight && !document.hidden) timer = setInterval(other, 1000 / byId('rate').value);
}

function other() {
  view.second = !view.second;
  const shown = view.second ? 'actual' : 'expected';
  panes.dataset.shown = shown;
  panes.querySelector('figcaption').textContent = shown;
}

function setPaused(paused) {
  view.paused = paused;
  showBlink();
}

// The mouse: it drags the handle or the pictures, and says which pixel is below it.

let grip = null;

panes.addEventListener('pointerdown', event => {
  const port = event.target.closest('.port');
  if (!port || event.button !== 0 || !view.size) return;
  const handle = byId('handle') && (event.target.closest('#handle') || !isLarger());
  grip = { port, handle, x: event.clientX, y: event.clientY };
  panes.setPointerCapture(event.pointerId);
  (handle ? byId('handle') : panes).focus({ preventScroll: true });
  event.preventDefault();
  if (handle) moveSplit(event);
});

panes.addEventListener('pointermove', event => {
  if (grip?.handle) moveSplit(event);
  else if (grip) {
    pan(event.clientX - grip.x, event.clientY - grip.y);
    Object.assign(grip, { x: event.clientX, y: event.clientY });
  }
  sayPixel(event);
});

for (const name of ['pointerup', 'pointercancel']) panes.addEventListener(name, () => { grip = null; });
panes.addEventListener('pointerleave', () => { byId('pixel').textContent = ''; });

function moveSplit(event) {
  const [left, right] = seen();
  setSplit((event.clientX - grip.port.getBoundingClientRect().left - left) / (right - left));
}

panes.addEventListener('wheel', event => {
  const port = event.target.closest('.port');
  if (!port || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const { left, top } = port.getBoundingClientRect();
  stepZoom(event.deltaY < 0, [event.clientX - left, event.clientY - top]);
}, { passive: false });

new ResizeObserver(place).observe(panes);
new IntersectionObserver(([{ isIntersecting }]) => {
  view.inSight = isIntersecting;
  showBlink();
}).observe(panes);
document.addEventListener('visibilitychange', showBlink);
calm.addEventListener('change', () => setPaused(calm.matches));
