import { explicitStatuses, fullyFits, isXml, type MediaType, parseJson, successOf } from '#spec';
import { andThen, type ResponseContent } from '../../http/exchange.ts';
import { memoizeReusable } from '../../http/memoize.ts';
import { isRefusal, type Outcome, type Refusal } from '../../http/refusal.ts';
import {
  acceptOf,
  chooseAcceptable,
  type Representation,
  representationsOf,
  successForm,
  withVary,
  xmlText,
} from '../../http/representations.ts';
import type { OperationContext, Run } from './action.ts';
import { exampleOf, mediaBody, recordsFile } from './sample.ts';

interface Presented extends OperationContext {
  /** The action has no records: its response is what the document shows for a media type. */
  readonly isSampled: boolean;
}

/** Converts a successful response to the preferred media type. */
type Present = (content: ResponseContent) => ResponseContent;

/**
 * Responds in the media type that the client's `Accept` prefers (RFC 9110 §12.5.1), among the documented ones that the mock
 * can make. If it accepts none: 406 where documented, else the first.
 */
export function compileNegotiation(context: Presented): Run | undefined {
  const { operation } = context;
  const response = successOf(operation);
  const all = response ? representationsOf(response) : [];
  if (all.length < 2 && !mayRefuse(context) && !all.some(({ media }) => isXml(media))) return undefined;
  const { status, media } = successForm(operation);
  const presents = new Map(
    all.map((representation) => [
      representation,
      compilePresent(context, representation, media, all.length > 1),
    ]),
  );
  const [first] = all;

  return (task, next) => {
    const chosen = chooseAcceptable(acceptOf(task.request), all);
    if (!chosen && all.length > 0 && mayRefuse(context)) return notAcceptable(all);
    const present = presents.get((chosen ?? first) as Representation);
    return andThen(next(task), (outcome): Outcome => {
      if (isRefusal(outcome) || outcome.status !== status || outcome.type === undefined) return outcome;
      return present ? present(outcome) : outcome;
    });
  };
}

/** Whether 406 is documented (RFC 9110 §15.5.7). */
function mayRefuse({ operation }: OperationContext): boolean {
  return explicitStatuses(operation.responses).includes(406);
}

function notAcceptable(all: readonly Representation[]): Refusal {
  const types = all.map(({ type }) => type).join(', ');
  return { refuse: 'not acceptable', message: `There is ${types}, and the request accepts none of that` };
}

function compilePresent(
  context: Presented,
  { type, media }: Representation,
  preferred: MediaType | undefined,
  varies: boolean,
): Present {
  const isSame = media === preferred && !isXml(media);
  const made = mediaBody(context, media);
  const bodyOf = isSame ? (body: ResponseContent['body']) => body : compileBody(context, media, made);
  return memoizeReusable(({ headers, body, shows, ...content }) => ({
    ...content,
    ...(shows && { shows: isSame ? shows : made().shows }),
    type,
    body: bodyOf(body),
    ...(varies ? { headers: withVary(headers, 'Accept') } : headers && { headers }),
  }));
}

/** The same JSON if it fits the schema of this media type; else an example or a sample of it. */
function compileBody(
  context: Presented,
  media: MediaType,
  made: ReturnType<typeof mediaBody>,
): (body: ResponseContent['body']) => ResponseContent['body'] {
  const { shape } = media;
  if (context.isSampled && exampleOf(media)) return () => made().body;
  if (isXml(media)) {
    return (body) => {
      // A documented example is XML already; no JSON begins with `<`.
      if (typeof body !== 'string' || body.startsWith('<')) return body;
      const value = parseJson(body);
      return shape && fullyFits(shape, value) ? xmlText(media, value) : made().body;
    };
  }
  if (!media.isJson)
    return (body) =>
      (typeof body === 'string' ? recordsFile(context, media, body) : undefined) ?? made().body;
  return (body) => {
    if (typeof body !== 'string' || !shape) return body;
    return fullyFits(shape, parseJson(body)) ? body : made().body;
  };
}
