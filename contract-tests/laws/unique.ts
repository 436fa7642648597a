import { isEqual, isRecord, placeOf, type UniqueKey, uniqueKeys } from '#spec';
import { needsKey } from '../send/credentials.ts';
import { type Exchange, isSuccess } from '../send/response.ts';
import { ACCEPTED, CONFLICT } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import type { Evidence } from './evidence.ts';
import { describeStatus, expect4xx, expectStatus, otherRefusals } from './expect-status.ts';
import { type Breach, breachOf, type Judge } from './law.ts';
import { recordSent } from './mark.ts';

/** The label of a unique key, for people and in requests: `name and city`. */
export function labelOf({ properties }: UniqueKey): string {
  return properties.join(' and ');
}

function keyNamed({ role }: Pick<Evidence, 'role'>, label: string | undefined): UniqueKey | undefined {
  return role && uniqueKeys(role.resource).find((key) => labelOf(key) === label);
}

/** A create with the values of another record is rejected: otherwise two records have them. */
export const uniqueRefused: Judge = (evidence) => {
  const { operation, exchange, response, request } = evidence;
  const { duplicated } = exchange.input;
  if (duplicated === undefined || request.violations.length > 0) return undefined;
  const others = otherRefusals(operation, needsKey(operation));
  const breaches = others.includes(CONFLICT)
    ? expectStatus(evidence, CONFLICT, ...others.filter((status) => status !== CONFLICT))
    : expect4xx(evidence);
  const key = keyNamed(evidence, duplicated);
  return breaches.map((breach) => ({
    ...breach,
    documented: `${breach.documented}, since another record has this ${duplicated}`,
    ...(key && isSuccess(response) && { kind: 'accepted', at: placeOf(key.because) }),
    rests: [key],
  }));
};

/** A create whose values no other record has is accepted, since one that differs in them alone was accepted. */
export const uniqueFree: Judge = (evidence) => {
  const { response, exchange, operation, request } = evidence;
  const { free } = exchange.input;
  if (!free || request.violations.length > 0) return undefined;
  if (response.status !== CONFLICT) return [];
  const key = keyNamed(evidence, free.label);
  return {
    kind: '409-for-2xx',
    received: describeStatus(response),
    documented: `no 409, since ${free.since}`,
    at: placeOf((free.isFreed ? key?.freed : key)?.because ?? operation.spot),
    rests: [key],
  };
};

/** The records of a list with the values that a rejected create of the same case sent. */
function twinsOf({ page, earlier, exchange }: Evidence) {
  if (!page) return undefined;
  for (const evidence of earlier) {
    const { duplicated, body } = evidence.exchange.input;
    const key = evidence.role?.action === 'create' ? keyNamed(evidence, duplicated) : undefined;
    const isRefused = evidence.response.status >= 400 && evidence.response.status < 500;
    if (!key || !isRefused || evidence.role?.resource !== page.resource || !isRecord(body)) continue;
    if (!isEqual(evidence.exchange.input.path ?? {}, exchange.input.path ?? {})) continue;
    const sent = recordSent(page.resource, evidence.operation, body);
    const twins = page.records.filter((record) =>
      key.properties.every((name) => isEqual(record[name], sent[name])),
    );
    return { create: evidence.operation, key, twins };
  }
  return undefined;
}

/** After a rejected duplicate, the list shows the original record. */
export const refusedTwin: Judge = (evidence) => {
  const group = twinsOf(evidence);
  if (!group) return undefined;
  const { create, key, twins } = group;
  if (twins.length < 2) return [];
  const received = `${twins.length} records with this ${labelOf(key)}: ${shorten(twins)}`;
  return { received, documented: 'no record of a refused request', at: placeOf(create.spot), about: twins };
};

/** Of concurrent creates with the values of one unique key, exactly one succeeds, since its record blocks the others. */
export function judgeTwins(creates: readonly Exchange[], key: UniqueKey): Breach[] {
  const label = labelOf(key);
  const statuses = creates.map(({ response }) => response.status);
  // An accepted create (202) may never be carried out.
  if (creates.length < 2 || statuses.includes(ACCEPTED)) return [];
  const won = creates.filter(({ response }) => isSuccess(response)).length;
  const received = `${statuses.join(' and ')} to creates at once with one ${label}`;
  const documented = 'one success, and 409 to each other';
  const kind = won > 1 ? 'accepted' : statuses.every((status) => status === CONFLICT) ? 'missing' : undefined;
  return kind ? [{ ...breachOf(key, kind, received, documented), law: 'one-holder' }] : [];
}
