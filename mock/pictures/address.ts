import { randomOf } from '#spec';

/** What precedes a picture's own part of its path. */
export const PICTURES_PATH = '/__paddock/pictures/';

/**
 * What precedes it in records, where this host stands for the mock until a response is made: a relative address would be no
 * value of `format: uri`. No host has this name (RFC 6761 §6.4).
 */
export const STORED_PICTURES = `http://paddock.invalid${PICTURES_PATH}`;

/** A picture that is drawn from its key. */
export interface Picture {
  /** `avatar`: of a person, or of whatever has one. */
  readonly kind: 'avatar' | 'image';
  /** The same key always gives the same picture. */
  readonly key: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The name of what is shown: drawn on an image, its initials on an avatar; may be empty. */
  readonly label: string;
  readonly type: 'svg' | 'png';
}

/** Default: a size that is usual for the kind, no label, `svg`. */
export type WantedPicture = Pick<Picture, 'kind' | 'key'> & {
  [Name in keyof Picture]?: Picture[Name] | undefined;
};

/** Width and height. */
const USUAL_SIZES = { avatar: [128, 128], image: [640, 480] } as const;

/** What a path may ask for: to draw more would take a request too long. */
const MOST_PIXELS = 2048;
const LONGEST_LABEL = 40;

/**
 * The address of a picture, as records keep it: `image-800x600/1k2x9f/Blue%20Mug.svg` after the common part. All is in the
 * path, so that what front ends append to an address (`?w=200`) does no harm.
 */
export function pictureAddress({
  kind,
  key,
  width,
  height,
  label = '',
  type = 'svg',
}: WantedPicture): string {
  const [usualWidth, usualHeight] = USUAL_SIZES[kind];
  const wide = pixels(width ?? ((height ?? usualHeight) * usualWidth) / usualHeight);
  const high = pixels(height ?? (wide * usualHeight) / usualWidth);
  const size = wide === usualWidth && high === usualHeight ? '' : `-${wide}x${high}`;
  const shown = kind === 'avatar' ? initialsOf(label) : label.trim().slice(0, LONGEST_LABEL).toWellFormed();
  const name = shown === '' ? '' : `/${encodeURIComponent(shown)}`;
  return `${STORED_PICTURES}${kind}${size}/${shortKey(key)}${name}.${type}`;
}

function pixels(length: number): number {
  return Math.min(Math.max(Math.round(length) || 1, 1), MOST_PIXELS);
}

/** Of the first word and the last one. */
function initialsOf(label: string): string {
  const words = label.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return [first, last].map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}

const SHORT = 36 ** 6;

/** Six digits are enough: two records with the same picture do no harm. */
function shortKey(key: string): string {
  return Math.floor(randomOf(key).next() * SHORT).toString(36);
}

const PATH = /^(avatar|image)(?:-(\d{1,4})x(\d{1,4}))?\/([\da-z]+)(?:\/([^/]+))?\.(svg|png)$/;

/** The picture that a path asks for; undefined: none has this path. */
export function pictureAt(path: string): Picture | undefined {
  const [, kind, wide, high, key = '', name = '', type] = PATH.exec(path.slice(PICTURES_PATH.length)) ?? [];
  if (kind === undefined) return undefined;
  const [usualWidth, usualHeight] = USUAL_SIZES[kind as Picture['kind']];
  const [width, height] = [Number(wide ?? usualWidth), Number(high ?? usualHeight)];
  const label = decoded(name);
  const isDrawn = [width, height].every((length) => length >= 1 && length <= MOST_PIXELS);
  if (!isDrawn || label === undefined) return undefined;
  return { kind, key, width, height, label, type } as Picture;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
