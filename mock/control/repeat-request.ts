import type { Awaitable } from '../http/awaitable.ts';
import type { MockRequest, MockResponse } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import type { Session } from '../sessions/session.ts';
import { jsonResponse } from './json.ts';
import type { ShowEntry } from './logged-request.ts';

/**
 * `POST /__admin/requests/17` sends a request of the log again, with the credentials that nobody is shown, and responds
 * with what is logged of it.
 */
export async function repeatRequest(
  { path }: MockRequest,
  { journal, name }: Session,
  send: (request: MockRequest) => Awaitable<MockResponse>,
  showEntry: ShowEntry,
): Promise<Outcome> {
  const [, , , id = ''] = path.split('/');
  const entry = journal.entries().find(({ number }) => String(number) === id);
  if (!entry)
    return { refuse: 'not found', message: `The log has no request ${JSON.stringify(id)} (any more)` };
  const { begun: _, ...request } = entry.request;
  if (request.body === 'too large') {
    const message = 'The body of this request was too long to be kept: send it again from its client';
    return { refuse: 'conflict', message };
  }
  // The path that named a session is not logged.
  const { 'paddock-session': __, ...headers } = request.headers;
  const repeated = { ...request, headers: { ...headers, ...(name !== '' && { 'paddock-session': name }) } };
  await send(repeated);
  const logged = journal.entries().findLast((one) => one.request.headers === repeated.headers);
  return logged ? jsonResponse(showEntry(logged), 201) : NOT_LOGGED;
}

const NOT_LOGGED: Outcome = {
  refuse: 'conflict',
  message: 'The request was sent, and has left the log already',
};
