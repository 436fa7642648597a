import { type MockRequest, type MockResponse, originOf } from '../http/exchange.ts';
import { memoizeReusable, memoizeText } from '../http/memoize.ts';
import { PICTURES_PATH, STORED_PICTURES } from './address.ts';

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

/** The same response where it has no picture. */
export function withPictures(response: MockResponse, edit: (body: string) => string): MockResponse {
  return hasPictures(response) ? { ...response, body: edit(response.body) } : response;
}

function hasPictures(response: MockResponse): response is MockResponse & { readonly body: string } {
  return typeof response.body === 'string' && response.body.includes(STORED_PICTURES);
}
