import { defaultParts, type Parts } from '#mock';
import { type MockFault, mockOfFixture } from '../mock-faults.ts';
import { lookalikes, mutants, only, using } from '../suspect.ts';

// Faults in the messages of streams, whatever they are about.

type Feed = Extract<ReturnType<ReturnType<Parts['reply']>>['body'], (...given: never[]) => unknown>;

/** Changes each message of a stream, which is one write; undefined: it is not sent. */
const messages =
  (change: (text: string, index: number) => string | undefined) =>
  (feed: Feed): Feed =>
  (reader) => {
    let index = 0;
    const write = (part: string | Uint8Array) => {
      const changed = change(String(part), index++);
      if (changed !== undefined) reader.write(changed);
    };
    return feed({
      write,
      end: () => reader.end(),
      taken: () => reader.taken(),
      breakOff: (text) => reader.breakOff(text),
    });
  };

/** Changes the streams of an operation. */
const streamed = (id: string, change: (feed: Feed) => Feed, type?: string): MockFault => ({
  reply(operation, ...given) {
    const finish = defaultParts.reply(operation, ...given);
    if (operation?.id !== id) return finish;
    return (content) => {
      const response = finish(content);
      const { body, headers } = response;
      if (typeof body !== 'function') return response;
      return {
        ...response,
        body: change(body),
        headers: type ? { ...headers, 'Content-Type': type } : headers,
      };
    };
  },
});

const ticker = (change: Parameters<typeof messages>[0]) => streamed('watchTelegrams', messages(change));
const reply = (change: Parameters<typeof messages>[0]) => streamed('askOperator', messages(change));
const noises = (change: Parameters<typeof messages>[0]) => streamed('listenToNoises', messages(change));

const telegraph = mockOfFixture('documents/telegraph.yaml', { count: 8 });
/** The cases that look at streams. */
const service = using(only(telegraph, '/(?:ordinary|stream-)'), (fault: MockFault) => fault);

const data = (change: (json: string) => string) => (text: string) =>
  text.replace(/^data: (\{.*\})$/m, (_, json) => `data: ${change(json)}`);

export const streamsMutants = mutants('streams', service, 'stream-message', [
  [
    'without-text',
    'events lack a member of their record',
    ticker(data((json) => json.replace(/"text":/, '"words":'))),
  ],
  [
    'number-text',
    'the id in an event is a text',
    ticker(data((json) => json.replace(/"number":(\d+)/, '"number":"$1"'))),
  ],
  [
    'third',
    'the third event alone is wrong',
    ticker((text, index) => (index === 2 ? data(() => '{}')(text) : text)),
  ],
  [
    'other-event',
    'an event has a name that is not documented',
    ticker((text) => text.replace('event: sent', 'event: new')),
  ],
  ['no-event', 'events have no name', ticker((text) => text.replace(/^event: .*\n/m, ''))],
  ['no-json', 'the data of events is no JSON', ticker(data((json) => json.replaceAll('"', "'")))],
  ['cut-json', 'the JSON of events ends too early', ticker(data((json) => json.slice(0, -1)))],
  [
    'pretty',
    'the JSON of an event goes over several lines',
    ticker(data((json) => JSON.stringify(JSON.parse(json), null, 2))),
  ],
  [
    'no-fields',
    'the data of events stands alone',
    ticker((text) => text.replace(/^data: /gm, '').replace(/^event: .*\n/m, '')),
  ],
  ['single-line-ends', 'one line feed ends a piece', reply((text) => text.replace(/\n\n$/, '\n'))],
  ['piece-whole', 'pieces have the form of the whole reply', reply(data(() => '{"text":"all"}'))],
  [
    'piece-null',
    'a member of a piece is null',
    reply(data((json) => json.replace(/"last":\w+/, '"last":null'))),
  ],
  [
    'stop-first',
    'what ends a reply comes first, too',
    reply((text, index) => (index === 0 ? `data: [STOP]\n\n${text}` : text)),
  ],
  [
    'unended',
    'nothing ends the last piece',
    reply((text) => (text.includes('[STOP]') ? undefined : text.replace(/\n\n$/, '\n\ndata: {}'))),
  ],
  [
    'noise-range',
    'a value of a sequence is out of its bounds',
    noises((text) => text.replace(/"level":\d+/, '"level":10')),
  ],
  [
    'noise-separator',
    'no record separator is before the texts of a sequence',
    noises((text) => text.replace('\x1e', '')),
  ],
  [
    'as-json',
    'a stream says that it is JSON',
    'content-type',
    streamed('watchTelegrams', (feed) => feed, 'application/json'),
  ],
]);

export const streamsLookalikes = lookalikes('streams', service, [
  ['as-it-is', 'streams as the mock sends them', {}],
  ['comments', 'comments come between events', ticker((text) => `: so far so good\n\n${text}:\n\n`)],
  [
    'carriage-returns',
    'lines end with carriage return and line feed',
    ticker((text) => text.replaceAll('\n', '\r\n')),
  ],
  ['without-space', 'no space is behind the colons', ticker((text) => text.replace(/^(\w+): /gm, '$1:'))],
  [
    'other-order',
    'data comes before the name of an event',
    ticker((text) => text.replace(/^(event: .*\n)((?:.*\n)*?)(data: .*\n)/m, '$2$3$1')),
  ],
  [
    'several-lines',
    'the JSON of an event is several lines of data',
    ticker(data((json) => json.replaceAll(',', ',\ndata: '))),
  ],
  [
    'retry',
    'the first event says when to come back',
    ticker((text, index) => (index === 0 ? `retry: 3000\n${text}` : text)),
  ],
  ['other-fields', 'events have a field of another standard', ticker((text) => `trace-id: 7\n${text}`)],
  [
    'byte-order-mark',
    'a byte-order mark comes first',
    ticker((text, index) => (index === 0 ? `\uFEFF${text}` : text)),
  ],
  ['silent', 'a stream says nothing', ticker(() => undefined)],
  [
    'no-end',
    'nothing ends a reply but its last piece',
    reply((text) => (text.includes('[STOP]') ? undefined : text)),
  ],
  [
    'breaks-off',
    'a stream breaks off within an event',
    streamed('watchTelegrams', (feed) => (reader) => {
      let sent = 0;
      return feed({
        write: (text) => (sent++ === 2 ? reader.breakOff(String(text).slice(0, 20)) : reader.write(text)),
        end: () => reader.end(),
        taken: () => reader.taken(),
        breakOff: (text) => reader.breakOff(text),
      });
    }),
  ],
]);
