import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contract, DocumentError } from '#spec';
import type { CodeFile } from './code/watch-code.ts';
import { contractOf, locationOf } from './given-document.ts';
import { respondWith } from './http/error-response.ts';
import type { MockOptions } from './options.ts';
import type { RecordedSummary, Recording } from './records/recorded/recorded-traffic.ts';
import type { RecordSource } from './records/snapshot/initial-records.ts';
import { type ResolvedOptions, resolveOptions } from './resolve-options.ts';
import { listen } from './server/listen.ts';
import { createServing, type Opened, type Serving } from './serving.ts';
import { openMemoryStore } from './store/memory.ts';
import { type OpenStore, StoreError } from './store/port.ts';
import type { Upstream } from './upstream/open-upstream.ts';
import { leadsTo } from './webhooks/chain.ts';

/** A mock that serves, without its public interface. */
export interface Started {
  readonly serving: Serving;
  /** `http://127.0.0.1:4020`, or `https` */
  readonly origin: string;
  readonly options: ResolvedOptions;
  /**
   * The file (PEM) of the certificate authority that clients must trust. Undefined: plain http, or the user's certificate.
   */
  readonly authority?: string | undefined;
  /** Accepts no new request; resolves when running ones have responses, or after 3 seconds. */
  readonly close: () => Promise<void>;
  /** What recorded traffic has shown. Absent: there was none. */
  readonly recorded?: () => RecordedSummary | undefined;
}

/**
 * Reads the document, fills the store, listens and watches, by the options. Throws the same errors as `createMock`.
 * @param codeFile undefined: the options have the code
 */
export async function start(mockOptions: MockOptions, codeFile?: CodeFile): Promise<Started> {
  const resolved = { ...resolveOptions(mockOptions, storeAt), ...codeFile?.code };
  let recorded: RecordedSummary | undefined;
  const recordSources = sourcesOf(resolved, (summary) => {
    recorded = summary;
  });
  const { port, https, watch } = resolved;
  const certificate =
    https === false ? undefined : await (await import('#certificates')).serverCertificate(https);
  const { contract, compile, follow, overlay } =
    resolved.documents.length > 0
      ? await (await import('./documents/compile-joined.ts')).openDocuments(resolved)
      : await openDocument(resolved, mockOptions.store?.startsWith('postgres') === true);
  const upstream = await upstreamOf(resolved, contract);
  const shelf =
    resolved.scenarios === undefined
      ? undefined
      : (await import('./sessions/scenario-folder.ts')).scenarioFolder(resolved.scenarios);
  const options = { ...resolved, recordSources, relayFor: upstream?.relayFor, shelf, overlay };
  let listensAt: string | undefined;
  const originOf = () => listensAt ?? 'http://localhost';
  const serving = await createServing(
    contract,
    { ...options, listensAt: () => listensAt },
    originOf,
    undefined,
    compile,
  );
  const { engine, service, sessions, access } = serving;

  const listening =
    port === false
      ? undefined
      : listen(engine, {
          ...options,
          port,
          certificate,
          refuse: (refusal) => respondWith(service(), refusal),
          redact: (target) => service().redact(target),
          showReason: (reason, request) => service().showReason(reason, request),
          mayControl: (request) => access(request) === undefined,
        });
  const server = await listening?.catch(async (error) => {
    upstream?.close();
    await serving.close();
    throw error;
  });
  listensAt = server?.origin;
  if (options.upstream && server && (await leadsTo(options.upstream, server.origin))) {
    await server.close();
    await serving.close();
    throw new RangeError(
      'option upstream must be another service than the mock itself: name the real one, or choose another port',
    );
  }
  const watching = watch ? await follow(serving) : undefined;

  const watchingCode =
    watch && codeFile
      ? (await import('./code/watch-code.ts')).watchCode(codeFile, serving, options.notice)
      : undefined;

  async function close(): Promise<void> {
    watching?.close();
    watchingCode?.close();
    // Event streams never end by themselves, and the server waits for all responses.
    sessions.close();
    await server?.close();
    upstream?.close();
    await serving.close();
  }

  const { authority } = certificate ?? {};
  return { serving, origin: originOf(), options, authority, close, recorded: () => recorded };
}

async function upstreamOf(
  { upstream, ...options }: ResolvedOptions,
  { operations }: Contract,
): Promise<Upstream | undefined> {
  if (!upstream) return undefined;
  const { openUpstream, unknownSources } = await import('./upstream/open-upstream.ts');
  const problems = unknownSources(options.sources, operations);
  if (problems.length > 0) throw new RangeError(`option sources: ${problems.join('; ')}`);
  return openUpstream({ ...options, upstream });
}

/** @param isShared whether other mocks share the records, which then cannot follow a document that changes here */
async function openDocument(options: ResolvedOptions, isShared: boolean): Promise<Opened> {
  const { document, watch } = options;
  const location = locationOf(document);
  if (watch && location === undefined)
    throw new RangeError('To be watched, a document must be given by its path');
  if (options.overlays.length > 0 && location === undefined)
    throw new RangeError('For overlays, a document must be given by its path: a contract is read already');
  const contract = await contractOf(document, options);
  const isChangeable = options.overlays.length > 0 && !isShared;
  return {
    contract,
    compile: undefined,
    overlay: isChangeable
      ? (await import('./local-overlay.ts')).openOverlay(location ?? '', options)
      : undefined,
    follow: async (serving) =>
      (await import('./sessions/watch/watch-document.ts')).watchDocument(location ?? '', serving, options),
  };
}

/** Recorded traffic, and seed files, which take precedence. Loaded only if there are any, as most mocks have none. */
function sourcesOf(
  { fixtures, recorded }: ResolvedOptions,
  report: (summary: RecordedSummary) => void,
): RecordSource[] {
  const traffic =
    (recording: Recording): RecordSource =>
    async (context) => {
      const { learnRecords } = await import('./records/recorded/learn-records.ts');
      const { contents, summary } = await learnRecords(recording, context);
      report(summary);
      return contents;
    };
  return [...(recorded ? [traffic(recorded)] : []), ...fixtures.map(seedFile)];
}

/** @throws DocumentError if the file cannot be read, or does not fit the document */
function seedFile(file: string | URL): RecordSource {
  return async ({ snapshots, readSettings }) => {
    const path = typeof file === 'string' ? file : fileURLToPath(file);
    const text = await readFile(path, 'utf8').catch((error: Error) => {
      const message = `cannot be read: ${error.message}`;
      throw new DocumentError([{ uri: path, line: 1, column: 1, message }]);
    });
    const { read } = await snapshots();
    return read(relative('', path), text, readSettings);
  };
}

/**
 * Opens `memory`, `file:PATH` or `postgres://...`; a database's driver is loaded when the store is opened.
 * @throws StoreError for anything else; the text is not repeated, since it may hold a password
 */
export function storeAt(address: string): OpenStore {
  if (address === 'memory') return openMemoryStore;
  const path = /^file:(.+)$/.exec(address)?.[1];
  if (path !== undefined) {
    return lazily(async () => (await import('./store/sqlite/sqlite.ts')).sqliteStore(path));
  }
  if (/^postgres(?:ql)?:\/\//.test(address)) {
    return lazily(async () => (await import('./store/postgres/postgres.ts')).postgresStore(address));
  }
  throw new StoreError('a store must be memory, file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE');
}

/** A changed document reuses the existing store. */
function lazily(load: () => Promise<OpenStore>): OpenStore {
  let loading: Promise<OpenStore> | undefined;
  return async (...context) => {
    loading ??= load();
    return (await loading)(...context);
  };
}
