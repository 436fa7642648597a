import { type Contract, isRecord, stringifyJson } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome, Refusal } from '../http/refusal.ts';
import type { SeedValues } from '../records/seed/values.ts';
import { addRule, changeRules, orderRules } from '../sessions/change-rules.ts';
import { documentedAnswers } from '../sessions/preferences/documented-answers.ts';
import { judgeRule } from '../sessions/preferences/judge-rule.ts';
import { problemText, type RuledDocument, readRule } from '../sessions/preferences/read-rule.ts';
import { type ActiveRule, mergeRule, ruleJson } from '../sessions/preferences/rules.ts';
import {
  listScenarios,
  readable,
  type ScenarioContext,
  type ScenarioForm,
  type Shelf,
  scenarioNameProblem,
  scenariosChanged,
  switchTo,
} from '../sessions/preferences/scenarios.ts';
import { loadTemplates } from '../sessions/preferences/template.ts';
import { type Session, type Sessions, settingsForm } from '../sessions/sessions.ts';
import { bodyJson, bodyText, type ControlEndpoints, jsonResponse, lastStep, NO_CONTENT } from './control.ts';
import { CONTROL_PATH } from './path.ts';

interface AnswersContext extends ScenarioContext {
  readonly document: RuledDocument;
  readonly contract: Contract;
  readonly seeds: SeedValues;
  readonly shelf: Shelf;
  readonly sessions: Sessions;
}

/** What decides the answers of a session: its rules, and the scenarios that it can switch to. */
export function answersEndpoints(context: AnswersContext): ControlEndpoints {
  const { shelf, sessions, document, contract, seeds } = context;
  const changed = () => {
    scenariosChanged(sessions);
    return NO_CONTENT;
  };

  return {
    answers: {
      GET: (_, { rules }) => jsonResponse(rules.all().map(ruleJson)),
      async POST(request, session) {
        const rule = await ruleIn(request, document);
        if ('refuse' in rule) return rule;
        const refused = session.rules.refuse(rule);
        if (refused !== undefined) return { refuse: 'too large', message: refused };
        const added = ruleJson(await addRule(session, rule));
        return jsonResponse(added, 201, { Location: `${CONTROL_PATH}/answers/${added.id}` });
      },
      async DELETE(_, session) {
        await changeRules(session, (rules) => rules.clear());
        return NO_CONTENT;
      },
    },
    'answers/order': {
      async PUT(request, session) {
        const body = bodyJson(request);
        if ('refuse' in body) return body;
        const problem = await orderRules(session, body.value);
        return problem === undefined ? NO_CONTENT : { refuse: 'malformed', message: `The body ${problem}` };
      },
    },
    'answers/check': {
      /** What refuses a rule, and what of its bodies the document speaks against; it is not added. */
      async POST(request) {
        const read = await readRuleIn(request, document);
        if ('refuse' in read) return read;
        const problems = 'problems' in read ? detailsOf(read.problems) : [];
        return jsonResponse({ problems, warnings: 'rule' in read ? judgeRule(read.rule, contract) : [] });
      },
    },
    'answers/documented': {
      GET(request) {
        const id = new URLSearchParams(request.query).get('operation');
        const operation = document.operations.find((each) => each.id === id);
        if (!operation)
          return { refuse: 'not found', message: `There is no operation ${JSON.stringify(id)}` };
        const own = { ...request, path: operation.basePaths[0] + operation.path, query: '' };
        return jsonResponse(documentedAnswers(operation, contract, seeds, own));
      },
    },
    'answers/scenarios': { GET: async (_, session) => jsonResponse(await listScenarios(session, context)) },
    'answers/scenarios/*': {
      async GET(request) {
        const found = await scenarioNamed(request, shelf);
        if ('refuse' in found) return found;
        return { ...jsonResponse({}), type: 'text/plain; charset=utf-8', body: found.text };
      },
      async POST(request, session) {
        const found = await scenarioNamed(request, shelf);
        if ('refuse' in found) return found;
        const scenario = await readable(found, context);
        if ('refuse' in scenario) return scenario;
        await switchTo(session, scenario);
        return NO_CONTENT;
      },
      async PUT(request, session) {
        const name = lastStep(request);
        const problem = scenarioNameProblem(name);
        if (problem !== undefined) return { refuse: 'malformed', message: problem };
        const given = bodyText(request);
        if (typeof given !== 'string') return given;
        const form = given.trim() === '' ? settingsForm(session) : await formIn(request, context);
        if ('refuse' in form) return form as Refusal;
        const refused = await shelf.write(name, form as ScenarioForm);
        return refused === undefined ? changed() : { refuse: 'conflict', message: refused };
      },
      async PATCH(request) {
        const body = bodyJson(request);
        if ('refuse' in body) return body;
        const to = isRecord(body.value) && typeof body.value.name === 'string' ? body.value.name : '';
        const problem = scenarioNameProblem(to);
        if (problem !== undefined) return { refuse: 'malformed', message: problem };
        const found = await scenarioNamed(request, shelf);
        if ('refuse' in found) return found;
        if (!(await shelf.rename(lastStep(request), to)))
          return { refuse: 'conflict', message: `There is a scenario ${JSON.stringify(to)} already` };
        return changed();
      },
      async DELETE(request) {
        const found = await scenarioNamed(request, shelf);
        if ('refuse' in found) return found;
        await shelf.remove(lastStep(request));
        return changed();
      },
    },
    'answers/*': {
      GET(request, { rules }) {
        const rule = ruleNamed(request, rules.all());
        return 'refuse' in rule ? rule : jsonResponse(ruleJson(rule));
      },
      PUT: (request, session) => replaceRule(request, session, document, 'from 0', (body) => body),
      PATCH: (request, session) =>
        replaceRule(request, session, document, 'kept', (body, old) => mergeRule(old, body)),
      async DELETE(request, session) {
        const rule = ruleNamed(request, session.rules.all());
        if ('refuse' in rule) return rule;
        await changeRules(session, (rules) => rules.remove(rule.id));
        return NO_CONTENT;
      },
    },
  };
}

function ruleNamed(request: MockRequest, all: readonly ActiveRule[]): ActiveRule | Refusal {
  const id = lastStep(request);
  return all.find((rule) => String(rule.id) === id) ?? noRule(id);
}

const noRule = (id: string): Refusal => ({ refuse: 'not found', message: `There is no rule ${id}` });

async function readRuleIn(
  request: MockRequest,
  document: RuledDocument,
  merged: (body: unknown) => unknown = (body) => body,
) {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const value = merged(body.value);
  await loadTemplates(stringifyJson(value));
  return readRule(value, document);
}

type Details = Extract<ReturnType<typeof readRule>, { problems: unknown }>['problems'];

const detailsOf = (problems: Details) =>
  problems.map(({ path, message }) => ({ where: path.join('.'), message }));

async function ruleIn(...how: Parameters<typeof readRuleIn>) {
  const read = await readRuleIn(...how);
  if ('refuse' in read) return read;
  if ('rule' in read) return read.rule;
  const message = read.problems.map(problemText).join('; ');
  return { refuse: 'malformed', message, details: detailsOf(read.problems) } as const;
}

async function replaceRule(
  request: MockRequest,
  session: Session,
  document: RuledDocument,
  used: 'kept' | 'from 0',
  merged: (body: unknown, old: ActiveRule) => unknown,
): Promise<Outcome> {
  const { rules } = session;
  const old = ruleNamed(request, rules.all());
  if ('refuse' in old) return old;
  const rule = await ruleIn(request, document, (body) => merged(body, old));
  if ('refuse' in rule) return rule;
  const refused = rules.refuse(rule, old.id);
  if (refused !== undefined) return { refuse: 'too large', message: refused };
  const changed = await changeRules(session, () => rules.replace(old.id, rule, used));
  return changed ? jsonResponse(ruleJson(changed)) : noRule(String(old.id));
}

async function scenarioNamed(request: MockRequest, shelf: Shelf) {
  const name = lastStep(request);
  const found = await shelf.read(name);
  if (found) return found;
  const names = (await shelf.names()).join(', ') || 'none';
  const message = `There is no scenario ${JSON.stringify(name)}; there are ${names}`;
  return { refuse: 'not found', message } as const;
}

/** The seed file that a request has, which must fit the document. */
async function formIn(request: MockRequest, context: ScenarioContext): Promise<ScenarioForm | Refusal> {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const scenario = await readable({ text: stringifyJson(body.value), uri: 'body' }, context);
  return 'refuse' in scenario ? scenario : (body.value as ScenarioForm);
}
