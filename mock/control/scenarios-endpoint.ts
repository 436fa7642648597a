import { isRecord, stringifyJson } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';
import { delayJson } from '../sessions/preferences/delay.ts';
import {
  isCurrent,
  readScenario,
  type ScenarioContext,
  type ScenarioForm,
  type Shelf,
  scenarioNameProblem,
  scenarioOf,
  switchTo,
} from '../sessions/preferences/scenarios.ts';
import type { Session, Time } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { bodyJson, bodyText, type Handler, jsonResponse, NO_CONTENT, refuseFile } from './control.ts';

/** A scenario as the list shows it. */
export interface ScenarioView {
  readonly name: string;
  readonly rules: number;
  readonly latency?: number | string;
  readonly now?: string;
  /** Whether it replaces records, too. */
  readonly hasRecords: boolean;
  /** Whether the session has its rules and its latency. */
  readonly isCurrent: boolean;
  /** Why it cannot be used; absent: it can. */
  readonly problem?: string;
}

interface ScenariosContext extends ScenarioContext {
  readonly shelf: Shelf;
  readonly time: Time;
  readonly sessions: Sessions;
}

/**
 * `GET scenarios`: all; `GET scenarios/NAME`: one as a seed file; `POST scenarios/NAME`: the session switches to it;
 * `PUT scenarios/NAME`: keeps the seed file in the body, without a body what the session is set to; `PATCH`: `{"name": NEW}`.
 */
export function scenariosEndpoint(context: ScenariosContext): Readonly<Record<string, Handler>> {
  const { shelf, sessions } = context;
  const changed = () => {
    scenariosChanged(sessions);
    return NO_CONTENT;
  };

  return {
    GET: async (request, session) => {
      const name = nameIn(request);
      if (name === undefined) return jsonResponse(await listScenarios(session, context));
      const found = await shelf.read(name);
      if (!found) return missing(name, shelf);
      return { ...jsonResponse({}), type: 'text/plain; charset=utf-8', body: found.text };
    },
    POST: async (request, session) => {
      const name = nameIn(request) ?? '';
      const found = await shelf.read(name);
      if (!found) return missing(name, shelf);
      const scenario = await readable(found, context);
      if ('refuse' in scenario) return scenario;
      await switchTo(session, scenario, context.time);
      return NO_CONTENT;
    },
    PUT: async (request, session) => {
      const name = nameIn(request) ?? '';
      const problem = scenarioNameProblem(name);
      if (problem !== undefined) return { refuse: 'malformed', message: problem };
      const given = bodyText(request);
      if (typeof given !== 'string') return given;
      const form = given.trim() === '' ? scenarioOf(session) : await formIn(request, context);
      if ('refuse' in form) return form as Refusal;
      const refused = await shelf.write(name, form as ScenarioForm);
      return refused === undefined ? changed() : { refuse: 'conflict', message: refused };
    },
    PATCH: async (request) => {
      const name = nameIn(request) ?? '';
      const body = bodyJson(request);
      if ('refuse' in body) return body;
      const to = isRecord(body.value) && typeof body.value.name === 'string' ? body.value.name : '';
      const problem = scenarioNameProblem(to);
      if (problem !== undefined) return { refuse: 'malformed', message: problem };
      if (!(await shelf.read(name))) return missing(name, shelf);
      if (!(await shelf.rename(name, to)))
        return { refuse: 'conflict', message: `There is a scenario ${JSON.stringify(to)} already` };
      return changed();
    },
    DELETE: async (request) => {
      const name = nameIn(request) ?? '';
      if (!(await shelf.remove(name))) return missing(name, shelf);
      return changed();
    },
  };
}

function nameIn({ path }: MockRequest): string | undefined {
  const step = path.split('/')[3];
  if (step === undefined) return undefined;
  try {
    return decodeURIComponent(step);
  } catch {
    return '';
  }
}

async function missing(name: string, shelf: Shelf): Promise<Refusal> {
  const names = (await shelf.names()).join(', ') || 'none';
  return { refuse: 'not found', message: `There is no scenario ${JSON.stringify(name)}; there are ${names}` };
}

/** Pages of all sessions show them. */
export function scenariosChanged({ all }: Sessions): void {
  for (const { events } of all) events.publish('scenarios', '{}');
}

/** All scenarios, as a session sees them. */
export async function listScenarios(
  session: Session,
  context: ScenarioContext & Pick<ScenariosContext, 'shelf'>,
): Promise<ScenarioView[]> {
  const names = await context.shelf.names();
  const all = names.map(async (name): Promise<ScenarioView[]> => {
    const found = await context.shelf.read(name);
    if (!found) return [];
    const scenario = await readable(found, context);
    if ('refuse' in scenario)
      return [{ name, rules: 0, hasRecords: false, isCurrent: false, problem: scenario.message }];
    const { settings, records } = scenario;
    const { rules, latency, now } = settings;
    return [
      {
        name,
        rules: rules.length,
        ...(latency && { latency: delayJson(latency) }),
        ...(now !== undefined && { now: new Date(now).toISOString() }),
        hasRecords: records.size > 0,
        isCurrent: isCurrent(session, settings),
      },
    ];
  });
  return (await Promise.all(all)).flat();
}

async function readable(
  found: { readonly text: string; readonly uri: string },
  context: ScenarioContext,
): Promise<Awaited<ReturnType<typeof readScenario>> | Refusal> {
  try {
    return await readScenario(found, context);
  } catch (error) {
    return refuseFile(error, found.uri);
  }
}

/** The seed file that a request has, which must fit the document. */
async function formIn(request: MockRequest, context: ScenarioContext): Promise<ScenarioForm | Refusal> {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const scenario = await readable({ text: stringifyJson(body.value), uri: 'body' }, context);
  return 'refuse' in scenario ? scenario : (body.value as ScenarioForm);
}
