import { endToEnd } from '#forwarder';
import { basePathsAt, decodableCodings, isLoopback, longestFirst, type Operation, SAFE_METHODS } from '#spec';
import type { Asked, Relay } from '../engine/endpoint.ts';
import type {
  Answerer,
  Awaitable,
  FeedReader,
  ResponseContent,
  ResponseViolation,
} from '../http/exchange.ts';
import { isRefusal, type Outcome, type Refusal } from '../http/refusal.ts';
import { provenanceOf } from '../records/provenance.ts';
import type { Service } from '../service.ts';
import { matchesRule } from '../sessions/preferences/match.ts';
import { addOwnRecords, ownRecordsOf } from './add-own.ts';
import {
  type BodyInParts,
  createUpstreamClient,
  decodedBody,
  type SentRequest,
  UpstreamError,
  type UpstreamResponse,
} from './client.ts';
import type { Judge, JudgeExchange } from './judge.ts';
import { createLearning } from './learn.ts';
import { compileNamedRecords, type NamedRecord } from './named-records.ts';
import { compileSources, type Sources } from './sources.ts';
import { createUnknownPaths } from './unknown-path.ts';

export interface UpstreamOptions {
  readonly upstream: URL;
  readonly sources: Sources;
  /** In milliseconds. */
  readonly upstreamTimeout: number;
  /** Undefined: its responses are not validated. */
  readonly judge: Judge | undefined;
  readonly notice: (text: string) => void;
}

export { unknownSources } from './sources.ts';

/** A real service behind a mock, for any document. */
export interface Upstream {
  /** The connection between a document's mock and the real service. */
  relayFor(service: Service): Relay;
  close(): void;
}

/** Connects a mock to a real service, which responds to what it supports. */
export function openUpstream(options: UpstreamOptions): Upstream {
  const { upstream: base, upstreamTimeout, notice } = options;
  const prefix = base.pathname.replace(/\/+$/, '');
  const client = createUpstreamClient(base, upstreamTimeout, isLoopback(base.hostname));
  const isUnknownPath = createUnknownPaths(client, prefix);
  const say = onceEach(notice);
  return {
    relayFor: (service) => createRelay(service, { ...options, prefix, client, isUnknownPath, say }),
    close: client.close,
  };
}

interface RelayContext extends UpstreamOptions {
  readonly prefix: string;
  readonly client: ReturnType<typeof createUpstreamClient>;
  readonly isUnknownPath: ReturnType<typeof createUnknownPaths>;
  /** Gives a notice, only the first time. */
  readonly say: (text: string) => void;
}

function createRelay(service: Service, context: RelayContext): Relay {
  const { upstream: base, upstreamTimeout, prefix, client, isUnknownPath, say, judge } = context;
  const { contract } = service;
  const configured = compileSources(context.sources);
  const namedBy = compileNamedRecords(service);
  const { learn, noteOwn } = createLearning(service, prefix, (kind, { operation }, reason) =>
    say(`${operation.id}: of the upstream not taken: ${kind}${reason === undefined ? '' : `: ${reason}`}`),
  );
  let judging: Awaitable<JudgeExchange> | undefined;

  async function beginJudging(sent: SentRequest) {
    if (!judge) return undefined;
    judging ??= judge(contract, base.href.replace(/\/+$/, ''));
    const url = URL.parse(base.origin + sent.target);
    if (!url) return undefined;
    const { method, headers, body } = sent;
    return (await judging)({ method, url, headers, body, startedAt: Date.now() });
  }

  /** The base path of an operation in a request, or of an undocumented path. */
  function baseOf(path: string, { basePaths }: Pick<Operation, 'basePaths'>): string {
    return longestFirst(basePaths).find((one) => path === one || path.startsWith(`${one}/`)) ?? '';
  }

  /** The path at the real service: operations with their own servers have other base paths there, too. */
  function targetOf(path: string, served: Pick<Operation, 'basePaths'>): string {
    const [below = ''] = basePathsAt(prefix, contract.basePaths, served);
    return `${below}${path.slice(baseOf(path, served).length)}` || '/';
  }

  async function requestOf({ request, matched }: Asked): Promise<SentRequest> {
    const { method, path, query, headers, body, encoded } = request;
    // A list that also shows the mock's records differs from the real service's, so it must be requested completely.
    const ownRecords = matched && (await ownRecordsOf(matched.endpoint, matched.task.store));
    const isWhole = ownRecords !== undefined && ownRecords.size > 0;
    const all = Object.entries(headers).flatMap(([name, value = []]) =>
      // The mock cannot learn from codings that it does not support.
      [value].flat().map((one) => [name, name === 'accept-encoding' ? decodableCodings(one) : one] as const),
    );
    const sent = endToEnd(all).filter(([name]) => !OWN_HEADERS.has(name) && !(isWhole && OF_PART.test(name)));
    return {
      method,
      target: `${targetOf(path, matched?.endpoint.operation ?? contract)}${query === '' ? '' : `?${query}`}`,
      headers: sent,
      body: encoded ?? (body instanceof Uint8Array ? body : undefined),
    };
  }

  /**
   * Whether the request concerns a record of the mock, or one below it: the real service lacks it, or has another with its
   * id.
   */
  async function isOfMock({ matched }: Asked): Promise<boolean> {
    if (!matched) return false;
    for (const { name, id } of namedBy(matched.endpoint)(matched.task.values))
      if ((await provenanceOf(matched.task.store, name, id))?.kind === 'own') return true;
    return false;
  }

  /** Reads a record in the path with the client's credentials, by another operation than the requested one. */
  async function look(
    { request, matched }: Asked,
    { segments }: NamedRecord,
    { headers }: SentRequest,
  ): Promise<'there' | 'not there' | undefined> {
    if (!matched || segments === undefined) return undefined;
    const base = baseOf(request.path, matched.endpoint.operation);
    const path = base + request.path.slice(base.length).split('/').slice(0, segments).join('/');
    const match = service.find(path, request);
    const reading = match?.methods.get('GET');
    if (!match || reading?.role?.action !== 'read' || reading === matched.endpoint) return undefined;
    if (configured(reading.operation) === 'mock') return undefined;
    const sent = {
      method: 'GET',
      target: targetOf(path, reading.operation),
      body: undefined,
      headers: headers.filter(([name]) => !OF_CONTENT.test(name)),
    };
    const response = await client.send(sent).catch(() => undefined);
    if (response?.status === 404) return (await isUnknownPath(sent, response)) ? undefined : 'not there';
    if (response?.status !== 200 || !(response.body instanceof Uint8Array)) return undefined;
    const coding = response.fields.find(([name]) => /^content-encoding$/i.test(name))?.[1];
    const values = reading.read({ path: match.path, query: '', headers: {}, body: undefined });
    const answer = { status: 200, body: decodedBody(response.body, coding), location: undefined };
    await learn(reading, { ...matched.task, values }, answer);
    return 'there';
  }

  /** The mock needs the records in the path, even if no client has read them before. */
  async function introduce(asked: Asked, sent: SentRequest): Promise<void> {
    if (!asked.matched) return;
    const { endpoint, task } = asked.matched;
    for (const record of namedBy(endpoint)(task.values))
      if (!(await provenanceOf(task.store, record.name, record.id))) await look(asked, record, sent);
  }

  /** Whether the real service lacks the operation, and so has done nothing. */
  async function lacks(
    asked: Asked,
    sent: SentRequest,
    response: UpstreamResponse,
  ): Promise<string | undefined> {
    const { status } = response;
    const { endpoint, task } = asked.matched ?? {};
    const { id = '', responses = [], path = '' } = endpoint?.operation ?? {};
    if (status === 501) return 'it responds with 501';
    const isDocumented = responses.some(({ key }) => key === String(status));
    if (status === 405 && !isDocumented) return 'it responds with 405';
    if (status !== 404 || !(await isUnknownPath(sent, response))) return undefined;
    if (!endpoint || !task || !isDocumented || !path.includes('{')) return UNKNOWN_PATH;
    // A service may respond the same for a missing record, which the mock must not hide: all records in the path must
    // exist.
    const named = namedBy(endpoint)(task.values);
    const seen: (string | undefined)[] = [];
    for (const record of named) seen.push(await look(asked, record, sent));
    if (seen.length > 0 && seen.every((one) => one === 'there')) return UNKNOWN_PATH;
    if (!seen.includes('not there'))
      say(
        `${id}: the upstream's 404 is passed on: it is the same for unknown paths, and may mean a record; --source ${id}=mock mocks the operation`,
      );
    return undefined;
  }

  async function relay(
    { matched, request }: Asked,
    { status, fields, body }: UpstreamResponse,
    violations: readonly ResponseViolation[],
  ): Promise<ResponseContent> {
    let source: Answerer = 'upstream';
    let sent: ResponseContent['body'];
    let shownFields = fields;
    if (!(body instanceof Uint8Array)) {
      sent = (reader) => pass(body, reader);
    } else {
      sent = body;
      const headerOf = (wanted: string) => fields.find(([name]) => name.toLowerCase() === wanted)?.[1];
      const decoded = decodedBody(body, headerOf('content-encoding'));
      // The response to HEAD has no body that could show a record.
      if (matched && request.method !== 'HEAD') {
        const { endpoint, task } = matched;
        await learn(endpoint, task, { status, body: decoded, location: headerOf('location') });
        const list = status === 200 && decoded ? await addOwnRecords(endpoint, task, decoded) : undefined;
        if (list !== undefined) {
          sent = list;
          source = 'upstream, mock';
          shownFields = fields.filter(([name]) => !OF_BODY.test(name));
        }
      }
    }
    return {
      status,
      type: undefined,
      body: sent,
      relayed: { fields: shownFields.flat(), source, violations },
    };
  }

  async function noted({ matched }: Asked, outcome: Outcome): Promise<Outcome> {
    if (!matched || isRefusal(outcome) || typeof outcome.body === 'function') return outcome;
    const { status, body, headers } = outcome;
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    await noteOwn(matched.endpoint, matched.task, { status, body: bytes, location: headers?.Location });
    return outcome;
  }

  return {
    async sourceOf(operation, task, { rules }, decided) {
      if (operation && task && !rules.isEmpty) {
        const rule = await rules.take(
          (one) => one.source !== undefined && matchesRule(one, { ...task, operation }),
        );
        if (rule) decided.sourceRule = rule;
        if (rule?.source) return rule.source;
      }
      return configured(operation);
    },
    async ask(asked, source, mocked) {
      const isAuto = source === 'auto';
      const { decided } = asked;
      if (isAuto && (await isOfMock(asked))) {
        decided.mocked = 'the path names a record that the mock has made';
        return noted(asked, await mocked());
      }
      const sent = await requestOf(asked);
      const pending = await beginJudging(sent);
      let response: UpstreamResponse;
      try {
        response = await client.send(sent);
      } catch (error) {
        pending?.end(undefined);
        if (!(error instanceof UpstreamError)) throw error;
        if (!isAuto || !error.neverSent) return refusalOf(error, sent.method, base, upstreamTimeout);
        say(`${nameOf(asked)} is mocked: ${base.origin}: ${error.message}`);
        decided.mocked = `the upstream cannot be reached: ${error.message}`;
        return noted(asked, await mocked());
      }
      const why = isAuto ? await lacks(asked, sent, response) : undefined;
      if (why !== undefined) {
        pending?.end(undefined);
        say(`${nameOf(asked)} is mocked: the upstream lacks it: ${why}`);
        decided.mocked = `the upstream lacks it: ${why}`;
        await introduce(asked, sent);
        return noted(asked, await mocked());
      }
      const { status, fields, body, ms } = response;
      decided.upstreamTime = ms;
      const judged =
        body instanceof Uint8Array ? { status, headers: fields, body, cut: false as const, ms } : undefined;
      const broken = pending?.end(judged) ?? [];
      const violations = broken.map(({ law, received, documented, at }) => {
        return { where: law, message: `received ${received}; documented: ${documented}`, at };
      });
      return relay(asked, response, violations);
    },
    note: noted,
  };
}

/** Headers about a body that is not sent, or for another response. */
const OF_CONTENT = /^(?:content-.*|if-.*|range|prefer)$/;

const UNKNOWN_PATH = 'its 404 is that of an unknown path';

/** Headers of the connection to the mock, or that are set again. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'trailer',
  'expect',
  'paddock-session',
  'paddock-trace',
]);

/** Headers that ask for part of a response (RFC 9110 §13.1, §14.2). */
const OF_PART = /^(?:if-none-match|if-modified-since|if-range|range)$/;

/** Headers that are no longer true for a changed body. */
const OF_BODY =
  /^(?:accept-ranges|content-length|content-encoding|content-md5|content-digest|repr-digest|digest|etag|last-modified)$/i;

function nameOf({ matched, request }: Asked): string {
  const operation: Operation | undefined = matched?.endpoint.operation;
  return operation?.id ?? `${request.method} of a path that the document does not have`;
}

function refusalOf(error: UpstreamError, method: string, base: URL, timeout: number): Refusal {
  const { message, timedOut, neverSent } = error;
  const isUnsure = !neverSent && !SAFE_METHODS.has(method);
  const more = isUnsure ? ' The request may have been carried out, and is not repeated.' : '';
  const why = timedOut ? ` within ${timeout} ms` : `: ${message}`;
  return {
    refuse: timedOut ? 'gateway timeout' : 'bad gateway',
    message: `The upstream has not responded${why}.${more}`,
    cause: base.origin,
  };
}

const MOST_SAID = 1000;

function onceEach(notice: (text: string) => void): (text: string) => void {
  const texts = new Set<string>();
  return (text) => {
    if (texts.has(text) || texts.size >= MOST_SAID) return;
    texts.add(text);
    notice(text);
  };
}

/** Forwards bytes as fast as the client reads them; if the connection breaks, so does the client's. */
function pass({ parts, leave }: BodyInParts, reader: FeedReader): () => void {
  let isLeft = false;
  const passAll = async () => {
    for await (const part of parts) {
      reader.write(part);
      await reader.taken();
    }
    reader.end();
  };
  passAll().catch(() => isLeft || reader.breakOff(''));
  return () => {
    isLeft = true;
    leave();
  };
}
