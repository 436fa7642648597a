import { type MockRequest, type MockResponse, originOf } from '../http/exchange.ts';
import { memoizeReusable, memoizeText } from '../http/memoize.ts';
import { drawPicture, PICTURES_PATH, pictureAt, STORED_PICTURES } from './picture.ts';

/** Puts what the client of a response can load in the place of the addresses of pictures in it. */
export type ShowPictures = (response: MockResponse, request: MockRequest) => MockResponse;

/** Few clients have a name of their own for the mock. */
const OF_ORIGINS = { most: 16, longest: 256 };

/** The addresses of pictures as the client reaches the mock, whatever the session and the base path. */
export function withAddresses(): ShowPictures {
  const showFor = memoizeText((origin) => {
    const edit = (body: string) => body.replaceAll(STORED_PICTURES, origin + PICTURES_PATH);
    return memoizeReusable((response: MockResponse) => withPictures(response, edit));
  }, OF_ORIGINS);
  return (response, request) => (hasPictures(response) ? showFor(originOf(request))(response) : response);
}

/** With what may stand in a segment of a path, but for what is encoded. */
const ADDRESS = new RegExp(`${STORED_PICTURES}([\\w%.~!'()*/-]+\\.svg)`, 'g');

/** The pictures themselves, where no server would respond to an address: in a page. */
export const inlinePictures: ShowPictures = memoizeReusable((response) =>
  withPictures(response, (body) =>
    body.replace(ADDRESS, (address, rest) => {
      const picture = pictureAt(PICTURES_PATH + rest);
      return picture ? `data:image/svg+xml,${encodeURIComponent(drawPicture(picture))}` : address;
    }),
  ),
);

/** Pictures of kept records as their reader can load them, and of a record that is written as they are kept. */
export function picturesFor(request: MockRequest) {
  const shown = originOf(request) + PICTURES_PATH;
  return {
    show: (text: string) => text.replaceAll(STORED_PICTURES, shown),
    keep: (text: string) => text.replaceAll(shown, STORED_PICTURES),
  };
}

/** The same response where it has no picture. */
function withPictures(response: MockResponse, edit: (body: string) => string): MockResponse {
  return hasPictures(response) ? { ...response, body: edit(response.body) } : response;
}

function hasPictures(response: MockResponse): response is MockResponse & { readonly body: string } {
  return typeof response.body === 'string' && response.body.includes(STORED_PICTURES);
}
