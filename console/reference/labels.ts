import { h } from 'preact';

/** The method in its colour. */
export function methodTag(method: string) {
  return h('span', { class: `method method-${method.toLowerCase()}` }, method === 'DELETE' ? 'DEL' : method);
}

/** The class of a pill of a status. */
export function pillOf(status: string | number): string {
  return { 1: 'info', 2: 'good', 3: 'info', 4: 'warn', 5: 'bad' }[String(status)[0] as string] ?? 'other';
}
