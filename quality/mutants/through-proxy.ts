import { createProxy } from '#proxy';
import { openSuite } from '../../contract-tests/check.ts';
import type { LawName } from '../../contract-tests/laws/law.ts';
import { REACH } from '../../contract-tests/laws/law.ts';
import { FAMILIES } from './families.ts';
import type { Mutant } from './suspect.ts';

/** The laws by which the suite refuses a mutant, and those by which the proxy in between does. */
export interface Compared {
  readonly name: string;
  readonly says: string;
  readonly suite: readonly LawName[];
  readonly proxy: readonly LawName[];
}

/** What is found of them depends on the moment: their records are what requests sent at the same time leave. */
const UNSTEADY = /-at-once-|-order-|^wiki-|^festival-|-created-is-lost$|-change-not-stored$/;

/** The first mutant of each family that has a finding. */
export const MUTANTS_BEHIND_PROXY: readonly Mutant[] = Object.values(FAMILIES).flatMap(
  ([mutants]) => mutants.find(({ name, exitCode }) => exitCode === 1 && !UNSTEADY.test(name)) ?? [],
);

/** Runs the suite against a mutant through a proxy that judges the same requests. */
export async function tryThroughProxy({ name, says, document, start, options }: Mutant): Promise<Compared> {
  const service = await start();
  const proxy = await createProxy({
    target: service.url,
    document,
    port: 0,
    exclusive: true,
    // What a proxy has seen in time depends on nobody's clock then.
    settle: 0,
    allowRefs: options?.allowRefs,
  });
  try {
    const given = {
      target: proxy.url,
      apiKey: service.apiKey,
      document,
      seed: 1,
      settle: SETTLE,
      examples: 5,
    };
    const { suite } = await openSuite({ ...given, ...options });
    for await (const _ of suite.executeAll());
    const { findings } = await suite.finish();
    return { name, says, suite: lawsOf(findings), proxy: lawsOf(proxy.report().findings) };
  } finally {
    await proxy.close();
    await service.close();
  }
}

/** Mutants settle at once or never. */
const SETTLE = 120;

function lawsOf(findings: readonly { readonly law: LawName }[]): LawName[] {
  return [...new Set(findings.map(({ law }) => law))].sort();
}

/** The section of docs/proxy.md: how many are found, and which laws the suite alone finds broken. */
export function renderFound(rows: readonly Compared[]): string {
  const unseen = rows.filter(({ suite, proxy }) => !suite.some((law) => proxy.includes(law)));
  const laws = [...new Set(rows.flatMap(missed))].sort();
  return `The proxy finds a broken promise in ${rows.length - unseen.length} of ${rows.length} faulty services, in all but ${listed(unseen.map(({ name }) => name))}.
What the suite finds and the proxy does not needs a request of its own:

| law | why the proxy does not say so |
| --- | ----------------------------- |
${laws.map((law) => `| \`${law}\` | ${whyMissed(law)} |`).join('\n')}
`;
}

/** A line for each service. */
function renderRow(row: Compared): string {
  const { name, says, suite, proxy } = row;
  const both = suite.filter((law) => proxy.includes(law));
  const more = proxy.filter((law) => !suite.includes(law));
  return `${name} (${says}): by both ${listed(both)}; by the suite alone ${listed(missed(row))}; by the proxy alone ${listed(more)}\n`;
}

const missed = ({ suite, proxy }: Compared) => suite.filter((law) => !proxy.includes(law));
const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ') || 'nothing';

/** Where traffic shows a law, it does so with less than the suite knows of its own requests. */
function whyMissed(law: LawName): string {
  const [reach, why] = REACH[law];
  if (reach === 'own requests') return why ?? 'it takes a request that is sent for it';
  if (WITH_OWN_REQUEST[law] !== undefined) return WITH_OWN_REQUEST[law];
  if (why !== undefined) return `judged only ${why}`;
  if (reach === 'records') return 'the requests that show it are sent by a case of the suite only';
  throw new Error(`traffic should show ${law}`);
}

const WITH_OWN_REQUEST: Partial<Record<LawName, string>> = {
  status: 'a client may be refused for a reason that nobody else knows',
  'unknown-id': 'an id may name a record that another client has made',
};

/** `npm run proxy-mutants` prints what is found of each service, and the section of docs/proxy.md. */
if (import.meta.main) {
  const rows: Compared[] = [];
  for (const mutant of MUTANTS_BEHIND_PROXY) {
    const row = await tryThroughProxy(mutant);
    process.stdout.write(renderRow(row));
    rows.push(row);
  }
  process.stdout.write(`\n${renderFound(rows)}`);
}
