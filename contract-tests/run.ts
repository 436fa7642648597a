import type { Contract } from '#spec';
import { createLedger, type Ledger } from './arrange/ledger.ts';
import { createMarks, type Marks } from './arrange/mark.ts';
import { createMemory, type Memory } from './arrange/memory.ts';
import { createWorld, type World } from './arrange/world.ts';
import type { Exchange } from './case.ts';
import { type CoverageRecorder, createCoverage } from './coverage.ts';
import { isUsable } from './laws/answer.ts';
import { createTraffic, type Traffic } from './opinions/traffic.ts';
import { createClient } from './send/client.ts';
import { needsKey } from './send/credentials.ts';
import { createPatientClient, type PatientClient } from './send/patience.ts';
import type { Settings } from './settings.ts';

/** What all cases of one run share. */
export interface Run {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly client: PatientClient;
  readonly ledger: Ledger;
  readonly marks: Marks;
  readonly world: World;
  readonly memory: Memory;
  /** Takes note of an answer, for what is said of the run as a whole. */
  witness(exchange: Exchange, withOwnKey: boolean): void;
  readonly coverage: CoverageRecorder;
  /** Kept only where outside judges are to see it. */
  readonly traffic: Traffic | undefined;
  readonly seen: Seen;
  /** On the clock of `performance.now()`: cases that would begin later are not run. */
  readonly deadline: number;
  /** The target is gone: no further case is run. */
  giveUp(reason: string): void;
  readonly gaveUp: () => string | undefined;
  close(): void;
}

export interface Seen {
  /** Answers of any operation that were documented, typed and whole. */
  usable: number;
  /** Requests with the run's own key, to operations that need one: how many were let in, and kept out. */
  admitted: number;
  refused: number;
  /** Cases in a row that the environment let not through. */
  unreachable: number;
}

export function openRun(contract: Contract, settings: Settings): Run {
  const client = createClient({ timeout: settings.timeout, direct: settings.onLoopback });
  const deadline = performance.now() + settings.maxTime * 1000;
  const coverage = createCoverage(contract);
  const seen: Seen = { usable: 0, admitted: 0, refused: 0, unreachable: 0 };
  let gaveUp: string | undefined;
  return {
    contract,
    settings,
    client: createPatientClient(client, settings, deadline),
    ledger: createLedger(settings.maxCreates),
    marks: createMarks(Date.now()),
    world: createWorld(),
    memory: createMemory(),
    seen,
    deadline,
    coverage,
    traffic: settings.opinions.length > 0 ? createTraffic() : undefined,
    witness(exchange, withOwnKey) {
      const { operation, answer } = exchange;
      coverage.witness(exchange);
      if (isUsable(operation, answer)) seen.usable += 1;
      if (!withOwnKey || !needsKey(operation)) return;
      if (answer.status === 401 || answer.status === 403) seen.refused += 1;
      else seen.admitted += 1;
    },
    giveUp: (reason) => {
      gaveUp = reason;
    },
    gaveUp: () => gaveUp,
    close: () => client.close(),
  };
}
