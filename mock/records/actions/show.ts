import {
  answerShape,
  isRecord,
  memberShape,
  parseJson,
  recordMember,
  type Shape,
  stringifyJson,
} from '#spec';
import { isRefusal, type Outcome } from '../../errors/refusal.ts';
import { andThen } from '../../exchange/awaitable.ts';
import type { Act, ActionContext, ActionName } from './action.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * Lets an action respond with records as its own operation describes them, where that is not the schema in which they
 * are stored: inside of another object, with fewer members or with more.
 */
export function compileShow(context: ActionContext, action: ActionName, act: Act): Act {
  const convert = action === 'list' ? compileItems(context) : compileRecord(context);
  if (!convert) return act;
  const show = (outcome: Outcome): Outcome => {
    if (isRefusal(outcome) || typeof outcome.body !== 'string' || outcome.body === '') return outcome;
    return { ...outcome, body: stringifyJson(convert(parseJson(outcome.body))) };
  };
  return (task) => andThen(act(task), show);
}

type Convert = (body: unknown) => unknown;

function compileItems({ operation, collection, contract, seeds }: ActionContext): Convert | undefined {
  const { resource } = collection;
  const answer = answerShape(operation);
  const member = resource.list?.member;
  const array = member === undefined ? answer : answer?.properties.get(member);
  if (!array?.items || isSame(array.items, resource.shape)) return undefined;
  const items = compileForm(array.items, { collection, contract, seeds });
  if (member === undefined) return (body) => (body as Data[]).map(items);
  return (body) => {
    const around = body as Data;
    return { ...around, [member]: (around[member] as Data[]).map(items) };
  };
}

function compileRecord({ operation, collection, contract, seeds }: ActionContext): Convert | undefined {
  const { resource } = collection;
  const answer = answerShape(operation);
  const member = recordMember(resource, operation);
  const shape = member === undefined ? answer : answer?.properties.get(member);
  if (!answer || !shape || (member === undefined && isSame(shape, resource.shape))) return undefined;
  const form = isSame(shape, resource.shape)
    ? (record: Data) => record
    : compileForm(shape, { collection, contract, seeds });
  if (member === undefined) return (body) => form(body as Data);
  const around = seeds.answer(answer, operation.id) as Data;
  return (body) => ({ ...around, [member]: form(body as Data) });
}

const isSame = (left: Shape, right: Shape) => left.spot.value === right.spot.value;

/** As it is where it fits; else with the members that fit, and samples of those that are required beside them. */
function compileForm(
  shape: Shape,
  { collection: { resource }, contract, seeds }: Pick<ActionContext, 'collection' | 'contract' | 'seeds'>,
): (record: Data) => unknown {
  const fits = (of: Shape, value: unknown) =>
    of.parts.every((part) => contract.validators.compile(part, 'response')(value).length === 0);
  return (record) => {
    if (fits(shape, record)) return record;
    const sampled = seeds.answer(shape, resource.path, record[resource.id?.property ?? '']);
    if (!isRecord(sampled)) return sampled;
    const kept = Object.entries(record).filter(([name, value]) => {
      const member = memberShape(shape, name);
      return member && fits(member, value);
    });
    const required = Object.entries(sampled).filter(([name]) => shape.required.has(name));
    const joined = Object.fromEntries([...required, ...kept]);
    return fits(shape, joined) ? joined : { ...sampled, ...onlyIf(fits, shape, sampled, kept) };
  };
}

/** One after the other, those that leave the whole as described. */
function onlyIf(
  fits: (of: Shape, value: unknown) => boolean,
  shape: Shape,
  sampled: Data,
  kept: readonly (readonly [string, unknown])[],
): Data {
  const taken: Record<string, unknown> = {};
  for (const [name, value] of kept) {
    if (fits(shape, { ...sampled, ...taken, [name]: value })) taken[name] = value;
  }
  return taken;
}
