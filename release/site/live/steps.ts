/** A request to try with the initial document, in order. */
export interface Step {
  readonly title: string;
  readonly request: { readonly method: string; readonly target: string; readonly body?: object };
  /** The response that a faulty service would give from then on. */
  readonly breaks?: { readonly status: number; readonly body: object };
}

export const STEPS: readonly Step[] = [
  { title: 'List', request: { method: 'GET', target: '/tasks' } },
  {
    title: 'Create',
    request: {
      method: 'POST',
      target: '/tasks',
      body: { title: 'Call the printer', assignee: 'Ada', priority: 'high' },
    },
  },
  { title: 'Filter', request: { method: 'GET', target: '/tasks?done=false' } },
  {
    title: 'Wrong request',
    request: { method: 'POST', target: '/tasks', body: { title: '', priority: 'urgent' } },
  },
  {
    title: 'Faulty response',
    request: { method: 'GET', target: '/tasks/1' },
    breaks: { status: 200, body: { id: 'one', title: 'Call the printer' } },
  },
];
