import {
  type Contract,
  collectionNamed,
  isRecord,
  type Operation,
  pathParameters,
  percentEncode,
  SAFE_METHODS,
} from '#spec';
import type { Finding } from '../laws/finding.ts';
import { recordsOf } from '../laws/list-page.ts';
import { isIdName } from '../laws/mark.ts';
import { roleOf } from '../laws/operation-role.ts';
import { collectionOf, isCreate } from '../run/permissions.ts';
import type { Run } from '../run/run.ts';
import { placeholderOf, type Script, withNumbers } from '../send/curl.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import { jsonOf } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { headerOf } from '../send/wire.ts';

/** Requests that may reproduce a finding from scratch. */
export interface Reproduction {
  readonly steps: readonly SentStep[];
  /** The result depends on records that the run did not create. */
  readonly needsData: boolean;
}

type Known = Pick<Run, 'plan' | 'log'>;

/** Nobody reads or repeats more requests than this. */
export const LONGEST = 40;
/** The numbers of new records for which a list is tried; the first that shows the finding is used. */
const LIST_SIZES = [1, 2, 6, 30];

/** Subsets of the requests before a finding that may reproduce it, the shortest first. Empty: others sent them. */
export function reproductionsFor(run: Known, { trail, ...finding }: Finding): Reproduction[] {
  const last = trail.at(-1);
  if (!last) return [];
  if (trail.some(({ amongOthers }) => amongOthers))
    return [asReproduction(run, closed(run, trail, trail), false)];
  const { creates, foreign } = concernedRecords(run, finding);
  const unsafe = trail.filter(({ operation }) => !SAFE_METHODS.has(operation.method));
  const isSequence = trail.some(({ round }) => round !== undefined && round === last.round);
  const candidates = [
    // Existing records of others need not be created.
    ...(creates.length === 0 || foreign ? [[last]] : []),
    ...LIST_SIZES.filter((_, index) => creates.length > (LIST_SIZES[index - 1] ?? 0)).map((size) => [
      ...creates.slice(0, size),
      last,
    ]),
    // A record of another case may have had the same values.
    ...(isCreate(run.plan.contract, last.operation) ? [[{ ...last }, last]] : []),
    ...(unsafe.length > 0 || isSequence ? [[...unsafe, last], trail] : []),
  ];
  const reproductions = candidates
    .map((wanted) => closed(run, trail, wanted))
    .filter(({ length }) => length <= LONGEST);
  const different = reproductions.filter(
    (steps, index) => reproductions.findIndex((reproduction) => isSameSet(reproduction, steps)) === index,
  );
  return different
    .map((steps) => asReproduction(run, steps, foreign))
    .sort((left, right) => left.steps.length - right.steps.length);
}

function asReproduction(run: Known, steps: readonly SentStep[], foreign: boolean): Reproduction {
  return { steps, needsData: foreign || steps.some((step) => namesForeign(run, steps, step)) };
}

function isSameSet(one: readonly SentStep[], other: readonly SentStep[]): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}

/** The wanted requests with all that they depend on, in the order in which they were sent. */
export function closed(run: Known, trail: readonly SentStep[], wanted: readonly SentStep[]): SentStep[] {
  const needed = new Set<SentStep>();
  const open = [...wanted];
  for (let step = open.pop(); step; step = open.pop()) {
    if (needed.has(step)) continue;
    needed.add(step);
    open.push(...neededBy(run, trail, step));
  }
  const others = [...needed].filter((step) => !trail.includes(step));
  return [
    ...others.sort((left, right) => left.number - right.number),
    ...trail.filter((step) => needed.has(step)),
  ];
}

function neededBy(run: Known, trail: readonly SentStep[], step: SentStep): SentStep[] {
  const index = trail.indexOf(step);
  const before = trail.slice(0, Math.max(0, index));
  const makers = idsIn(run.plan.contract, step).flatMap(({ operation, name, value }) => {
    const maker = makerOf(run, operation, name, value);
    return maker && maker.number < step.number ? maker : [];
  });
  const changes = before.filter(
    (one) => !SAFE_METHODS.has(one.operation.method) && makers.some((maker) => names(run, one, maker)),
  );
  const round = step.round ? before.filter((one) => one.round === step.round) : [];
  const version = step.versionOf ? [step.versionOf] : [];
  return [...makers, ...changes, ...round, ...version, ...(step.amongOthers ? sentWith(trail, index) : [])];
}

/** The requests that were sent concurrently with one. */
function sentWith(trail: readonly SentStep[], index: number): SentStep[] {
  const start = trail.findLastIndex((step, at) => at < index && !step.amongOthers) + 1;
  const end = trail.findIndex((step, at) => at > index && !step.amongOthers);
  return trail.slice(start, end < 0 ? trail.length : end);
}

function names(run: Known, { operation, input }: SentStep, maker: SentStep): boolean {
  return pathParameters(operation.path).some(
    (name) => makerOf(run, operation, name, input.path?.[name]) === maker,
  );
}

/** A value in a request that may be the id of a record. */
interface NamedId {
  readonly operation: Operation;
  readonly name: string;
  readonly value: unknown;
}

function idsIn(contract: Contract, { operation, input }: SentStep): NamedId[] {
  const path = pathParameters(operation.path).map((name) => ({ operation, name, value: input.path?.[name] }));
  const members = isRecord(input.body) ? Object.entries(input.body) : [];
  const inBody = members.flatMap(([name, value]) =>
    collectionNamed(contract.resources, name) ? [{ operation, name, value }] : [],
  );
  return [...path, ...inBody];
}

/** The request that created the record which a value refers to. */
export function makerOf(
  { plan: { contract }, log: { origins } }: Known,
  operation: Operation,
  name: string,
  value: unknown,
): SentStep | undefined {
  if (value === undefined || typeof value === 'object') return undefined;
  const owner = operation.path.includes(`{${name}}`)
    ? collectionOf(contract, operation, name)
    : collectionNamed(contract.resources, name);
  return owner && origins.of(owner, value);
}

/** Whether a request names an existing record that the run found at the target. */
function namesForeign(run: Known, steps: readonly SentStep[], { operation, input }: SentStep): boolean {
  if (input.madeUp || input.guessed) return false;
  const named = pathParameters(operation.path);
  return named.some((name, index) => {
    if (input.unknownId && index === named.length - 1) return false;
    if (run.plan.settings.values[name] !== undefined || !collectionOf(run.plan.contract, operation, name))
      return false;
    const maker = makerOf(run, operation, name, input.path?.[name]);
    return !maker || !steps.includes(maker);
  });
}

/** The records of a list that a finding is about, by the requests that created them. */
function concernedRecords(
  { plan: { contract }, log: { origins } }: Known,
  { exchange, about }: Omit<Finding, 'trail'>,
): { creates: readonly SentStep[]; foreign: boolean } {
  const { resource, action } = roleOf(contract, exchange.operation) ?? {};
  const property = resource?.id?.property;
  if (!resource?.list || action !== 'list' || property === undefined) return { creates: [], foreign: false };
  const body = jsonOf(exchange.response);
  const records = about ?? (isRecord(body) || Array.isArray(body) ? recordsOf(resource.list, body) : []);
  const makers = records.map((record) =>
    isRecord(record) ? origins.of(resource, record[property]) : undefined,
  );
  const creates = [...new Set(makers.filter((maker) => maker !== undefined))];
  return { creates, foreign: makers.some((maker) => maker === undefined) };
}

/** The sent requests as a script, which keeps the ids of created records, and entity tags, in variables. */
export function scriptOf(run: Known, sent: readonly SentStep[]): Script {
  // Checks of free ids are left out: only the run needed them.
  const steps = sent.filter((step, index) => !step.input.chosenId || index === sent.length - 1);
  const variables = new Map<SentStep, string>();
  const tags = new Map<SentStep, string>();
  for (const step of steps) {
    const { versionOf } = step;
    if (versionOf && steps.includes(versionOf) && !tags.has(versionOf))
      tags.set(versionOf, `TAG${tags.size + 1}`);
    for (const maker of makersIn(run, step)) {
      // An id that the client chose is written as it is.
      const isUsed = steps.includes(maker) && maker.created?.at !== undefined && maker.number < step.number;
      if (isUsed && !variables.has(maker)) variables.set(maker, `ID${variables.size + 1}`);
    }
  }
  const isKept = (step: SentStep | undefined) => step && (variables.has(step) || tags.has(step));
  const needs = (step: SentStep) => [...makersIn(run, step), step.versionOf].filter(isKept);
  // Concurrent requests are one entry, except for one that depends on the response of another.
  const isAtOnce = (step: SentStep, before: SentStep, entry: readonly SentStep[]) =>
    step.amongOthers && before.amongOthers && !needs(step).some((need) => need && entry.includes(need));
  return inGroups(steps, isAtOnce).map((entry) =>
    entry.map((step) => {
      const request = requestOf(run, step, variables, step.versionOf && tags.get(step.versionOf));
      const tag = tags.get(step);
      if (tag !== undefined) return { request, keeps: { variable: tag, at: 'etag' } };
      const variable = variables.get(step);
      const { at, id } = step.created ?? {};
      if (variable === undefined || at === undefined) return { request };
      const isEncoded = percentEncode(String(id)) !== String(id);
      return { request, keeps: { variable, at, ...(isEncoded && { isEncoded }) } };
    }),
  );
}

/** Groups consecutive steps that belong together. */
export function inGroups(
  steps: readonly SentStep[],
  isTogether: (step: SentStep, before: SentStep, group: readonly SentStep[]) => unknown,
): SentStep[][] {
  const groups: SentStep[][] = [];
  for (const step of steps) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && isTogether(step, before, group)) group.push(step);
    else groups.push([step]);
  }
  return groups;
}

function makersIn(run: Known, { operation, input }: SentStep): SentStep[] {
  const members = isRecord(input.body) ? Object.entries(input.body).filter(([name]) => isIdName(name)) : [];
  return [...Object.entries(input.path ?? {}), ...members].flatMap(
    ([name, value]) => makerOf(run, operation, name, value) ?? [],
  );
}

function requestOf(
  run: Known,
  step: SentStep,
  variables: ReadonlyMap<SentStep, string>,
  tag: string | undefined,
): SentStep['request'] {
  const { operation, input } = step;
  // A record that it creates itself is known only with the response.
  const used = makersIn(run, step).filter((maker) => variables.has(maker) && maker.number < step.number);
  if (used.length === 0 && tag === undefined) return step.request;
  const placeholder = (name: string, value: unknown): unknown => {
    const maker = makerOf(run, operation, name, value) ?? ownIdIn(used, name, value);
    const variable = maker && used.includes(maker) ? variables.get(maker) : undefined;
    return variable === undefined ? value : placeholderOf(variable);
  };
  const replaced = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, placeholder(name, value)]));
  const body = isRecord(input.body) ? replaced(input.body) : input.body;
  const changed: RequestInput = {
    ...input,
    path: replaced(input.path ?? {}),
    ...(body !== undefined && { body }),
  };
  const { condition } = input;
  const header = condition && condition !== 'none' ? condition.header.toLowerCase() : '';
  const sent = headerOf(step.request, header);
  const request = planRequest(run.plan.settings, operation, changed, tag ? placeholderOf(tag) : sent);
  const numbers = used.filter(({ created }) => typeof created?.id !== 'string');
  const names = numbers.flatMap((maker) => variables.get(maker) ?? []);
  return request.body && names.length > 0 ? { ...request, body: withNumbers(request.body, names) } : request;
}

/** A body repeats the id in its path. */
function ownIdIn(used: readonly SentStep[], name: string, value: unknown): SentStep | undefined {
  return used.find(
    ({ created }) => created?.resource.id?.property === name && String(created.id) === String(value),
  );
}
