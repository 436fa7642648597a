import {
  isEqual,
  isInteger,
  isRecord,
  jsonPath,
  type Place,
  pointerTokens,
  quoted,
  type Spot,
  type Violation,
} from '#spec';
import type { OverlayChange } from './overlay-change.ts';
import { Schemas } from './schemas.ts';
import { createTally, kindsOf, noteValue, type ValueTally } from './value-tally.ts';

/** A keyword that values of the traffic violate. */
interface Broken {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly values: ValueTally;
  /** The distinct values, and names of missing members, if they are few. */
  readonly received: unknown[];
  readonly names: Set<string>;
  seen: number;
  /** The last counted exchange. */
  last: unknown;
  readonly where: string;
}

const MOST_VALUES = 50;

/** Collects violations of a document's schemas in the traffic, and how each keyword must change. */
export class Loosening {
  readonly #root: Spot;
  readonly #broken = new Map<string, Broken>();
  #places: Map<string, (readonly string[])[]> | undefined;
  /** Violations in other files than the document, which an overlay cannot change. */
  readonly unreachable = new Set<string>();

  constructor(root: Spot) {
    this.#root = root;
  }

  /**
   * @param where the violation is, in words: `GET /pets: response 200`
   * @param exchange counted once
   */
  add({ at, keyword, pointer, received }: Violation, where: string, exchange: unknown): void {
    const path = this.#pathOf(at, keyword);
    if (!path) {
      this.unreachable.add(`${at.uri}:${at.line}: "${keyword}" (${where})`);
      return;
    }
    const key = JSON.stringify(path);
    const entry: Broken = this.#broken.get(key) ?? {
      path,
      keyword,
      where,
      values: createTally(),
      received: [],
      names: new Set(),
      seen: 0,
      last: undefined,
    };
    this.#broken.set(key, entry);
    if (entry.last !== exchange) entry.seen += 1;
    entry.last = exchange;
    noteValue(entry.values, received === undefined ? null : received);
    entry.names.add(pointerTokens(pointer).at(-1) ?? '');
    if (entry.received.length < MOST_VALUES && !entry.received.some((one) => isEqual(one, received)))
      entry.received.push(received);
  }

  changes(is30: boolean): OverlayChange[] {
    return [...this.#broken.values()].flatMap((broken) => this.#changesOf(broken, is30));
  }

  /** Of the places at this position, the one of the keyword. */
  #pathOf({ uri, line, column }: Place, keyword: string): readonly string[] | undefined {
    this.#places ??= placesIn(this.#root);
    const paths = this.#places.get(`${uri}:${line}:${column}`) ?? [];
    const exactPath = paths.find((path) => path.at(-1) === keyword);
    // For a list, the position is that of an item.
    const item = paths.find((path) => path.at(-2) === keyword)?.slice(0, -1);
    return exactPath ?? item ?? (keyword === 'false' ? paths.find((path) => path.length > 0) : undefined);
  }

  #changesOf(
    { path, keyword, values, received, names, seen, where }: Broken,
    is30: boolean,
  ): OverlayChange[] {
    const root = this.#root.value;
    const owner = path.slice(0, -1);
    const schema = valueAt(root, owner);
    const current = valueAt(root, path);
    const change = (
      text: string,
      update: Pick<OverlayChange, 'target' | 'update' | 'remove'>,
      kind: OverlayChange['kind'] = 'loosens',
    ): OverlayChange => {
      const target = update.target;
      return { ...update, key: `${target} ${text}`, text: `${where}: ${text}`, kind, seen };
    };
    const set = (text: string, members: Record<string, unknown>) =>
      change(text, { target: jsonPath(owner, root), update: members });
    const drop = (text: string) => change(text, { target: jsonPath(path, root), remove: true });

    switch (keyword) {
      case 'required':
        return [...names].map((name) =>
          change(`"${name}" is not always there: no longer required`, {
            target: `${jsonPath(path, root)}[?@ == ${quoted(name)}]`,
            remove: true,
          }),
        );
      case 'type':
      case 'nullable':
        return isRecord(schema) ? typeChanges(schema, values, is30, set, drop) : [];
      case 'enum': {
        const added = received.filter((value) => !(current as unknown[]).some((one) => isEqual(one, value)));
        return added.length === 0
          ? []
          : [
              change(`enum has ${added.map((one) => JSON.stringify(one)).join(', ')}, too`, {
                target: jsonPath(path, root),
                update: added,
              }),
            ];
      }
      case 'maximum':
      case 'minimum':
      case 'maxLength':
      case 'minLength':
      case 'maxItems':
      case 'minItems': {
        const sizes = received.map((value) => sizeOf(value, keyword)).sort((a, b) => (a < b ? -1 : 1));
        const widest = keyword.startsWith('max') ? sizes.at(-1) : sizes[0];
        return widest === undefined
          ? [drop(`without ${keyword}`)]
          : [set(`${keyword} ${current} becomes ${widest}`, { [keyword]: widest })];
      }
      case 'additionalProperties':
      case 'unevaluatedProperties': {
        if (current !== false) return [drop(`without ${keyword}`)];
        const schemas = new Schemas(1, []);
        const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
        const members = [...(values.object?.members ?? [])].filter(
          ([name]) => !Object.hasOwn(properties, name),
        );
        return members.map(([name, member]) => {
          const update = { properties: { [name]: schemas.schemaOf(member, name) } };
          return change(`member "${name}"`, { target: jsonPath(owner, root), update }, 'adds');
        });
      }
      case 'oneOf':
        return [set('anyOf in place of oneOf', { anyOf: current }), drop('without oneOf')];
      default:
        return [
          drop(`without ${keyword}${current !== null && typeof current === 'object' ? '' : ` ${current}`}`),
        ];
    }
  }
}

/** Collects parameters, bodies and headers that the document requires and exchanges lack. */
export class NoLongerRequired {
  readonly #root: Spot;
  readonly #missing = new Map<string, { readonly where: string; seen: number }>();

  constructor(root: Spot) {
    this.#root = root;
  }

  /**
   * Call it once for each exchange.
   * @param spot of what is missing; undefined: the document does not have it
   * @param where it is missing, in words
   */
  add(spot: Spot | undefined, where: string): void {
    if (!spot || spot.file !== this.#root.file) return;
    const target = jsonPath(spot.path, this.#root.value);
    const entry = this.#missing.get(target) ?? { where, seen: 0 };
    entry.seen += 1;
    this.#missing.set(target, entry);
  }

  changes(): OverlayChange[] {
    return [...this.#missing].map(([target, { where, seen }]) => ({
      target,
      update: { required: false },
      key: `${target} required`,
      text: `${where}: no longer required`,
      kind: 'loosens',
      seen,
    }));
  }
}

type SetMembers = (text: string, members: Record<string, unknown>) => OverlayChange;
type Drop = (text: string) => OverlayChange;

function typeChanges(
  schema: Record<string, unknown>,
  values: ValueTally,
  is30: boolean,
  set: SetMembers,
  drop: Drop,
): OverlayChange[] {
  const seen = kindsOf(values);
  const types = [schema.type ?? []].flat() as string[];
  const wanted = seen.filter(
    (type) => !types.includes(type) && !(type === 'integer' && types.includes('number')),
  );
  const others = wanted.filter((type) => type !== 'null');
  if (is30) {
    const isNumber =
      others.length > 0 && others.every((type) => type === 'number') && types.includes('integer');
    return [
      ...(wanted.includes('null') ? [set('null, too', { nullable: true })] : []),
      ...(isNumber ? [set('number in place of integer', { type: 'number' })] : []),
      ...(others.length > 0 && !isNumber
        ? [drop(`without the type ${types}: ${others.join(', ')} was seen, too`)]
        : []),
    ];
  }
  if (wanted.length === 0) return [];
  // An overlay replaces a text by a list, but only appends to a list.
  const update = Array.isArray(schema.type) ? wanted : [...types, ...wanted];
  const rest =
    wanted.includes('null') && Array.isArray(schema.enum) && !schema.enum.includes(null)
      ? { enum: [null] }
      : {};
  return [set(`type ${wanted.join(', ')}, too`, { type: update, ...rest })];
}

function sizeOf(value: unknown, keyword: string): number | bigint {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isInteger(value) || typeof value === 'number'
    ? value
    : keyword.startsWith('max')
      ? Number.MAX_SAFE_INTEGER
      : 0;
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((here, step) => (here as Record<string, unknown> | undefined)?.[step], root);
}

/** The positions of all parts of a file. */
function placesIn({ file, value }: Spot): Map<string, (readonly string[])[]> {
  const places = new Map<string, (readonly string[])[]>();
  const visit = (part: unknown, path: readonly string[]): void => {
    const { uri, line, column } = file.positionOf(path);
    const key = `${uri}:${line}:${column}`;
    const paths = places.get(key);
    if (paths) paths.push(path);
    else places.set(key, [path]);
    if (typeof part !== 'object' || part === null) return;
    for (const [name, member] of Object.entries(part)) visit(member, [...path, name]);
  };
  visit(value, []);
  return places;
}
