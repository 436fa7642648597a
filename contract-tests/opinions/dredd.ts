import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contract, explicitStatuses } from '#spec';
import type { Recorded } from '../run/recording.ts';
import { jsonOf } from '../send/response.ts';
import {
  complaintOf,
  failed,
  type Installed,
  type Judge,
  JudgeFailure,
  type Judgement,
  type JudgeResult,
  type RecordedRun,
  startProgram,
} from './judge.ts';
import { EXCHANGE, startPlayback } from './playback.ts';

const TIMEOUT = 120_000;

/** Dredd loads the hooks in a process of its own; a published package has them as JavaScript. */
const HOOKS = fileURLToPath(
  new URL(`./dredd-playback.${import.meta.url.endsWith('.ts') ? 'cts' : 'cjs'}`, import.meta.url),
);

/** What the hooks write down of a transaction. */
interface Outcome {
  /** Index of the run. */
  readonly run: number;
  readonly transaction: string;
  /** Undefined: Dredd could not read the response. */
  readonly status?: 'pass' | 'fail';
  readonly message: string;
}

/**
 * Dredd validates a transaction for each documented status. The suite has brought the service into the state that the
 * transaction needs: Dredd gets the response of the run that was to have that status.
 */
export const judgeWithDredd: Judge = async (contract, runs, installed) => {
  const chosen = runs.map(chooseTransactions);
  try {
    const outcomes = await runDredd(contract, chosen, installed);
    return chosen.map((transactions, run) =>
      toResult(
        contract,
        transactions,
        outcomes.filter((one) => one.run === run),
      ),
    );
  } catch (error) {
    if (!(error instanceof JudgeFailure)) throw error;
    if (runs.length === 1) return [failed(error.message)];
    // One response that ends Dredd must cost only its own run the judgement.
    const half = Math.ceil(runs.length / 2);
    return [
      ...(await judgeWithDredd(contract, runs.slice(0, half), installed)),
      ...(await judgeWithDredd(contract, runs.slice(half), installed)),
    ];
  }
};

/** @throws JudgeFailure */
async function runDredd(
  contract: Contract,
  chosen: readonly Transactions[],
  installed: Installed,
): Promise<Outcome[]> {
  const playback = await startPlayback(contract);
  const { url, folder, document } = playback;
  const env = { PADDOCK_PLAN: join(folder, 'plan.json'), PADDOCK_OUTCOME: join(folder, 'outcome.json') };
  const runs = chosen.map((transactions) =>
    Object.fromEntries([...transactions].map(([name, { response }]) => [name, playback.add(response)])),
  );
  await writeFile(env.PADDOCK_PLAN, JSON.stringify({ header: EXCHANGE, runs }));
  const options = ['--hookfiles', HOOKS, '--language', 'nodejs', '--loglevel', 'error', '--no-color'];
  const program = startProgram(installed, [document, url, ...options], { folder, env });
  try {
    const output = await program.waitForEnd(TIMEOUT);
    const outcome = await readFile(env.PADDOCK_OUTCOME, 'utf8').catch(() => {
      const complaint = complaintOf(output).replaceAll(document, 'the document');
      throw new JudgeFailure(`dredd breaks off: ${complaint}`);
    });
    return JSON.parse(outcome);
  } finally {
    await program.stop();
    await playback.close();
  }
}

function toResult(
  { operations }: Contract,
  transactions: Transactions,
  outcomes: readonly Outcome[],
): JudgeResult {
  const judgements = outcomes.flatMap(({ transaction, status, message }): Judgement[] => {
    const exchange = transactions.get(transaction);
    if (!exchange || status === undefined) return [];
    return [{ exchange, violations: status === 'fail' ? [message.trim().replace(/\s*\n\s*/g, '; ')] : [] }];
  });
  const all = operations.reduce((sum, one) => sum + explicitStatuses(one.responses).length, 0);
  const missing = all - transactions.size;
  const judged = new Set(judgements.map(({ exchange }) => exchange));
  const lost = [...transactions].flatMap(([name, exchange]) => (judged.has(exchange) ? [] : [name]));
  const notes = [
    ...(missing > 0 ? [`for ${missing} of ${all} rows the run has no answer`] : []),
    ...(lost.length > 0 ? [`it makes no row of ${lost.join(', ')}`] : []),
  ];
  return { judgements, notes, failure: undefined };
}

/** Exchanges for Dredd, by the transaction that each stands for: `GET /things 200`. */
type Transactions = ReadonlyMap<string, Recorded>;

/** For each operation and status an exchange that the suite finds fault with, else the one that shows most. */
function chooseTransactions({ contract, traffic, results }: RecordedRun): Transactions {
  const chosen = new Map<string, Recorded>();
  for (const operation of contract.operations) {
    for (const status of explicitStatuses(operation.responses)) {
      const own = results.filter(({ case: one }) => one.operation === operation && one.status === status);
      const ids = new Set(own.map(({ case: one }) => one.id));
      const entries = (traffic?.entries ?? []).filter(
        (entry) => entry.operation === operation && ids.has(entry.caseId),
      );
      const blamed = new Set(
        own.flatMap(({ findings }) => findings.map(({ exchange }) => exchange.response)),
      );
      const exchange = entries.find(({ response }) => blamed.has(response)) ?? richest(entries, status);
      if (exchange) chosen.set(`${operation.method} ${operation.path} ${status}`, exchange);
    }
  }
  return chosen;
}

/** Dredd takes the document's example for the rule: a body with more members is more like it. */
function richest(entries: readonly Recorded[], status: number): Recorded | undefined {
  const size = ({ response }: Recorded) => {
    const body = jsonOf(response);
    return Object.keys(Object(Array.isArray(body) ? body[0] : body)).length;
  };
  // The sort is stable: of equal ones the first.
  return entries
    .filter(({ response }) => response.status === status)
    .toSorted((a, b) => size(b) - size(a))[0];
}
