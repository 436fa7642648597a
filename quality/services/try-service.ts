import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../testing/free-port.ts';
import { isUp, until } from './client.ts';
import { install } from './install.ts';
import { launch, OFFLINE, PADDOCK, run, stop } from './processes.ts';
import type { Place, Service } from './service.ts';
import { changedLines } from './state.ts';

/** The parts of a JSON report that are read. */
interface Report {
  readonly causes: readonly {
    readonly key: string;
    readonly received: string;
    readonly documented: string;
    readonly gates: boolean;
    readonly worthALook?: object;
  }[];
  readonly findings: readonly unknown[];
  readonly withheld: readonly unknown[];
  readonly coverage: { readonly operations: { readonly total: number } };
  readonly totals: { readonly requests: number; readonly ms: number };
}

interface Trial {
  readonly check: Report;
  readonly proxy: Report;
  /** The lines of the state before the check that are missing afterwards. */
  readonly changed: readonly string[];
}

/** The limit of a check in seconds; it then confirms its findings, and reports. */
const CHECK_S = 400;
const PATIENCE_MS = (CHECK_S + 180) * 1000;

/**
 * Installs a service, checks it with its own document, directly and through the proxy, and compares its states.
 * @throws Error if it cannot be installed, started or checked
 */
export async function tryService(service: Service, cache: string, reports: string): Promise<Trial> {
  const { name, packages } = service;
  const installed = join(cache, name);
  await install(packages, installed);
  mkdirSync(reports, { recursive: true });
  return withInstance(service, installed, async (place) => {
    const document = await service.document(place);
    const proxy = await throughProxy(service, place, document, join(reports, `${name}-proxy.json`));
    const before = await service.state(place);
    const report = join(reports, `${name}.json`);
    rmSync(report, { force: true });
    const { code, errors, output } = await run(
      place.folder,
      [
        ...PADDOCK,
        'check',
        place.url,
        document,
        '--config',
        'none',
        '--max-time',
        String(CHECK_S),
        ...(service.options?.(place) ?? []),
        '--report',
        `json=${report}`,
      ],
      PATIENCE_MS,
    );
    if (!existsSync(report)) throw new Error(`check ended with ${code}: ${(errors || output).slice(-500)}`);
    const changed = changedLines(before, await service.state(place));
    return { proxy, check: JSON.parse(readFileSync(report, 'utf8')), changed };
  });
}

/** A plain client adds and reads data through the proxy. */
async function throughProxy(
  service: Service,
  place: Place,
  document: string,
  report: string,
): Promise<Report> {
  rmSync(report, { force: true });
  const log = join(place.folder, 'proxy-log.txt');
  const child = launch(
    place.folder,
    [
      ...PADDOCK,
      'proxy',
      place.url,
      document,
      '--config',
      'none',
      '--port',
      '0',
      '--report',
      `json=${report}`,
    ],
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
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** Some services start slowly on a busy machine. */
const START_S = 240;

/** Starts a new copy of a service on loopback, without data, while `use` runs. */
export async function withInstance<T>(
  service: Service,
  installed: string,
  use: (place: Place) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `paddock-service-${service.name}-`));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const place: Place = { port, folder, installed, url: origin + service.basePath };
  const { command, env = {} } = await service.launch(place);
  const log = join(folder, 'paddock-log.txt');
  const child = launch(folder, command, log, { ...OFFLINE, ...env });
  try {
    await until(
      START_S,
      `starting ${service.name}`,
      () => isUp(origin + service.ready, service.headers?.(place) ?? {}),
      () => child.exitCode !== null || child.pid === undefined,
    ).catch((error) => {
      throw new Error(`${(error as Error).message}: ${readFileSync(log, 'utf8').slice(-500)}`);
    });
    return await use(place);
  } finally {
    await stop(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
