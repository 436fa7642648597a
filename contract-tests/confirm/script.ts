import { isRecord } from '#spec';
import { isIdName } from '../laws/mark.ts';
import type { Run } from '../run/run.ts';
import { placeholderOf, type Script, withNumbers } from '../send/curl.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import type { SentStep } from '../send/trail.ts';
import { headerOf } from '../send/wire.ts';
import { makerOf } from './recipe.ts';

type Known = Pick<Run, 'contract' | 'settings' | 'origins'>;

/** What was sent as a script that sends it again: it keeps the ids of what it creates, and entity tags, in variables. */
export function scriptOf(run: Known, sent: readonly SentStep[]): Script {
  // Whether an id was free the run alone had to know.
  const steps = sent.filter((step, index) => !step.input.chosenId || index === sent.length - 1);
  const variables = new Map<SentStep, string>();
  const tags = new Map<SentStep, string>();
  for (const step of steps) {
    const { versionOf } = step;
    if (versionOf && steps.includes(versionOf) && !tags.has(versionOf))
      tags.set(versionOf, `TAG${tags.size + 1}`);
    for (const maker of makersIn(run, step)) {
      // What the client has chosen stands in the requests as it is.
      const isKept = steps.includes(maker) && maker.created?.at !== undefined && maker !== step;
      if (isKept && !variables.has(maker)) variables.set(maker, `ID${variables.size + 1}`);
    }
  }
  return entriesOf(steps).map((entry) =>
    entry.map((step) => {
      const request = requestOf(run, step, variables, step.versionOf && tags.get(step.versionOf));
      const tag = tags.get(step);
      if (tag !== undefined) return { request, keeps: { variable: tag, at: 'etag' } };
      const variable = variables.get(step);
      const at = step.created?.at;
      return { request, ...(variable !== undefined && at !== undefined && { keeps: { variable, at } }) };
    }),
  );
}

/** Those that were sent at once are one entry. */
function entriesOf(steps: readonly SentStep[]): SentStep[][] {
  const entries: SentStep[][] = [];
  for (const step of steps) {
    const last = entries.at(-1);
    if (last && step.amongOthers && last.at(-1)?.amongOthers) last.push(step);
    else entries.push([step]);
  }
  return entries;
}

function makersIn(run: Known, { operation, input }: SentStep): SentStep[] {
  const members = isRecord(input.body) ? Object.entries(input.body).filter(([name]) => isIdName(name)) : [];
  return [...Object.entries(input.path ?? {}), ...members].flatMap(
    ([name, value]) => makerOf(run, operation, name, value) ?? [],
  );
}

function requestOf(
  run: Known,
  step: SentStep,
  variables: ReadonlyMap<SentStep, string>,
  tag: string | undefined,
): SentStep['request'] {
  const { operation, input } = step;
  const used = makersIn(run, step).filter((maker) => variables.has(maker));
  if (used.length === 0 && tag === undefined) return step.request;
  const placeholder = (name: string, value: unknown): unknown => {
    const maker = makerOf(run, operation, name, value) ?? ownIdIn(used, name, value);
    const variable = maker && variables.get(maker);
    return variable === undefined ? value : placeholderOf(variable);
  };
  const replaced = (given: object) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, placeholder(name, value)]));
  const body = isRecord(input.body) ? replaced(input.body) : input.body;
  const changed: RequestInput = {
    ...input,
    path: replaced(input.path ?? {}),
    ...(body !== undefined && { body }),
  };
  const { condition } = input;
  const header = condition && condition !== 'none' ? condition.header.toLowerCase() : '';
  const sent = headerOf(step.request, header);
  const request = planRequest(run.settings, operation, changed, tag ? placeholderOf(tag) : sent);
  const numbers = used.filter(({ created }) => typeof created?.id !== 'string');
  const names = numbers.flatMap((maker) => variables.get(maker) ?? []);
  return request.body && names.length > 0 ? { ...request, body: withNumbers(request.body, names) } : request;
}

/** A body repeats the id that its path has. */
function ownIdIn(used: readonly SentStep[], name: string, value: unknown): SentStep | undefined {
  return used.find(
    ({ created }) => created?.resource.id?.property === name && String(created.id) === String(value),
  );
}
