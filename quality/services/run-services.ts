import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments, refuse } from '../arguments.ts';
import { renderTable } from '../table.ts';
import { agree, isRoot, judge, readJudges, VERDICTS } from './judged.ts';
import { ALERTMANAGER } from './of-others/alertmanager.ts';
import { CHROMA } from './of-others/chroma.ts';
import { ETCD } from './of-others/etcd.ts';
import { HOMEBRIDGE } from './of-others/homebridge.ts';
import { JUPYTER } from './of-others/jupyter.ts';
import { KINTO } from './of-others/kinto.ts';
import { LABEL_STUDIO } from './of-others/label-studio.ts';
import { LOOPBACK_TODO } from './of-others/loopback-todo.ts';
import { PHOENIX } from './of-others/phoenix.ts';
import { POWERDNS } from './of-others/powerdns.ts';
import { PREFECT } from './of-others/prefect.ts';
import { SIGNALK } from './of-others/signalk.ts';
import { WIREMOCK } from './of-others/wiremock.ts';
import { ZENML } from './of-others/zenml.ts';
import { ZIPKIN } from './of-others/zipkin.ts';
import { stopAllWhenInterrupted } from './processes.ts';
import { tryService } from './try-service.ts';

/** From the quickest to the slowest. */
const SERVICES = [
  ETCD,
  ALERTMANAGER,
  POWERDNS,
  ZIPKIN,
  WIREMOCK,
  LOOPBACK_TODO,
  HOMEBRIDGE,
  SIGNALK,
  KINTO,
  PREFECT,
  JUPYTER,
  CHROMA,
  PHOENIX,
  LABEL_STUDIO,
  ZENML,
];

const HELP = `npm run lab -- services [options] [NAME...]

Installs services that others wrote, starts each on loopback with data of others in it, holds it to its own document with
\`check\`, and with \`proxy\` while that data is written, and compares the roots found with those that a person has judged
(quality/services/judged/). A root is a broken promise, however many findings show it.

  --cache DIR    where services are installed (default: ~/.cache/paddock-services)
  --report DIR   where the JSON reports go (default: reports/ of the cache)

Services: ${SERVICES.map(({ name }) => name).join(', ')}

Exit codes: 0 each root is judged true or debatable, and no data of others was changed; 1 otherwise; 2 wrong usage; 3 a
service could not be tried

Examples:
  npm run lab -- services alertmanager powerdns
`;

const { values, positionals } = readArguments(HELP, {
  cache: { type: 'string', default: join(homedir(), '.cache', 'paddock-services') },
  report: { type: 'string' },
});
const cache = resolve(values.cache);
const reports = resolve(values.report ?? join(cache, 'reports'));
const unknown = positionals.filter((positional) => !SERVICES.some(({ name }) => name === positional));
if (unknown.length > 0) refuse(`there is no service ${unknown.join(', ')}`);
const chosen = SERVICES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

stopAllWhenInterrupted();
const write = (line: string) => process.stdout.write(`${line}\n`);
const rows: string[][] = [];
let [isWrong, isUntried] = [false, false];
for (const service of chosen) {
  const { name, version, stack } = service;
  process.stderr.write(`${name} ${version}: ${stack}\n`);
  const trial = await tryService(service, cache, reports).catch((error: Error) => error);
  if (trial instanceof Error) {
    write(`${name}: not tried: ${trial.message}`);
    isUntried = true;
    continue;
  }
  const { check, proxy, changed } = trial;
  const causes = [...check.causes, ...proxy.causes];
  const roots = causes.filter(isRoot);
  const keys = [...new Set(roots.map(({ key }) => key))];
  const others = causes.map(({ key }) => key);
  const [first, second] = readJudges(name);
  const { verdicts, lost } = agree(judge(keys, first, others), judge(keys, second));
  const judgements = [...verdicts.values()];
  for (const [key, verdict] of verdicts) {
    if (verdict === 'true' || verdict === 'debatable') continue;
    const root = roots.find((one) => one.key === key);
    write(`${name}: ${verdict ?? 'not judged'}: ${key}`);
    write(`  received: ${root?.received}\n  documented: ${root?.documented}`);
    isWrong = true;
  }
  for (const key of lost) write(`${name}: true, and no longer found: ${key}`);
  for (const line of changed) write(`${name}: data of others removed or changed: ${line.slice(0, 300)}`);
  isWrong ||= changed.length > 0;
  const counts = [...VERDICTS, undefined].map(
    (verdict) => judgements.filter((judgement) => judgement === verdict).length,
  );
  const { coverage, withheld, findings, totals } = check;
  const figures = [
    coverage.operations.total,
    withheld.length,
    verdicts.size,
    ...counts,
    findings.length,
    totals.requests,
    Math.round(totals.ms / 1000),
    proxy.totals.requests,
    changed.length,
  ];
  rows.push([name, version, stack, ...figures.map(String)]);
}
const head = [
  'Service',
  'Version',
  'Stack',
  'Operations',
  'Withheld',
  'Roots',
  ...VERDICTS,
  'not judged',
  'Findings',
  'Requests',
  'Seconds',
  'Through the proxy',
  'Lines of others changed',
];
write(renderTable(head, rows));
process.exitCode = isWrong ? 1 : isUntried ? 3 : 0;
