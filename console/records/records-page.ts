import { h } from 'preact';

export function RecordsPage() {
  return h('h2', {}, 'Records');
}
