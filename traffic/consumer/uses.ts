import { observe, type Use } from '#observe';
import {
  type Contract,
  cookiesOf,
  isRecord,
  isSecretHeader,
  isSecretName,
  type JsonType,
  type MediaType,
  mediaTypeFor,
  memberShape,
  type Operation,
  type Shape,
  stringifyJson,
} from '#spec';
import { headerOf } from '../har/recorded-exchange.ts';
import { judgeFiles } from '../judge/judge-files.ts';
import { safeExample } from '../learn/examples.ts';
import {
  type Consumer,
  isMember,
  MOST_VALUES,
  parentOf,
  type Sent,
  typeOf,
  USED_PLACES,
  type UsedOperation,
  type UsedPlace,
} from './consumer.ts';

/**
 * What a client uses of a service, from its recorded traffic.
 * @param file path of a HAR
 * @throws HarError if it is no HAR, or cannot be read
 */
export async function readConsumer(consumer: string, file: string, contract: Contract): Promise<Consumer> {
  const uses = createUses();
  const observer = observe(contract, { onUse: uses.note });
  const [read] = await judgeFiles([file], [observer]);
  return { consumer, operations: uses.operations, broken: read?.broken };
}

/** Collects what requests use of a service, in bounded memory, without secrets. */
export interface Uses {
  note(use: Use): void;
  readonly operations: Consumer['operations'];
}

/** In characters; for longer values only the type is kept. */
const LONGEST_VALUE = 100;
/** Limits for documented members of bodies, which may be recursive. */
const MAX_DEPTH = 8;
const MOST_PLACES = 1000;
const MOST_ITEMS = 100;

/** What was observed at one place. */
class Seen {
  times = 0;
  objects = 0;
  readonly values = new Map<string, unknown>();
  readonly others = new Set<JsonType>();

  add(value: unknown, isSecret: boolean): void {
    this.times += 1;
    if (isRecord(value)) this.objects += 1;
    if (typeof value === 'object' && value !== null) this.others.add(typeOf(value));
    else if (isSecret || isLong(value) || safeExample(value) !== value) this.others.add(typeOf(value));
    else {
      const key = stringifyJson(value);
      if (this.values.size < MOST_VALUES || this.values.has(key)) this.values.set(key, value);
      else this.others.add(typeOf(value));
    }
  }

  /** @param of how many could have had it */
  asData(of: number): Sent {
    return {
      ...(this.values.size > 0 && { values: [...this.values.values()] }),
      ...(this.others.size > 0 && { others: [...this.others] }),
      ...(this.times < of && { sometimes: true as const }),
    };
  }
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > LONGEST_VALUE;
}

interface SeenOperation {
  calls: number;
  /** Requests with a known body, or without one. */
  bodiesKnown: number;
  unseen: boolean;
  readonly places: Readonly<Record<UsedPlace, Map<string, Seen>>>;
  readonly unnamed: Set<string>;
  readonly types: Set<string>;
  readonly body: Map<string, Seen>;
  readonly statuses: Set<number>;
}

export function createUses(): Uses {
  const seen = new Map<Operation, SeenOperation>();

  function seenOf(operation: Operation): SeenOperation {
    const usage = seen.get(operation) ?? {
      calls: 0,
      bodiesKnown: 0,
      unseen: false,
      places: { path: new Map(), query: new Map(), header: new Map(), cookie: new Map() },
      unnamed: new Set<string>(),
      types: new Set<string>(),
      body: new Map(),
      statuses: new Set(),
    };
    seen.set(operation, usage);
    return usage;
  }

  return {
    note(use) {
      const { operation, read, bodyMissing, status } = use;
      const usage = seenOf(operation);
      usage.calls += 1;
      const parameters = sentParameters(use);
      for (const { in: place, name, value, shape, isSecret } of parameters) {
        seenAt(usage.places[place], name)?.add(value, isSecret);
        if (isSecret || typeof value !== 'object' || value === null) continue;
        for (const [step, part] of partsOf(value).slice(0, MOST_ITEMS))
          seenAt(usage.places[place], `${name}/${step}`)?.add(
            part,
            isSecretMember(step, memberShape(shape, step)),
          );
      }
      for (const name of unnamedIn(use)) if (usage.unnamed.size < MOST_PLACES) usage.unnamed.add(name);
      if (bodyMissing) usage.unseen = true;
      else {
        usage.bodiesKnown += 1;
        if (read.body !== undefined) noteBody(usage, use);
      }
      if (status !== undefined) usage.statuses.add(status);
    },
    get operations() {
      return new Map([...seen].map(([operation, seenOperation]) => [operation, asData(seenOperation)]));
    },
  };
}

function seenAt(map: Map<string, Seen>, key: string): Seen | undefined {
  const entry = map.get(key) ?? (map.size < MOST_PLACES ? new Seen() : undefined);
  if (entry) map.set(key, entry);
  return entry;
}

/** The items of a list or the members of an object; a parameter is not followed deeper. */
function partsOf(value: object): [step: string, part: unknown][] {
  return Array.isArray(value) ? value.map((item) => ['-', item]) : Object.entries(value);
}

interface SentParameter {
  readonly in: UsedPlace;
  readonly name: string;
  readonly value: unknown;
  readonly shape: Shape;
  readonly isSecret: boolean;
}

/** The documented parameters in a request, without the defaults of others. */
function sentParameters({ operation, read, wire }: Use): SentParameter[] {
  const credentials = operation.security.flat();
  const headers = new Map(wire.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const queries = [...wire.url.searchParams.keys()];
  const isSent = {
    path: () => true,
    query: (name: string) => queries.some((key) => key === name || key.startsWith(`${name}[`)),
    header: (name: string) => headers.has(name.toLowerCase()),
    cookie: (name: string) => cookiesOf(headers.get('cookie')).has(name),
  };
  return operation.parameters.flatMap(({ in: place, name, shape }) => {
    const value = read.parameters[place][name];
    // The members of an exploded object have their own names, and an object has no default.
    if (value === undefined || !(isSent[place](name) || isRecord(value))) return [];
    const isSecret =
      (place === 'header' ? isSecretHeader(name) : isSecretName(name)) ||
      shape.find('format')?.value === 'password' ||
      credentials.some(
        (credential) => credential.in === place && credential.name.toLowerCase() === name.toLowerCase(),
      );
    return [{ in: place, name, value, shape, isSecret }];
  });
}

/** The undocumented parameters of a request. */
function unnamedIn({ operation: { parameters }, wire: { url, headers } }: Use): string[] {
  const named = new Set(parameters.map(({ in: place, name }) => `${place} ${name.toLowerCase()}`));
  const cookies = headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1];
  return [
    ...[...url.searchParams.keys()].map((name) => `query ${name}`),
    ...headers.map(([name]) => `header ${name.toLowerCase()}`),
    ...[...cookiesOf(cookies).keys()].map((name) => `cookie ${name}`),
  ].filter((one) => !named.has(one.toLowerCase()));
}

function noteBody(usage: SeenOperation, { operation, read, wire }: Use): void {
  const sent = headerOf(wire.headers, 'content-type') ?? operation.body?.content[0]?.type ?? '';
  const media = mediaTypeFor(operation.body?.content ?? [], sent);
  if (media) usage.types.add(media.type);
  // A value without a schema, such as a file, has nothing that a schema could reject.
  walk('', read.body, media?.shape, isBare(read.body, media));

  function walk(pointer: string, value: unknown, shape: Shape | undefined, isSecret: boolean): void {
    const here = seenAt(usage.body, pointer);
    here?.add(value, isSecret);
    const isNested = typeof value === 'object' && value !== null;
    if (!here || (isNested && (isSecret || pointer.split('/').length > MAX_DEPTH))) {
      usage.unseen = true;
      return;
    }
    if (Array.isArray(value))
      for (const item of value.slice(0, MOST_ITEMS)) walk(`${pointer}/-`, item, shape?.items, false);
    else if (isRecord(value))
      for (const [name, member] of Object.entries(value)) {
        const inner = shape && memberShape(shape, name);
        const step = inner ? name.replaceAll('~', '~0').replaceAll('/', '~1') : '*';
        walk(`${pointer}/${step}`, member, inner ?? shape?.additional, isSecretMember(name, inner));
      }
  }
}

/** Whether a body is a text or bytes. */
function isBare(body: unknown, media: MediaType | undefined): boolean {
  return typeof body === 'string' && !media?.isJson;
}

/** Whether a member is secret: then its value is written to no file. */
function isSecretMember(name: string, shape: Shape | undefined): boolean {
  return isSecretName(name) || shape?.find('format')?.value === 'password';
}

function asData(seen: SeenOperation): UsedOperation {
  const { calls, bodiesKnown, unseen, places, unnamed, types, body, statuses } = seen;
  const parameters = USED_PLACES.flatMap((place) =>
    places[place].size > 0
      ? [
          [
            place,
            Object.fromEntries(
              [...places[place]].map(([name, one]) => [name, one.asData(name.includes('/') ? 0 : calls)]),
            ),
          ],
        ]
      : [],
  );
  const ofHowMany = (pointer: string) => {
    if (pointer === '') return bodiesKnown;
    return isMember(pointer) ? (body.get(parentOf(pointer))?.objects ?? 0) : 0;
  };
  return {
    ...(Object.fromEntries(parameters) as UsedOperation),
    ...(unnamed.size > 0 && { unnamed: [...unnamed] }),
    ...(types.size > 0 && { types: [...types] }),
    ...(body.size > 0 && {
      body: Object.fromEntries([...body].map(([pointer, one]) => [pointer, one.asData(ofHowMany(pointer))])),
    }),
    ...(unseen && { unseenBodies: true as const }),
    statuses: [...statuses],
  };
}
