import {
  basisOf,
  effectOf,
  essenceOf,
  idempotencyKeyOf,
  isEqual,
  type Operation,
  toPointer,
  transitionsOf,
} from '#spec';
import { isSuccess } from '../send/response.ts';
import { type Data, headerOf, NOT_FOUND } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import { type Evidence, recordIn, recordOf } from './evidence.ts';
import { documentedOf, is4xx } from './expect-status.ts';
import { type Broken, breachOf, type Judge } from './law.ts';
import { markMember, recordInBody, recordSent } from './mark.ts';
import { furtherRoleOf } from './operation-role.ts';
import { createdIdOf } from './sent-members.ts';

/** Rules for a response that follow from earlier ones in the same sequence. */

/** The response to an action and the next read show its effect; a rejected action changes no state. */
export const actionDone: Judge = (evidence) => {
  const acted = evidence.role?.action === 'read' ? lastChange(evidence) : evidence;
  if (acted && acted !== evidence && is4xx(acted.response) && evidence.response.status === NOT_FOUND)
    return readBefore(acted, evidence) && acted.exchange.input.expected?.rests ? goneThough(acted) : [];
  const { contract, operation, response } = acted ?? {};
  const further = contract && operation && furtherRoleOf(contract, operation);
  if (!acted || !operation || !response || further?.further.role !== 'action') return undefined;
  const { resource } = further;
  const got = acted === evidence ? recordIn(resource, operation, evidence.json) : recordOf(evidence);
  if (!got || !isSuccess(evidence.response)) return undefined;
  const move = transitionsOf(resource).find((transition) => transition.operation === operation);
  const effect = effectOf(operation, resource);
  if (is4xx(response)) {
    const before = readBefore(acted, evidence);
    const old = move && before && recordOf(before)?.[move.property];
    if (!move || old === undefined || isEqual(old, got[move.property])) return [];
    const received = `${move.property} ${shorten(got[move.property])} after ${operation.id} was refused`;
    return breachOf(move, 'stray', received, `${shorten(old)} as before`);
  }
  if (!isSuccess(response)) return undefined;
  const sent = recordSent(undefined, operation, acted.request.body);
  const wanted: [string, unknown][] = Object.entries(effect?.sets ?? {}).map(([name, value]) =>
    value === '$body' && typeof sent[name] === 'string' ? [name, sent[name]] : [name, value],
  );
  if (move?.to !== undefined && effect?.sets[move.property] === undefined)
    wanted.push([move.property, move.to]);
  const done = basisOf(effect?.signs.includes('said') ? ['said'] : ['name'], operation.spot);
  return wanted.flatMap(([name, value]): Broken | [] => {
    const isMoment = value === '$now';
    if (typeof value === 'string' && /^[$+-]/.test(value) && !isMoment) return [];
    const isShown = isMoment ? got[name] !== undefined && got[name] !== null : isEqual(got[name], value);
    if (isShown || (got[name] === undefined && acted === evidence)) return [];
    const received = `${name} ${shorten(got[name])} after ${operation.id}`;
    const documented = `${name} ${isMoment ? 'with the moment' : shorten(value)}`;
    return breachOf(done, 'unequal', received, documented, { part: toPointer([name]) });
  });
};

function goneThough({ operation, response }: Evidence): Broken {
  const received = `404 after ${operation.id} was refused with ${response.status}`;
  return breachOf(basisOf(['path'], operation.spot), 'missing', received, 'the record');
}

/** The latest successful read of the same record. */
function readBefore({ earlier }: Evidence, evidence: Evidence): Evidence | undefined {
  return earlier.findLast((one) => one.role?.action === 'read' && one.succeeded && isAbout(one, evidence));
}

/** The latest request of the sequence that changes the record of this read. */
function lastChange(evidence: Evidence): Evidence | undefined {
  return evidence.earlier.findLast((one) => one.operation.method !== 'GET' && isAbout(one, evidence));
}

function isAbout(evidence: Evidence, { role, exchange }: Evidence): boolean {
  const parameter = role?.resource.id?.parameter;
  const id = parameter === undefined ? undefined : exchange.input.path?.[parameter];
  return id !== undefined && isEqual(evidence.exchange.input.path?.[parameter ?? ''], id);
}

/** The documented status for an idempotency key that was used with another body. */
export const refusalOfKey = (operation: Operation): number | undefined =>
  [422, 409, 400].find((status) => documentedOf(operation, [status]).length > 0);

/** A repeated idempotency key with the same body returns the same record; another body is rejected, if documented. */
export const madeOnce: Judge = (evidence) => {
  const { role, operation, succeeded, page } = evidence;
  if (page && role) return madeTwice(evidence);
  const parameter = idempotencyKeyOf(operation);
  const first = firstWithKey(evidence);
  if (role?.action !== 'create' || !parameter || !first || !succeeded) return undefined;
  const fact = basisOf([operation.said.facts.idempotencyKey ? 'said' : 'name'], parameter.spot);
  if (!sameBody(first, evidence)) {
    const refusal = refusalOfKey(operation);
    const received = `${evidence.response.status} to another body with the same ${parameter.name}`;
    return refusal === undefined ? [] : breachOf(fact, 'accepted', received, `${refusal}`);
  }
  const [old, id] = [first, evidence].map((one) => createdIdOf(role.resource, one.exchange));
  if (old === undefined || isEqual(old, id)) return [];
  const received = `the id ${shorten(id)} for a repeated ${parameter.name}`;
  return breachOf(fact, 'unequal', received, `the id ${shorten(old)}, as for the first request`);
};

/** The first request of the sequence with the same idempotency key. */
function firstWithKey({ operation, exchange, earlier }: Evidence): Evidence | undefined {
  const name = idempotencyKeyOf(operation)?.name ?? '';
  const key = name === '' ? undefined : headerOf(exchange.request, name);
  if (key === undefined) return undefined;
  return earlier.find(
    (evidence) =>
      evidence.operation === operation &&
      evidence.succeeded &&
      headerOf(evidence.exchange.request, name) === key,
  );
}

/** Whether a request repeats an earlier one by its idempotency key: nothing new is created. */
export const isRepeated = (evidence: Evidence) => firstWithKey(evidence) !== undefined;

const sameBody = (one: Evidence, other: Evidence) =>
  Buffer.from(one.exchange.request.body ?? '').equals(Buffer.from(other.exchange.request.body ?? ''));

function madeTwice({ earlier, page, role }: Evidence): ReturnType<Judge> {
  const create = role?.resource.actions.create;
  const parameter = create && idempotencyKeyOf(create);
  if (!parameter || !page) return undefined;
  const sent = earlier.filter((evidence) => evidence.operation === create && evidence.succeeded);
  const keyOf = (evidence: Evidence) => headerOf(evidence.exchange.request, parameter.name);
  const again = sent.find((evidence, at) => {
    const before = sent
      .slice(0, at)
      .find((other) => keyOf(other) !== undefined && keyOf(other) === keyOf(evidence));
    return before && sameBody(before, evidence);
  });
  const { shape } = recordInBody(role.resource, create);
  const name = shape && markMember(shape);
  const mark = again && name !== undefined ? (again.request.body as Data)[name] : undefined;
  if (name === undefined || mark === undefined) return undefined;
  const count = page.records.filter((record) => record[name] === mark).length;
  if (count < 2) return [];
  const received = `${count} records with ${name} ${shorten(mark)}`;
  const documented = `one: both requests have one ${parameter.name}`;
  return breachOf(basisOf(['name'], parameter.spot), 'stray', received, documented);
}

/** A GET returns what the last PUT stored at the path: the same bytes, for texts and files. */
export const putIsRead: Judge = (evidence) => {
  const { operation, response, earlier, exchange, role } = evidence;
  if (role || operation.method !== 'GET' || !isSuccess(response)) return undefined;
  const isHere = (one: Evidence) =>
    one.operation.path === operation.path && isEqual(one.exchange.input.path, exchange.input.path);
  const put = earlier.findLast((one) => one.operation.method !== 'GET' && isHere(one));
  if (put?.operation.method !== 'PUT' || !isSuccess(put.response)) return undefined;
  const { body, headers } = put.exchange.request;
  const type = essenceOf(headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '');
  if (!body || type !== essenceOf(response.contentType ?? '') || /json|xml|multipart|urlencoded/.test(type))
    return undefined;
  if (Buffer.from(body).equals(Buffer.from(response.body))) return [];
  const [got, sent] = [response.body, body].map((bytes) => Buffer.from(bytes).toString());
  const received = `${response.body.length} bytes: ${shorten(got)}`;
  const documented = `the ${body.length} bytes that were put: ${shorten(sent)}`;
  return breachOf(basisOf(['path'], operation.spot), 'unequal', received, documented);
};

/** HEAD returns what GET does, without the body (RFC 9110 §9.3.2). */
export const headAsGet: Judge = ({ operation, response, earlier, exchange }) => {
  if (operation.method !== 'HEAD') return undefined;
  const got = earlier.findLast(
    (evidence) =>
      evidence.operation.method === 'GET' && evidence.exchange.request.url.href === exchange.request.url.href,
  );
  if (!got) return undefined;
  const fact = basisOf(['path'], operation.spot);
  if (got.response.status !== response.status) {
    const documented = `${got.response.status}, as to GET (RFC 9110 §9.3.2)`;
    return breachOf(fact, 'unequal', `${response.status} to HEAD`, documented);
  }
  const [tag, headTag] = [got.response, response].map((one) => headerOf(one, 'etag'));
  if (tag === undefined || headTag === undefined || tag === headTag) return [];
  return breachOf(fact, 'unequal', `ETag ${headTag} to HEAD`, `ETag ${tag}, as to GET`);
};

/** A table has a heading row and a row for each record of the JSON list, in the same order. */
export const tableOfList: Judge = ({ operation, response, earlier, contract }) => {
  if (!isSuccess(response) || essenceOf(response.contentType ?? '') !== 'text/csv') return undefined;
  const before = earlier.findLast((evidence) => evidence.operation === operation && evidence.page);
  const property = before?.role?.resource.id?.property;
  const records = before?.page?.records;
  if (!records || property === undefined || contract.operations.length === 0) return undefined;
  const [headings = [], ...rows] = rowsOf(response.text ?? '');
  const names = new Set(Object.keys(records[0] ?? {}).map((name) => name.toLowerCase()));
  // A table with other headings may show something else.
  if (!headings.some((heading) => names.has(heading.trim().toLowerCase()))) return undefined;
  const fact = basisOf(['schema'], operation.spot);
  if (rows.length !== records.length) {
    const documented = `${records.length}, as many as the list in JSON has`;
    return breachOf(fact, 'unequal', `${rows.length} rows below the headings`, documented);
  }
  const ids = records.map((record) => record[property]);
  const wrong = rows.findIndex((row, index) => ids[index] !== undefined && !row.includes(String(ids[index])));
  const width = rows.find((row) => row.length !== rows[0]?.length);
  if (width) {
    const received = `a row of ${width.length} fields: ${shorten(width.join())}`;
    return breachOf(fact, 'unequal', received, `${rows[0]?.length} fields (RFC 4180)`);
  }
  const isShown = ids.some((id) => rows.some((row) => row.includes(String(id))));
  if (wrong < 0 || !isShown) return [];
  const received = `row ${wrong + 1} without ${property} ${shorten(ids[wrong])}`;
  return breachOf(fact, 'unequal', received, 'the order of the list in JSON');
};

/** RFC 4180. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of csv
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
