import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments, refuse } from '../arguments.ts';
import { SAMPLE, SERVICES } from './all-services.ts';
import { stopAllWhenInterrupted } from './processes.ts';
import { judgedRoots, renderServices } from './render-services.ts';
import { type Trial, tryService } from './try-service.ts';

const HELP = `npm run services -- [options] [NAME...]

Installs services that others wrote, starts each on loopback, holds it to its own document with \`check\` and \`proxy\`, and
compares the roots found with the judged ones of quality/services/judged/. Once every service has been tried it writes
docs/services.md, from the last trial of each.

  --cache DIR    where services are installed (default: ~/.cache/paddock-services)
  --report DIR   where the JSON reports go (default: reports/ of the cache)
  --sample       only what installs and is checked in seconds, without Schemathesis: ${SAMPLE.map(({ name }) => name).join(', ')}

Services: ${SERVICES.map(({ name }) => name).join(', ')}

Exit codes: 0 each root is judged true or debatable, and no data of others was changed; 1 otherwise; 2 wrong usage; 3 a
service could not be tried
`;

const OPTIONS = {
  cache: { type: 'string', default: join(homedir(), '.cache', 'paddock-services') },
  report: { type: 'string' },
  sample: { type: 'boolean', default: false },
} as const;

const write = (line: string) => process.stdout.write(`${line}\n`);

const { values, positionals } = readArguments(HELP, OPTIONS);
const cache = resolve(values.cache);
const reports = resolve(values.report ?? join(cache, 'reports'));
const unknown = positionals.filter((given) => !SERVICES.some(({ name }) => name === given));
if (unknown.length > 0) refuse(`there is no service ${unknown.join(', ')}`);
const chosen = SERVICES.filter((service) => {
  if (values.sample) return SAMPLE.includes(service);
  return positionals.length === 0 || positionals.includes(service.name);
});

stopAllWhenInterrupted();
let code = 0;
for (const service of chosen) {
  const trial = await tryService(service, { cache, reports, compare: !values.sample, progress: write });
  report(trial);
  // A trial of the sample has no comparison, and a failed one nothing: the page keeps what is there.
  if (!values.sample && (trial.failure === undefined || kept(service.name).length === 0)) keep(trial);
}
const trials = SERVICES.flatMap(({ name }) => kept(name));
if (!values.sample && trials.length === SERVICES.length)
  writeFileSync(new URL('../../docs/services.md', import.meta.url), renderServices(trials));
process.exitCode = code;

function report(trial: Trial): void {
  const { name, failure, check, proxy, schemathesis } = trial;
  if (check === undefined || proxy === undefined) {
    write(`${name}: not tried: ${failure}`);
    code ||= 3;
    return;
  }
  const { of, lost } = judgedRoots(trial);
  const verdicts = ['true', 'false', 'debatable'] as const;
  const counts = verdicts.map((verdict) => `${of(verdict).length} ${verdict}`).join(', ');
  write(
    `${name}: ${check.roots.length} roots in ${check.findings} findings and ${proxy.roots.length} through the proxy: ${counts}; ${check.requests} requests, ${check.seconds.toFixed(0)} s`,
  );
  const open = [...of(undefined), ...of('false')];
  for (const { key, received, documented } of open) {
    const verdict = of('false').some((root) => root.key === key) ? 'false' : 'not judged';
    write(`  ${verdict}: ${key}\n    received: ${received}\n    documented: ${documented}`);
  }
  for (const key of lost) write(`  true, and no longer found: ${key}`);
  for (const line of check.changed) write(`  data of others removed or changed: ${line.slice(0, 300)}`);
  if (schemathesis)
    write(`  Schemathesis: ${schemathesis.failures ?? 'no'} failures, ${schemathesis.seconds.toFixed(0)} s`);
  if (open.length > 0 || check.changed.length > 0) code = 1;
}

function keep(trial: Trial): void {
  mkdirSync(join(cache, 'trials'), { recursive: true });
  writeFileSync(join(cache, 'trials', `${trial.name}.json`), JSON.stringify(trial, null, 1));
}

function kept(name: string): Trial[] {
  try {
    return [JSON.parse(readFileSync(join(cache, 'trials', `${name}.json`), 'utf8'))];
  } catch {
    return [];
  }
}
