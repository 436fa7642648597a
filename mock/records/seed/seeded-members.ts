import { type Data, isRecord, memberShape, oncePer, type Resource } from '#spec';
import type { SeedExamples } from './examples.ts';
import type { IdMaker } from './ids.ts';
import type { SeedValues } from './values.ts';

/** The members of the n-th seeded record of a collection, counted from 1, as both it and those that show it have them. */
export type SeededMembers = (resource: Resource, ordinal: number) => Data;

/** Of so many records no two are called the same, as far as there are names enough. */
const MOST_APART = 500;
const MAX_ATTEMPTS = 12;

export function createSeededMembers(
  examplesOf: SeedExamples,
  idMakers: ReadonlyMap<Resource, IdMaker>,
  values: SeedValues,
): SeededMembers {
  const plain = (resource: Resource, ordinal: number): Data => {
    const shown = examplesOf(resource)[ordinal - 1]?.members;
    if (shown) return shown;
    const { mainType } = resource.id?.shape ?? {};
    // A name that is the id is made from this, and the rest of the record agrees with it.
    const id = mainType === 'string' ? `id/${ordinal}` : (idMakers.get(resource) as IdMaker)(ordinal);
    const sampled = values.record(resource, id, ordinal);
    // No record can be made of a schema that only huge objects fit.
    return isRecord(sampled) ? sampled : {};
  };

  const apart = oncePer((resource: Resource) => {
    const known: Data[] = [];
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
      while (known.length < ordinal) known.push(next(known.length + 1));
      return known[ordinal - 1] as Data;
    };
  });

  return (resource, ordinal) => (ordinal <= MOST_APART ? apart(resource)(ordinal) : plain(resource, ordinal));
}

function isText(resource: Resource, name: string): boolean {
  const shape = memberShape(resource.shape, name);
  return shape?.mainType === 'string' && !shape.values && name !== resource.id?.property;
}
