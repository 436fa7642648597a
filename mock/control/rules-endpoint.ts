import { stringifyJson } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import { problemText, type RuledDocument, readRule } from '../sessions/preferences/read-rule.ts';
import { ruleJson } from '../sessions/preferences/rule.ts';
import type { Session } from '../sessions/session.ts';
import type { Handler } from './control.ts';
import { bodyJson, jsonResponse, NO_CONTENT } from './json.ts';
import { CONTROL_PATH } from './path.ts';

/** `/__admin/rules` */
export function rulesEndpoint(document: RuledDocument): Readonly<Record<string, Handler>> {
  return {
    GET: (_, { rules }) => jsonResponse(rules.all().map(ruleJson)),
    POST: (request, session) => addRule(request, session, document),
    DELETE: removeRules,
  };
}

async function addRule(
  request: MockRequest,
  { rules, events }: Session,
  document: RuledDocument,
): Promise<Outcome> {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const read = readRule(body.value, document);
  if ('problems' in read) {
    const details = read.problems.map(({ path, message }) => ({ where: path.join('.'), message }));
    return { refuse: 'malformed', message: read.problems.map(problemText).join('; '), details };
  }
  const refused = rules.refuse(read.rule);
  if (refused !== undefined) return { refuse: 'too large', message: refused };
  const rule = ruleJson(await rules.add(read.rule));
  const json = jsonResponse(rule, 201, { Location: `${CONTROL_PATH}/rules/${rule.id}` });
  events.publish('rule', stringifyJson(rule));
  return json;
}

/** `DELETE /__admin/rules` removes all, `DELETE /__admin/rules/3` one. */
async function removeRules({ path }: MockRequest, { rules, events }: Session): Promise<Outcome> {
  const [, , , id] = path.split('/');
  if (id === undefined) await rules.clear();
  else if (!(await rules.remove(Number(id))))
    return { refuse: 'not found', message: `There is no rule ${id}` };
  events.publish('rules', stringifyJson(rules.all().map(ruleJson)));
  return NO_CONTENT;
}
