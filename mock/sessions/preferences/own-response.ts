import {
  type Contract,
  type DocumentedResponse,
  type MediaType,
  mediaTypeFor,
  type Operation,
  parseJson,
  showPlace,
  stringifyJson,
} from '#spec';
import type { ResponseContent } from '../../http/exchange.ts';
import { concreteType, preferredMedia, successForm } from '../../http/success-response.ts';
import { responseWith } from './forced-response.ts';
import type { Answer } from './rule.ts';

/** Responds with the body of a rule. */
export type RespondOwn = (answer: Answer) => OwnResponse;

export interface OwnResponse {
  readonly content: ResponseContent;
  /** What the document says against it; undefined: nothing. */
  readonly violation: string | undefined;
}

/** Compiles responses whose body is no documented one. They are sent, whatever the document says. */
export function compileRespondOwn(
  operation: Operation,
  { validators }: Pick<Contract, 'validators'>,
): RespondOwn {
  const ordinary = successForm(operation).status;

  /** A text may be broken JSON, which is then what the rule is for. */
  function problemOf(media: MediaType, body: unknown): string | undefined {
    if (!media.isJson || !media.schema) return undefined;
    let value = body;
    if (typeof body === 'string') {
      try {
        value = parseJson(body);
      } catch {
        return 'the body is no JSON';
      }
    }
    const problems = validators
      .compile(
        media.schema,
        'response',
      )(value)
      .map(({ pointer, expected, at }) => {
        return `body${pointer.replaceAll('/', '.')} ${expected} (${showPlace(at)})`;
      });
    return problems.length === 0 ? undefined : problems.join('; ');
  }

  function violationOf(
    status: number,
    response: DocumentedResponse | undefined,
    type: string,
    body: unknown,
  ) {
    if (!response) return `${operation.id} documents no status ${status}`;
    if (body === '') return undefined;
    const media = mediaTypeFor(response.content, type);
    return media ? problemOf(media, body) : `${operation.id} documents no ${type} for ${status}`;
  }

  return ({ status = ordinary, body, headers }) => {
    const response = responseWith(operation, status);
    const isText = typeof body === 'string';
    const documented = response && preferredMedia(response);
    const fallback = isText ? 'text/plain; charset=utf-8' : 'application/json';
    const isDocumented = documented && (isText || documented.isJson);
    const type = headers?.['Content-Type'] ?? (isDocumented ? concreteType(documented) : fallback);
    const text = isText ? body : stringifyJson(body);
    return {
      content: { status, type: text === '' ? undefined : type, body: text },
      violation: violationOf(status, response, type, body),
    };
  };
}
