import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

const watched = (text: string, type = 'text/event-stream') =>
  ask('watchTelegrams', {}, 200, text, { 'Content-Type': type });
const replied = (text: string, type = 'text/event-stream') =>
  ask('askOperator', { body: { question: 'why' } }, 200, text, { 'Content-Type': type });
const heard = (text: string) => ask('listenToNoises', {}, 200, text);

export const STREAM_CASES: LawTable = {
  'stream-message': [
    [
      'events as documented',
      { given: [watched('event: sent\nid: 1\ndata: {"number":1,"text":"stop"}\n\n: wait\n\n')], want: HOLDS },
    ],
    ['no message at all', { given: [watched('')], want: HOLDS }],
    [
      'a record without a member that the document demands',
      {
        given: [watched('event: sent\ndata: {"number":1}\n\nevent: burnt\ndata: {"number":2}\n\n')],
        want: ['stream-message: message 1: data.text is missing | data.text is required'],
      },
    ],
    [
      'pieces and what ends them',
      { given: [replied('data: {"reply":"a","text":"b","last":true}\n\ndata: [STOP]\n\n')], want: HOLDS },
    ],
    [
      'another documented form',
      { given: [replied('{"text":"all"}', 'application/json')], want: 'not judged' },
    ],
    ['a sequence', { given: [heard('\x1e{"level":1}\n\x1e{"level":2}\n')], want: HOLDS }],
    [
      'a sequence without separators',
      {
        given: [heard('{"level":1}\n')],
        want: [
          'stream-message: "{\\"level\\":1}\\n" does not follow a record separator (RFC 7464 §2.2) | messages as application/json-seq has them',
        ],
      },
    ],
  ],
};
