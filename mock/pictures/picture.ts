import { type Random, randomOf } from '#spec';
import { findMethod, methodNotAllowed } from '../http/cors.ts';
import { type MockRequest, type MockResponse, originOf } from '../http/exchange.ts';
import { memoizeReusable, memoizeText } from '../http/memoize.ts';
import type { Outcome } from '../http/refusal.ts';

/** The path prefix of pictures. */
export const PICTURES_PATH = '/__paddock/pictures/';

/**
 * The prefix of pictures in records, whose host stands for the mock until a response is made: a relative URL would violate
 * `format: uri`. No real host has this name (RFC 6761 §6.4).
 */
export const STORED_PICTURES = `http://paddock.invalid${PICTURES_PATH}`;

/** A picture that is drawn from its key. */
export interface Picture {
  /** `avatar`: of a person or the like. */
  readonly kind: 'avatar' | 'image';
  /** Determines the picture. */
  readonly key: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The name of the subject: written on an image, as initials on an avatar; may be empty. */
  readonly label: string;
}

/** Default: the usual size of the kind, and no label. */
export type WantedPicture = Pick<Picture, 'kind' | 'key'> & {
  [Name in keyof Picture]?: Picture[Name] | undefined;
};

/** Width and height. */
const USUAL_SIZES = { avatar: [128, 128], image: [640, 480] } as const;
const MOST_PIXELS = 2048;
const LONGEST_LABEL = 40;

/**
 * The URL of a picture in records: the common prefix and `image-800x600/1k2x9f/Blue%20Mug.svg`. Everything is in the path,
 * so that front ends may append a query (`?w=200`).
 */
export function pictureAddress({ kind, key, width, height, label = '' }: WantedPicture): string {
  const [usualWidth, usualHeight] = USUAL_SIZES[kind];
  const wide = pixels(width ?? ((height ?? usualHeight) * usualWidth) / usualHeight);
  const high = pixels(height ?? (wide * usualHeight) / usualWidth);
  const size = wide === usualWidth && high === usualHeight ? '' : `-${wide}x${high}`;
  const text = kind === 'avatar' ? initialsOf(label) : label.trim().slice(0, LONGEST_LABEL).toWellFormed();
  const name = text === '' ? '' : `/${encodeURIComponent(text)}`;
  return `${STORED_PICTURES}${kind}${size}/${shortKey(key)}${name}.svg`;
}

function pixels(length: number): number {
  return Math.min(Math.max(Math.round(length) || 1, 1), MOST_PIXELS);
}

/** From the first and the last word. */
function initialsOf(label: string): string {
  const words = label.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return [first, last].map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}

/** Six digits are enough, as two records may share a picture. */
function shortKey(key: string): string {
  return Math.floor(randomOf(key).next() * 36 ** 6).toString(36);
}

const PATH = /^(avatar|image)(?:-(\d{1,4})x(\d{1,4}))?\/([\da-z]+)(?:\/([^/]+))?\.svg$/;

/** The picture at a path. Undefined: there is none. */
export function pictureAt(path: string): Picture | undefined {
  const [, kind, wide, high, key = '', name = ''] = PATH.exec(path.slice(PICTURES_PATH.length)) ?? [];
  if (kind !== 'avatar' && kind !== 'image') return undefined;
  const [usualWidth, usualHeight] = USUAL_SIZES[kind];
  const [width, height] = [Number(wide ?? usualWidth), Number(high ?? usualHeight)];
  if ([width, height].some((length) => length < 1 || length > MOST_PIXELS)) return undefined;
  try {
    return { kind, key, width, height, label: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}

/** Another version of the mock may draw a picture differently, so the cache expires. */
const HEADERS = { 'Cache-Control': 'public, max-age=86400' };
const METHODS = new Map([['GET', true]]);

/** Responds to a request below {@link PICTURES_PATH}; browsers send no credential for pictures. */
export function pictureResponse({ method, path }: Pick<MockRequest, 'method' | 'path'>): Outcome {
  if (!findMethod(METHODS, method)) return methodNotAllowed(method, path, METHODS);
  const picture = pictureAt(path);
  if (picture) return { status: 200, headers: HEADERS, type: 'image/svg+xml', body: drawPicture(picture) };
  const form = `${PICTURES_PATH}KIND/KEY.svg or ${PICTURES_PATH}KIND-WIDTHxHEIGHT/KEY/LABEL.svg`;
  const message = `There is no picture at ${path}: addresses have the form ${form}, with avatar or image`;
  return { refuse: 'no such path', message };
}

/** As SVG: a sun over hills, or initials (without a label a head and shoulders) on a disc. */
export function drawPicture({ kind, key, width, height, label }: Picture): string {
  const random = randomOf(`picture/${key}`);
  const hue = random.integer(0, 359);
  const text = xmlText(label);
  const parts = kind === 'avatar' ? face(hue, text) : landscape(hue, text, random);
  const size = `width="${width}" height="${height}" viewBox="0 0 ${kind === 'avatar' ? '100 100' : '100 75'}"`;
  const fit = kind === 'avatar' ? 'xMidYMid meet' : 'xMidYMid slice';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} preserveAspectRatio="${fit}">${parts}</svg>`;
}

function face(hue: number, text: string): string {
  const [back, front] = [`hsl(${hue},45%,72%)`, `hsl(${hue},40%,28%)`];
  const disc = `<circle cx="50" cy="50" r="50" fill="${back}"/>`;
  return text === ''
    ? `${disc}<path fill="${front}" d="M50 22a17 17 0 1 1-.1 0M18 88q3-28 32-28t32 28a50 50 0 0 1-64 0"/>`
    : disc + words(text, 'y="52" dominant-baseline="middle" font-size="40"', front);
}

function landscape(hue: number, text: string, random: Random): string {
  const hill = (line: number, lightness: number) => {
    const [left, top, right] = [0, 1, 2].map(() => line + random.integer(-9, 9));
    return `<path fill="hsl(${hue + 40},30%,${lightness}%)" d="M0 ${left}Q25 ${top} 50 ${line}T100 ${right}V75H0z"/>`;
  };
  const sun = `<circle cx="${random.integer(20, 80)}" cy="${random.integer(14, 30)}" r="8" fill="#fff3d9"/>`;
  const size = Math.min(7, 150 / (text.length || 1));
  return (
    `<path fill="hsl(${hue},60%,80%)" d="M0 0h100v75H0z"/>${sun}${hill(42, 62)}${hill(56, 45)}${hill(66, 28)}` +
    (text && words(text, `y="71" font-size="${size.toFixed(1)}"`, '#fff'))
  );
}

function words(text: string, place: string, fill: string): string {
  return `<text x="50" ${place} text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" fill="${fill}">${text}</text>`;
}

/** Escaped for XML, without characters that XML forbids (XML 1.0 §2.2). */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{C}\p{Cf}\p{Co}]/gu, '')
    .trim()
    .replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Replaces the URLs of pictures in a response by ones that its client can load. */
export type ShowPictures = (response: MockResponse, request: MockRequest) => MockResponse;

/** Few clients use different host names for the mock. */
const OF_ORIGINS = { most: 16, longest: 256 };

/** URLs at the mock's address for the client, in any session and below any base path. */
export function withAddresses(): ShowPictures {
  const showFor = memoizeText((origin) => {
    const edit = (body: string) => body.replaceAll(STORED_PICTURES, origin + PICTURES_PATH);
    return memoizeReusable((response: MockResponse) => withPictures(response, edit));
  }, OF_ORIGINS);
  return (response, request) => (hasPictures(response) ? showFor(originOf(request))(response) : response);
}

/** The unencoded characters of a path segment. */
const ADDRESS = new RegExp(`${STORED_PICTURES}([\\w%.~!'()*/-]+\\.svg)`, 'g');

/** The pictures themselves as data URLs, for pages without a server. */
export const inlinePictures: ShowPictures = memoizeReusable((response) =>
  withPictures(response, (body) =>
    body.replace(ADDRESS, (address, rest) => {
      const picture = pictureAt(PICTURES_PATH + rest);
      return picture ? `data:image/svg+xml,${encodeURIComponent(drawPicture(picture))}` : address;
    }),
  ),
);

/** Converts picture URLs of stored records for their reader, and back for a written record. */
export function picturesFor(request: MockRequest) {
  const address = originOf(request) + PICTURES_PATH;
  return {
    show: (text: string) => text.replaceAll(STORED_PICTURES, address),
    keep: (text: string) => text.replaceAll(address, STORED_PICTURES),
  };
}

/** Returns the same response if it has no picture. */
function withPictures(response: MockResponse, edit: (body: string) => string): MockResponse {
  return hasPictures(response) ? { ...response, body: edit(response.body) } : response;
}

function hasPictures(response: MockResponse): response is MockResponse & { readonly body: string } {
  return typeof response.body === 'string' && response.body.includes(STORED_PICTURES);
}
