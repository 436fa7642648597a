import { type Contract, isRecord, stringifyJson } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome, Refusal } from '../http/refusal.ts';
import type { SeedValues } from '../records/seed/values.ts';
import { addRule, changeRules, orderRules } from '../sessions/change-rules.ts';
import { documentedAnswers } from '../sessions/preferences/documented-answers.ts';
import { judgeRule } from '../sessions/preferences/judge-rule.ts';
import { problemText, type RuledDocument, readRule } from '../sessions/preferences/read-rule.ts';
import { type ActiveRule, mergeRule, type Rule, ruleJson } from '../sessions/preferences/rules.ts';
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
import { type Session, settingsForm } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import {
  bodyJson,
  bodyText,
  type ControlEndpoints,
  jsonResponse,
  lastStep,
  NO_CONTENT,
  need,
  refuseWith,
} from './control.ts';
import { CONTROL_PATH } from './path.ts';

interface AnswersContext extends ScenarioContext {
  readonly document: RuledDocument;
  readonly contract: Contract;
  readonly seeds: SeedValues;
  readonly shelf: Shelf;
  readonly sessions: Sessions;
}

/** The rules of a session, and the scenarios to which it can switch. */
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
        const problem = await orderRules(session, bodyJson(request));
        return problem === undefined ? NO_CONTENT : { refuse: 'malformed', message: `The body ${problem}` };
      },
    },
    'answers/check': {
      /** Returns why a rule is refused, and how its bodies violate the document, without adding it. */
      async POST(request) {
        const read = await readRuleIn(request, document);
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
        const sampleRequest = { ...request, path: operation.basePaths[0] + operation.path, query: '' };
        return jsonResponse(documentedAnswers(operation, contract, seeds, sampleRequest));
      },
    },
    'answers/scenarios': { GET: async (_, session) => jsonResponse(await listScenarios(session, context)) },
    'answers/scenarios/*': {
      async GET(request) {
        const { text } = await scenarioNamed(request, shelf);
        return { ...jsonResponse({}), type: 'text/plain; charset=utf-8', body: text };
      },
      async POST(request, session) {
        const file = await scenarioNamed(request, shelf);
        await switchTo(session, need(await readable(file, context)));
        return NO_CONTENT;
      },
      async PUT(request, session) {
        const name = scenarioName(lastStep(request));
        const isCurrent = bodyText(request).trim() === '';
        const form = isCurrent ? settingsForm(session) : await formIn(request, context);
        const refused = await shelf.write(name, form);
        return refused === undefined ? changed() : { refuse: 'conflict', message: refused };
      },
      async PATCH(request) {
        const body = bodyJson(request);
        const to = scenarioName(isRecord(body) && typeof body.name === 'string' ? body.name : '');
        await scenarioNamed(request, shelf);
        if (!(await shelf.rename(lastStep(request), to)))
          return { refuse: 'conflict', message: `There is a scenario ${JSON.stringify(to)} already` };
        return changed();
      },
      async DELETE(request) {
        await scenarioNamed(request, shelf);
        await shelf.remove(lastStep(request));
        return changed();
      },
    },
    'answers/*': {
      GET: (request, { rules }) => jsonResponse(ruleJson(ruleNamed(request, rules.all()))),
      PUT: (request, session) => replaceRule(request, session, document, 'from 0', (body) => body),
      PATCH: (request, session) =>
        replaceRule(request, session, document, 'kept', (body, old) => mergeRule(old, body)),
      async DELETE(request, session) {
        const { id } = ruleNamed(request, session.rules.all());
        await changeRules(session, (rules) => rules.remove(id));
        return NO_CONTENT;
      },
    },
  };
}

function ruleNamed(request: MockRequest, all: readonly ActiveRule[]): ActiveRule {
  const id = lastStep(request);
  return need(all.find((rule) => String(rule.id) === id) ?? noRule(id));
}

const noRule = (id: string): Refusal => ({ refuse: 'not found', message: `There is no rule ${id}` });

async function readRuleIn(
  request: MockRequest,
  document: RuledDocument,
  merged: (body: unknown) => unknown = (body) => body,
) {
  const value = merged(bodyJson(request));
  await loadTemplates(stringifyJson(value));
  return readRule(value, document);
}

type Details = Extract<ReturnType<typeof readRule>, { problems: unknown }>['problems'];

const detailsOf = (problems: Details) =>
  problems.map(({ path, message }) => ({ where: path.join('.'), message }));

async function ruleIn(...how: Parameters<typeof readRuleIn>): Promise<Rule> {
  const read = await readRuleIn(...how);
  if ('rule' in read) return read.rule;
  const message = read.problems.map(problemText).join('; ');
  return refuseWith({ refuse: 'malformed', message, details: detailsOf(read.problems) });
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
  const rule = await ruleIn(request, document, (body) => merged(body, old));
  const refused = rules.refuse(rule, old.id);
  if (refused !== undefined) return { refuse: 'too large', message: refused };
  const changed = await changeRules(session, () => rules.replace(old.id, rule, used));
  return changed ? jsonResponse(ruleJson(changed)) : noRule(String(old.id));
}

async function scenarioNamed(request: MockRequest, shelf: Shelf) {
  const name = lastStep(request);
  const file = await shelf.read(name);
  if (file) return file;
  const names = (await shelf.names()).join(', ') || 'none';
  const message = `There is no scenario ${JSON.stringify(name)}; there are ${names}`;
  return refuseWith({ refuse: 'not found', message });
}

function scenarioName(name: string): string {
  const problem = scenarioNameProblem(name);
  return problem === undefined ? name : refuseWith({ refuse: 'malformed', message: problem });
}

/** The seed file in a request, which must fit the document. */
async function formIn(request: MockRequest, context: ScenarioContext): Promise<ScenarioForm> {
  const form = bodyJson(request);
  need(await readable({ text: stringifyJson(form), uri: 'body' }, context));
  return form as ScenarioForm;
}
