import { rawChild } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import { has, sentencesIn, textOf } from './words.ts';

const CREATED = '201';
const CREATES = 'create creates created add adds added make makes made'.split(' ');
const CHANGES = 'update updates updated replace replaces replaced overwrite overwrites modify modifies'.split(
  ' ',
);
const ABSENT = [
  'does not exist',
  'not exist',
  'do not exist',
  'does not yet exist',
  'not yet exist',
  'is none',
  'not found',
];
const DENIALS = [
  'not create',
  'not created',
  'not be created',
  'cannot be created',
  'cannot create',
  'never',
  'instead of',
];

/** `creates or updates`, `created if it does not exist`, `upsert`. */
const saysUpsert = (sentence: string) =>
  !has(sentence, DENIALS) &&
  (has(sentence, ['upsert', 'upserts']) ||
    (has(sentence, CREATES) && (has(sentence, ABSENT) || (has(sentence, ['or']) && has(sentence, CHANGES)))));

const known = new WeakMap<Operation, Basis | undefined>();

/**
 * What says that a write makes the record that it names where there is none: of a PUT, 201 beside another success (RFC 9110
 * §9.3.4). That a PUT documents 201 alone suggests it, and so do words of the description.
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
  const successes = explicitStatuses(responses).filter((status) => status >= 200 && status < 300);
  const isCreated = method === 'PUT' && successes.includes(Number(CREATED));
  if (isCreated && successes.length > 1) return basisOf(['said'], because);
  const isInWords = sentencesIn(textOf(spot)).some(saysUpsert);
  const signs: Sign[] = [
    ...(isCreated ? (['schema'] as const) : []),
    ...(isInWords ? (['words'] as const) : []),
  ];
  return signs.length > 0 ? basisOf(signs, isCreated ? because : spot) : undefined;
}
