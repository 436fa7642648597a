import { admin, adminText } from '../shell/admin.ts';
import { parseJson } from '../shell/exact-json.ts';
import type { ReferenceView } from '../wire.ts';

/** The page's address names one of several documents. */
const name = new URLSearchParams(location.search).get('document');
const query = name === null ? {} : { query: { document: name } };

export function loadIndex(): Promise<ReferenceView> {
  return admin<ReferenceView>('reference-index', query);
}

/** The served document. A reviver takes half a second for a large one, so it is only used for integers beyond 2^53. */
export async function loadDocument(): Promise<unknown> {
  const text = await adminText('reference-document', query);
  return /[:,[]-?\d{16}/.test(text) ? parseJson(text) : JSON.parse(text);
}

/** Requested before the page's other modules are loaded. */
let early: Promise<ReferenceView> | undefined = loadIndex();
early.catch(() => {});

/** The index that was requested early, once. If it was refused for lack of a token, it is requested again. */
export function firstIndex(): Promise<ReferenceView> {
  const index = early?.catch(loadIndex) ?? loadIndex();
  early = undefined;
  return index;
}
