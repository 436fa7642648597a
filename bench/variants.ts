import { startMock } from './durability/mock-process.ts';
import { findGenerator } from './generators.ts';
import { type Load, load } from './load.ts';
import { type Measured, OPERATIONS } from './operations.ts';

/** One way to start this mock, to be measured beside another one. */
export interface Variant {
  readonly name: string;
  /** Of `--store`. */
  readonly store: string;
  readonly options?: readonly string[];
}

export interface Rounds {
  readonly rounds: number;
  /** For each operation and variant. */
  readonly seconds: number;
  /** Before the first round; it does not count. */
  readonly warming: number;
}

/** What each round gave, by operation and variant; the same place in two lists is the same round. */
export type VariantLoads = ReadonlyMap<Measured['name'], ReadonlyMap<string, readonly Load[]>>;

/** Interleaved, so that what else the machine does meets all alike. */
export async function measureVariants(
  variants: readonly Variant[],
  names: readonly Measured['name'][],
  { rounds, seconds, warming }: Rounds,
): Promise<VariantLoads> {
  const generator = findGenerator();
  process.stdout.write(`load by ${generator.name}, ${rounds} rounds of ${seconds} s\n`);
  const running = await Promise.all(
    variants.map(async ({ name, store, options }) => ({ name, mock: await startMock(store, options) })),
  );
  const operations = OPERATIONS.filter(({ name }) => names.includes(name));
  const loads = new Map(
    operations.map(({ name }) => [name, new Map(variants.map((variant) => [variant.name, [] as Load[]]))]),
  );
  try {
    for (let round = 0; round <= rounds; round++) {
      process.stderr.write(round === 0 ? 'warming up\n' : `round ${round} of ${rounds}\n`);
      for (const operation of operations) {
        for (const { name, mock } of running) {
          const server = { url: mock.url, pid: mock.child.pid as number };
          const result = await load(generator, server, operation, round === 0 ? warming : seconds);
          if (round > 0) loads.get(operation.name)?.get(name)?.push(result);
        }
      }
    }
  } finally {
    await Promise.all(running.map(({ mock }) => mock.stop()));
  }
  return loads;
}

/** One figure of one variant, round by round. */
export function figures(
  loads: VariantLoads,
  operation: Measured['name'],
  variant: string,
  figure: keyof Load,
): number[] {
  return (loads.get(operation)?.get(variant) ?? []).map((one) => one[figure]);
}
