import {
  bodyShape,
  isEqual,
  isNullable,
  isPresumed,
  isRecord,
  memberShape,
  sameName,
  stringifyJson,
} from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { Id } from '../../store/port.ts';
import { type Link, setLink } from '../links.ts';
import { compileFit } from '../seed/fake.ts';
import type { ActionContext, Task } from './action.ts';
import { compileTouched, compileWrite, type Moment } from './moments.ts';
import { type Effect, effectOf, effectOfPath, lastSegment } from './verb-effect.ts';
import type { Members } from './writable-members.ts';

/** What a request makes of a record; undefined: nothing. */
export type NamedChange = (task: Task, id: Id) => Awaitable<Change | undefined>;

export interface Change {
  edit(record: Members): Members;
  /** Why it is not made: it is made already. To ask after the edit. */
  refusal(): Refusal | undefined;
  /** There is no such record. */
  undo(): Awaitable<unknown>;
}

/**
 * Compiles the change of a record that an extension says, or the end of a path names: `PUT /cards/{id}/status` sets `status`
 * to what the body or the query has under this name, `POST /articles/{id}/favorite` sets the flag `favorited` and adds one to
 * `favoritesCount`, `POST /orders/{id}/cancel` leads to the `status` that is called `cancelled`; DELETE takes back.
 * Undefined: nothing names one.
 */
export function compileNamedChange(context: ActionContext): NamedChange | undefined {
  const { operation, collection } = context;
  const { sets } = operation.said.facts;
  if (sets) return compileSets(context, sets);
  if (operation.method === 'GET') return undefined;
  const { resource } = collection;
  const effect = effectOfPath(operation, resource);
  if (effect) return compileEffect(context, effect);
  const exact = [...resource.shape.properties.keys()].find(
    (name) => name !== resource.id?.property && sameName(name, lastSegment(operation.path)),
  );
  if (exact !== undefined && operation.method !== 'DELETE') return compileSetTo(context, exact);
  return compileSaidAction(context, (verb) => effectOf(verb, operation.method !== 'DELETE', resource));
}

type Fits = (name: string, value: unknown) => boolean;

function compileFits({ collection: { resource }, contract }: ActionContext): Fits {
  const checks = new Map<string, (value: unknown) => boolean>();
  return (name, value) => {
    const member = memberShape(resource.shape, name);
    if (!member || value === null) return member !== undefined && isNullable(member);
    const check = checks.get(name) ?? compileFit(member, contract.validators);
    checks.set(name, check);
    return check(value);
  };
}

/** What the body or the query says of a member. */
function saidOf({ values: { body, parameters } }: Task, name: string): unknown {
  const valueIn = (given: unknown) =>
    isRecord(given) ? Object.entries(given).find(([own]) => sameName(own, name))?.[1] : undefined;
  return valueIn(body) ?? valueIn(parameters.query);
}

const NOTHING = { refusal: () => undefined, undo: () => undefined };

function compileSetTo(context: ActionContext, name: string): NamedChange {
  const fits = compileFits(context);
  const touched = compileTouched(context.collection.resource, context.contract.validators);
  return (task) => {
    const given = saidOf(task, name);
    if (given === undefined || !fits(name, given)) return undefined;
    const edit = (record: Members) => ({
      ...record,
      [name]: given,
      ...touched(record, { [name]: given }, task.time()),
    });
    return { ...NOTHING, edit };
  };
}

const NOW = '$now';

/** What an extension says: members with their values, `$now` for the moment. */
function compileSets(context: ActionContext, sets: Members): NamedChange {
  const { resource } = context.collection;
  const fits = compileFits(context);
  const refused = compileRefusal(context);
  const values = Object.entries(sets).map(([name, value]) => {
    const member = value === NOW ? memberShape(resource.shape, name) : undefined;
    const write = member && compileWrite(name, member, context.contract.validators);
    return { name, valueAt: write ?? (() => value) };
  });
  const touched = compileTouched(resource, context.contract.validators);
  return (task) => {
    const now = task.time();
    const made = values.flatMap(({ name, valueAt }): [string, unknown][] => {
      const value = valueAt(now);
      return fits(name, value) ? [[name, value]] : [];
    });
    const members = Object.fromEntries(made);
    let isDone = false;
    return {
      edit(record) {
        isDone = made.length > 0 && made.every(([name, value]) => isEqual(record[name], value));
        return { ...record, ...members, ...touched(record, members, now) };
      },
      refusal: () => (isDone ? refused : undefined),
      undo: () => undefined,
    };
  };
}

const SAYS_ACTION = /^(?:action|event|command|transition|operation|verb)$/i;

/** `{ "action": "cancel" }` */
function compileSaidAction(
  context: ActionContext,
  effectFor: (verb: string) => Effect | undefined,
): NamedChange | undefined {
  const members = [...(bodyShape(context.operation)?.properties ?? [])];
  const [name, member] = members.find(([one]) => SAYS_ACTION.test(one)) ?? [];
  if (name === undefined || member?.mainType !== 'string') return undefined;
  const known = new Map<unknown, NamedChange | undefined>();
  for (const verb of member.values ?? []) {
    const effect = effectFor(String(verb));
    known.set(verb, effect && compileEffect(context, effect));
  }
  if (member.values && [...known.values()].every((one) => one === undefined)) return undefined;
  return (task, id) => {
    const { body } = task.values;
    const verb = isRecord(body) ? body[name] : undefined;
    if (known.has(verb)) return known.get(verb)?.(task, id);
    const effect = typeof verb === 'string' ? effectFor(verb) : undefined;
    return effect && compileEffect(context, effect)(task, id);
  };
}

function compileEffect(context: ActionContext, effect: Effect): NamedChange {
  const { collection, contract, operation } = context;
  const { shape, id: identity } = collection.resource;
  const { flag, counter, states, key, isPersonal } = effect;
  const moments = effect.moments.flatMap((name) => {
    const member = memberShape(shape, name);
    const write = member && compileWrite(name, member, contract.validators);
    return write ? [{ name, shape: member, write }] : [];
  });
  const fits = compileFits(context);
  const touched = compileTouched(collection.resource, contract.validators);
  const refused = compileRefusal(context);
  const own = new Set([
    flag,
    counter,
    identity?.property,
    ...states.keys(),
    ...moments.map(({ name }) => name),
  ]);

  /** What else the body says of the record, or the query where there is none, such as a reason. */
  function saidBeside({ values: { body, parameters } }: Task): Members {
    const given = operation.body && !isPresumed(operation.body) ? body : (body ?? parameters.query);
    const said = isRecord(given) ? Object.entries(given) : [];
    const kept = said.filter(([name, value]) => {
      const member = own.has(name) ? undefined : memberShape(shape, name);
      return member && !member.readOnly && !member.writeOnly && fits(name, value);
    });
    return Object.fromEntries(kept);
  }

  function noted(
    { name, shape: member, write }: Omit<Moment, 'occasion'>,
    isOn: boolean,
    now: number,
    record: Members,
  ) {
    if (isOn) return { [name]: write(now) };
    if (isNullable(member)) return { [name]: null };
    return shape.required.has(name) ? { [name]: record[name] } : { [name]: undefined };
  }

  return (task, id) => {
    const said = flag === undefined ? undefined : saidOf(task, flag);
    const isOn = typeof said === 'boolean' ? said : effect.isOn;
    const account = isPersonal ? task.sender?.account : undefined;
    const link: Link | undefined = account && {
      ...{ account: account.subject, collection: collection.name, id, flag: key },
    };
    return andThen(link && setLink(task.store, link, isOn), (was) => changeOf(task, isOn, link, was));
  };

  function changeOf(task: Task, isOn: boolean, link: Link | undefined, was: boolean | undefined): Change {
    const now = task.time();
    let isDone = false;

    function edit(record: Members): Members {
      const isSet = was ?? (flag === undefined ? undefined : record[flag] === true);
      const isShown = link !== undefined || flag === undefined || record[flag] === isSet;
      const isAt = [...states].every(([name, value]) => record[name] === value);
      const isNoted = moments.some(({ name }) => ((record[name] ?? null) !== null) === isOn);
      const says = isSet !== undefined || states.size > 0;
      const isFlagged = isSet === undefined || (isSet === isOn && isShown);
      isDone = says ? isFlagged && isAt : counter === undefined && isNoted;
      if (isDone) return record;
      const changed: Record<string, unknown> = { ...saidBeside(task), ...Object.fromEntries(states) };
      if (flag !== undefined && !link && fits(flag, isOn)) changed[flag] = isOn;
      const count = Number(counter === undefined ? 0 : (record[counter] ?? 0)) + (isOn ? 1 : -1);
      if (counter !== undefined && isSet !== isOn && count >= 0 && fits(counter, count))
        changed[counter] = count;
      for (const moment of moments) Object.assign(changed, noted(moment, isOn, now, record));
      // What an account does for itself does not change what the record is about.
      const all = isPersonal ? changed : { ...changed, ...touched(record, changed, now) };
      return Object.fromEntries(
        Object.entries({ ...record, ...all }).filter(([, value]) => value !== undefined),
      );
    }

    return {
      edit,
      refusal: () => (isDone ? refused : undefined),
      undo: () => link && setLink(task.store, link, was === true),
    };
  }
}

/** What is done already cannot be done again where a documented 409 says so. */
function compileRefusal({ operation, collection }: ActionContext): Refusal | undefined {
  const { spot, content = [] } = operation.responses.find(({ key }) => key === '409') ?? {};
  const description = isRecord(spot?.value) ? spot.value.description : undefined;
  const shown = content.flatMap(({ examples }) => [...examples.values()]);
  if (!/already|cannot|can't|\bstat(?:e|us)\b|transition/i.test(stringifyJson([description ?? '', ...shown])))
    return undefined;
  const verb = lastSegment(operation.path);
  return { refuse: 'conflict', message: `It is done already: ${verb} of a record of ${collection.name}` };
}
