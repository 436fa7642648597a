import type { Collection, Condition, Entry, Given, Id, Query, Scalar } from '../store/port.ts';

/** A collection of small records: even ones are red, all have a size from 0 to 2, and they are in a place. */
export function boxes(name: string, seeded: number): Collection {
  const complete = (id: Id, { members, scope }: Given): Entry => {
    const record: Record<string, unknown> = { id, ...members };
    const text = JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const box = scope.find(({ key }) => key === '{box}')?.anyOf[0];
    return {
      id,
      text,
      keys: [members.colour as Scalar, members.size as Scalar, members.tags as Scalar[], box],
    };
  };
  return {
    name,
    keys: ['colour', 'size', 'tags', '{box}'],
    idOf: (ordinal) => ordinal,
    complete,
    *seeds() {
      for (let id = 1; id <= seeded; id++) {
        const members = { colour: id % 2 ? 'blue' : 'red', size: id % 3 };
        yield complete(id, { id, members, scope: inBox(id % 2) });
      }
    },
  };
}

/** The same, with labels that are unique within a place. */
export function labelledBoxes(name: string, seeded: number): Collection {
  const plain = boxes(name, seeded);
  return {
    ...plain,
    keys: [...plain.keys, 'label'],
    unique: [['label']],
    complete(id, input) {
      const entry = plain.complete(id, input);
      return { ...entry, keys: [...entry.keys, input.members.label as Scalar] };
    },
    *seeds() {
      for (let id = 1; id <= seeded; id++)
        yield this.complete(id, { id, members: { label: `label ${id}` }, scope: inBox(1) });
    },
  };
}

export const inBox = (box: number): Condition[] => [{ key: '{box}', anyOf: [box] }];
export const all: Query = { where: [], offset: 0, limit: Number.POSITIVE_INFINITY, counted: true };
export const only = (key: string, ...anyOf: Scalar[]): Condition => ({ key, anyOf });
export const given = (members: Given['members'], id?: Id): Given => ({ id, members, scope: inBox(1) });
