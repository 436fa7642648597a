import {
  type Contract,
  compileRequestReader,
  isRecord,
  type MediaType,
  type Operation,
  type Parameter,
  type Place,
  placeOf,
  type RequestViolation,
  rawChild,
  responseFor,
  Shape,
  type Spot,
  sample,
  shortenText,
  showPlace,
  stringifyJson,
} from '#spec';
import { parameterExamples } from '#test-values';
import { answersTo, type Break, evidenceOf, firstSuccess } from './break.ts';
import { candidates } from './candidates.ts';
import { meaningsOf } from './changes/changes-of.ts';
import { twinOf } from './changes/parameter-changes.ts';
import { type Draft, isCredential, keyOf, rawOf, sentFor } from './draft.ts';
import { findDraft, type Tried } from './find-draft.ts';
import { isDocumented, schemasAlong, stepsOf, wasReadWhole } from './members.ts';
import type { Pace } from './pace.ts';
import { type Address, atNew, type Contracts, type Pair } from './pair.ts';
import { isSame } from './same-schema.ts';
import { type Answer, type Twins, worked } from './twins.ts';

/** What was found of the requests to one operation. */
export interface RequestBreaks {
  readonly breaks: readonly Break[];
  /** A request that OLD allows could be made. */
  readonly tried: boolean;
  /** The mock of OLD has taken one. */
  readonly worked: boolean;
}

/** What a client of one operation of OLD may send, and NEW refuses. */
export async function requestBreaks(
  twins: Twins,
  contracts: Contracts,
  pair: Pair,
  address: Address,
  pace: Pace,
): Promise<RequestBreaks> {
  const { old, new: next } = pair;
  const alternatives = old.security.length > 0 ? old.security : [undefined];
  const breaks: Break[] = [];
  let base: Tried | undefined;
  let tried = false;
  let isTaken = false;
  for (const requirement of alternatives) {
    const draft = await findDraft(twins, contracts.old, old, requirement);
    base ??= draft;
    tried ||= draft !== undefined;
    isTaken ||= worked(draft?.answer);
    if (!next || !draft) continue;
    const refused = await refusedCredential(twins, contracts.new, { old, new: next, address }, draft);
    if (refused) breaks.push(refused);
  }
  if (!next)
    return { breaks: [await removedOperation(twins, contracts.new, old, base)], tried, worked: isTaken };
  if (!base) return { breaks, tried, worked: isTaken };
  const probe = createRequestProbe(twins, contracts, { old, new: next, address }, pace);
  await probe.base(base.draft);
  const meanings = meaningsOf(contracts.old, old);
  for (const parameter of old.parameters) {
    const isLost = meanings?.has(parameter.name) && parameter.in === 'query' && !twinOf(parameter, old, next);
    const lost = isLost
      ? await lostParameter(twins, contracts, pair, base.draft, parameter, address)
      : undefined;
    if (lost) breaks.push(lost);
    await probe.parameter(base.draft, parameter);
  }
  for (const media of old.body?.content ?? []) await probe.body(base.draft, media);
  if (old.body && !old.body.required) await probe.base({ ...base.draft, body: undefined });
  return { breaks: [...breaks, ...probe.found], tried, worked: isTaken };
}

/** A valid request is refused for the credential that OLD asks for. Undefined: it is not. */
async function refusedCredential(
  twins: Twins,
  next: Contract,
  { old, new: after, address }: { old: Operation; new: Operation; address: Address },
  tried: Tried,
): Promise<Break | undefined> {
  if (!worked(tried.answer)) return undefined;
  const read = compileRequestReader(after, next.validators);
  if (read(rawOf(after, atNew(address, tried.sent))).violations.length > 0) return undefined;
  const answers = await answersTo(twins, tried.sent);
  if (answers.new?.status !== 401 && answers.new?.status !== 403) return undefined;
  const names = tried.draft.requirement?.map(({ scheme }) => scheme).join(' and ');
  const wanted = after.security.map((one) => one.map(({ scheme }) => scheme).join(' and ')).join(' or ');
  return {
    operation: old,
    status: firstSuccess(old),
    law: 'status',
    received: `${answers.new.status}: NEW asks for the credential ${wanted}`,
    site: { within: '', steps: [], keyword: 'security' },
    documented: names ? `the credential ${names} is enough` : 'no credential is needed',
    at: securityAt(old),
    oldSpot: old.spot,
    newAt: securityAt(after),
    ...evidenceOf(tried.sent, answers),
  };
}

function securityAt({ spot }: Operation): Place {
  return placeOf(rawChild(spot, 'security') ?? rawChild(spot.document.root, 'security') ?? spot);
}

/** NEW does not have the operation. */
async function removedOperation(
  twins: Twins,
  next: Contract,
  operation: Operation,
  base: Tried | undefined,
): Promise<Break> {
  const { root } = next.document;
  const answers = base && (await answersTo(twins, base.sent));
  const paths = rawChild(root, 'paths') ?? root;
  const name = `${operation.method} ${operation.path}`;
  return {
    operation,
    status: firstSuccess(operation),
    law: 'status',
    site: { within: '', steps: [], keyword: 'paths' },
    received: answers?.new ? `${answers.new.status}: NEW has no ${name}` : `NEW has no ${name}`,
    documented: name,
    at: placeOf(operation.spot),
    oldSpot: operation.spot,
    newAt: placeOf(rawChild(paths, operation.path) ?? paths),
    ...evidenceOf(base?.sent, answers),
  };
}

/** Sends what OLD allows, and gathers what NEW refuses: each of its rules once. */
function createRequestProbe(
  twins: Twins,
  contracts: Contracts,
  { old, new: next, address }: { old: Operation; new: Operation; address: Address },
  pace: Pace,
) {
  const [readOld, readNew] = [
    compileRequestReader(old, contracts.old.validators),
    compileRequestReader(next, contracts.new.validators),
  ];
  const found = new Map<string, Break>();

  async function attempt(draft: Draft, subject: Spot, schema: Spot | undefined): Promise<void> {
    const sent = encoded(() => sentFor(old, draft));
    if (!sent) return;
    const refused = readNew(rawOf(next, atNew(address, sent))).violations;
    const fresh = refused.filter(
      (one) =>
        !found.has(ruleOf(one)) &&
        !isCredential(draft.requirement, one) &&
        (!schema || wasReadWhole(contracts.old, [schema], stepsOf(one.pointer))),
    );
    if (fresh.length === 0 || readOld(rawOf(old, sent)).violations.length > 0) return;
    const answers = await answersTo(twins, sent);
    for (const violation of fresh) {
      const at = placeOfRule(violation, subject, schema);
      found.set(ruleOf(violation), {
        operation: old,
        status: firstSuccess(old),
        law: 'status',
        site: siteOf(violation),
        received: `${statusOf(answers.new)}: ${sayWhat(violation)}`,
        documented: `a valid request: ${responseFor(old.responses, firstSuccess(old)) ? firstSuccess(old) : 'success'}`,
        at: placeOf(at),
        oldSpot: at,
        newAt: violation.at,
        ...evidenceOf(sent, answers),
      });
    }
  }

  /** Values about which the schemas may disagree, and that a client of OLD sends. */
  async function* values(schemas: InBoth<readonly Spot[]>, others: readonly unknown[] = []) {
    for (const value of candidates(schemas.old, schemas.new, others)) {
      await pace.breathe();
      if (pace.stopped()) return;
      if (isDocumented(schemas.old, schemas.new, value, 'readOnly')) yield value;
    }
  }

  return {
    /** Of each rule of NEW what shows it. */
    get found() {
      return [...found.values()];
    },
    base: (draft: Draft) => attempt(draft, draft.body ? (old.body?.spot ?? old.spot) : old.spot, undefined),
    async parameter(draft: Draft, parameter: Parameter) {
      const twin = twinOf(parameter, old, next);
      if (!twin || (isSame(parameter.spot, twin.spot) && parameter.required === twin.required)) return;
      const { schema } = parameter;
      const absent = new Map(draft.values);
      absent.delete(keyOf(parameter));
      if (!parameter.required) await attempt({ ...draft, values: absent }, parameter.spot, undefined);
      for await (const value of values({ old: listOf(schema), new: listOf(twin.schema) })) {
        const given = new Map(draft.values).set(keyOf(parameter), value);
        await attempt({ ...draft, values: given }, parameter.spot, schema);
      }
    },
    async body(draft: Draft, media: MediaType) {
      const twin = next.body?.content.find(({ type }) => type === media.type);
      const first = draft.body?.value;
      if (!twin) return attempt({ ...draft, body: { media, value: first ?? {} } }, media.spot, undefined);
      if (isSame(media.spot, twin.spot) && isSame(media.schema, twin.schema)) return;
      const schemas = { old: listOf(media.schema), new: listOf(twin.schema) };
      for await (const value of values(schemas, [first, ...media.examples.values()]))
        await attempt({ ...draft, body: { media, value } }, media.spot, media.schema);
    },
  };
}

interface InBoth<T> {
  readonly old: T;
  readonly new: T;
}

function listOf<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function statusOf(answer: Answer | undefined): string {
  return answer === undefined || worked(answer) ? 'NEW refuses it' : String(answer.status);
}

function encoded<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function siteOf({ in: place, name, pointer, keyword }: RequestViolation): Break['site'] {
  const within = place === 'body' ? 'the request' : `the ${place} parameter \`${name}\``;
  return { within, steps: stepsOf(pointer), keyword };
}

function ruleOf({ at, keyword, kind }: RequestViolation): string {
  return `${showPlace(at)}:${at.column} ${kind} ${keyword}`;
}

function sayWhat({ in: place, name, pointer, expected, received }: RequestViolation): string {
  const what = [place, name, pointer].filter((part) => part !== '').join(' ');
  const got = received === undefined ? '' : `, not ${shortenText(stringifyJson(received), 160)}`;
  return `${what} ${expected}${got}`;
}

/** The place in OLD that corresponds to a rule of NEW. */
function placeOfRule({ pointer, keyword }: RequestViolation, subject: Spot, schema: Spot | undefined): Spot {
  if (!schema) return subject;
  const steps = stepsOf(pointer);
  const [found = schema] = schemasAlong([schema], keyword === 'required' ? steps.slice(0, -1) : steps);
  return new Shape([found]).find(keyword)?.spot ?? found;
}

/** So many values are tried. */
const MOST = 24;

/**
 * A request in which a parameter that NEW lacks changes what the mock of OLD responds, and not what that of NEW does.
 * Undefined: none is found, as where records have no value that tells.
 */
async function lostParameter(
  twins: Twins,
  { old: contract }: Contracts,
  { old, new: next }: Pair,
  draft: Draft,
  parameter: Parameter,
  address: Address,
): Promise<Break | undefined> {
  if (!next) return undefined;
  const without = await answersTo(twins, sentFor(old, draft));
  const read = compileRequestReader(old, contract.validators);
  for (const value of (await valuesFor(twins, parameter)).slice(0, MOST)) {
    const sent = sentFor(old, { ...draft, values: new Map(draft.values).set(keyOf(parameter), value) });
    if (read(rawOf(old, sent)).violations.length > 0) continue;
    const answers = await answersTo(twins, sent);
    if (!worked(answers.old) || answers.old?.text === without.old?.text) continue;
    if (answers.new?.text !== without.new?.text || atNew(address, sent).query === '') continue;
    return {
      operation: old,
      status: firstSuccess(old),
      law: 'status',
      site: {
        within: `the query parameter \`${parameter.name}\``,
        steps: [],
        keyword: 'meaningfulParameter',
      },
      received: `NEW responds with ${parameter.name} as without it`,
      documented: `${parameter.name} changes what is listed`,
      at: placeOf(parameter.spot),
      oldSpot: parameter.spot,
      newAt: placeOf(next.spot),
      request: sent,
      answers,
    };
  }
  return undefined;
}

/** What the document shows, then what records have: a filter tells by these. */
async function valuesFor({ old }: Twins, parameter: Parameter): Promise<unknown[]> {
  const { records } = await old.state();
  const kept = Object.values(records).flatMap((all) =>
    all.slice(0, 2).flatMap((record) => (isRecord(record) ? Object.entries(record) : [])),
  );
  const alike = kept.flatMap(([name, value]) => (name === parameter.name ? [value] : []));
  const shown = [...parameterExamples(parameter), ...(parameter.shape.values ?? [])];
  return [...shown, ...alike, 2, sample(parameter.shape, { key: 'lost' }), ...kept.map(([, value]) => value)];
}
