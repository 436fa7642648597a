import { basisOf } from '../meaning/basis.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { below, said } from './below-rules.ts';
import { collectionsOf, type Draft, draftOf, hasItemsAlone, isGet, type Verbs } from './collections.ts';
import { saidParameter } from './identity.ts';
import { listForm, listPlace } from './list-form.ts';
import { pathVerbs } from './path-verb.ts';
import { itemOf, recordName, singularPath, withoutSuffix } from './paths.ts';
import { isPresumed } from './presumed-bodies.ts';
import { answerShape, schemaKey, successOf } from './record-schema.ts';
import { declaredRole, type Further, ON_ONE, type Resource, type Singleton } from './resource.ts';
import {
  type Context,
  type Match,
  namesOther,
  parentsAt,
  RULES,
  type Rule,
  setTo,
  WHOLE,
} from './role-rules.ts';
import { withoutOthers } from './same-collection.ts';
import { findSingletons, isSingleton } from './singletons.ts';

export interface Inferred {
  readonly resources: readonly Resource[];
  readonly singletons: readonly Singleton[];
}

/**
 * Infers collections from the paths and methods of operations. Each remaining operation is assigned by the first of
 * a list of rules that fits; the main operations of a collection stay those at its own paths.
 */
export function inferResources(all: readonly Operation[]): Inferred {
  const operations = all.filter((operation) => declaredRole(operation).resource !== false);
  const verbs = pathVerbs(operations);
  const groups = [...Map.groupBy(operations, collectionsOf(operations, verbs))];
  // `POST /posts/{postId}/comments` creates what `DELETE /comments/{id}` removes.
  const aloft = groups.filter((group) => hasItemsAlone(group) && !group[1].some(isGet));
  const candidates = groups.flatMap(([path, members]) => {
    const isShallow = ([one]: (typeof groups)[number]) =>
      one !== path && recordName(one) === recordName(path);
    return draftOf(path, members, verbs, path.includes('{') && aloft.some(isShallow)) ?? [];
  });
  const drafts = withoutOthers(candidates);
  const main = new Set(drafts.flatMap(({ actions }) => Object.values(actions)));
  const context: Context = {
    drafts,
    verbs,
    viewedAt: new Map(),
    madeAt: new Set(),
    byPath: new Map(),
    readPaths: new Set(
      operations.flatMap((operation) =>
        isGet(operation) && answerShape(operation) ? withoutSuffix(operation.path) : [],
      ),
    ),
    written: new Set(
      operations.flatMap((operation) => (isGet(operation) ? [] : withoutSuffix(operation.path))),
    ),
  };
  for (const draft of drafts.toReversed()) context.byPath.set(singularPath(draft.path), draft);
  for (const draft of drafts) context.byPath.set(draft.path, draft);
  const put = (rules: readonly Rule[]) => (operation: Operation) => {
    const match = rules.map((rule) => rule(operation, context)).find((one) => one !== undefined);
    const at = withoutSuffix(operation.path);
    if (match?.role === 'view') context.viewedAt.set(at, match.draft);
    // `/bookings` creates what `/bookings/mine` lists, so that `/bookings/{id}/cancel` belongs to it.
    if (match?.role === 'create' && !context.byPath.has(at)) {
      context.byPath.set(at, match.draft);
      context.madeAt.add(at);
    }
    match?.draft.further.push(furtherOf(operation, match, verbs));
    return !match;
  };
  const waiting = operations.filter((operation) => !main.has(operation));
  // Reads first: what a path lists decides what a POST to it creates.
  const inOrder = waiting.toSorted((operation, right) => Number(isGet(right)) - Number(isGet(operation)));
  const left = inOrder.filter((operation) => isSingleton(operation) || put([said, ...RULES])(operation));
  const singletons = findSingletons(
    left.filter(({ path }) => !context.byPath.has(withoutSuffix(path))),
    (shape) => drafts.some(({ keys }) => keys.has(schemaKey(shape))),
  );
  const taken = singletons.flatMap(({ actions, further }) => [
    ...Object.values(actions),
    ...further.map(({ operation }) => operation),
  ]);
  left.filter((operation) => !taken.includes(operation)).forEach(put([below]));
  return { resources: drafts.map(resourceOf), singletons };
}

function resourceOf(draft: Draft): Resource {
  const { path, actions, further, shape, id } = draft;
  const { list } = actions;
  const place = list && listPlace(list);
  const form = place && listForm(list, place, shape);
  const parents = parentsAt(path, draft, Object.values(actions));
  return { path, actions, further, shape, id, list: form, parents };
}

/** An operation's role with what that role needs: parameter, list form, parents. */
function furtherOf(operation: Operation, { draft, role, signs }: Match, verbs: Verbs): Further {
  const plain = withoutSuffix(operation.path);
  const isBelow = plain.startsWith(`${draft.path}/`);
  const names = pathParameters(isBelow ? plain.slice(draft.path.length) : plain);
  // A PUT to a collection below a record has the id in its body.
  const isCollection = plain === draft.path && !itemOf(plain);
  const last = isCollection ? undefined : names.at(isBelow ? 0 : -1);
  const one = saidParameter(operation) ?? verbs.get(operation)?.parameter ?? last;
  const isAtItem = role === 'create' && plain.endsWith(`{${draft.id?.parameter}}`);
  const isFound = role === 'read' && (one === undefined || namesOther(`{${one}}`, draft));
  const parameter = (ON_ONE.has(role) && !isFound) || isAtItem ? one : undefined;
  const place = role === 'view' ? listPlace(operation) : isFound ? WHOLE : undefined;
  const success = successOf(operation);
  return {
    role,
    operation,
    parameter,
    list: place && listForm(operation, place, draft.shape),
    // A path parameter that sets a member selects nothing: `/pets/{id}/status/{status}`.
    parents: parentsAt(operation.path, draft, [operation]).filter(
      (parent) =>
        parent.parameter !== parameter && !(role === 'action' && plain.endsWith(setTo(parent.parameter))),
    ),
    // A presumed response is no sign.
    ...basisOf(
      success && isPresumed(success) ? signs.filter((sign) => sign !== 'schema') : signs,
      declaredRole(operation).spot ?? operation.spot,
    ),
  };
}
