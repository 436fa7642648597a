import { type BodyFormat, formatOf, type MediaType, type Spot } from '#spec';
import { isSame } from '../same-schema.ts';
import type { Occurrence } from './change.ts';
import type { Direction, RuleName } from './rules.ts';
import type { CompareSchemas, Level, Wire } from './schema-changes.ts';

/** Compares schemas in both directions. */
export interface SchemaComparisons {
  readonly of: (direction: Direction) => CompareSchemas;
  readonly deprecationDays: number;
}

export type Found = Omit<Occurrence, 'operation'>;

export const plain = (rule: RuleName, old: Spot, next: Spot, more: Partial<Found> = {}): Found => ({
  rule,
  direction: 'request',
  within: '',
  steps: [],
  from: '',
  to: '',
  old,
  new: next,
  ...more,
});

interface Owner {
  readonly schema: Spot | undefined;
  readonly spot: Spot;
}

/** Changes between the schemas of two values, each at the shortest path to it. */
export function ofSchemas(
  old: Owner,
  next: Owner,
  context: { within: string; wire: Wire; direction: Direction; status?: number },
  { of }: SchemaComparisons,
): Found[] {
  const [mine, theirs] = [old, next].map(({ schema, spot }) => schema ?? { ...spot, value: EMPTY });
  if (!mine || !theirs || isSame(mine, theirs)) return [];
  const { wire, ...others } = context;
  const root = of(context.direction)(mine, theirs, wire);
  const seen = new Set<Level>([root]);
  const waiting: [readonly string[], Level][] = [[[], root]];
  const changes: Found[] = [];
  for (const [steps, level] of waiting) {
    for (const change of level.changes) {
      if (change.rule === 'default-changed' && steps.length === 0 && context.within.includes('parameter'))
        continue;
      const { member, ...fields } = change;
      changes.push({ ...others, ...fields, steps: member === undefined ? steps : [...steps, member], level });
    }
    for (const { step, level: inner } of level.below) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      waiting.push([step === '' ? steps : [...steps, step], inner]);
    }
  }
  return changes;
}

const EMPTY = Object.freeze({});

/** How values of a media type are encoded. */
export function wireOf({ type, shape }: Pick<MediaType, 'type' | 'shape'>): Wire {
  return WIRES[formatOf(type, shape) ?? 'json'];
}

const WIRES = {
  json: 'json',
  form: 'form',
  multipart: 'form',
  xml: 'xml',
  text: 'text',
  bytes: 'text',
} as const satisfies Record<BodyFormat, Wire>;
