import {
  type Contract,
  errorRoles,
  isRecord,
  type MediaType,
  type Operation,
  parseJson,
  type Resource,
} from '#spec';
import { preferredMedia, successForm } from '../../http/representations.ts';
import { compileWrapper } from '../../records/actions/around-list.ts';
import type { PageRequest } from '../../records/actions/page-signs.ts';
import { compileExtent } from '../../records/actions/page-signs.ts';
import type { SeedValues } from '../../records/seed/values.ts';

/** A documented response that a rule may use. */
export interface DocumentedAnswer {
  readonly status: number;
  /** `200`, `4XX` or `default` */
  readonly key: string;
  readonly description: string;
  /** The name of a documented example. Undefined: the body is sampled from the schema. */
  readonly example: string | undefined;
  /** Undefined: the response has no JSON body. */
  readonly body: unknown;
  /** Whether the body is an empty list. */
  readonly isEmptyList?: true;
}

/**
 * Each documented status with each of its examples, or with a sample of its schema; also an empty list where it lists
 * records.
 * @param request a request of the operation
 */
export function documentedAnswers(
  operation: Operation,
  { resources }: Pick<Contract, 'resources'>,
  seeds: SeedValues,
  request: PageRequest,
): readonly DocumentedAnswer[] {
  const resource = resources.find(({ actions }) => actions.list === operation);
  const success = successForm(operation);
  return operation.responses.flatMap((response): DocumentedAnswer[] => {
    const { key, spot } = response;
    const { description } = spot.value as { readonly description?: unknown };
    const status = statusOf(key, operation);
    const base = { status, key, description: typeof description === 'string' ? description.trim() : '' };
    const media = preferredMedia(response);
    if (!media?.isJson) return [{ ...base, example: undefined, body: undefined }];
    const examples = [...media.examples].map(([example, body]) => ({
      ...base,
      status: statusIn(media, body, key) ?? status,
      example,
      body,
    }));
    const made =
      media.shape &&
      withStatus(media, seeds.sampled(media.shape, { isShown: true }, operation.id, status), status);
    const all = examples.length > 0 ? examples : [{ ...base, example: undefined, body: made }];
    const body =
      resource && status === success.status ? emptyList(resource, media, seeds, request) : undefined;
    return body === undefined ? all : [...all, { ...base, example: undefined, body, isEmptyList: true }];
  });
}

/** The first status of a range; `default` means an error if a success is documented. */
function statusOf(key: string, operation: Operation): number {
  if (/^\d+$/.test(key)) return Number(key);
  const [range] = /^[1-5](?=XX$)/i.exec(key) ?? [];
  if (range !== undefined) return Number(range) * 100;
  const others = operation.responses.filter((response) => response.key !== key);
  return others.some((response) => /^2/.test(response.key)) ? 500 : successForm(operation).status;
}

/** The status in an error's body, for a response that covers several. Undefined: the body has none. */
function statusIn({ shape }: MediaType, body: unknown, key: string): number | undefined {
  const member = shape && errorRoles(shape).status;
  const status = member !== undefined && isRecord(body) ? Number(body[member]) : Number.NaN;
  const isCovered =
    key === 'default' ? status >= 400 && status < 600 : /^\dXX$/i.test(key) && `${status}`[0] === key[0];
  return Number.isInteger(status) && isCovered ? status : undefined;
}

/** Puts the status into an error's body. */
export function withStatus({ shape }: MediaType, value: unknown, status: number): unknown {
  const member = status >= 400 && shape ? errorRoles(shape).status : undefined;
  return member === undefined || !isRecord(value) ? value : { ...value, [member]: status };
}

const NO_RECORDS = { text: '[]', count: 0, total: 0 };

/**
 * The body of an empty list, from the resource's list action. Undefined: it is not JSON.
 * @param request a request of the list, for the links to its pages
 */
function emptyList(
  resource: Resource,
  { shape, isJson }: MediaType,
  seeds: SeedValues,
  request: PageRequest,
): unknown {
  const { list } = resource;
  if (!list || !shape || !isJson) return undefined;
  if (list.member === undefined) return [];
  const extent = compileExtent(list)({});
  const text = compileWrapper(shape, resource, seeds)(NO_RECORDS, extent, request);
  return parseJson(text);
}
