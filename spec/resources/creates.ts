import type { Sign } from '../meaning/basis.ts';
import { idStem, idWord, sameName } from '../meaning/names.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { accountOperation } from './accounts.ts';
import { linksTo } from './created-id.ts';
import { type Draft, isPutCreate } from './draft.ts';
import { type Context, isAnchor, type Match, nearest } from './match.ts';
import { itemOf, lastSegment, recordName, withoutSuffix } from './paths.ts';
import { isPresumed } from './presumed-responses.ts';
import { answerShape, bodyShape, memberShape, schemaKey, successOf, unwrapped } from './record-schema.ts';
import { sameRecord } from './same-record.ts';

/**
 * A POST, or a PUT that creates, with a body that has members of a collection, makes one of its records where the success
 * shows it or its id: unless path or body name a record of the same kind, or a token is handed out. That it is called like
 * the collection, and 201, speak for it as well.
 */
export function createIn(operation: Operation, context: Context): Match | undefined {
  const { method, path, body } = operation;
  const sent = bodyShape(operation);
  const success = successOf(operation);
  if ((method !== 'POST' && !isPutCreate(operation)) || !body || !sent || sent.mainType === 'array')
    return undefined;
  if (!success || isPresumed(success) || accountOperation(operation)?.tokens[0]) return undefined;
  if ((context.verbs.get(operation)?.action ?? 'create') !== 'create') return undefined;
  const name = recordName(path);
  const answer = unwrapped(answerShape(operation), name);
  const known = answer ? (context.index.bySchema.get(schemaKey(answer)) ?? []) : [];
  const names = new Set(
    [sent, ...sent.properties.values()].flatMap(({ properties }) => [...properties.keys()]),
  );
  // A body that must have the id is about a record that there is; else it has members of one, unless it is called so.
  const mayBeMade = ({ path: own, shape, id }: Draft) =>
    !sent.required.has(id?.property ?? '') &&
    (recordName(own) === name || [...names].some((one) => memberShape(shape, one)));
  const among = [...context.among].filter(
    (one) => isAnchor(one) && !namesRecord(operation, one, context) && mayBeMade(one),
  );
  const shown = ofOneName(
    among.filter((one) => known.includes(one)),
    name,
  );
  const linked = among.filter(({ actions, id }) => {
    const items = new Set(Object.values(actions).map((one) => one.id));
    return linksTo(items, id?.parameter ?? '', operation).length > 0;
  });
  const like = among.filter((one) => showsOne(answer, recordName(one.path) === name, one));
  const draft = nearest(path, [...linked, ...shown]) ?? nearest(path, like);
  if (!draft) return undefined;
  const signs: Sign[] = [
    linked.length > 0 ? 'said' : shown.length > 0 ? 'schema' : 'name',
    ...(isCalledSo(path, draft) ? (['path'] as const) : []),
    ...(explicitStatuses(operation.responses).includes(201) ? (['said'] as const) : []),
  ];
  return { draft, role: 'create', signs };
}

/** In the same number: `/charges/{charge}/dispute` is the one of a charge, which a POST may change. */
function isCalledSo(path: string, draft: Draft): boolean {
  return sameName(lastSegment(path) ?? '', lastSegment(draft.path) ?? '');
}

/** What several collections have in their records says of none that it is meant, unless it is called so. */
function ofOneName(drafts: readonly Draft[], name: string): readonly Draft[] {
  const namesakes = drafts.filter(({ path }) => recordName(path) === name);
  if (namesakes.length > 0) return namesakes;
  return new Set(drafts.map(({ path }) => recordName(path))).size === 1 ? drafts : [];
}

/** Whether a response shows the same record in another schema, or the id of one and nothing of other things. */
function showsOne(answer: Shape | undefined, isNamesake: boolean, { shape, id }: Draft): boolean {
  if (!answer || !id) return false;
  if (isNamesake && sameRecord(answer, shape)) return true;
  const ids = [id.property, ...(id.parameter === undefined ? [] : [id.parameter])];
  // Everything has an `id`.
  const isId = (name: string) =>
    ids.some((one) => sameName(name, one)) && (isNamesake ? idWord(name) : idStem(name)) !== undefined;
  const names = [...answer.properties.keys()];
  return names.some(isId) && names.every((name) => isId(name) || memberShape(shape, name));
}

/** Whether a path has the id of a record of the collection, or ends in a parameter and is no list of them. */
function namesRecord({ path }: Operation, draft: Draft, { viewedAt }: Context): boolean {
  const plain = withoutSuffix(path);
  if (plain === draft.path) return false;
  if (itemOf(plain)) return viewedAt.get(plain) !== draft;
  const noun = recordName(draft.path);
  return plain
    .split('/')
    .some((segment, at, all) => segment.startsWith('{') && recordName(all[at - 1] ?? '') === noun);
}
