import { rawChild } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import { sentencesOf } from '../stated.ts';
import { type Basis, basisOf } from './basis.ts';

const CREATED = '201';
const UPSERTS =
  /\bcreates?(?: \w+){0,3},? (?:or|and\/or) (?:updat|replac|overwrit|modif)\w*|\b(?:updat|replac|overwrit|modif)\w*(?: \w+){0,3},? or creates?\b|\bupserts?\b|\b(?:created?|creates|added|made) (?:it |one )?(?:if|when|where) (?:it|one|there|no \w+|none)\b[^.]*\b(?:not|none|no)\b|\b(?:not|no \w+) (?:yet )?exists?\b[^.]*\b(?:is|will be|gets) (?:created|made|added)\b/i;
const DENIED = /\b(?:not|never|cannot|instead of|rather than)\b[^.]*\bcreat/i;

const known = new WeakMap<Operation, Basis | undefined>();

/**
 * What says that a write makes the record that it names where there is none: of a PUT, 201 beside another success (RFC 9110
 * §9.3.4), or words of the description. That a PUT documents 201 alone suggests it.
 */
export function upsertOf(operation: Operation): Basis | undefined {
  if (!known.has(operation)) known.set(operation, readUpsert(operation));
  return known.get(operation);
}

function readUpsert(operation: Operation): Basis | undefined {
  const { method, responses, spot, said } = operation;
  const { upsert } = said.facts;
  if (upsert !== undefined) return upsert ? basisOf(['said'], said.at('upsert') ?? spot) : undefined;
  const because = rawChild(rawChild(spot, 'responses') ?? spot, CREATED) ?? spot;
  if (sentencesOf(spot).some((one) => UPSERTS.test(one) && !DENIED.test(one)))
    return { certainty: 'promised', because: spot };
  if (method !== 'PUT') return undefined;
  const successes = explicitStatuses(responses).filter((status) => status >= 200 && status < 300);
  if (!successes.includes(Number(CREATED))) return undefined;
  return { certainty: successes.length > 1 ? 'promised' : 'presumed', because };
}
