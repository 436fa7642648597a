import { type MockProcess, startMock } from '../testing/paddock.ts';
import { findGenerator } from './generators.ts';
import type { Load } from './measure.ts';
import { measureLoads } from './measure.ts';
import { OPERATIONS } from './operations.ts';
import { progressOf, type Rounds } from './rounds.ts';

/** Options of `paddock mock`, to be measured beside others. */
export interface Variant {
  readonly name: string;
  readonly store: string;
  readonly options?: readonly string[];
}

const MEASURED = ['list', 'read', 'create'] as const;

/** The results by operation; `figures` has one figure of one variant, round by round. */
export interface VariantLoads {
  readonly operation: (typeof MEASURED)[number];
  readonly figures: (variant: string, figure: keyof Load) => number[];
}

export async function measureVariants(variants: readonly Variant[], rounds: Rounds): Promise<VariantLoads[]> {
  const generator = findGenerator();
  process.stdout.write(`load by ${generator.name}, ${rounds.rounds} rounds of ${rounds.seconds} s\n`);
  const servers = await Promise.all(
    variants.map(async ({ name, store, options }) => ({ ...(await startOnStore(store, options)), name })),
  );
  const operations = OPERATIONS.filter(({ name }) => MEASURED.some((measured) => measured === name));
  const onRound = progressOf('load', rounds.rounds);
  const loads = await measureLoads(generator, servers, operations, rounds, onRound).finally(() =>
    Promise.all(servers.map(({ stop }) => stop())),
  );
  return MEASURED.map((operation) => ({
    operation,
    figures: (variant, figure) => (loads.get(operation)?.get(variant) ?? []).map((one) => one[figure]),
  }));
}

/** The store is set by the environment: a password in the arguments would be visible to other users. */
export function startOnStore(store: string, options: readonly string[] = []): Promise<MockProcess> {
  return startMock(['--no-log', ...options], { env: { PADDOCK_STORE: store } });
}
