import type { Contract, Operation } from '#spec';
import type { Trial } from '../run/trial.ts';
import { SAFE_METHODS } from '../send/wire.ts';
import type { Settings } from '../settings/settings.ts';
import type { Case } from './case.ts';

/** Cases of one kind, made from the contract; lazily where that takes long. */
export type Family = (contract: Contract, settings: Settings) => Iterable<Case>;

/** A case; whether it is unsafe follows from the operation's method where nothing else is said. */
export function makeCase(
  operation: Operation,
  status: number,
  slug: string,
  title: string,
  drive: (trial: Trial) => Promise<unknown>,
  unsafe = !SAFE_METHODS.has(operation.method),
): Case {
  return {
    id: `${operation.id}/${status}/${slug}`,
    title: `${operation.id}: ${title}`,
    operation,
    status,
    unsafe,
    run: async (trial) => void (await drive(trial)),
  };
}

/** A case that looks for a record after its removal: a service may give the id to the next record that is created. */
export function makeQuietCase(...given: Parameters<typeof makeCase>): Case {
  return { ...makeCase(...given), quiet: true };
}

/** Text as a part of a case id. */
export function slugOf(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}
