import { isRecord, jsonPath, memberShape, rawChild, type Shape, type Spot } from '#spec';
import type { OverlayChange } from './overlay-change.ts';
import { Schemas } from './schemas.ts';
import { createTally, noteValue, type ValueTally } from './value-tally.ts';

/** A member of bodies that their schema does not name. */
interface Unnamed {
  readonly owner: Spot;
  readonly name: string;
  readonly values: ValueTally;
  readonly where: string;
}

const DEEPEST = 12;

/** Collects members of bodies that their schemas neither name nor forbid. */
export class UnnamedMembers {
  readonly #root: Spot;
  readonly #unreachable: Set<string>;
  readonly #members = new Map<string, Unnamed>();

  /** @param unreachable receives those whose schema is in another file */
  constructor(root: Spot, unreachable: Set<string>) {
    this.#root = root;
    this.#unreachable = unreachable;
  }

  /** @param where the body is, in words: `GET /pets: response 200` */
  find(shape: Shape, value: unknown, where: string, depth = 0): void {
    if (depth > DEEPEST) return;
    if (Array.isArray(value)) {
      const { items } = shape;
      if (items) for (const item of value) this.find(items, item, where, depth + 1);
    } else if (isRecord(value))
      for (const [name, member] of Object.entries(value)) {
        const inner = memberShape(shape, name);
        if (inner) this.find(inner, member, where, depth + 1);
        else this.#note(shape, name, member, where);
      }
  }

  #note(shape: Shape, name: string, member: unknown, where: string): void {
    if (
      shape.properties.size === 0 ||
      shape.additional ||
      shape.alternatives.length > 0 ||
      shape.patterns.length > 0
    )
      return;
    const owner = shape.parts.find((part) => rawChild(part, 'properties'));
    if (!owner || shape.all('additionalProperties').some(({ value }) => value === false)) return;
    if (owner.file !== this.#root.file) {
      this.#unreachable.add(`${where}: member "${name}"`);
      return;
    }
    const key = `${owner.path.join('/')}\n${name}`;
    const entry = this.#members.get(key) ?? { owner, name, values: createTally(), where };
    this.#members.set(key, entry);
    noteValue(entry.values, member);
  }

  changes(): OverlayChange[] {
    const schemas = new Schemas(1, []);
    return [...this.#members.values()].map(({ owner, name, values, where }) => {
      const target = jsonPath(owner.path, this.#root.value);
      const update = { properties: { [name]: schemas.schemaOf(values, name) } };
      const text = `${where}: member "${name}"`;
      return { target, update, key: `${target} ${name}`, text, kind: 'adds', seen: values.count };
    });
  }
}
