import { h } from 'preact';
import { admin } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { button, emptyCard } from '../shell/controls.ts';
import { stringifyJson } from '../shell/exact-json.ts';
import { createValue } from '../shell/value.ts';
import type { OperationView } from '../wire.ts';

/** A rule as the control API shows it. */
export interface ActiveRule extends RuleAnswer {
  readonly id: number;
  readonly operation?: string;
  readonly tag?: string;
  readonly match?: Readonly<Record<string, unknown>>;
  readonly times?: number;
  readonly sequence?: readonly (number | RuleAnswer | 'pass')[];
  readonly source?: Source;
  /** How many requests it was applied to. */
  readonly used: number;
}

interface RuleAnswer {
  readonly status?: number | string;
  readonly example?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: number | string;
  readonly drop?: string | number;
  readonly truncate?: boolean | number;
}

/** The rules of the session, the newest first, which is the first to be asked. */
export const activeRules = createValue<readonly ActiveRule[]>([]);

/** Milliseconds: requests come faster than anyone can read. */
const PAUSE = 250;
let isWaiting = false;

export async function loadRules(): Promise<void> {
  try {
    activeRules.set((await admin<readonly ActiveRule[]>('rules')).toReversed());
  } catch {
    // The connection says what is wrong, and loads again.
  }
}

/** Loads again whenever a rule may have changed or been used; returns what ends that. */
export function followRules(): () => void {
  const soon = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      loadRules();
    }, PAUSE);
  };
  const stops = ['rule', 'rules', 'reset', 'document', 'request'].map((event) => onEvent(event, soon));
  stops.push(onOpen(loadRules));
  return () => {
    for (const stop of stops) stop();
  };
}

interface RuleListProps {
  readonly rules: readonly ActiveRule[];
  readonly onRemove: (id: number) => void;
}

/** The first one that matches a request applies to it. */
export function RuleList({ rules, onRemove }: RuleListProps) {
  if (rules.length === 0)
    return emptyCard(
      'No rules',
      'All requests get their usual responses. You can create a rule from any request in the list.',
    );
  return h(
    'ul',
    { class: 'card rule-list', 'aria-label': 'Rules, the first that matches applies' },
    rules.map((rule) =>
      h(
        'li',
        { key: rule.id, class: isDone(rule) ? 'rule done' : 'rule' },
        h('div', { class: 'rule-text' }, h('strong', {}, requestsOf(rule)), h('span', {}, effectOf(rule))),
        h('span', { class: 'soft count' }, usageOf(rule)),
        button('Remove', () => onRemove(rule.id), { class: 'small', 'aria-label': `Remove rule ${rule.id}` }),
      ),
    ),
  );
}

function isDone({ used, times }: ActiveRule): boolean {
  return times !== undefined && used >= times;
}

/** Which requests a rule is for: `listPets with query {"limit":"3"}`. */
function requestsOf({ operation, tag, match = {} }: ActiveRule): string {
  const { method, path, ...others } = match as { readonly method?: string; readonly path?: string };
  const named = operation ?? (tag === undefined ? undefined : `operations with the tag ${tag}`);
  const target = [method, path].filter(Boolean).join(' ');
  const what = [named, target].filter(Boolean).join(', ') || 'every request';
  const having = Object.entries(others).map(([part, wanted]) => `${part} ${stringifyJson(wanted)}`);
  return having.length === 0 ? what : `${what} with ${having.join(' and ')}`;
}

/** What a rule does: `in sequence: 503, 503, usual response`. */
function effectOf({ sequence, delay, source, ...answer }: ActiveRule): string {
  if (source !== undefined) return SOURCE_TEXTS[source];
  const waits = delay === undefined ? [] : [`delays by ${delay} ms`];
  if (sequence) return [...waits, `in sequence: ${sequence.map(itemText).join(', ')}`].join(', ');
  return [...waits, ...effects(answer)].join(', ') || 'nothing';
}

/** Who responds. */
export type Source = NonNullable<OperationView['source']>;

export const SOURCE_TEXTS: Readonly<Record<Source, string>> = {
  auto: 'upstream, or the mock where that lacks the operation',
  real: 'the upstream alone',
  mock: 'the mock alone',
};

function usageOf({ used, times }: ActiveRule): string {
  if (times === undefined) return `used ${used} ${used === 1 ? 'time' : 'times'}`;
  return `used ${used} of ${times} ${times === 1 ? 'time' : 'times'}${used >= times ? ', done' : ''}`;
}

function itemText(item: number | RuleAnswer | 'pass'): string {
  if (item === 'pass') return 'usual response';
  if (typeof item === 'number') return String(item);
  const waits = item.delay === undefined ? [] : [`delays by ${item.delay} ms`];
  return [...waits, ...effects(item)].join(' ');
}

function whenDropped(drop: string | number): string {
  return typeof drop === 'number' ? `after ${drop} messages` : `${drop} the request is carried out`;
}

function effects({ status, example, body, headers, drop, truncate }: RuleAnswer): string[] {
  return [
    status === undefined ? '' : `responds with ${status}`,
    example === undefined ? '' : `with the example ${example}`,
    body === undefined ? '' : `with the body ${short(typeof body === 'string' ? body : stringifyJson(body))}`,
    headers === undefined ? '' : `with ${Object.keys(headers).join(', ')}`,
    drop === undefined ? '' : `drops the connection ${whenDropped(drop)}`,
    truncate === undefined
      ? ''
      : `truncates the response${truncate === true ? '' : ` after ${truncate} messages`}`,
  ].filter((text) => text !== '');
}

const MOST = 80;

function short(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
