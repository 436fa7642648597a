import { type Random, randomOf } from '#spec';
import type { Picture } from './address.ts';

/** A colour as `#rrggbb`. */
type Colour = string;

interface Disc {
  readonly cx: number;
  readonly cy: number;
  readonly radius: number;
  readonly fill: Colour;
  /** From 0 to 1. */
  readonly opacity: number;
}

/** Everything below a smooth line. */
interface Hill {
  /** The height of the line, in pixels from the top, at places of equal distance from left to right. */
  readonly knots: readonly number[];
  readonly fill: Colour;
}

type Layer = Disc | Hill;

export const isHill = (layer: Layer): layer is Hill => 'knots' in layer;

/** What a picture shows, in forms that any format can draw. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** The background, from top to bottom. */
  readonly sky: readonly [top: Colour, bottom: Colour];
  /** From back to front. */
  readonly layers: readonly Layer[];
  /** For a text in front of it all. */
  readonly ink: Colour;
  /** A disc is all that is seen; undefined: the whole rectangle. */
  readonly window: Pick<Disc, 'cx' | 'cy' | 'radius'> | undefined;
}

/** Colours that go together: the sky from top to bottom, a light, and what stands before it, the nearest last. */
type Palette = readonly [top: Colour, bottom: Colour, light: Colour, middle: Colour, deep: Colour];

const PALETTES: readonly Palette[] = [
  ['#f59e87', '#fcdcbf', '#fff3d9', '#c9606b', '#6d3b5e'],
  ['#a9d8ea', '#e8f4ea', '#fff3c4', '#6fae9a', '#2f6f73'],
  ['#bfb0e6', '#f6d6e3', '#fff4e0', '#9a7fc0', '#4f4482'],
  ['#f6bd60', '#fbe8c3', '#fff8e4', '#d98b4a', '#8a4b38'],
  ['#a8d5ba', '#f1f3cf', '#fffbe2', '#7fb069', '#3d6b4a'],
  ['#8fbfe6', '#e0eef9', '#ffffff', '#6c93c0', '#2d4a78'],
  ['#2b3a67', '#8d6fa8', '#f9dfb0', '#55508f', '#1d2547'],
  ['#f2a7b3', '#fde6dc', '#fff7ea', '#d96c7b', '#8f3a58'],
  ['#7fc8c2', '#f1efd9', '#ffdf9e', '#4f9d9a', '#1f5b66'],
  ['#d8cdbf', '#f6f0e6', '#f2b880', '#b08d74', '#5b4740'],
];

/** The same for the same picture, whatever is drawn in. */
export function sceneOf(picture: Omit<Picture, 'type' | 'label'>): Scene {
  const random = randomOf(`picture/${picture.key}`);
  const palette = random.pick(PALETTES);
  return picture.kind === 'avatar'
    ? face(picture, palette, random)
    : random.pick([hills, hills, bubbles, rings])(picture, palette, random);
}

type Size = Pick<Scene, 'width' | 'height'>;

/** A sun or a moon over three rows of hills. */
function hills({ width, height }: Size, [top, bottom, light, middle, deep]: Palette, random: Random): Scene {
  const unit = Math.min(width, height);
  const [cx, cy] = [width * between(random, 0.2, 0.8), height * between(random, 0.22, 0.42)];
  const radius = unit * between(random, 0.09, 0.14);
  const glow = { cx, cy, radius: radius * 1.7, fill: light, opacity: 0.3 };
  const rows = [
    [0.52, 0.13, mixed(bottom, middle, 0.55)],
    [0.67, 0.11, middle],
    [0.83, 0.09, deep],
  ] as const;
  const ridges = rows.map(([line, swing, fill]) => {
    const count = random.integer(3, 5);
    // Up and down in turn, since a line of chance is seldom one of hills.
    const first = random.integer(0, 1);
    const knots = Array.from({ length: count }, (_, index) => {
      const side = (index + first) % 2 === 0 ? 1 : -1;
      return height * (line + side * swing * between(random, 0.35, 1));
    });
    return { knots, fill };
  });
  const layers = [glow, { cx, cy, radius, fill: light, opacity: 1 }, ...ridges];
  return { width, height, sky: [top, bottom], layers, ink: light, window: undefined };
}

/** Discs that shine through each other. */
function bubbles(
  { width, height }: Size,
  [top, bottom, light, middle, deep]: Palette,
  random: Random,
): Scene {
  const unit = Math.min(width, height);
  const fills = [middle, light, deep, middle, light, top];
  const layers = fills.map((fill, index) => ({
    cx: width * between(random, 0.05, 0.95),
    cy: height * between(random, 0.05, 0.7),
    radius: unit * between(random, 0.3, 0.42) * (1 - index * 0.11),
    fill,
    opacity: between(random, 0.5, 0.8),
  }));
  return { width, height, sky: [bottom, top], layers, ink: isDark(top) ? light : deep, window: undefined };
}

/** Rings around a point at an edge. */
function rings({ width, height }: Size, [top, bottom, light, middle, deep]: Palette, random: Random): Scene {
  const [cx, cy] = [width * random.pick([0, 0.5, 1]), height * random.pick([0.95, 1.05])];
  const reach = Math.hypot(width, height) * 0.82;
  const fills = [
    mixed(bottom, middle, 0.25),
    mixed(bottom, middle, 0.6),
    middle,
    mixed(middle, deep, 0.55),
    deep,
  ];
  const layers = fills.map((fill, index) => ({
    ...{ cx, cy, fill, opacity: 1 },
    radius: reach * (1 - index * 0.19) * between(random, 0.96, 1.04),
  }));
  return { width, height, sky: [top, bottom], layers, ink: light, window: undefined };
}

/** Hair, a face and shoulders, seen through a disc. */
function face({ width, height }: Size, [top, bottom, light, middle, deep]: Palette, random: Random): Scene {
  const unit = Math.min(width, height);
  const [cx, cy] = [width / 2, height / 2];
  const disc = (x: number, y: number, radius: number, fill: Colour, opacity = 1) => ({
    ...{ cx: cx + x * unit, cy: cy + y * unit, radius: radius * unit, fill, opacity },
  });
  const skin = mixed(random.pick(SKINS), light, 0.12);
  const apart = between(random, 0.065, 0.085);
  const hair = random.pick<readonly Disc[]>([
    [disc(0, -0.12, 0.215, deep)],
    [disc(-0.03, -0.14, 0.2, deep), disc(0.12, -0.1, 0.12, deep)],
    [disc(0, -0.1, 0.22, deep), disc(0, -0.33, 0.085, deep)],
    [disc(0, -0.09, 0.225, deep), disc(-0.15, 0.06, 0.13, deep), disc(0.15, 0.06, 0.13, deep)],
  ]);
  const layers = [
    ...hair,
    disc(0, 0.53, 0.32, middle),
    disc(0, 0.19, 0.085, mixed(skin, deep, 0.14)),
    disc(0, -0.03, 0.185, skin),
    ...[-1, 1].map((side) => disc(side * apart, -0.03, 0.021, '#3a2e39')),
    ...[-1, 1].map((side) => disc(side * (apart + 0.04), 0.035, 0.03, '#e8736b', 0.35)),
    // What is seen of the first disc below the second one smiles.
    disc(0, 0.052, 0.042, '#8c3b46'),
    disc(0, 0.034, 0.047, skin),
  ];
  const window = { cx, cy, radius: unit / 2 };
  return { width, height, sky: [top, mixed(top, bottom, 0.6)], layers, ink: deep, window };
}

const SKINS: readonly Colour[] = ['#f6d2b8', '#eab892', '#cf9468', '#a86f48', '#7d4f35'];

function between(random: Random, low: number, high: number): number {
  return low + random.next() * (high - low);
}

/** @param share of the second colour, from 0 to 1 */
function mixed(one: Colour, other: Colour, share: number): Colour {
  const [from, to] = [rgb(one), rgb(other)];
  const mix = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${mix.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function isDark(colour: Colour): boolean {
  return rgb(colour).reduce((sum, value) => sum + value) < 384;
}

/** Red, green and blue, each from 0 to 255. */
export function rgb(colour: Colour): readonly [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
