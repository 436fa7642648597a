import type { Parts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import { type MockFault, mockOf } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes, mutants, type Service } from '../suspect.ts';

type Sent = Parameters<Parts['dispatch']>[0];

/** The callbacks of one document alone; they are there in less than a second, however busy the machine is. */
const signals: Service<MockFault> = {
  ...mockOf('signals.yaml'),
  options: { only: '/callback-', settle: 1500 },
};

/** One callback that is promised within a second, and says when it was sent. */
const pagers: Service<MockFault> = {
  ...mockOf('pagers.yaml'),
  options: { only: '/callback-', settle: 1500, allow: ['sendPage'] },
};

const dispatch = (change: (request: Sent) => Sent | undefined): MockFault => ({ dispatch: change });

const body = (change: (body: Data) => unknown): MockFault =>
  dispatch((request) => {
    const sent = parseJson(new TextDecoder().decode(request.body)) as Data;
    return { ...request, body: new TextEncoder().encode(stringifyJson(change(sent))) };
  });

const header = (name: string, value: string | undefined): MockFault =>
  dispatch(({ headers: { [name]: _, ...headers }, ...request }) => ({
    ...request,
    headers: value === undefined ? headers : { ...headers, [name]: value },
  }));

/** Nothing listens there: the first attempts of each message fail. */
const failsFirst = (attempts: number): MockFault => {
  const begun = new Map<string, number>();
  return dispatch((request) => {
    const count = (begun.get(request.url) ?? 0) + 1;
    begun.set(request.url, count);
    return count <= attempts ? { ...request, url: 'http://127.0.0.1:2/' } : request;
  });
};

const sentAt = (off: number): MockFault =>
  body((sent) => ({ ...sent, sentAt: new Date(Date.now() + off).toISOString() }));
const HOUR = 3_600_000;

const ofTime = mutants('callbacks', pagers, 'callback', [
  ['promised-silent', 'a callback that is promised within a second never comes', dispatch(() => undefined)],
  ['promised-late', 'a callback that is promised within a second comes after four', failsFirst(4)],
  ['moment-old', 'the moment of sending is an hour ago', sentAt(-HOUR)],
  ['moment-ahead', 'the moment of sending is in the local time of another zone', sentAt(2 * HOUR)],
  ['header-moment', 'webhook-timestamp is in milliseconds', header('webhook-timestamp', String(Date.now()))],
]);

const ofForm = mutants('callbacks', signals, 'callback', [
  ['method', 'callbacks come as PATCH', dispatch((request) => ({ ...request, method: 'PATCH' }))],
  [
    'path',
    'callbacks go to a path below the URL',
    dispatch((request) => ({ ...request, url: `${request.url}/v2` })),
  ],
  [
    'suffix',
    'what the document adds to the URL is left out',
    dispatch((request) => ({ ...request, url: request.url.replace(/\/done$/, '') })),
  ],
  ['type', 'callbacks are sent as text', header('content-type', 'text/plain')],
  ['header-missing', 'the required header is missing', header('x-signal-event', undefined)],
  ['header-value', 'the header has no documented value', header('x-signal-event', 'signal.lit')],
  ['empty', 'callbacks have an empty object as their body', body(() => ({}))],
  ['wrapped', 'the body is within another object', body((sent) => ({ data: sent }))],
  ['member-type', 'a flag is a text', body((sent) => ('passed' in sent ? { ...sent, passed: 'yes' } : sent))],
  [
    'record-cut',
    'the record is its id alone',
    body((sent) => ('signal' in sent ? { ...sent, signal: 7 } : sent)),
  ],
  [
    'broken',
    'the body is cut in the middle',
    dispatch((request) => ({ ...request, body: request.body?.slice(0, 9) })),
  ],
]);

export const callbacksMutants = [...ofForm, ...ofTime];

const punctual = lookalikes('callbacks', pagers, [
  ['tried-again', 'the first attempt of each callback fails', failsFirst(1)],
  ['clock-fast', 'the clock of what sends is a minute fast', sentAt(60_000)],
  [
    'zone',
    'the moment of sending has an offset from UTC',
    body((sent) => ({
      ...sent,
      sentAt: `${new Date(Date.now() + 2 * HOUR).toISOString().slice(0, -1)}+02:00`,
    })),
  ],
]);

const ofSignals = lookalikes('callbacks', signals, [
  ['silent', 'no callback is ever sent', dispatch(() => undefined)],
  [
    'more',
    'callbacks have members and headers beside the documented ones',
    {
      dispatch: (request) => {
        const sent = parseJson(new TextDecoder().decode(request.body)) as Data;
        const more = { ...request.headers, 'x-request-id': '1' };
        return {
          ...request,
          headers: more,
          body: new TextEncoder().encode(stringifyJson({ ...sent, extra: 1 })),
        };
      },
    },
  ],
  ['charset', 'the media type has a charset', header('content-type', 'application/json; charset=utf-8')],
  [
    'slash',
    'the URL has a slash at its end',
    dispatch((request) => ({ ...request, url: `${request.url}/` })),
  ],
]);

export const callbacksLookalikes = [...ofSignals, ...punctual];
