import {
  type MediaType,
  type Place,
  placeOf,
  pointerText,
  type StreamFormat,
  streamFormatOf,
  type Validators,
} from '#spec';
import { compileMessageCheck, isSentinel, readStream } from '#stream-messages';
import { shorten } from './compare-records.ts';
import type { Evidence } from './evidence.ts';
import type { Broken, Judge } from './law.ts';
import { documentedBody } from './message.ts';

interface DocumentedStream {
  readonly media: MediaType;
  readonly format: StreamFormat;
}

/** The stream as the document describes it. */
function streamOf(evidence: Evidence): DocumentedStream | undefined {
  const { response } = evidence;
  const format = streamFormatOf(response.contentType ?? '');
  const media = format && documentedBody(evidence);
  return media && response.text !== undefined ? { media, format } : undefined;
}

/** Whatever a stream has sent is judged; that it sends nothing, or ends, or goes on, breaks nothing. */
export const streamMessage: Judge = (evidence) => {
  const stream = streamOf(evidence);
  if (!stream) return undefined;
  const { media, format } = stream;
  const { text = '', left, cut } = evidence.response;
  const { messages, problems } = readStream(format, text, !left && !cut);
  const check = checkOf(media, evidence.contract.validators);
  const breaches = new Map<string, Broken>();
  for (const [index, message] of messages.entries()) {
    if (index === messages.length - 1 && isSentinel(message)) continue;
    for (const { pointer, keyword, expected, received, at } of check(message)) {
      const name = pointerText(pointer, 'the message');
      const breach: Broken = {
        kind: { keyword },
        received: `message ${index + 1}: ${name} is ${shorten(received)}`,
        documented: `${name} ${expected}`,
        at,
        part: pointer,
      };
      const key = `${keyword} ${keyOf(at)}`;
      // One place of the document is broken once, however many messages do so.
      if (!breaches.has(key)) breaches.set(key, breach);
    }
  }
  const [problem] = problems;
  const documented = `messages as ${media.type} has them`;
  const malformed = { kind: 'unequal', documented, at: placeOf(media.spot) } as const;
  return [...breaches.values(), ...(problem === undefined ? [] : [{ ...malformed, received: problem }])];
};

const keyOf = ({ uri, line, column }: Place) => `${uri}:${line}:${column}`;

const CHECKS = new WeakMap<MediaType, ReturnType<typeof compileMessageCheck>>();

function checkOf(media: MediaType, validators: Validators): ReturnType<typeof compileMessageCheck> {
  const known = CHECKS.get(media) ?? compileMessageCheck(media, validators);
  CHECKS.set(media, known);
  return known;
}
