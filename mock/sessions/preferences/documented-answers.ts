import { errorRoles, isRecord, type MediaType, type Operation } from '#spec';
import { preferredMedia, successForm } from '../../http/representations.ts';
import type { SeedValues } from '../../records/seed/values.ts';

/** What an operation documents that a rule may answer. */
export interface DocumentedAnswer {
  readonly status: number;
  /** `200`, `4XX` or `default` */
  readonly key: string;
  readonly description: string;
  /** The name of a documented example; undefined: the body is made up from the schema. */
  readonly example: string | undefined;
  /** Undefined: the response has no body of JSON. */
  readonly body: unknown;
}

/** Each documented status with each of its examples; where it has none, with a sample of its schema. */
export function documentedAnswers(operation: Operation, seeds: SeedValues): readonly DocumentedAnswer[] {
  return operation.responses.flatMap((response): DocumentedAnswer[] => {
    const { key, spot } = response;
    const { description } = spot.value as { readonly description?: unknown };
    const status = statusOf(key, operation);
    const shown = { status, key, description: typeof description === 'string' ? description.trim() : '' };
    const media = preferredMedia(response);
    if (!media?.isJson) return [{ ...shown, example: undefined, body: undefined }];
    const examples = [...media.examples].map(([example, body]) => ({ ...shown, example, body }));
    if (examples.length > 0) return examples;
    const body = media.shape && withStatus(media, seeds.answer(media.shape, operation.id, status), status);
    return [{ ...shown, example: undefined, body }];
  });
}

/** Of a range its first; `default` is for errors where a success is documented. */
function statusOf(key: string, operation: Operation): number {
  if (/^\d+$/.test(key)) return Number(key);
  const [range] = /^[1-5](?=XX$)/i.exec(key) ?? [];
  if (range !== undefined) return Number(range) * 100;
  const others = operation.responses.filter((response) => response.key !== key);
  return others.some((response) => /^2/.test(response.key)) ? 500 : successForm(operation).status;
}

/** The body of an error repeats its status. */
export function withStatus({ shape }: MediaType, value: unknown, status: number): unknown {
  const member = status >= 400 && shape ? errorRoles(shape).status : undefined;
  return member === undefined || !isRecord(value) ? value : { ...value, [member]: status };
}
