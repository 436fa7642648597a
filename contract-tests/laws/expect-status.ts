import { explicitStatuses, type Operation, type Place, placeOf, rawChild, responseFor } from '#spec';
import type { Response } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';
import { shortenText } from './compare-records.ts';
import type { Evidence } from './evidence.ts';
import type { Breach, LawName } from './law.ts';

export const UNAUTHORISED = 401;
export const FORBIDDEN = 403;
export const NOT_FOUND = 404;

/** The status as people read it, with the redirect or the body that came with it. */
export function describeStatus(response: Response): string {
  const location = headerOf(response, 'location');
  const body = response.text ? `: ${shortenText(response.text)}` : '';
  return `${response.status}${location ? ` to ${location}` : ''}${body}`;
}

export function expectStatus(law: LawName, { operation, response }: Evidence, ...wanted: number[]): Breach[] {
  if (wanted.includes(response.status)) return [];
  const [status = 0] = wanted;
  return [
    {
      law,
      kind: `${response.status}-for-${status}`,
      received: describeStatus(response),
      documented: wanted.join(' or '),
      at: promiseOf(operation, status),
    },
  ];
}

/** Where an operation promises a status: how the response looks may stand in a component that others refer to, too. */
export function promiseOf({ spot, responses }: Operation, status?: number): Place {
  const all = rawChild(spot, 'responses') ?? spot;
  const key = status === undefined ? undefined : responseFor(responses, status)?.key;
  return placeOf((key === undefined ? undefined : rawChild(all, key)) ?? all);
}

export function expect4xx(law: LawName, { operation, response, exchange }: Evidence, or = ''): Breach[] {
  if (is4xx(response) || isUnavailable(operation, response)) return [];
  const documented = explicitStatuses(operation.responses).filter((status) => {
    // These refuse a credential, or a path, whatever the body is.
    if (!exchange.input.refused && (status === UNAUTHORISED || status === FORBIDDEN)) return false;
    return status >= 400 && status < 500 && (status !== NOT_FOUND || operation.path.includes('{'));
  });
  const wanted = `${or}a 4xx${documented.length > 0 ? ` such as ${documented.join(', ')}` : ''}`;
  const kind = `${response.status}-for-4xx` as const;
  return [{ law, kind, received: describeStatus(response), documented: wanted, at: promiseOf(operation) }];
}

const NOT_IMPLEMENTED = 501;

/** What the service cannot do it says by the documented 501, whatever else is right or wrong with the request. */
export function isUnavailable(operation: Operation, { status }: Pick<Response, 'status'>): boolean {
  return status === NOT_IMPLEMENTED && documentedOf(operation, [NOT_IMPLEMENTED]).length > 0;
}

/** Refusals for another reason than that the input is invalid: which of two reasons comes first no document says. */
const OTHER_REASONS = [
  402,
  FORBIDDEN,
  405,
  406,
  409,
  410,
  412,
  413,
  414,
  415,
  417,
  423,
  424,
  428,
  431,
  451,
  501,
];

/**
 * The documented refusals that are as right as that for invalid input. Where no credential is asked for, 401 is about what
 * the body says, as at a login; 404 may be about a record that the body names, where the path names none.
 */
export function otherRefusals(operation: Operation, needsKey: boolean): number[] {
  const others = [
    ...OTHER_REASONS,
    ...(needsKey ? [] : [UNAUTHORISED]),
    ...(operation.path.includes('{') ? [] : [NOT_FOUND]),
  ];
  return documentedOf(operation, others);
}

export function is4xx({ status }: Response): boolean {
  return status >= 400 && status < 500;
}

/** Those of some statuses that the operation documents. */
export function documentedOf({ responses }: Operation, statuses: readonly number[]): number[] {
  return explicitStatuses(responses).filter((status) => statuses.includes(status));
}
