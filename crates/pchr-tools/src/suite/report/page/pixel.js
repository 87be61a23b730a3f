// The pixel below the pointer, in figures.

let canvases = {};

function forgetPixels() {
  canvases = {};
}

/** Colour and alpha of a pixel; null beside the picture. */
function pixelOf(side, [x, y]) {
  const image = view.images[side];
  if (!image?.naturalWidth || x >= image.naturalWidth || y >= image.naturalHeight) return null;
  const { naturalWidth: width, naturalHeight: height } = image;
  canvases[side] ??= (() => {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context;
  })();
  return [...canvases[side].getImageData(x, y, 1, 1).data];
}

/** A canvas holds colours multiplied by alpha, so those of translucent pixels are near the file's, not equal. */
function inFigures([r, g, b, a]) {
  const color = [r, g, b].map(value => value.toString(16).padStart(2, '0')).join('');
  if (a === 0) return 'transparent';
  return a === 255 ? `#${color}` : `≈ #${color}, alpha ${a}`;
}

function sayPixel(event) {
  const port = event.target.closest?.('.port') ?? document.elementFromPoint(event.clientX, event.clientY)?.closest('.port');
  const said = byId('pixel');
  said.replaceChildren();
  if (!port || !view.size || !view.origin) return;
  const { left, top } = port.getBoundingClientRect();
  const at = [event.clientX - left, event.clientY - top].map((place, axis) => Math.floor((place - view.origin[axis]) / view.scale));
  if (at.some((pixel, axis) => pixel < 0 || pixel >= view.size[axis])) return;
  said.append(`pixel ${at[0]}, ${at[1]}`);
  for (const side of sides().slice(0, 2)) {
    const color = side === 'difference' ? null : pixelOf(side, at);
    if (!color) continue;
    const [r, g, b, a] = color;
    const chip = make('i', { class: 'chip' });
    chip.style.setProperty('--color', `rgb(${r} ${g} ${b} / ${a / 255})`);
    said.append(make('span', {}, `${side} `, chip, ` ${inFigures(color)}`));
  }
}
