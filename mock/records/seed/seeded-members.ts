import { type Data, isRecord, memberShape, oncePer, type Resource } from '#spec';
import type { SeedExamples } from './examples.ts';
import type { IdMaker } from './ids.ts';
import type { SeedValues } from './values.ts';

/** The members of a collection's n-th seeded record, counted from 1, also for records that embed it. */
export type SeededMembers = (resource: Resource, ordinal: number) => Data;

/** Up to so many records, names differ as far as possible. */
const MOST_APART = 500;
const MAX_ATTEMPTS = 12;

export function createSeededMembers(
  examplesOf: SeedExamples,
  idMakers: ReadonlyMap<Resource, IdMaker>,
  values: SeedValues,
): SeededMembers {
  const plain = (resource: Resource, ordinal: number): Data => {
    const example = examplesOf(resource)[ordinal - 1]?.members;
    if (example) return example;
    const { mainType } = resource.id?.shape ?? {};
    // A readable id is made from this key, and the rest of the record agrees with it.
    const id = mainType === 'string' ? `id/${ordinal}` : (idMakers.get(resource) as IdMaker)(ordinal);
    const sampled = values.record(resource, id, ordinal);
    // A schema that only huge objects fit has no sample.
    return isRecord(sampled) ? sampled : {};
  };

  const apart = oncePer((resource: Resource) => {
    const earlier: Data[] = [];
    const names = ['name', 'title', 'label'].filter((name) => isText(resource, name)).slice(0, 1);
    const taken = new Set<unknown>();

    function next(ordinal: number): Data {
      const members = plain(resource, ordinal);
      const [name] = names;
      if (name === undefined || examplesOf(resource)[ordinal - 1]) return members;
      const id = (idMakers.get(resource) as IdMaker)(ordinal);
      const shape = memberShape(resource.shape, name);
      let { [name]: text } = members;
      for (let attempt = 1; shape && taken.has(text) && attempt <= MAX_ATTEMPTS; attempt++)
        text = values.member(resource, `${id}/${attempt}`, name, shape);
      taken.add(text);
      return text === undefined || text === members[name] ? members : { ...members, [name]: text };
    }

    return (ordinal: number): Data => {
      while (earlier.length < ordinal) earlier.push(next(earlier.length + 1));
      return earlier[ordinal - 1] as Data;
    };
  });

  return (resource, ordinal) => (ordinal <= MOST_APART ? apart(resource)(ordinal) : plain(resource, ordinal));
}

function isText(resource: Resource, name: string): boolean {
  const shape = memberShape(resource.shape, name);
  return shape?.mainType === 'string' && !shape.values && name !== resource.id?.property;
}
