import {
  type Contract,
  compileRequestReader,
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
  showPlace,
  stringifyJson,
} from '#spec';
import { type Break, shorten } from './break.ts';
import { candidates } from './candidates.ts';
import { isDocumented } from './documented.ts';
import { type Draft, keyOf, namesInPath, rawOf, type Sent, sentFor } from './draft.ts';
import { findDraft, stepsOf, type Tried } from './find-draft.ts';
import { schemasAlong } from './members.ts';
import type { Pair } from './pair.ts';
import { isSame } from './same-schema.ts';
import { type Answer, send, type Twins, worked } from './twins.ts';

/** What was found of the requests to one operation. */
export interface RequestProbe {
  readonly breaks: readonly Break[];
  /** A request to the mock of OLD has succeeded. */
  readonly tried: boolean;
}

/** What a client of one operation of OLD may send, and NEW refuses. */
export async function requestBreaks(
  twins: Twins,
  contracts: { readonly old: Contract; readonly new: Contract },
  pair: Pair,
): Promise<RequestProbe> {
  const { old, new: next } = pair;
  const alternatives = old.security.length > 0 ? old.security : [undefined];
  const found: Break[] = [];
  let base: Tried | undefined;
  let tried = false;
  for (const requirement of alternatives) {
    const draft = await findDraft(twins, contracts.old, old, requirement);
    base ??= draft;
    tried ||= worked(draft?.answer);
    if (next && draft) found.push(...(await refusedCredential(twins, contracts, old, next, draft)));
  }
  if (!next) return { breaks: [await removed(twins, contracts.new, old, base)], tried };
  if (!base) return { breaks: found, tried };
  const probe = createProbe(twins, contracts, old, next);
  await probe.base(base.draft);
  for (const parameter of old.parameters) await probe.parameter(base.draft, parameter);
  for (const media of old.body?.content ?? []) await probe.body(base.draft, media);
  if (old.body && !old.body.required) await probe.base({ ...base.draft, body: undefined });
  return { breaks: [...found, ...probe.found], tried };
}

async function removed(
  twins: Twins,
  next: Contract,
  operation: Operation,
  base: Tried | undefined,
): Promise<Break> {
  const answer = base && (await answersTo(twins, base.sent));
  const { document } = next;
  const item = rawChild(rawChild(document.root, 'paths') ?? document.root, operation.path);
  return {
    operation,
    status: successOf(operation),
    law: 'status',
    received: answer?.new
      ? `${answer.new.status}: NEW has no ${operation.method} ${operation.path}`
      : `NEW has no ${operation.method} ${operation.path}`,
    documented: `${operation.method} ${operation.path}`,
    at: placeOf(operation.spot),
    oldSpot: operation.spot,
    newAt: placeOf(item ?? rawChild(document.root, 'paths') ?? document.root),
    ...evidenceOf(base?.sent, answer),
  };
}

async function refusedCredential(
  twins: Twins,
  contracts: { readonly new: Contract },
  old: Operation,
  next: Operation,
  tried: Tried,
): Promise<Break[]> {
  if (!worked(tried.answer)) return [];
  const read = compileRequestReader(next, contracts.new.validators);
  if (read(rawOf(next, tried.sent)).violations.length > 0) return [];
  const answers = await answersTo(twins, tried.sent);
  if (answers.new?.status !== 401 && answers.new?.status !== 403) return [];
  const names = tried.draft.requirement?.map(({ scheme }) => scheme).join(' and ');
  const wanted = next.security.map((one) => one.map(({ scheme }) => scheme).join(' and ')).join(' or ');
  return [
    {
      operation: old,
      status: successOf(old),
      law: 'status',
      received: `${answers.new.status}: NEW asks for the credential ${wanted}`,
      documented: names ? `the credential ${names} is enough` : 'no credential is needed',
      at: securityAt(contracts, old),
      oldSpot: old.spot,
      newAt: securityAt(contracts, next),
      ...evidenceOf(tried.sent, answers),
    },
  ];
}

function securityAt(_: unknown, operation: Operation): Place {
  const { root } = operation.spot.document;
  return placeOf(rawChild(operation.spot, 'security') ?? rawChild(root, 'security') ?? operation.spot);
}

async function answersTo(twins: Twins, sent: Sent) {
  await twins.old.reset();
  await twins.new.reset();
  return { old: await send(twins.old, sent), new: await send(twins.new, sent) };
}

function evidenceOf(
  sent: Sent | undefined,
  answers: Awaited<ReturnType<typeof answersTo>> | undefined,
): Pick<Break, 'request' | 'answers'> {
  const isShown = answers !== undefined && worked(answers.old) && !worked(answers.new);
  return isShown ? { request: sent, answers } : { request: undefined, answers: undefined };
}

function successOf({ responses }: Operation): number {
  const [first = 200] = responses.map(({ key }) => Number(key)).filter((key) => key < 400);
  return first;
}

/** Sends what OLD allows, and gathers what NEW refuses: each of its rules once. */
function createProbe(
  twins: Twins,
  contracts: { readonly old: Contract; readonly new: Contract },
  old: Operation,
  next: Operation,
) {
  const [readOld, readNew] = [
    compileRequestReader(old, contracts.old.validators),
    compileRequestReader(next, contracts.new.validators),
  ];
  const found = new Map<string, Break>();

  async function attempt(draft: Draft, subject: Spot, schema: Spot | undefined): Promise<void> {
    const sent = encoded(() => sentFor(old, draft));
    if (!sent) return;
    const fresh = violationsOf(readNew, next, sent).filter((one) => !found.has(ruleOf(one)));
    if (fresh.length === 0 || violationsOf(readOld, old, sent).length > 0) return;
    const answers = await answersTo(twins, sent);
    for (const violation of fresh) {
      const at = placeOfRule(violation, subject, schema);
      found.set(ruleOf(violation), {
        operation: old,
        status: successOf(old),
        law: 'status',
        received: `${statusOf(answers.new)}: ${sayWhat(violation)}`,
        documented: `a valid request: ${responseFor(old.responses, successOf(old)) ? successOf(old) : 'success'}`,
        at: placeOf(at),
        oldSpot: at,
        newAt: violation.at,
        ...evidenceOf(sent, answers),
      });
    }
  }

  return {
    get found() {
      return [...found.values()];
    },
    base: (draft: Draft) => attempt(draft, draft.body ? (old.body?.spot ?? old.spot) : old.spot, undefined),
    async parameter(draft: Draft, parameter: Parameter) {
      const twin = twinOf(parameter, old, next);
      if (!twin || (isSame(parameter.spot, twin.spot) && parameter.required === twin.required)) return;
      const { schema } = parameter;
      const schemas = [schema, twin.schema].filter((one) => one !== undefined);
      const absent = new Map(draft.values);
      absent.delete(keyOf(parameter));
      if (!parameter.required) await attempt({ ...draft, values: absent }, parameter.spot, undefined);
      for (const value of candidates(schemas)) {
        if (!isDocumented(schema ? [schema] : [], twin.schema ? [twin.schema] : [], value, 'readOnly'))
          continue;
        const values = new Map(draft.values).set(keyOf(parameter), value);
        await attempt({ ...draft, values }, parameter.spot, schema);
      }
    },
    async body(draft: Draft, media: MediaType) {
      const twin = next.body?.content.find(({ type }) => type === media.type);
      const first = draft.body?.value;
      if (!twin) return attempt({ ...draft, body: { media, value: first ?? {} } }, media.spot, undefined);
      if (isSame(media.spot, twin.spot) && isSame(media.schema, twin.schema)) return;
      const [mine, theirs] = [media.schema ? [media.schema] : [], twin.schema ? [twin.schema] : []];
      for (const value of candidates([...mine, ...theirs], [first, ...media.examples.values()])) {
        if (!isDocumented(mine, theirs, value, 'readOnly')) continue;
        await attempt({ ...draft, body: { media, value } }, media.spot, media.schema);
      }
    },
  };
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

function violationsOf(
  read: ReturnType<typeof compileRequestReader>,
  operation: Operation,
  sent: Sent,
): readonly RequestViolation[] {
  return read(rawOf(operation, sent)).violations;
}

/** The parameters of a path are the same by their order, others by their name. */
function twinOf(parameter: Parameter, old: Operation, next: Operation): Parameter | undefined {
  const position = namesInPath(old).indexOf(parameter.name);
  const name = parameter.in === 'path' ? namesInPath(next)[position] : parameter.name;
  return next.parameters.find((one) => one.in === parameter.in && one.name === name);
}

function ruleOf({ at, keyword, kind }: RequestViolation): string {
  return `${showPlace(at)}:${at.column} ${kind} ${keyword}`;
}

function sayWhat({ in: place, name, pointer, expected, received }: RequestViolation): string {
  const what = [place, name, pointer].filter((part) => part !== '').join(' ');
  const got = received === undefined ? '' : `, not ${shorten(stringifyJson(received))}`;
  return `${what} ${expected}${got}`;
}

/** The place in OLD that corresponds to a rule of NEW. */
function placeOfRule({ pointer, keyword }: RequestViolation, subject: Spot, schema: Spot | undefined): Spot {
  if (!schema) return subject;
  const steps = stepsOf(pointer);
  const [found = schema] = schemasAlong([schema], keyword === 'required' ? steps.slice(0, -1) : steps);
  return new Shape([found]).find(keyword)?.spot ?? found;
}
