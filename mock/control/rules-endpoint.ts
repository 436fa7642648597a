import { type Contract, stringifyJson } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome, Refusal } from '../http/refusal.ts';
import type { SeedValues } from '../records/seed/values.ts';
import { addRule, changeRules, orderRules } from '../sessions/change-rules.ts';
import { documentedAnswers } from '../sessions/preferences/documented-answers.ts';
import { judgeRule } from '../sessions/preferences/judge-rule.ts';
import { problemText, type RuledDocument, readRule } from '../sessions/preferences/read-rule.ts';
import { type ActiveRule, mergeRule, type Rule, ruleJson } from '../sessions/preferences/rules.ts';
import { loadTemplates } from '../sessions/preferences/template.ts';
import type { Session } from '../sessions/session.ts';
import { bodyJson, type Handler, jsonResponse, NO_CONTENT } from './control.ts';
import { CONTROL_PATH } from './path.ts';

interface RulesContext extends RuledDocument {
  readonly contract: Contract;
  readonly seeds: SeedValues;
}

/**
 * `/__admin/rules`: all rules, and a new one; `rules/3`: one of them; `rules/order`: which goes before which; `rules/check`:
 * what is wrong with one; `rules/answers?operation=ID`: what an operation documents.
 */
export function rulesEndpoint(context: RulesContext): Readonly<Record<string, Handler>> {
  return {
    GET: (request, session) => {
      const step = stepOf(request);
      if (step === 'answers') return showAnswers(request, context);
      const shown = session.rules.all().map(ruleJson);
      if (step === undefined) return jsonResponse(shown);
      return one(
        shown.find(({ id }) => String(id) === step),
        step,
      );
    },
    POST: (request, session) =>
      stepOf(request) === 'check' ? checkRule(request, context) : createRule(request, session, context),
    PUT: (request, session) =>
      stepOf(request) === 'order'
        ? putOrder(request, session)
        : replaceRule(request, session, context, 'from 0', (body) => body),
    PATCH: (request, session) =>
      replaceRule(request, session, context, 'kept', (body, old) => mergeRule(old, body)),
    DELETE: removeRules,
  };
}

const stepOf = ({ path }: MockRequest) => path.split('/')[3];

function one(found: unknown, step: string): Outcome {
  return found ? jsonResponse(found) : { refuse: 'not found', message: `There is no rule ${step}` };
}

async function read(request: MockRequest, context: RulesContext, merged: (body: unknown) => unknown) {
  const body = bodyJson(request);
  if ('refuse' in body) return { refused: body };
  const value = merged(body.value);
  await loadTemplates(stringifyJson(value));
  return readRule(value, context);
}

type Details = Extract<Awaited<ReturnType<typeof read>>, { problems: unknown }>['problems'];

const detailsOf = (problems: Details) =>
  problems.map(({ path, message }) => ({ where: path.join('.'), message }));

async function rule(
  request: MockRequest,
  context: RulesContext,
  merged: (body: unknown) => unknown = (body) => body,
): Promise<Rule | Refusal> {
  const given = await read(request, context, merged);
  if ('refused' in given) return given.refused;
  if ('rule' in given) return given.rule;
  const message = given.problems.map(problemText).join('; ');
  return { refuse: 'malformed', message, details: detailsOf(given.problems) };
}

async function createRule(request: MockRequest, session: Session, context: RulesContext): Promise<Outcome> {
  const given = await rule(request, context);
  if ('refuse' in given) return given;
  const refused = session.rules.refuse(given);
  if (refused !== undefined) return { refuse: 'too large', message: refused };
  const added = ruleJson(await addRule(session, given));
  return jsonResponse(added, 201, { Location: `${CONTROL_PATH}/rules/${added.id}` });
}

async function replaceRule(
  request: MockRequest,
  session: Session,
  context: RulesContext,
  used: 'kept' | 'from 0',
  merged: (body: unknown, old: ActiveRule) => unknown,
): Promise<Outcome> {
  const { rules } = session;
  const step = stepOf(request) ?? '';
  const old = rules.all().find(({ id }) => String(id) === step);
  if (!old) return { refuse: 'not found', message: `There is no rule ${JSON.stringify(step)}` };
  const given = await rule(request, context, (body) => merged(body, old));
  if ('refuse' in given) return given;
  const refused = rules.refuse(given, old.id);
  if (refused !== undefined) return { refuse: 'too large', message: refused };
  const changed = await changeRules(session, () => rules.replace(old.id, given, used));
  return one(changed && ruleJson(changed), step);
}

async function putOrder(request: MockRequest, session: Session): Promise<Outcome> {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const problem = await orderRules(session, body.value);
  return problem === undefined ? NO_CONTENT : { refuse: 'malformed', message: `The body ${problem}` };
}

/** `DELETE /__admin/rules` removes all, `DELETE /__admin/rules/3` one. */
async function removeRules(request: MockRequest, session: Session): Promise<Outcome> {
  const id = stepOf(request);
  if (id === undefined) await changeRules(session, (rules) => rules.clear());
  else if (!(await changeRules(session, (rules) => rules.remove(Number(id)))))
    return { refuse: 'not found', message: `There is no rule ${id}` };
  return NO_CONTENT;
}

/** What refuses a rule, and what of its bodies the document speaks against; the rule is not added. */
async function checkRule(request: MockRequest, context: RulesContext): Promise<Outcome> {
  const given = await read(request, context, (body) => body);
  if ('refused' in given) return given.refused;
  const problems = 'problems' in given ? detailsOf(given.problems) : [];
  const warnings = 'rule' in given ? judgeRule(given.rule, context.contract) : [];
  return jsonResponse({ problems, warnings });
}

function showAnswers(request: MockRequest, context: RulesContext): Outcome {
  const { contract, operations, seeds } = context;
  const id = new URLSearchParams(request.query).get('operation');
  const operation = operations.find((each) => each.id === id);
  if (!operation) return { refuse: 'not found', message: `There is no operation ${JSON.stringify(id)}` };
  const own = { ...request, path: operation.basePaths[0] + operation.path, query: '' };
  return jsonResponse(documentedAnswers(operation, contract, seeds, own));
}
