import {
  compileRequestReader,
  type MediaType,
  type Operation,
  type Parameter,
  placeOf,
  type RequestViolation,
  responseFor,
  Shape,
  type Spot,
  showPlace,
  stringifyJson,
} from '#spec';
import { type Address, atNew } from './address.ts';
import { answersTo, evidenceOf } from './answers.ts';
import { type Break, firstSuccess, shorten } from './break.ts';
import { candidates } from './candidates.ts';
import type { Contracts } from './contracts.ts';
import { isDocumented } from './documented.ts';
import { type Draft, isCredential, keyOf, namesInPath, rawOf, sentFor } from './draft.ts';
import { stepsOf } from './find-draft.ts';
import { schemasAlong } from './members.ts';
import type { Pace } from './pace.ts';
import { wasReadWhole } from './read-whole.ts';
import { isSame } from './same-schema.ts';
import { type Answer, type Twins, worked } from './twins.ts';

/** Sends what OLD allows, and gathers what NEW refuses: each of its rules once. */
export function createRequestProbe(
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
