import { type Contract, type LoadOptions, loadContract } from '#spec';
import { breakingFirst, changesOf } from './changes/changes-of.ts';
import type { ChangeClass } from './changes/rules.ts';
import { describeChange } from './describe-change.ts';
import { openVersion, renamed } from './open-version.ts';
import { createPace } from './pace.ts';
import { addressOf, pairOperations } from './pair.ts';
import { prove } from './prove.ts';

/** What a change means for clients. */
export interface ClientChange {
  readonly class: ChangeClass;
  /** What it is about, in words: a member in the request of an operation, say. */
  readonly subject: string;
  /** What has changed, in words. */
  readonly text: string;
  /** Why it has its class. */
  readonly reason: string;
  /** File and line of the newer document. */
  readonly at: string;
  /** The operations of the newer document that it concerns. */
  readonly operations: readonly string[];
}

/**
 * Reads what documents are to be compared with: a path, an http(s) URL or `git:REF:PATH`.
 * @throws DocumentError for a document that cannot be read or used
 */
export async function readOld(text: string, reading: LoadOptions): Promise<Contract> {
  const { location, rename, close } = await openVersion(text);
  try {
    return await loadContract(location, { ...reading, presumeResponses: true });
  } catch (error) {
    throw renamed(error, rename);
  } finally {
    await close();
  }
}

/** Seconds for values that show what breaks; without one, a change has the class of its rule. */
const MAX_TIME = 5;

/**
 * What differs between two documents for clients, what breaks them first. Documents are compared, and values judged: no
 * request is sent, so that it is fast. An entry point beside `index.ts`, which loads suite and mock.
 */
export async function clientChanges(old: Contract, next: Contract): Promise<readonly ClientChange[]> {
  const contracts = { old, new: next };
  const address = addressOf(old, next);
  const pairs = pairOperations(old, next, address);
  const changes = changesOf(contracts, pairs, { deprecationDays: 0 });
  const { refuted } = await prove(
    contracts,
    changes,
    { breaks: [], laws: [] },
    () => false,
    createPace(MAX_TIME, undefined),
  );
  const isRefuted = new Set(refuted);
  const twins = new Map(pairs.map((pair) => [pair.old, pair.new]));
  const described = changes.map((change) => {
    const { new: at, class: own, subject, text, reason } = describeChange(change, isRefuted.has(change));
    const operations = change.operations.flatMap((one) => (twins.has(one) ? twins.get(one) : one) ?? []);
    return { class: own, subject, text, reason, at, operations: operations.map(({ id }) => id) };
  });
  return breakingFirst(described);
}
