import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './client.ts';
import { install } from './install.ts';
import { withInstance } from './instance.ts';
import { launch, PADDOCK, run, stop } from './processes.ts';
import { type Compared, trySchemathesis } from './schemathesis.ts';
import type { Place, Service } from './service.ts';
import { changedLines } from './state.ts';

/** What became of one service. */
export interface Trial {
  readonly name: string;
  readonly version: string;
  readonly stack: string;
  /** Why it could not be tried: nothing else is there then. */
  readonly failure?: string;
  readonly check?: Checked;
  readonly proxy?: Judged;
  readonly schemathesis?: Compared;
}

export interface Root {
  readonly key: string;
  readonly received: string;
  readonly documented: string;
  readonly gates: boolean;
}

/** Part of a JSON report. */
interface Judged {
  readonly verdict: string;
  readonly roots: readonly Root[];
  readonly findings: number;
  readonly requests: number;
}

export interface Checked extends Judged {
  readonly operations: number;
  readonly withheld: number;
  readonly seconds: number;
  /** Lines of the state before that are not in the state after. */
  readonly changed: readonly string[];
}

export interface Options {
  /** Folder of what is installed. */
  readonly cache: string;
  /** Folder of the JSON reports. */
  readonly reports: string;
  /** With Schemathesis beside it. */
  readonly compare: boolean;
  progress(line: string): void;
}

/** A check may take that long, in seconds; then it confirms what it has found, and prints what it has. */
const CHECK_S = 400;
const PATIENCE_MS = (CHECK_S + 180) * 1000;

/** Installs a service, judges it by its own document, directly and through the proxy, and compares its states. */
export async function tryService(service: Service, options: Options): Promise<Trial> {
  const { name, version, stack } = service;
  const { cache, progress } = options;
  const installed = join(cache, name);
  try {
    progress(`${name} ${version}: installing (${stack})`);
    await install(service.packages, installed);
    const judged = await withInstance(service, installed, (place) => judgeOnce(service, place, options));
    if (!options.compare) return { name, version, stack, ...judged };
    progress(`${name}: Schemathesis on a throw-away copy`);
    const schemathesis = await withInstance(service, installed, (place) =>
      trySchemathesis(service, place, cache),
    );
    return { name, version, stack, ...judged, schemathesis };
  } catch (error) {
    return { name, version, stack, failure: (error as Error).message };
  }
}

async function judgeOnce(service: Service, place: Place, { reports, progress }: Options) {
  const { name } = service;
  mkdirSync(reports, { recursive: true });
  const document = await service.document(place);
  progress(`${name}: data of others, through the proxy`);
  const proxy = await throughProxy(service, place, document, join(reports, `${name}-proxy.json`));
  const before = await service.state(place);
  progress(`${name}: check; ${before.length} lines of state`);
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const { code, errors, output } = await run(
    place.folder,
    [
      ...PADDOCK,
      ...['check', place.url, document, '--no-config', '--max-time', String(CHECK_S)],
      ...(service.options?.(place) ?? []),
      ...['--report', `json=${report}`],
    ],
    PATIENCE_MS,
  );
  if (!existsSync(report)) throw new Error(`check ended with ${code}: ${(errors || output).slice(-500)}`);
  const changed = changedLines(before, await service.state(place));
  return { proxy, check: { ...checkedOf(report), changed } };
}

/** A plain client fills and reads the service through the proxy. */
async function throughProxy(service: Service, place: Place, document: string, report: string) {
  if (service.unproxied !== undefined) {
    await service.fill(place);
    return { verdict: service.unproxied, roots: [], findings: 0, requests: 0 };
  }
  rmSync(report, { force: true });
  const log = join(place.folder, 'proxy-log.txt');
  const child = launch(
    place.folder,
    [...PADDOCK, 'proxy', place.url, document, '--no-config', '--port', '0', '--report', `json=${report}`],
    log,
  );
  try {
    let url = '';
    await until(60, 'starting the proxy', async () => {
      [, url = ''] = /base URL +(\S+)/.exec(readFileSync(log, 'utf8')) ?? [];
      return url !== '';
    });
    const seen = { ...place, url };
    await service.fill(seen);
    await service.state(seen);
  } finally {
    await stop(child, 'SIGINT');
  }
  return judgedOf(report);
}

function judgedOf(file: string): Judged {
  const { verdict, causes, findings, totals } = readReport(file);
  const roots = causes.map(({ key, received, documented, gates }) => ({ key, received, documented, gates }));
  return { verdict, roots, findings: findings.length, requests: totals.requests };
}

function checkedOf(file: string): Omit<Checked, 'changed'> {
  const { coverage, withheld, totals } = readReport(file);
  return {
    ...judgedOf(file),
    operations: coverage.operations.total,
    withheld: withheld.length,
    seconds: totals.ms / 1000,
  };
}

interface Report {
  readonly verdict: string;
  readonly causes: readonly Root[];
  readonly findings: readonly unknown[];
  readonly withheld: readonly unknown[];
  readonly coverage: { readonly operations: { readonly total: number } };
  readonly totals: { readonly requests: number; readonly ms: number };
}

const readReport = (file: string): Report => JSON.parse(readFileSync(file, 'utf8'));
