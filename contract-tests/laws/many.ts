import {
  basisOf,
  isEqual,
  isRecord,
  jobOf,
  madeByJob,
  manyItem,
  pointerTokens,
  resultsOf,
  sentMany,
  valueAt,
} from '#spec';
import { headerOf, NOT_FOUND } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import type { Evidence } from './evidence.ts';
import { is4xx } from './expect-status.ts';
import { type Broken, breachOf, type Judge } from './law.ts';
import { markMember, recordsIn } from './mark.ts';
import { furtherRoleOf } from './operation-role.ts';

/** Rules for several records in one request, and for background jobs. */

const madeIn = ({ contract, operation }: Evidence) => {
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  return further?.role === 'createMany' ? resource : undefined;
};

/** Whether a violation is in one of several records whose own result rejects it. */
export function isRefusedAlone(evidence: Evidence, pointer: string): boolean {
  const { operation, json, succeeded } = evidence;
  const resource = madeIn(evidence);
  const results = resource && succeeded ? resultsOf(operation, resource) : undefined;
  const place = pointerTokens(pointer)[sentMany(operation)?.length ?? 0];
  const items = results?.apart && place !== undefined ? valueAt(json, results.path) : undefined;
  if (!results || !Array.isArray(items)) return false;
  const { index, record = '', error = '' } = results;
  const result = index
    ? items.find((item) => Number(valueAt(item, [index.member])) - index.first === Number(place))
    : items[Number(place)];
  return isRecord(result) && (result[error] ?? null) !== null && !isRecord(result[record]);
}

/** There is one result for each sent record, in its order; invalid records are rejected one by one. */
export const eachHasResult: Judge = (evidence) => {
  const { operation, exchange, json, succeeded, response } = evidence;
  const resource = madeIn(evidence);
  const { apart: alone } = (resource && resultsOf(operation, resource)) ?? {};
  if (alone && exchange.input.refusedRecords && is4xx(response)) {
    const received = `${response.status}: one record that names nothing has all refused`;
    return breachOf(alone, 'missing', received, 'each is stored or refused by itself');
  }
  const results = resource && succeeded && response.status < 202 ? resultsOf(operation, resource) : undefined;
  const items = results && valueAt(json, results.path);
  const sent = recordsIn(exchange.input.body, operation);
  if (!resource || !results || !Array.isArray(items) || sent.length === 0) return undefined;
  const { index, each, ordered, apart, record: member } = results;
  const documented = 'one result for each record that was sent';
  if (items.length !== sent.length)
    return breachOf(each, 'unequal', `${items.length} results of ${sent.length} records`, documented);
  const placeIn = (one: unknown, position: number) =>
    index ? Number(valueAt(one, [index.member])) - index.first : position;
  const places = items.map(placeIn);
  const isComplete = sent.every((_, position) => places.includes(position));
  const inOrder = places.every((place, position) => place === position);
  if (index && (!isComplete || (ordered && !inOrder))) {
    const received = `${index.member} ${shorten(items.map((one) => valueAt(one, [index.member])))}`;
    const wanted = `the places of ${sent.length} records, from ${index.first} on${ordered ? ', in order' : ''}`;
    return breachOf(isComplete && ordered ? ordered : each, 'unequal', received, wanted);
  }
  const item = manyItem(operation);
  const mark = item && markMember(item);
  const strays = items.flatMap((one, position): Broken | [] => {
    const place = places[position] ?? position;
    const record = member === undefined ? one : valueAt(one, [member]);
    const isRefused = exchange.input.refusedRecords?.includes(place);
    if (isRefused && isRecord(record) && apart) {
      const received = `record ${place + 1}, which names nothing, is stored: ${shorten(record)}`;
      return breachOf(apart, 'accepted', received, `${results.error ?? 'no record'} in its place`);
    }
    const [got, wanted] = [record, sent[place]].map((of) =>
      mark === undefined || !isRecord(of) ? undefined : of[mark],
    );
    if (got === undefined || wanted === undefined || isEqual(got, wanted)) return [];
    const received = `${mark} ${shorten(got)} at place ${position + 1}`;
    const fact = index ? each : (ordered ?? basisOf(['schema'], each.because));
    return breachOf(fact, 'unequal', received, `${shorten(wanted)}, as was sent there`);
  });
  return strays.slice(0, 1);
};

/** A job ends, shows its documented result, and has created what was sent. */
export const jobEnds: Judge = (evidence) => {
  const { operation, earlier, contract, json, succeeded, exchange, response } = evidence;
  if (operation.method !== 'GET') return undefined;
  const jobIn = (one: Evidence) => (one.succeeded ? jobOf(one.operation, contract) : undefined);
  const start = earlier.findLast((one) => jobIn(one)?.read === operation);
  const job = start && jobIn(start);
  if (!start || !job) return undefined;
  const isGone = response.status === NOT_FOUND;
  if (!isGone && (!succeeded || !isRecord(json))) return undefined;
  const id = valueAt(start.json, [job.id]);
  const asked = exchange.input.path?.[job.parameter];
  if (id !== undefined && String(id) !== String(asked)) {
    // It may be another job.
    const isNamed = headerOf(start.response, 'location')?.endsWith(String(asked));
    const received = `the job ${shorten(asked)} in Location, and ${shorten(id)} in the body`;
    return isNamed ? breachOf(job, 'unequal', received, 'one job') : undefined;
  }
  if (isGone || !isRecord(json)) return undefined;
  const state = String(json[job.state]);
  const [isDone, isFailed] = [job.done, job.failed].map((ends) => ends.includes(state));
  if (!isDone && !isFailed) {
    if (!exchange.input.lastLook) return [];
    const documented = `an end: ${[...job.done, ...job.failed].join(' or ')}`;
    const received = `${job.state} ${shorten(state)} after seconds`;
    return breachOf(basisOf(['name'], job.because), 'missing', received, documented);
  }
  const outcome = isDone ? job.result : job.error;
  const value = outcome && json[outcome.member];
  if (outcome && (value === undefined || value === null)) {
    const received = `${job.state} ${shorten(state)} without ${outcome.member}`;
    return breachOf(outcome, 'missing', received, outcome.member);
  }
  const resource = madeIn(start);
  if (!resource || !isDone) return [];
  const made = madeByJob(start.operation, job, resource);
  const sent = recordsIn(start.exchange.input.body, start.operation);
  const { refusedRecords = [] } = start.exchange.input;
  if (refusedRecords.length > 0) {
    const documented = `${job.failed.join(' or ')}: a record names what is not there`;
    return made.fails ? breachOf(made.fails, 'accepted', `${job.state} ${shorten(state)}`, documented) : [];
  }
  const countIn = (name: string) => {
    const memberValue = valueAt(value, [name]);
    return name === made.ids ? [memberValue ?? []].flat().length : memberValue;
  };
  const names = [...made.counts, ...(made.ids === undefined ? [] : [made.ids])];
  const wrong = names.find((name) => countIn(name) !== undefined && Number(countIn(name)) !== sent.length);
  if (wrong === undefined) return [];
  const received = `${wrong}: ${shorten(countIn(wrong))} records`;
  const documented = `${sent.length}, as many as were sent`;
  return breachOf(basisOf(['words'], job.because), 'unequal', received, documented);
};
