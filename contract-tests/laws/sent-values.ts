import { isRecord } from '#spec';
import type { Evidence } from './evidence.ts';
import { describeStatus } from './expect-status.ts';
import type { Law } from './law.ts';
import { isIdName } from './mark.ts';

/** What a service says of a request that it finds malformed. */
const INVALID = [400, 415, 422];

/** An example may name records that the service does not have; how that is refused nobody has written down. */
const MISSING_RECORD = [400, 422];

const exampleAccepted: Law = {
  name: 'example-accepted',
  stage: 'status',
  applies: ({ exchange, request }) =>
    exchange.input.example !== undefined && !exchange.input.refused && request.violations.length === 0,
  judge(evidence) {
    const { response, exchange, request } = evidence;
    const at = exchange.input.example;
    if (!at || !INVALID.includes(response.status)) return [];
    if (MISSING_RECORD.includes(response.status) && namesRecord(shownIn(request))) return [];
    const documented = 'neither 400, 415 nor 422, since the request is an example of the document';
    return [{ law: 'example-accepted', received: describeStatus(response), documented, at }];
  },
};

/** What the document shows: the body, or without one the parameters. */
function shownIn({ body, parameters }: Evidence['request']): unknown {
  return body ?? { ...parameters.query, ...parameters.path };
}

/** Whether a value has the id of a record in it, in any depth. */
function namesRecord(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesRecord);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([name, member]) => isIdName(name) || namesRecord(member));
}

/** Which values of a request are not refused. */
export const SENT_VALUE_LAWS: readonly Law[] = [exampleAccepted];
