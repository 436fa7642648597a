import { createProxy } from '#proxy';
import { openSuite } from '../../contract-tests/check.ts';
import type { LawName } from '../../contract-tests/laws/law.ts';
import { REACH } from '../../traffic/observe/traffic-laws.ts';
import { MUTANT_TABLES } from './all-mutants.ts';
import type { Mutant } from './suspect.ts';

/** The laws by which the suite refuses a mutant, and those by which the proxy in between does. */
export interface Compared {
  readonly name: string;
  readonly says: string;
  readonly suite: readonly LawName[];
  readonly proxy: readonly LawName[];
}

const COUNT = 20;

/** What is found of them depends on the moment: their records are what requests sent at the same time leave. */
const UNSTEADY = new Set(['libraries-change-not-stored']);

/** The first mutant of each table that has a finding: each is a kind of fault. */
export const MUTANTS_BEHIND_PROXY: readonly Mutant[] = MUTANT_TABLES.flatMap(
  (table) => table.find(({ name, exitCode }) => exitCode === 1 && !UNSTEADY.has(name)) ?? [],
).slice(0, COUNT);

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

/** docs/proxy-mutants.md. */
export function renderProxyMutants(rows: readonly Compared[]): string {
  const listed = (laws: readonly LawName[]) =>
    laws.length === 0 ? '' : laws.map((law) => `\`${law}\``).join(', ');
  const missed = ({ suite, proxy }: Compared) => suite.filter((law) => !proxy.includes(law));
  const lines = rows.map((row) => {
    const { name, says, suite, proxy } = row;
    const both = suite.filter((law) => proxy.includes(law));
    const more = proxy.filter((law) => !suite.includes(law));
    return `| ${name} | ${says.replaceAll('|', '\\|')} | ${listed(both)} | ${listed(missed(row))} | ${listed(more)} |`;
  });
  const laws = [...new Set(rows.flatMap(missed))].sort();
  const reasons = laws.map((law) => `| \`${law}\` | ${whyMissed(law)} |`);
  const found = rows.filter(({ suite, proxy }) => suite.some((law) => proxy.includes(law))).length;
  return `# What the proxy finds of faulty services

\`npm run proxy-mutants\` writes this page, and a test compares it: the suite is run against ${rows.length} faulty services, one
of each kind, through \`paddock proxy\` in front of them. Both judge the same exchanges. The suite knows what it has sent and
why; the proxy judges what it sees, as it would the requests of any client. It finds a broken promise in ${found} of them.

| service | what is wrong | found by both | by the suite alone | by the proxy alone |
| ------- | ------------- | ------------- | ------------------ | ------------------ |
${lines.join('\n')}

The suite alone finds what needs a request of its own:

| law | why the proxy does not say so |
| --- | ----------------------------- |
${reasons.join('\n')}
`;
}

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
