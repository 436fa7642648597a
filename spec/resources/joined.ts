import { isRecord } from '../json/json-value.ts';
import { foldedName, sameName } from '../meaning/names.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { type Draft, type Group, isDeclared, isSearch } from './draft.ts';
import { identify } from './identity.ts';
import { arrayShape } from './list-form.ts';
import { singularPath, withoutSuffix } from './paths.ts';
import { answerShape, bodyShape, schemaKey, sharesMembers, successOf } from './record-schema.ts';

/**
 * Collections whose records are created at one path and read at another, such as `/silences` and `/silence/{silenceId}`:
 * the create, and the list beside it, become main actions of the collection with the items. The evidence is a link of
 * the create to an item, or its name or tag together with a response that holds the record or its id.
 */
export function joined(groups: readonly Group[]): readonly Group[] {
  const anchors = groups.filter(isAnchor);
  const creates = groups.flatMap((group) => createOf(group) ?? []);
  const pairs = creates.flatMap(({ group, create }) => {
    const [anchor, ...more] = anchors.filter(
      (one) => one !== group && leadsTo(create, one) && !isKnownBySchema(group, create, one),
    );
    return anchor && more.length === 0 ? [{ group, create, anchor }] : [];
  });
  const byAnchor = Map.groupBy(pairs, ({ anchor }) => anchor);
  const byGroup = new Map<Group, Group>();
  for (const [anchor, [only, ...more]] of byAnchor) {
    if (!only || more.length > 0) continue;
    const { draft, taken } = join(anchor.draft, only.group, only.create);
    byGroup.set(anchor, { ...anchor, draft });
    byGroup.set(only.group, without(only.group, taken));
  }
  return groups.map((group) => byGroup.get(group) ?? group);
}

type Anchor = Group & { readonly draft: Draft };

/** Items that nothing creates at their own path. */
function isAnchor(group: Group): group is Anchor {
  const { draft } = group;
  return draft?.actions.read !== undefined && !draft.actions.create && draft.id?.parameter !== undefined;
}

/** The POST of a group that has no items of its own. */
function createOf(group: Group) {
  const { list: _, create: own, ...items } = group.draft?.actions ?? {};
  if (Object.keys(items).length > 0) return undefined;
  const others = group.rest.filter((one) => isPlainCreate(one, group));
  const [create, ...more] = own ? [own] : others;
  return create && more.length === 0 && !isDeclared(create) ? { group, create } : undefined;
}

function isPlainCreate(operation: Operation, { path, rest, draft }: Group): boolean {
  const beside = [...rest, ...Object.values(draft?.actions ?? {})];
  return (
    operation.method === 'POST' &&
    operation.body !== undefined &&
    withoutSuffix(operation.path) === path &&
    bodyShape(operation)?.mainType !== 'array' &&
    answerShape(operation)?.mainType !== 'array' &&
    !isSearch(operation, beside)
  );
}

/** Without a list beside it, a response with the very record says as much by its schema: it is a further create. */
function isKnownBySchema({ draft }: Group, create: Operation, anchor: Anchor): boolean {
  const answer = answerShape(create);
  return draft === undefined && answer !== undefined && anchor.draft.keys.has(schemaKey(answer));
}

function leadsTo(create: Operation, { path, draft }: Anchor): boolean {
  const above = pathParameters(path);
  const own = pathParameters(create.path);
  if (own.length !== above.length || own.some((name, index) => name !== above[index])) return false;
  const items = new Set(Object.values(draft.actions).map(({ id }) => id));
  if (successOf(create)?.links.some(({ operationId }) => items.has(operationId))) return true;
  const isNamesake = singularPath(withoutSuffix(create.path)) === singularPath(path);
  const isTagged = create.tags.some((tag) => draft.actions.read?.tags.includes(tag));
  return (isNamesake && showsId(create, draft)) || (isTagged && isNamedAsItem(create, draft));
}

/** The response holds the record, a member with the name of the parameter, or nothing at all. */
function showsId(create: Operation, draft: Draft): boolean {
  const answer = answerShape(create);
  return (
    !answer || sharesMembers(answer, draft.shape) || isRecordOf(draft, create) || isNamedAsItem(create, draft)
  );
}

function isRecordOf({ keys, id }: Draft, create: Operation): boolean {
  const answer = answerShape(create);
  if (!answer) return false;
  return keys.has(schemaKey(answer)) || (id !== undefined && answer.properties.has(id.property));
}

/** A member of the response has the name of the parameter of the items, which says more than `id`. */
function isNamedAsItem(create: Operation, { id }: Draft): boolean {
  const name = id?.parameter;
  const names = [...(answerShape(create)?.properties.keys() ?? [])];
  return name !== undefined && foldedName(name) !== 'id' && names.some((one) => sameName(one, name));
}

function join(anchor: Draft, group: Group, create: Operation): { draft: Draft; taken: Operation[] } {
  const { list, ...items } = anchor.actions;
  const beside = list ? undefined : listBeside(group, anchor);
  const actions = { ...((list ?? beside) ? { list: list ?? (beside as Operation) } : {}), create, ...items };
  const draft: Draft = {
    ...anchor,
    actions,
    place: list ? anchor.place : beside && group.draft?.place,
    id: identify(anchor.shape, actions),
  };
  return { draft, taken: [create, ...(beside ? [beside] : [])] };
}

/** The list at the path of the create, where it shows the same records. */
function listBeside({ draft }: Group, anchor: Draft): Operation | undefined {
  const list = draft?.actions.list;
  const items = draft?.place && arrayShape(draft.place, answerShape(list))?.items;
  if (!items) return undefined;
  const key = schemaKey(items);
  const isSame = isRecord(key) && anchor.keys.has(key);
  return isSame || sharesMembers(items, anchor.shape) ? list : undefined;
}

/** What is left of a group at whose path nothing else makes a collection. */
function without(group: Group, taken: readonly Operation[]): Group {
  const left = Object.values(group.draft?.actions ?? {}).filter((one) => !taken.includes(one));
  const rest = [...left, ...group.rest].filter((one) => !taken.includes(one));
  return { path: group.path, draft: undefined, rest };
}
