import type { Operation, Resource } from '#spec';
import { equalJson } from '../laws/record.ts';
import { markMember } from './mark.ts';

type Data = Record<string, unknown>;

/** A record that the run made, saw in good order, and will not touch again. */
export interface Kept {
  readonly resource: Resource;
  readonly id: unknown;
  readonly sent: Data;
}

/** What the run remembers of its requests, to ask at its end what became of them. */
export interface Memory {
  readonly kept: readonly Kept[];
  keep(record: Kept): void;
  /** The run has taken the record away itself. */
  forget(id: unknown): void;
  /** Whether a record is to stand until the end, so that it can be looked at once more. */
  needs(id: unknown): boolean;
  /** Takes note of a body that was answered with a 4xx: nothing may come of it. */
  refuse(operation: Operation, body: unknown): void;
  /** Whether a text was the marked member of a refused body. */
  wasRefused(text: unknown): boolean;
}

/** So many of the records that could be taken away are left standing until the end. */
const STANDING = 12;

export function createMemory(): Memory {
  let kept: readonly Kept[] = [];
  const refused = new Set<unknown>();
  return {
    get kept() {
      return kept;
    },
    keep(record) {
      kept = [...kept, record];
    },
    forget(id) {
      kept = kept.filter((record) => !equalJson(record.id, id));
    },
    needs: (id) => kept.slice(0, STANDING).some((record) => equalJson(record.id, id)),
    refuse(operation, body) {
      const text = markedText(operation, body);
      if (text !== undefined) refused.add(text);
    },
    wasRefused: (text) => refused.has(text),
  };
}

/** The text of a body that bears a mark of ours: no other client can have sent the same. */
function markedText(operation: Operation, body: unknown): string | undefined {
  const shape = operation.body?.content.find(({ isJson }) => isJson)?.shape;
  const member = shape && markMember(shape);
  const text = member === undefined ? undefined : (body as Data | undefined | null)?.[member];
  return typeof text === 'string' && text.includes('paddock-') ? text : undefined;
}
