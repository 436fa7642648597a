import { stringifyJson } from '../shell/exact-json.ts';
import type { ActiveRule, RuleAnswer } from './active-rules.ts';

/** Which requests a rule is for: `listPets with query {"limit":"3"}`. */
export function requestsOf({ operation, tag, match = {} }: ActiveRule): string {
  const { method, path, ...others } = match as { readonly method?: string; readonly path?: string };
  const named = operation ?? (tag === undefined ? undefined : `operations of the tag ${tag}`);
  const target = [method, path].filter(Boolean).join(' ');
  const what = [named, target].filter(Boolean).join(', ') || 'every request';
  const having = Object.entries(others).map(([part, wanted]) => `${part} ${stringifyJson(wanted)}`);
  return having.length === 0 ? what : `${what} with ${having.join(' and ')}`;
}

/** What a rule does: `503, 503, then as usual`. */
export function effectOf({ sequence, delay, ...answer }: ActiveRule): string {
  const waits = delay === undefined ? [] : [`waits ${delay} ms`];
  if (sequence) return [...waits, `one after the other: ${sequence.map(itemText).join(', ')}`].join(', ');
  return [...waits, ...effects(answer)].join(', ') || 'nothing';
}

export function usageOf({ used, times }: ActiveRule): string {
  if (times === undefined) return `used ${used} ${used === 1 ? 'time' : 'times'}`;
  return `used ${used} of ${times} ${times === 1 ? 'time' : 'times'}${used >= times ? ', and done' : ''}`;
}

function itemText(item: number | RuleAnswer | 'pass'): string {
  if (item === 'pass') return 'as usual';
  if (typeof item === 'number') return String(item);
  const waits = item.delay === undefined ? [] : [`waits ${item.delay} ms`];
  return [...waits, ...effects(item)].join(' ');
}

function effects({ status, example, body, headers, drop, truncate }: RuleAnswer): string[] {
  return [
    status === undefined ? '' : `answers ${status}`,
    example === undefined ? '' : `with the example ${example}`,
    body === undefined ? '' : `with the body ${short(typeof body === 'string' ? body : stringifyJson(body))}`,
    headers === undefined ? '' : `with ${Object.keys(headers).join(', ')}`,
    drop === undefined ? '' : `drops the connection ${drop} the request is carried out`,
    truncate ? 'cuts the response' : '',
  ].filter((text) => text !== '');
}

const MOST = 80;

function short(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
