import { isRecord } from '#spec';
import { type Evidence, recordOf } from './evidence.ts';
import { isIdName } from './mark.ts';

/** More are not remembered: a reference beyond them counts as made up. */
const MOST = 20_000;

/** The ids that records of the service have shown: their own, and those of what they refer to. */
interface References {
  note(evidence: Evidence): void;
  readonly has: (name: string, value: unknown) => boolean;
}

export function createReferences(): References {
  const ids = new Set<string>();
  const named = new Set<string>();

  function noteIn(value: unknown, property: string | undefined): void {
    if (Array.isArray(value)) for (const item of value) noteIn(item, property);
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (isIdName(name)) for (const one of scalarsIn(member)) named.add(`${name}\n${one}`);
      if (name === property) for (const one of scalarsIn(member)) ids.add(one);
      noteIn(member, undefined);
    }
  }

  return {
    note(evidence) {
      if (ids.size + named.size > MOST || !evidence.succeeded) return;
      noteIn(evidence.page?.records ?? recordOf(evidence), evidence.role?.resource.id?.property);
    },
    has: (name, value) => ids.has(String(value)) || named.has(`${name}\n${value}`),
  };
}

function scalarsIn(value: unknown): string[] {
  return [value].flat().flatMap((one) => (one === null || typeof one === 'object' ? [] : [String(one)]));
}

/**
 * The members of a request that refer to something that no response has shown: the run had to make an id up, and the service
 * need not have anything by it.
 */
export function madeUpReferences({ request, role, model }: Evidence): readonly string[] {
  const parents = role?.resource.parents ?? [];
  const own = new Set([role?.resource.id?.property, ...parents.map(({ property }) => property)]);
  const madeUpIn = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(madeUpIn);
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([name, member]) => {
      if (!isIdName(name) || own.has(name)) return madeUpIn(member);
      return scalarsIn(member).some((one) => !model.hasShown(name, one)) ? [name] : [];
    });
  };
  return [...new Set([...madeUpIn(request.body), ...madeUpIn(request.parameters.query)])];
}
