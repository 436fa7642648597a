import { h } from 'preact';
import { CodeView, Headers } from '../shell/code-view.ts';
import { contract } from '../shell/contract.ts';
import { parseJson } from '../shell/exact-json.ts';
import { pillOf } from '../shell/labels.ts';
import { consoleUrl } from '../shell/place.ts';
import { useValue } from '../shell/value.ts';
import { isObject } from './document.ts';
import type { Operation } from './model.ts';

/** The response to a request so far. */
export type Received =
  | {
      readonly status: number;
      readonly text: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly type: string;
      readonly ms: number;
      /** Undefined: it is no text. */
      readonly body: string | undefined;
      /** Its number in the session's log. Undefined: unknown. */
      readonly number: number | undefined;
    }
  | { readonly failure: string; readonly number: number | undefined };

interface ResponseViewProps {
  readonly received: Received | undefined;
  readonly operation: Operation;
  readonly isSending: boolean;
  /** The texts of the sent parameters. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The response to a request, with links to more details in the console. */
export function ResponseView({ received, operation, isSending, parameters }: ResponseViewProps) {
  const served = useValue(contract);
  if (!received)
    return h('div', { class: 'received', role: 'status' }, isSending && 'Waiting for the response');
  const why =
    received.number !== undefined &&
    h('a', { href: consoleUrl('requests', String(received.number)) }, 'Why this answer');
  if ('failure' in received)
    return h('div', { class: 'received', role: 'status' }, [
      h('p', { class: 'problem' }, received.failure),
      why,
    ]);
  const { status, text, headers, ms, body, type } = received;
  const collection = served?.collections.find(({ name }) => name === operation.collection);
  const record =
    collection && status < 300 ? recordIn(body, collection.id, operation, parameters) : undefined;
  return h('div', { class: 'received', role: 'status', 'aria-label': 'Response' }, [
    h('p', { class: 'toolbar' }, [
      h('span', { class: pillOf(status) }, `${status} ${text}`.trim()),
      h('span', { class: 'soft' }, `${ms.toFixed(ms < 10 ? 1 : 0)} ms`),
      why,
      collection &&
        record !== undefined &&
        h('a', { href: consoleUrl('records', collection.name, record) }, 'Show the record'),
      collection &&
        record === undefined &&
        status < 300 &&
        h('a', { href: consoleUrl('records', collection.name) }, 'Show the records'),
    ]),
    h(Headers, { headers }),
    body === undefined
      ? type !== '' && h('p', { class: 'soft' }, `A body of ${type}`)
      : body !== '' && h(CodeView, { text: body, label: 'Response body' }),
  ]);
}

/** The id of the record in the response or request. Undefined: there are several. */
function recordIn(
  body: string | undefined,
  property: string | undefined,
  { path, parents = {}, collection, method }: Operation,
  texts: Readonly<Record<string, string>>,
): string | undefined {
  if (method === 'DELETE') return undefined;
  const named = Object.entries(parents).find(([, parent]) => parent === collection)?.[0];
  if (named !== undefined && path.includes(`{${named}}`)) return texts[`path.${named}`];
  if (property === undefined || body === undefined) return undefined;
  try {
    const value = parseJson(body);
    const members = isObject(value) ? [value, ...Object.values(value).filter(isObject)] : [];
    const record = members.find((member) => Object.hasOwn(member, property));
    return record && String(record[property]);
  } catch {
    return undefined;
  }
}
