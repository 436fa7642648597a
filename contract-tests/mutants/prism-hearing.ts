import { madeUpPath } from '../arrange/query.ts';
import type { CaseResult } from '../cases/case.ts';
import type { Installed } from '../opinions/find-judge.ts';
import type { Remark } from '../opinions/opinion.ts';
import { type Prism, startPrism } from '../opinions/prism.ts';
import type { AskPrism } from '../opinions/prism-ask.ts';
import { remarksOn } from '../opinions/prism-remarks.ts';
import { type SelfCheck, selfCheck } from '../opinions/self-check.ts';
import type { Run } from '../run/run.ts';
import { planRequest } from '../send/plan-request.ts';

/** In milliseconds: on busy cores Prism must not be taken for silent. */
const THOUGHT = 30_000;

interface Open {
  readonly prism: Prism;
  /** What it can see follows from the document alone. */
  readonly eyes: SelfCheck;
}

/** One Prism a document for all runs: the answers behind it are played by their number, so no run changes another. */
export interface PrismHearing {
  hear(run: Run, results: readonly CaseResult[]): Promise<readonly Remark[]>;
  close(): Promise<void>;
}

export function openPrismHearing(installed: Installed): PrismHearing {
  const opened = new Map<string, Open>();
  let queue: Promise<unknown> = Promise.resolve();

  async function openFor(run: Run): Promise<Open> {
    const { document, base } = run.settings;
    const there = opened.get(document);
    if (there) return there;
    const prism = await startPrism(run.contract, installed, THOUGHT);
    const open = { prism, eyes: await selfCheck(run, prism.askAbout(base)) };
    opened.set(document, open);
    if (open.eyes.blind) throw new Error(`prism sees no broken body of ${document}`);
    return open;
  }

  async function hearOnce(run: Run, results: readonly CaseResult[]) {
    const { prism, eyes } = await openFor(run);
    const ask = prism.askAbout(run.settings.base);
    const { remarks } = await remarksOn(run, results, ask, eyes);
    if (await isUp(run, ask)) return { remarks, fell: false };
    opened.delete(run.settings.document);
    await prism.close();
    return { remarks, fell: true };
  }

  async function hearAlone(run: Run, results: readonly CaseResult[]): Promise<readonly Remark[]> {
    const { remarks, fell } = await hearOnce(run, results);
    // Who made it fall, this run or an earlier one? With a Prism of its own the run gets all that can be had.
    return fell ? (await hearOnce(run, results)).remarks : remarks;
  }

  return {
    hear(run, results) {
      const heard = queue.then(() => hearAlone(run, results));
      queue = heard.catch(() => {});
      return heard;
    },
    async close() {
      await Promise.all([...opened.values()].map(({ prism }) => prism.close()));
    },
  };
}

/** An answer that everybody can read comes through. */
async function isUp(run: Run, ask: AskPrism): Promise<boolean> {
  const [operation] = run.contract.operations;
  if (!operation) return true;
  const path = madeUpPath(operation);
  const answer = {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from('[]'),
  } as const;
  return (await ask(planRequest(run.settings, operation, { path }), answer)) !== undefined;
}
