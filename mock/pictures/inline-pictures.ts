import { memoizeReusable } from '../http/memoize.ts';
import { PICTURES_PATH, pictureAt, STORED_PICTURES } from './address.ts';
import { drawPicture } from './draw-picture.ts';
import { type ShowPictures, withPictures } from './show-pictures.ts';

/** With what may stand in a segment of a path, but for what is encoded. */
const ADDRESS = new RegExp(`${STORED_PICTURES}([\\w%.~!'()*/-]+\\.(?:svg|png))`, 'g');

/** The pictures themselves, where no server would respond to an address: in a page. */
export const inlinePictures: ShowPictures = memoizeReusable((response) =>
  withPictures(response, (body) =>
    body.replace(ADDRESS, (address, rest) => dataUrl(PICTURES_PATH + rest) ?? address),
  ),
);

function dataUrl(path: string): string | undefined {
  const picture = pictureAt(path);
  if (!picture) return undefined;
  const { type, body } = drawPicture(picture);
  if (typeof body === 'string') return `data:${type},${encodeURIComponent(body)}`;
  return `data:${type};base64,${btoa(Array.from(body, (byte) => String.fromCharCode(byte)).join(''))}`;
}
