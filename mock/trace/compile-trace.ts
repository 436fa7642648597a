import {
  type Contract,
  mediaTypeFor,
  namesInQuery,
  nearest,
  type Operation,
  type Parameter,
  parseJson,
  placeOf,
  type RouteMatch,
  rawChild,
  responseFor,
  type Spot,
  showPlace,
} from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import type { Find } from '../engine/engine.ts';
import { compileUsedSchemes, type Keys, tokenIn } from '../http/authenticate.ts';
import { findMethod } from '../http/cors.ts';
import { memoize, memoizeText } from '../http/memoize.ts';
import { isRefusal, loggedMessage, REFUSALS } from '../http/refusal.ts';
import { successForm } from '../http/representations.ts';
import type { Tokens } from '../http/tokens.ts';
import type {
  AppliedRule,
  IgnoredPart,
  Trace,
  TraceAnswer,
  TraceCredential,
  TraceLatency,
  TraceRoute,
  TraceValidation,
} from '../http/trace.ts';
import { accountsOf } from '../records/accounts.ts';
import { exampleOf } from '../records/actions/sample.ts';
import { parametersWithoutEffect } from '../records/actions/without-effect.ts';
import type { Standing } from '../records/standing.ts';
import type { JournalEntry } from '../sessions/journal.ts';
import type { Decided } from '../sessions/preferences/decided.ts';
import { delayJson } from '../sessions/preferences/delay.ts';
import { conditionsOf, type RuledRequest } from '../sessions/preferences/match.ts';
import {
  mayHavePreference,
  type Preference,
  preferenceText,
  readPreference,
} from '../sessions/preferences/preference.ts';
import { type ActiveRule, type Answer, answerOf } from '../sessions/preferences/rules.ts';
import { nearMisses } from './near-misses.ts';
import { nearestOperations } from './nearest-operations.ts';

/** What a document and the mock of it say of exchanges. */
export interface TraceContext {
  readonly contract: Pick<Contract, 'operations' | 'validators'>;
  readonly basePath: string;
  readonly find: Find;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly standing: () => Standing;
  /** Redacts credentials in a text of an exchange. */
  readonly redactSent: (request: JournalEntry['request']) => (text: string) => string;
}

interface Context extends Omit<TraceContext, 'keys'> {
  readonly cookie: Keys['cookie'];
  readonly usedSchemesOf: (operation: Operation) => ReturnType<typeof compileUsedSchemes>;
  /** The parameters that have no effect. */
  readonly idleOf: (endpoint: Endpoint) => readonly Parameter[];
}

/** What is known of an exchange again, after it. */
interface Seen {
  readonly entry: JournalEntry;
  readonly match: RouteMatch<Endpoint> | undefined;
  /** Undefined: the request matches no operation, or one that the document does not have any more. */
  readonly endpoint: Endpoint | undefined;
  readonly decided: Decided;
  /** Undefined: the request was not read. */
  readonly ruled: RuledRequest | undefined;
  /** Undefined: it has none that is possible. */
  readonly preference: Preference | undefined;
}

export interface Tracing {
  readonly traceOf: (entry: JournalEntry) => Trace;
  /** Whether a trace has nothing that a reader of the log would miss, by a fast look: no rule, no preference, nothing ignored. */
  readonly isPlain: (entry: JournalEntry) => boolean;
}

/** Compiles what tells why requests got their responses. Nothing is kept for it: it follows from the log and the document. */
export function compileTrace({ keys, ...given }: TraceContext): Tracing {
  const { find, redactSent } = given;
  const context: Context = {
    ...given,
    cookie: keys.cookie,
    usedSchemesOf: memoize((operation: Operation) => compileUsedSchemes(operation, keys)),
    idleOf: memoize(({ operation, action, role }: Endpoint) =>
      action === 'code'
        ? []
        : parametersWithoutEffect(operation, action === 'sample' ? undefined : role?.collection.resource),
    ),
  };

  function see(entry: JournalEntry): Seen {
    const { request, operation, decided = {} } = entry;
    const match = find(request.path, request);
    const found = match && findMethod(match.methods, request.method);
    // After the document has changed the same path may be another operation.
    const endpoint = found && found.operation.id === operation?.id ? found : undefined;
    const { query, headers, body } = request;
    const bytes = body instanceof Uint8Array ? body : undefined;
    const ruled = endpoint && {
      ...{ operation: endpoint.operation, request },
      values: endpoint.read({ path: match?.path ?? {}, query, headers, body: bytes }),
    };
    const preference = mayHavePreference(request) ? readPreference(request) : undefined;
    const isPossible = preference && !isRefusal(preference);
    return { entry, match, endpoint, decided, ruled, preference: isPossible ? preference : undefined };
  }

  function traceOf(entry: JournalEntry): Trace {
    const seen = see(entry);
    const { decided } = seen;
    const redact = redactSent(entry.request);
    const validated = validationOf(seen);
    const credential = credentialOf(seen, context);
    const isRefused = credential.result === 'refused' || validated.result === 'invalid';
    const refused = isRefused
      ? `the request was refused with ${entry.status} before: rules are for valid requests`
      : undefined;
    const { clock } = decided;
    return {
      route: routeOf(seen, context),
      credential,
      validated,
      answered: redactAnswer(answerOfMock(seen, context), redact),
      nearMisses: seen.ruled
        ? nearMisses(decided, seen.ruled, refused).map((one) => ({ ...one, but: redact(one.but) }))
        : [],
      ignored: ignoredIn(seen, context).map((one) => ({ ...one, where: redact(one.where) })),
      violations: violationsOf(entry).map(redact),
      latency: latencyOf(entry, decided),
      ...(clock !== undefined && { clock: new Date(clock).toISOString() }),
    };
  }

  const hasIgnored = memoize((endpoint: Endpoint) =>
    memoizeText((query) => ignoredInQuery(query, endpoint, context.idleOf(endpoint)).length > 0),
  );

  return {
    traceOf,
    isPlain({ request, decided, refusal, operation }) {
      if (decided?.rules || !operation || mayHavePreference(request)) return false;
      if (request.body !== undefined && !operation.body) return false;
      if (request.query === '' || refusal) return true;
      const endpoint = find(request.path, request)?.methods.get(operation.method);
      return endpoint === undefined || !hasIgnored(endpoint)(request.query);
    },
  };
}

/** What may repeat something that was sent. */
function redactAnswer(answer: TraceAnswer, redact: (text: string) => string): TraceAnswer {
  const { because, rule, record } = answer;
  return {
    ...answer,
    because: redact(because),
    ...(rule && { rule: { ...rule, matched: rule.matched.map(redact) } }),
    ...(record !== undefined && { record: redact(record) }),
  };
}

const lineOf = (spot: Spot) => showPlace(placeOf(spot));

function routeOf({ entry, match, endpoint }: Seen, { contract, basePath }: Context): TraceRoute {
  const operation = endpoint?.operation ?? entry.operation;
  if (operation) return { operation: operation.id, path: operation.path, at: lineOf(operation.spot) };
  const { request } = entry;
  if (!match) return { nearest: nearestOperations(request, contract.operations, basePath) };
  const offered = [...match.methods.values()].map((one) => one.operation);
  const [first] = offered;
  return {
    ...(first && { path: first.path, at: lineOf(first.spot) }),
    nearest: offered.map(({ method, path }) => `${method} ${basePath}${path}`),
  };
}

const isOfUpstream = ({ response }: JournalEntry) => response.source?.startsWith('upstream') === true;

function credentialOf(
  { entry, decided, endpoint }: Seen,
  { cookie, usedSchemesOf, tokens, standing }: Context,
): TraceCredential {
  const { operation, request, refusal, store } = entry;
  if (!operation) return { result: 'not reached' };
  if (isOfUpstream(entry)) return { result: 'not judged' };
  const { clock } = decided;
  const now = clock === undefined ? undefined : () => clock;
  const used = usedSchemesOf(endpoint?.operation ?? operation)(request, now);
  if (!used) return { result: 'none needed' };
  const isRefused = refusal?.refuse === 'unauthorized' || (refusal?.refuse === 'forbidden' && !used.isLetIn);
  if (isRefused) return { result: 'refused', schemes: used.schemes };
  const credentials = [...operation.security.flat(), ...(cookie ? [cookie] : [])];
  const holder = credentials.map((one) => tokens.issuedTo(tokenIn(one, request))).find(Boolean);
  const account = holder && accountsOf(store).find([holder.subject]);
  const roles = account ? standing().heldBy(account) : [];
  return {
    result: 'accepted',
    schemes: used.schemes,
    ...(holder && { account: holder.subject }),
    ...(roles.length > 0 && { roles }),
  };
}

function validationOf({ entry, endpoint, ruled }: Seen): TraceValidation {
  const { operation, refusal, request } = entry;
  const errors = refusal?.details?.length ?? 0;
  const parts = endpoint && ruled ? partsOf(endpoint.operation, ruled) : [];
  if (isOfUpstream(entry)) return { result: 'not judged', parts: [], errors: 0 };
  if (errors > 0) return { result: 'invalid', parts, errors };
  const isBefore = refusal && BEFORE.has(refusal.refuse) && ruled?.values.violations.length !== 0;
  const isUnread = !operation || refusal?.refuse === 'unauthorized' || refusal?.refuse === 'gone';
  if (isUnread || isBefore || request.body === 'too large') {
    // What was too long to be kept was read.
    if (request.body !== 'too large' || refusal?.refuse === 'too large' || isUnread)
      return { result: 'not reached', parts: [], errors: 0 };
  }
  return { result: 'valid', parts, errors: 0 };
}

/** What is refused before a request is read. */
const BEFORE: ReadonlySet<string> = new Set(['too large', 'media type', 'forbidden']);

/** What of a request the document describes; a default that the mock has filled in was not sent. */
function partsOf({ parameters, body }: Operation, { request, values }: RuledRequest): string[] {
  const { headers, query } = request;
  const sent = [...new URLSearchParams(query).keys()];
  const given = parameters.flatMap(({ in: place, name, required, shape }) => {
    const isRead = Object.hasOwn(values.parameters[place], name);
    const isNamed =
      place === 'header'
        ? headers[name.toLowerCase()] !== undefined
        : place !== 'query' || sent.some((key) => key === name || key.startsWith(`${name}[`));
    const isFilledIn = !isNamed && shape.find('default') !== undefined;
    return required || (isRead && !isFilledIn) ? [`${place}.${name}`] : [];
  });
  return body && (request.body !== undefined || body.required) ? [...given, 'body'] : given;
}

function ignoredIn({ entry, endpoint }: Seen, { idleOf }: Context): IgnoredPart[] {
  if (!endpoint || isOfUpstream(entry)) return [];
  const { id, body: documented } = endpoint.operation;
  const { query, body } = entry.request;
  const inQuery = query === '' ? [] : ignoredInQuery(query, endpoint, entry.refusal ? [] : idleOf(endpoint));
  if (body === undefined || documented) return inQuery;
  return [...inQuery, { where: 'body', why: `${id} declares no body` }];
}

function ignoredInQuery(query: string, { operation }: Endpoint, idle: readonly Parameter[]): IgnoredPart[] {
  const { id, security, parameters } = operation;
  const { named, unnamed } = namesInQuery(operation, query);
  const credentials = security.flat().filter((one) => one.in === 'query');
  const known = new Set([...credentials.map(({ name }) => name), ...PREFERENCES]);
  const declared = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const undeclared = unnamed
    .filter((name) => !known.has(name))
    .map((name): IgnoredPart => {
      const meant = nearest(name, declared);
      const why = `${id} declares no such parameter${meant === undefined ? '' : `; it has ${meant}`}`;
      return { where: `query.${name}`, why };
    });
  const without = idle
    .filter((one) => one.in === 'query' && named.includes(one.name))
    .map(({ name, spot }): IgnoredPart => {
      const why = 'declared and validated, but the mock does nothing with it';
      return { where: `query.${name}`, why, at: lineOf(spot) };
    });
  return [...undeclared, ...without];
}

/** What a forced response is asked for with. */
const PREFERENCES = ['__code', '__example', '__dynamic'];

function violationsOf({ response }: JournalEntry): string[] {
  const own = response.headers['X-Paddock-Violation'];
  const judged = (response.violations ?? []).map(({ where, message }) => `${where}: ${message}`);
  return own === undefined ? judged : [own, ...judged];
}

const thousandths = (ms: number) => Math.round(ms * 1000) / 1000;

function latencyOf({ ms }: JournalEntry, decided: Decided): TraceLatency {
  const { sessionDelay, ruleDelay, upstreamTime } = decided;
  const others = [sessionDelay, ruleDelay, upstreamTime].reduce<number>((sum, one = 0) => sum + one, 0);
  return {
    total: thousandths(ms),
    own: thousandths(Math.max(0, ms - others)),
    ...(sessionDelay !== undefined && { session: thousandths(sessionDelay) }),
    ...(ruleDelay !== undefined && { rule: thousandths(ruleDelay) }),
    ...(upstreamTime !== undefined && { upstream: thousandths(upstreamTime) }),
  };
}

function answerOfMock(seen: Seen, context: Context): TraceAnswer {
  const { entry, decided, ruled, endpoint } = seen;
  const { refusal } = entry;
  const answer = decided.rule && answerOf(decided.rule);
  const rule = decided.rule && appliedRule(decided.rule, answer, ruled);
  const by = decidedBy(seen, answer);
  const applied = rule && { rule };
  if (by === 'rule' && rule && endpoint) {
    const conditions = rule.matched.length === 0 ? 'it is for every request' : rule.matched.join(', ');
    return {
      ...{ by, ...applied, because: `rule ${rule.id} matches: ${conditions}` },
      ...forcedExample(endpoint.operation, answer, context),
    };
  }
  if (refusal && refusal.refuse !== 'forced') {
    const { code } = REFUSALS[refusal.refuse];
    return { by: 'refusal', because: `${code}: ${loggedMessage(refusal)}`, ...applied };
  }
  if (by === 'Prefer' && seen.preference && endpoint) {
    const because = `the request prefers ${preferenceText(seen.preference)}`;
    const example = forcedExample(endpoint.operation, preferred(seen.preference), context);
    return { by, because, ...example, ...applied };
  }
  return { ...ordinaryAnswer(seen, context), ...applied };
}

const preferred = ({ code, example, dynamic }: Preference): Answer | undefined =>
  dynamic
    ? undefined
    : { ...(code !== undefined && { status: code }), ...(example !== undefined && { example }) };

/** Who has decided on the response; a rule may only delay it, or add headers. */
function decidedBy({ entry, preference }: Seen, answer: Answer | undefined): 'rule' | 'Prefer' | undefined {
  const { refusal, status } = entry;
  if (refusal?.refuse === 'template' || (status === 0 && answer?.drop !== undefined)) return 'rule';
  if (refusal && refusal.refuse !== 'forced') return undefined;
  if (preference && (!isOfUpstream(entry) || refusal?.refuse === 'forced')) return 'Prefer';
  const { status: own, example, body } = answer ?? {};
  return own !== undefined || example !== undefined || body !== undefined ? 'rule' : undefined;
}

function appliedRule(rule: ActiveRule, answer: Answer = {}, ruled: RuledRequest | undefined): AppliedRule {
  const { id, met, sequence } = rule;
  const { status, example, body, headers, delay, drop, truncate } = answer;
  const step = sequence && Math.min(met, sequence.length - 1) + 1;
  return {
    id,
    matched: ruled ? conditionsOf(rule, ruled).map(({ text }) => text) : [],
    did: [
      ...(sequence ? [`answer ${step} of ${sequence.length}`] : []),
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(example === undefined ? [] : [`example ${example}`]),
      ...(body === undefined ? [] : ['a body of its own']),
      ...(headers ? [`headers ${Object.keys(headers).join(', ')}`] : []),
      ...(delay ? [`delay ${delayJson(delay)} ms`] : []),
      ...(drop === undefined
        ? []
        : [`connection dropped${typeof drop === 'string' ? ` ${drop} it was carried out` : ''}`]),
      ...(truncate === undefined ? [] : ['truncated']),
    ],
    used: met + 1,
  };
}

/** The documented example that a forced response has. */
function forcedExample(
  operation: Operation,
  answer: Answer | undefined,
  { contract }: Context,
): Pick<TraceAnswer, 'example' | 'at'> {
  const { status, example, body } = answer ?? {};
  if (body !== undefined || !answer) return {};
  const all = operation.responses.filter(({ key }) => status === undefined || key === String(status));
  for (const { content } of all)
    for (const media of content) {
      const name =
        example ??
        (typeof status === 'number' && status >= 400 ? exampleOf(media, contract)?.[0] : undefined);
      if (name !== undefined && media.examples.has(name))
        return { example: name, at: lineOf(exampleSpot(media.spot)) };
    }
  return {};
}

const exampleSpot = (spot: Spot) => rawChild(spot, 'examples') ?? rawChild(spot, 'example') ?? spot;

function ordinaryAnswer({ entry, endpoint, decided, match }: Seen, context: Context): TraceAnswer {
  const { response } = entry;
  const { sourceRule, mocked } = decided;
  const said = sourceRule ? `rule ${sourceRule.id} says so` : 'the options say so';
  if (isOfUpstream(entry)) {
    const added = response.source === 'upstream' ? '' : ', and the mock has added records of its own';
    return { by: 'upstream', because: `the real service has it: ${said}${added}` };
  }
  if (!endpoint) return { by: 'sample', because: 'the document has changed since' };
  const { action, role, reason, operation } = endpoint;
  const instead = response.source === 'mock' ? `; mocked, since ${mocked ?? said}` : '';
  if (action === 'code')
    return { by: 'code', because: `code of yours responds to ${operation.id}${instead}` };
  if (action === 'sample')
    return sampled(operation, `${reason ?? 'nothing says what it does'}${instead}`, entry, context);
  if (!role) return { by: 'records', because: `values that records have${instead}` };
  const { collection } = role;
  const { resource, name } = collection;
  const at = lineOf(operation.spot);
  const parameter = resource.id?.parameter;
  const named = parameter === undefined ? undefined : match?.path[parameter];
  const isList = LISTS.has(action);
  const record = isList || named !== undefined ? named && decoded(named) : idIn(entry, resource.id?.property);
  const isOne = record !== undefined && !isList;
  return {
    by: isList ? 'records' : 'record',
    because: `${DONE[action] ?? 'something is done to a record'} of ${name}${instead}`,
    collection: name,
    ...(isOne && { record }),
    at,
  };
}

const LISTS: ReadonlySet<string> = new Set(['list', 'view', 'createMany', 'updateMany', 'removeMany']);

const DONE: Readonly<Record<string, string>> = {
  list: 'the records',
  view: 'records',
  create: 'the body became a record',
  createMany: 'the body became records',
  read: 'the record',
  replace: 'the body took the place of a record',
  update: 'the body was merged into a record',
  updateMany: 'records were changed',
  remove: 'a record was removed',
  removeMany: 'records were removed',
  action: 'something was done to a record',
};

function sampled(
  operation: Operation,
  why: string,
  { response }: JournalEntry,
  { contract }: Context,
): TraceAnswer {
  const { status, media: usual } = successForm(operation);
  const type = response.headers['Content-Type'];
  const documented = responseFor(operation.responses, status);
  const media = (type === undefined ? undefined : mediaTypeFor(documented?.content ?? [], type)) ?? usual;
  if (!media) return { by: 'sample', because: `no body is documented; ${why}`, at: lineOf(operation.spot) };
  const [example] = exampleOf(media, contract) ?? [];
  if (example === undefined)
    return { by: 'sample', because: `made from the schema: ${why}`, at: lineOf(media.schema ?? media.spot) };
  return {
    by: 'example',
    because: `the documented example: ${why}`,
    example,
    at: lineOf(exampleSpot(media.spot)),
  };
}

/** The id of a record that was made. */
function idIn({ response, status }: JournalEntry, property: string | undefined): string | undefined {
  const { body, headers } = response;
  if (property !== undefined && typeof body === 'string' && status < 300) {
    try {
      const value = parseJson(body) as Record<string, unknown> | null;
      const id = value && Object.hasOwn(value, property) ? value[property] : undefined;
      if (['string', 'number', 'bigint'].includes(typeof id)) return String(id);
    } catch {
      // No JSON: its address may say it.
    }
  }
  const last = headers.Location?.split('/').at(-1);
  return last === undefined || last === '' ? undefined : decoded(last);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
