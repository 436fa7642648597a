import { Worker } from 'node:worker_threads';
import type { Contract } from '#spec';
import type { GlimpsedEntry, GlimpsedTarget, GlimpseReply, GlimpseRequest } from './glimpse-messages.ts';

/** A worker has failed. The message says why, and what helps. */
export class GlimpseError extends Error {
  override readonly name = 'GlimpseError';
}

/** Threads that judge exchanges by themselves. */
export interface GlimpsePool {
  readonly size: number;
  /** @throws GlimpseError */
  glimpse(request: Omit<GlimpseRequest, 'id'>): Promise<readonly (GlimpsedEntry | undefined)[]>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (entries: readonly (GlimpsedEntry | undefined)[]) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

// In the package modules are other files, of JavaScript.
const FILE = import.meta.url.endsWith('.ts') ? '../glimpse-worker.ts' : '../glimpse-worker.js';

/** @param contracts what the workers are to read, too */
export function startGlimpsePool(
  size: number,
  targets: readonly GlimpsedTarget[],
  contracts: readonly Contract[],
): GlimpsePool {
  let failure: GlimpseError | undefined;
  let next = 0;
  let isClosed = false;
  const expected = JSON.stringify(contracts.map(({ operations }) => operations.map(({ id }) => id)));

  function fail(what: string): void {
    if (isClosed || failure) return;
    failure = new GlimpseError(
      `a worker that judges exchanges ${what}; PADDOCK_WORKERS=0 judges without workers`,
    );
    for (const { waiting } of threads) {
      for (const { reject } of waiting.values()) reject(failure);
      waiting.clear();
    }
  }

  function startThread(): Thread {
    const worker = new Worker(new URL(FILE, import.meta.url), { workerData: targets });
    const waiting: Thread['waiting'] = new Map();
    worker.on('error', (error: Error) => fail(`has failed: ${error.message}`));
    worker.on('exit', (code) => fail(`has ended with exit code ${code}`));
    worker.on('message', (message: GlimpseReply) => {
      if ('ready' in message) {
        if (JSON.stringify(message.ready) !== expected) fail('has read another document: it was changed');
        return;
      }
      waiting.get(message.id)?.resolve(message.entries);
      waiting.delete(message.id);
    });
    return { worker, waiting };
  }

  const threads = Array.from({ length: size }, startThread);
  return {
    size,
    glimpse(request) {
      if (failure) return Promise.reject(failure);
      const [idlest] = threads.toSorted((one, other) => one.waiting.size - other.waiting.size);
      const id = next++;
      return new Promise((resolve, reject) => {
        idlest?.waiting.set(id, { resolve, reject });
        idlest?.worker.postMessage({ ...request, id } satisfies GlimpseRequest);
      });
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
