import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../testing/free-port.ts';
import { isUp, until } from './client.ts';
import { launch, OFFLINE, stop } from './processes.ts';
import type { Place, Service } from './service.ts';

/** Some need long on a busy machine. */
const START_S = 240;

/** Starts a fresh copy of a service on loopback, without data, for as long as `use` takes. */
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
