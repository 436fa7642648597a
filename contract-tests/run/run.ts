import type { Contract, Resource } from '#spec';
import { createMarks, type Marks } from '../laws/mark.ts';
import { createRecordModel, type RecordModel } from '../laws/record-model.ts';
import { isUsable } from '../laws/usable.ts';
import { type Client, createClient } from '../send/client.ts';
import { needsKey } from '../send/credentials.ts';
import type { Exchange } from '../send/exchange.ts';
import { createPatientClient, type PatientClient } from '../send/patience.ts';
import type { Settings } from '../settings.ts';
import { type CoverageRecorder, createCoverage } from './coverage.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createPatience, type Patience } from './settle.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** What all cases of one run share. */
export interface Run {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly client: PatientClient;
  /** A client with a connection of its own, for requests at once; kept open for the next ones. */
  connection(index: number): PatientClient;
  readonly ledger: Ledger;
  readonly marks: Marks;
  readonly model: RecordModel;
  readonly patience: Patience;
  readonly found: FoundRecords;
  /** Takes note of a response, for what is said of the run as a whole. */
  witness(exchange: Exchange): void;
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

/** Records of the target that cases work with, asked for once. */
export interface FoundRecords {
  readonly lists: Map<Resource, Promise<readonly Readonly<Record<string, unknown>>[]>>;
  /** The id of one record of each resource that the run has made, and never changes. */
  readonly ownIds: Map<Resource, Promise<unknown>>;
}

export interface Seen {
  /** Responses of any operation that were documented, typed and whole. */
  usable: number;
  /** Requests with the run's own key, to operations that need one: how many were let in, and kept out. */
  admitted: number;
  refused: number;
  /** Cases in a row that the environment did not let through. */
  unreachable: number;
}

export function openRun(contract: Contract, settings: Settings): Run {
  const connect = () => createClient({ timeout: settings.timeout, direct: settings.onLoopback });
  const client = connect();
  const connections: Client[] = [];
  const deadline = performance.now() + settings.maxTime * 1000;
  const coverage = createCoverage(contract);
  const seen: Seen = { usable: 0, admitted: 0, refused: 0, unreachable: 0 };
  let gaveUp: string | undefined;
  const patient = createPatientClient(client, settings, deadline);
  return {
    contract,
    settings,
    client: patient,
    connection(index) {
      connections[index] ??= connect();
      return patient.over(connections[index]);
    },
    ledger: createLedger(settings.maxCreates),
    marks: createMarks(Date.now()),
    model: createRecordModel(),
    patience: createPatience(settings.settle),
    found: { lists: new Map(), ownIds: new Map() },
    seen,
    deadline,
    coverage,
    traffic: settings.opinions.length > 0 ? createTraffic() : undefined,
    witness(exchange) {
      const { operation, response, input } = exchange;
      coverage.witness(exchange);
      if (isUsable(operation, response)) seen.usable += 1;
      if (input.refused || !needsKey(operation)) return;
      if (response.status === 401 || response.status === 403) seen.refused += 1;
      else seen.admitted += 1;
    },
    giveUp: (reason) => {
      gaveUp = reason;
    },
    gaveUp: () => gaveUp,
    close: () => [client, ...connections].forEach((one) => void one.close()),
  };
}
