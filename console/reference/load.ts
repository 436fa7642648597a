import { admin, adminText } from '../shell/admin.ts';
import { parseJson } from '../shell/exact-json.ts';
import type { ReferenceView } from '../wire.ts';

/** One of several documents is named by the address. */
const name = new URLSearchParams(location.search).get('document');
const query = name === null ? {} : { query: { document: name } };

export function loadIndex(): Promise<ReferenceView> {
  return admin<ReferenceView>('reference-index', query);
}

/** The served document. A reviver takes half a second for a large one, so it is there for integers beyond 2^53 alone. */
export async function loadDocument(): Promise<unknown> {
  const text = await adminText('reference-document', query);
  return /[:,[]-?\d{16}/.test(text) ? parseJson(text) : JSON.parse(text);
}

/** Asked for before the other modules of the page are there. */
let early: Promise<ReferenceView> | undefined = loadIndex();
early.catch(() => {});

/** What was asked for early, once. Without a token it was refused: whoever has entered one asks again. */
export function firstIndex(): Promise<ReferenceView> {
  const index = early?.catch(loadIndex) ?? loadIndex();
  early = undefined;
  return index;
}
