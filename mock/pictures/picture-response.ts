import { findMethod, methodNotAllowed } from '../http/cors.ts';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import { PICTURES_PATH, pictureAt } from './address.ts';
import { drawPicture } from './draw-picture.ts';

const METHODS = new Map([['GET', true]]);

/** For as long as a version of the mock is used, which draws the same picture at the same address. */
const HEADERS = { 'Cache-Control': 'public, max-age=86400' };

/** Responds to a request below {@link PICTURES_PATH}; browsers send no credential for pictures. */
export function pictureResponse({ method, path }: Pick<MockRequest, 'method' | 'path'>): Outcome {
  if (!findMethod(METHODS, method)) return methodNotAllowed(method, path, METHODS);
  const picture = pictureAt(path);
  if (picture) return { status: 200, headers: HEADERS, ...drawPicture(picture) };
  const form = `${PICTURES_PATH}KIND/KEY.TYPE or ${PICTURES_PATH}KIND-WIDTHxHEIGHT/KEY/LABEL.TYPE`;
  const message = `There is no picture at ${path}: addresses have the form ${form}, with avatar or image, and svg or png`;
  return { refuse: 'no such path', message };
}
