import { isHill, rgb, type Scene } from './scene.ts';

/** Pixels in rows from the top, four bytes each: red, green, blue, opacity. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A form: the lines that it reaches, and how much of the pixel around a point in them it covers, from 0 to 1. */
interface Form {
  readonly top: number;
  readonly bottom: number;
  cover(x: number, y: number): number;
}

export function rasterOf({ width, height, sky, layers, window }: Scene): Raster {
  const pixels = new Uint8Array(width * height * 4);
  const [top, bottom] = sky.map(rgb) as [Colour, Colour];
  for (let y = 0; y < height; y++) {
    const share = (y + 0.5) / height;
    const row = top.map((value, index) => Math.round(value + ((bottom[index] ?? 0) - value) * share));
    const start = y * width * 4;
    pixels.set([...row, 255], start);
    for (let x = 1; x < width; x++) pixels.copyWithin(start + x * 4, start, start + 4);
  }
  for (const layer of layers) {
    const form = isHill(layer) ? below(layer.knots, width) : within(layer);
    paint({ width, height, pixels }, form, rgb(layer.fill), isHill(layer) ? 1 : layer.opacity);
  }
  if (window) cutOut({ width, height, pixels }, within(window));
  return { width, height, pixels };
}

type Colour = ReturnType<typeof rgb>;

function paint({ width, height, pixels }: Raster, form: Form, colour: Colour, opacity: number): void {
  const [red, green, blue] = colour;
  const last = Math.min(height, Math.ceil(form.bottom));
  for (let y = Math.max(0, Math.floor(form.top)); y < last; y++) {
    for (let x = 0, at = y * width * 4; x < width; x++, at += 4) {
      const share = form.cover(x + 0.5, y + 0.5) * opacity;
      if (share === 0) continue;
      pixels[at] = blend(pixels[at] ?? 0, red, share);
      pixels[at + 1] = blend(pixels[at + 1] ?? 0, green, share);
      pixels[at + 2] = blend(pixels[at + 2] ?? 0, blue, share);
    }
  }
}

const blend = (below: number, above: number, share: number) => Math.round(below + (above - below) * share);

function cutOut({ width, height, pixels }: Raster, { cover }: Form): void {
  for (let y = 0, at = 3; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) pixels[at] = Math.round(255 * cover(x + 0.5, y + 0.5));
}

function within({ cx, cy, radius }: NonNullable<Scene['window']>): Form {
  return {
    top: cy - radius - 1,
    bottom: cy + radius + 1,
    cover: (x, y) => clamp(radius - Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) + 0.5),
  };
}

function below(knots: readonly number[], width: number): Form {
  const line = Float64Array.from({ length: width }, (_, x) => lineOf(knots, (x + 0.5) / width));
  return {
    top: Math.min(...knots) - 1,
    bottom: Number.POSITIVE_INFINITY,
    cover: (x, y) => clamp(y - (line[Math.floor(x)] ?? 0) + 0.5),
  };
}

/** Level at each knot. @param place from 0 at the left to 1 at the right */
function lineOf(knots: readonly number[], place: number): number {
  const along = place * (knots.length - 1);
  const index = Math.min(Math.floor(along), knots.length - 2);
  const [from = 0, to = 0] = [knots[index], knots[index + 1]];
  const part = along - index;
  return from + (to - from) * part * part * (3 - 2 * part);
}

const clamp = (share: number) => Math.min(Math.max(share, 0), 1);
