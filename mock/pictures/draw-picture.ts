import type { Picture } from './address.ts';
import { encodePng } from './png.ts';
import { rasterOf } from './raster.ts';
import { isHill, type Scene, sceneOf } from './scene.ts';

/** A file that a response has as its body. */
export interface DrawnPicture {
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** Draws a picture from its key: the same bytes on every machine. A PNG has no text on it. */
export function drawPicture(picture: Picture): DrawnPicture {
  const scene = sceneOf(picture);
  if (picture.type === 'png') return { type: 'image/png', body: encodePng(rasterOf(scene)) };
  return { type: 'image/svg+xml', body: svgOf(scene, picture) };
}

function svgOf(scene: Scene, { kind, key, label }: Picture): string {
  const { width, height, sky, window } = scene;
  // In a page that takes several pictures in, their ids must not be the same.
  const [fill, clip] = [`g${key}`, `c${key}`];
  const stops = sky.map((colour, index) => `<stop offset="${index}" stop-color="${colour}"/>`).join('');
  const defs =
    `<linearGradient id="${fill}" x2="0" y2="1">${stops}</linearGradient>` +
    (window ? `<clipPath id="${clip}">${circle(window)}</clipPath>` : '');
  const back = `<rect width="${width}" height="${height}" fill="url(#${fill})"/>`;
  const text = xmlText(label);
  const isInitials = kind === 'avatar' && text !== '';
  const front = isInitials ? initials(scene, text) : layersOf(scene) + (text && caption(scene, text));
  const shown = window ? `<g clip-path="url(#${clip})">${back}${front}</g>` : back + front;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${defs}</defs>${shown}</svg>`;
}

function layersOf({ width, height, layers }: Scene): string {
  return layers
    .map((layer) => {
      if (isHill(layer)) return `<path fill="${layer.fill}" d="${ridge(layer.knots, width, height)}"/>`;
      const see = layer.opacity < 1 ? ` opacity="${short(layer.opacity)}"` : '';
      return circle(layer, ` fill="${layer.fill}"${see}`);
    })
    .join('');
}

function circle({ cx, cy, radius }: NonNullable<Scene['window']>, more = ''): string {
  return `<circle cx="${short(cx)}" cy="${short(cy)}" r="${short(radius)}"${more}/>`;
}

/** Level at each knot; `lineOf` in raster.ts is the same curve. */
function ridge(knots: readonly number[], width: number, height: number): string {
  const step = width / (knots.length - 1);
  const curves = knots.slice(1).map((next, index) => {
    const [left, y] = [index * step, knots[index] ?? next];
    const points = [left + step / 3, y, left + (2 * step) / 3, next, left + step, next];
    return `C${points.map(short).join(' ')}`;
  });
  return `M0 ${short(knots[0] ?? 0)}${curves.join('')}V${height}H0z`;
}

function initials({ width, height, ink }: Scene, text: string): string {
  return words(text, width / 2, height / 2, Math.min(width, height) * 0.4, ink, ' dy=".35em"');
}

/** Near the lower edge. */
function caption({ width, height, ink }: Scene, text: string): string {
  const size = Math.min(height / 11, (width * 1.6) / text.length);
  return words(text, width / 2, height * 0.93, size, ink);
}

function words(text: string, x: number, y: number, size: number, ink: string, more = ''): string {
  const font = `font-family="system-ui,sans-serif" font-weight="600" font-size="${short(size)}"`;
  return `<text x="${short(x)}" y="${short(y)}"${more} text-anchor="middle" fill="${ink}" ${font}>${text}</text>`;
}

const short = (value: number) => String(Math.round(value * 10) / 10);

/** As text in XML, which some characters have no place in (XML 1.0 §2.2), or in HTML. */
export function xmlText(text: string): string {
  const known = text.toWellFormed().replace(/[^\P{C}\p{Cf}\p{Co}]/gu, '');
  return known.trim().replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
