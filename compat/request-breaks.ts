import {
  type Contract,
  compileRequestReader,
  isRecord,
  type MediaType,
  type Operation,
  type Parameter,
  placeOf,
  type RequestViolation,
  responseFor,
  Shape,
  type Spot,
  sample,
  shortenText,
  showPlace,
  stringifyJson,
} from '#spec';
import { parameterExamples } from '#test-values';
import { answersTo, type Break, breakAt, evidenceOf, firstSuccess } from './break.ts';
import { candidates } from './candidates.ts';
import type { Change } from './changes/change.ts';
import { twinOf } from './changes/parameter-changes.ts';
import { ruleOf, type ShownBy } from './changes/rules.ts';
import { credentialNames, securityAt } from './changes/security-changes.ts';
import { type Draft, isCredential, keyOf, rawOf, sentFor } from './draft.ts';
import { findDraft, type Tried } from './find-draft.ts';
import { isDocumented, schemasAlong, stepsOf, wasReadWhole } from './members.ts';
import type { Pace } from './pace.ts';
import { type Address, atNew, type Contracts, type Pair } from './pair.ts';
import { isSame } from './same-schema.ts';
import { type Answer, type Twins, worked } from './twins.ts';

/** The results of requests to one operation. */
export interface RequestBreaks {
  readonly breaks: readonly Break[];
  /** Whether a request that OLD allows could be made. */
  readonly tried: boolean;
  /** Whether the mock of OLD accepted one. */
  readonly worked: boolean;
}

/**
 * Finds what a client of OLD may send to an operation and NEW rejects: proofs of documented changes, and further breaks.
 * @param changes of the operation
 */
export async function requestBreaks(
  twins: Twins,
  contracts: Contracts,
  pair: Pair,
  changes: readonly Change[],
  address: Address,
  pace: Pace,
): Promise<RequestBreaks> {
  const { old, new: next } = pair;
  const alternatives = old.security.length > 0 ? old.security : [undefined];
  const breaks: Break[] = [];
  const changesShownBy = (way: ShownBy) => changes.filter(({ rule }) => ruleOf(rule).shownBy === way);
  let base: Tried | undefined;
  let tried = false;
  let isTaken = false;
  for (const requirement of alternatives) {
    const draft = await findDraft(twins, contracts.old, old, requirement);
    base ??= draft;
    tried ||= draft !== undefined;
    isTaken ||= worked(draft?.answer);
    if (!next || !draft) continue;
    const names = credentialNames([requirement ?? []]);
    const change = changesShownBy('credential').find(({ from }) => from === names);
    const refused = await refusedCredential(twins, contracts.new, { old, new: next, address }, draft, change);
    if (refused) breaks.push(refused);
  }
  for (const change of changesShownBy('any request')) breaks.push(await anyRequest(twins, old, base, change));
  if (!next || !base) return { breaks, tried, worked: isTaken };
  const probe = createRequestProbe(twins, contracts, { old, new: next, address }, pace);
  await probe.base(base.draft);
  for (const change of changesShownBy('parameter')) {
    const lost = await lostParameter(twins, contracts.old, old, base.draft, change, address);
    if (lost) breaks.push(lost);
  }
  for (const parameter of old.parameters) await probe.parameter(base.draft, parameter);
  for (const media of old.body?.content ?? []) await probe.body(base.draft, media);
  if (old.body && !old.body.required) await probe.base({ ...base.draft, body: undefined });
  return { breaks: [...breaks, ...probe.breaks], tried, worked: isTaken };
}

/**
 * A valid request that is rejected because of OLD's credential. Undefined: it is accepted.
 * @param change of this credential in the documents; undefined: none
 */
async function refusedCredential(
  twins: Twins,
  next: Contract,
  { old, new: after, address }: { old: Operation; new: Operation; address: Address },
  tried: Tried,
  change: Change | undefined,
): Promise<Break | undefined> {
  const { requirement } = tried.draft;
  if (!worked(tried.answer)) return undefined;
  const read = compileRequestReader(after, next.validators);
  if (read(rawOf(after, atNew(address, tried.sent))).violations.length > 0) return undefined;
  const answers = await answersTo(twins, tried.sent);
  if (answers.new?.status !== 401 && answers.new?.status !== 403) return undefined;
  return {
    ...breakAt(old, securityAt(old), placeOf(securityAt(after))),
    change,
    received: `${answers.new.status}: NEW asks for the credential ${credentialNames(after.security)}`,
    documented: requirement?.length
      ? `the credential ${credentialNames([requirement])} is enough`
      : 'no credential is needed',
    ...evidenceOf(tried.sent, answers),
  };
}

/** A change that each request to the operation proves: NEW does not have it. */
async function anyRequest(
  twins: Twins,
  operation: Operation,
  base: Tried | undefined,
  change: Change,
): Promise<Break> {
  const answers = base && (await answersTo(twins, base.sent));
  return {
    ...breakAt(operation, change.old, placeOf(change.new)),
    change,
    received: `${answers?.new ? `${answers.new.status}: ` : ''}NEW has no ${change.from}`,
    documented: change.from,
    ...evidenceOf(base?.sent, answers),
  };
}

/** Sends what OLD allows, and collects rejections by NEW: one for each of its rules. */
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
  const breaksByRule = new Map<string, Break>();

  async function attempt(draft: Draft, subject: Spot, schema: Spot | undefined): Promise<void> {
    const sent = encoded(() => sentFor(old, draft));
    if (!sent) return;
    const refused = readNew(rawOf(next, atNew(address, sent))).violations;
    const fresh = refused.filter(
      (violation) =>
        !breaksByRule.has(violationKey(violation)) &&
        !isCredential(draft.requirement, violation) &&
        (!schema || wasReadWhole(contracts.old, [schema], stepsOf(violation.pointer))),
    );
    if (fresh.length === 0 || readOld(rawOf(old, sent)).violations.length > 0) return;
    const answers = await answersTo(twins, sent);
    for (const violation of fresh) {
      const at = placeOfRule(violation, subject, schema);
      breaksByRule.set(violationKey(violation), {
        ...breakAt(old, at, violation.at),
        site: siteOf(violation),
        received: `${statusOf(answers.new)}: ${sayWhat(violation)}`,
        documented: `a valid request: ${responseFor(old.responses, firstSuccess(old)) ? firstSuccess(old) : 'success'}`,
        ...evidenceOf(sent, answers),
      });
    }
  }

  /** Values on which the schemas may disagree, and that a client of OLD sends. */
  async function* values(schemas: InBoth<readonly Spot[]>, others: readonly unknown[] = []) {
    for (const value of candidates(schemas.old, schemas.new, others)) {
      await pace.breathe();
      if (pace.stopped()) return;
      if (isDocumented(schemas.old, schemas.new, value, 'readOnly')) yield value;
    }
  }

  return {
    /** The proof for each rule of NEW. */
    get breaks() {
      return [...breaksByRule.values()];
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
        const changed = new Map(draft.values).set(keyOf(parameter), value);
        await attempt({ ...draft, values: changed }, parameter.spot, schema);
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

function violationKey({ at, keyword, kind }: RequestViolation): string {
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
  const [inner = schema] = schemasAlong([schema], keyword === 'required' ? steps.slice(0, -1) : steps);
  return new Shape([inner]).find(keyword)?.spot ?? inner;
}

/** The maximum number of tried values. */
const MOST = 24;

/**
 * A request in which a parameter that NEW lacks changes the response of OLD's mock, but not that of NEW's. Undefined: none
 * is found, as when records have no suitable value.
 */
async function lostParameter(
  twins: Twins,
  contract: Contract,
  old: Operation,
  draft: Draft,
  change: Change,
  address: Address,
): Promise<Break | undefined> {
  const parameter = old.parameters.find(({ spot }) => spot.value === change.old.value);
  if (!parameter) return undefined;
  const without = await answersTo(twins, sentFor(old, draft));
  const read = compileRequestReader(old, contract.validators);
  for (const value of (await valuesFor(twins, parameter)).slice(0, MOST)) {
    const sent = sentFor(old, { ...draft, values: new Map(draft.values).set(keyOf(parameter), value) });
    if (read(rawOf(old, sent)).violations.length > 0) continue;
    const answers = await answersTo(twins, sent);
    if (!worked(answers.old) || answers.old?.text === without.old?.text) continue;
    if (answers.new?.text !== without.new?.text || atNew(address, sent).query === '') continue;
    return {
      ...breakAt(old, change.old, placeOf(change.new)),
      change,
      received: `NEW responds with ${parameter.name} as without it`,
      documented: `${parameter.name} changes what is listed`,
      request: sent,
      answers,
    };
  }
  return undefined;
}

/** Documented values first, then those of records, which distinguish filters. */
async function valuesFor({ old }: Twins, parameter: Parameter): Promise<unknown[]> {
  const { records } = await old.state();
  const kept = Object.values(records).flatMap((all) =>
    all.slice(0, 2).flatMap((record) => (isRecord(record) ? Object.entries(record) : [])),
  );
  const alike = kept.flatMap(([name, value]) => (name === parameter.name ? [value] : []));
  const documented = [...parameterExamples(parameter), ...(parameter.shape.values ?? [])];
  return [
    ...documented,
    ...alike,
    2,
    sample(parameter.shape, { key: 'lost' }),
    ...kept.map(([, value]) => value),
  ];
}
