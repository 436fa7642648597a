import { type Resource, randomOf } from '#spec';
import { tidyAway } from '../../arrange/tidy.ts';
import type { Finding } from '../../laws/finding.ts';
import { successStatuses } from '../../laws/operation-role.ts';
import type { Trial } from '../../run/trial.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Family, makeCase } from '../case.ts';
import { play } from './play.ts';
import { MOST_RECORDS, plainSteps, randomSteps, type Step, shrink } from './steps.ts';

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
    const number = sequencesFor(resource, settings);
    if (!create?.body || success === undefined || number === 0 || !(read || list)) return [];
    const title = 'random sequences of all operations leave what they promise';
    const one = makeCase(create, success, 'sequences', title, (trial) => playMany(trial, resource, number));
    return [
      {
        ...one,
        creates: resource.actions.remove ? AT_ONCE * MOST_RECORDS : 2 * number,
        elastic: true,
        requests: MOST_REQUESTS_TO_SHRINK + number * REQUESTS_OF_ONE,
      },
    ];
  });

/** Sequences at the same time. */
const AT_ONCE = 8;

/** Where records cannot be removed: a sequence makes one, and as many more may be made to shrink it. */
const MOST_LASTING = 6;
/** Requests of a sequence, with those for what it needs. */
const REQUESTS_OF_ONE = 30;

function sequencesFor({ actions }: Resource, { examples }: Settings): number {
  return actions.remove ? examples : Math.min(examples, MOST_LASTING);
}

async function playMany(trial: Trial, resource: Resource, number: number): Promise<void> {
  const { settings } = trial.run;
  const seen = new Set<string>();
  const random = (index: number) => randomOf(`${settings.seed} ${resource.path} ${index}`);
  const plain = plainSteps(random(-1), resource).slice(0, number);
  const all = [
    ...plain,
    ...Array.from({ length: number - plain.length }, (_, index) =>
      randomSteps(random(index), resource, seen),
    ),
  ];
  for (let first = 0; first < number; first += AT_ONCE) {
    const chosen = all.slice(first, first + AT_ONCE);
    const findings = await playAtOnce(trial, resource, chosen);
    if (findings.length > 0) return report(trial, resource, chosen, findings);
  }
}

/** Plays sequences at the same time, and removes what they have made. */
async function playAtOnce(
  trial: Trial,
  resource: Resource,
  chosen: readonly (readonly Step[])[],
): Promise<Finding[]> {
  const findings = new Map<number, Finding[]>();
  await trial.together(
    chosen.map((steps, index) => async (part) => {
      const { ids } = await play(part, resource, steps);
      findings.set(index, part.findings.splice(0));
      await tidyAway(part.run, part.case.id, ids, part.client);
    }),
    resource.actions.remove ? MOST_RECORDS : 1,
  );
  return chosen.flatMap((_, index) => findings.get(index)?.slice(0, 1) ?? []);
}

/** Of the run's time for shrinking. */
const TIME_TO_SHRINK = 1 / 60;
const MOST_REQUESTS_TO_SHRINK = 300;

/**
 * Plays sequences again, each by itself, and shrinks the first one that fails. In whose list or read a fault shows when
 * they are played at the same time depends on the moment.
 */
async function report(
  trial: Trial,
  resource: Resource,
  chosen: readonly (readonly Step[])[],
  broken: readonly Finding[],
): Promise<void> {
  const { run, findings, client } = trial;
  const deadline = performance.now() + run.settings.maxTime * 1000 * TIME_TO_SHRINK;
  let left = MOST_REQUESTS_TO_SHRINK;
  let mayMake = resource.actions.remove ? Number.POSITIVE_INFINITY : MOST_LASTING;
  let told: readonly Finding[] | undefined;

  async function attempt(steps: readonly Step[]): Promise<readonly Step[] | undefined> {
    const isOver = performance.now() > deadline || left <= 0;
    if ((told && isOver) || mayMake <= 0) return undefined;
    const played = await client.alone(() => play(trial, resource, steps));
    left -= played.requests.length;
    mayMake -= played.ids.size;
    const found = findings.splice(0);
    await tidyAway(run, trial.case.id, played.ids, client);
    // How far a sequence is shrunk depends on the time; what it has shown as a whole does not.
    const wanted = told ?? found;
    const same = found.filter(({ key }) => wanted.some((one) => one.key === key));
    if (same.length === 0 || same.length < wanted.length) return undefined;
    told = same;
    return played.steps;
  }

  for (const steps of chosen) if (await shrink(steps, attempt)) break;
  // Where none fails by itself, no script reproduces it.
  findings.push(...(told ?? broken.slice(0, 1)));
}
