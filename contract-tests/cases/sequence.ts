import { type Resource, randomOf } from '#spec';
import { tidyAfter } from '../arrange/tidy.ts';
import type { Finding } from '../finding.ts';
import { successStatuses } from '../laws/operation-role.ts';
import type { Trial } from '../run/trial.ts';
import { type Family, makeCase } from './family.ts';
import { type Played, play } from './sequence-play.ts';
import { linesOf } from './sequence-script.ts';
import { shrink } from './sequence-shrink.ts';
import { randomSteps, type Step } from './sequence-steps.ts';

/**
 * Random sequences of all operations of a resource, each on fresh records of its own. The model of the run's own records
 * tells what must hold after each request. The first sequence that fails is shrunk.
 *
 * The shrinker is not fast-check's: its commands are cut by position, where here all steps of a record go at once and
 * what follows the failure is cut off, so that far fewer requests are sent to a target that others use, too.
 */
export const sequences: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { create, read, list } = resource.actions;
    const success = create && successStatuses(create)[0];
    if (!create?.body || success === undefined || settings.examples === 0 || !(read || list)) return [];
    const title = 'random sequences of all operations leave what they promise';
    return [makeCase(create, success, 'sequences', title, (trial) => playMany(trial, resource))];
  });

/** Parts of --max-time. A slow target gets fewer sequences. */
const TIME_TO_PLAY = 1 / 200;
const TIME_TO_SHRINK = 1 / 60;
const MOST_REQUESTS_TO_SHRINK = 200;

async function playMany(trial: Trial, resource: Resource): Promise<void> {
  const { settings } = trial.run;
  const end = performance.now() + settings.maxTime * 1000 * TIME_TO_PLAY;
  const mayCreate = createsAllowed(trial, resource);
  const seen = new Set<string>();
  for (let count = 0; count < settings.examples; count++) {
    if (performance.now() > end || !mayCreate()) return;
    const steps = randomSteps(randomOf(`${settings.seed} ${resource.path} ${count}`), resource, seen);
    const played = await play(trial, resource, steps);
    if (played.failed) return report(trial, resource, played);
    await tidyAfter(trial.run, trial.case.id);
  }
}

/** What cannot be removed again uses up a quarter of the room that the other cases have left. */
function createsAllowed({ run }: Trial, { actions }: Resource): () => boolean {
  const { ledger, settings } = run;
  const before = ledger.records.length;
  const room = settings.maxCreates - before;
  const most = before + (actions.remove ? room : Math.floor(room / 4));
  return () => ledger.records.length < most;
}

/** Only the smallest sequence that breaks the same law is told. */
async function report(trial: Trial, resource: Resource, first: Played): Promise<void> {
  const { run, findings } = trial;
  const [law] = findings.map((finding) => finding.law);
  const deadline = performance.now() + run.settings.maxTime * 1000 * TIME_TO_SHRINK;
  const mostSent = run.client.sent() + MOST_REQUESTS_TO_SHRINK;
  const mayCreate = createsAllowed(trial, resource);
  let told: { played: Played; findings: readonly Finding[] } = { played: first, findings: [...findings] };

  async function attempt(steps: readonly Step[]): Promise<readonly Step[] | undefined> {
    if (performance.now() > deadline || run.client.sent() > mostSent || !mayCreate()) return undefined;
    await tidyAfter(run, trial.case.id);
    findings.length = 0;
    const played = await play(trial, resource, steps);
    if (!played.failed || !findings.some((finding) => finding.law === law)) return undefined;
    told = { played, findings: [...findings] };
    return played.steps;
  }

  await shrink(first.steps, attempt);
  const steps = await linesOf(
    trial,
    told.played.requests.map((request) => [request]),
  );
  findings.splice(0, findings.length, ...told.findings.map((finding) => ({ ...finding, steps })));
}
