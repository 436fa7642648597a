import { h } from 'preact';

export function RequestsPage() {
  return h('h2', {}, 'Requests');
}
