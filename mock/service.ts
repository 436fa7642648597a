import {
  type Contract,
  hasStream,
  type Operation,
  once,
  placedAt,
  type Resource,
  registeredLogins,
  sessionCookie,
} from '#spec';
import { type Code, codedOperations } from './code/coded-operations.ts';
import { documentFiles, type OwnFile } from './control/document-files.ts';
import {
  compileRedact,
  compileRedactSent,
  compileRedactTarget,
  compileShowEntry,
  type RedactSent,
  type ShowEntry,
  showDetails,
} from './control/logged-request.ts';
import { createReportUnnamed } from './engine/arrival.ts';
import type { Endpoint, EndpointContext } from './engine/endpoint.ts';
import { type Find, withOwnPaths } from './engine/engine.ts';
import { compileEndpoint, compileLeftOut } from './engine/pipeline.ts';
import type { Keys } from './http/authenticate.ts';
import type { Refuse } from './http/error-response.ts';
import type { Finish } from './http/response-headers.ts';
import { createTokens, type Tokens } from './http/tokens.ts';
import { compileAccountRoles } from './records/account-roles.ts';
import { BUILT_IN_PASSWORD } from './records/accounts.ts';
import {
  compileCollections,
  compileSingletons,
  isStored,
  type Neighbours,
  type RecordCollection,
} from './records/collection.ts';
import { compileProfiles } from './records/profiles.ts';
import { compileRelations, type RelationsOf } from './records/relations.ts';
import { rolesOf } from './records/roles.ts';
import { createSeedExamples } from './records/seed/examples.ts';
import { createFake, createNamedFake, unknownFakes } from './records/seed/fake.ts';
import { relatedValues } from './records/seed/kin.ts';
import { localeOf } from './records/seed/locale.ts';
import { createEdgeCases, createSeedValues, type SeedValues } from './records/seed/values.ts';
import {
  fillCollections,
  type RecordSource,
  type SourceContext,
} from './records/snapshot/initial-records.ts';
import type { Snapshots } from './records/snapshot/snapshot.ts';
import { BUILT_IN_KEY, type ResolvedOptions } from './resolve-options.ts';
import type { ShowReason } from './server/listen.ts';
import { createSeedSettings, type SeedSettings } from './sessions/preferences/seed-settings.ts';
import type { Session } from './sessions/session.ts';
import type { Collection } from './store/port.ts';
import { compileTrace, type Tracing } from './trace/compile-trace.ts';
import type { TraceContext } from './trace/trace-request.ts';
import type { Webhooks, WebhooksContext } from './webhooks/webhooks.ts';

/** Without a clock, seeded records are dated in the year before this day, so that they are the same every day. */
export const SEED_DATE = Date.UTC(2026, 6, 1);

/** One of the documents that a service serves. */
export interface ServedDocument {
  /** Its name among several; empty: it is the only one. */
  readonly name: string;
  readonly contract: Contract;
  readonly basePath: string;
  readonly endpoints: readonly Endpoint[];
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
}

/** Everything compiled from a document. A changed document is compiled to a new service. */
export interface Service {
  readonly documents: readonly ServedDocument[];
  readonly contract: Contract;
  readonly seeds: SeedValues;
  readonly basePath: string;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  /** The collections, with the records of seed files. */
  readonly seeded: readonly Collection[];
  /** The initial settings of sessions, from seed files. */
  readonly settings: SeedSettings;
  readonly endpoints: readonly Endpoint[];
  /** Operations that could not be read: they refuse every request. */
  readonly leftOut: readonly Endpoint[];
  readonly find: Find;
  /** For requests that match no operation. */
  readonly refuse: Refuse;
  readonly finish: Finish;
  readonly files: ReadonlyMap<string, OwnFile>;
  /** Loaded with the first call, so that the mock starts faster. */
  readonly snapshots: () => Promise<Snapshots>;
  readonly showEntry: ShowEntry;
  readonly tracing: Tracing;
  readonly redact: (target: string) => string;
  readonly redactText: (text: string) => string;
  readonly showReason: ShowReason;
  /** Undefined: the document has neither callbacks nor webhooks. */
  readonly webhooks: Webhooks | undefined;
}

/** The place of a document among others that are served with it. */
export interface Beside extends Neighbours, Pick<EndpointContext, 'nameOperation' | 'foreignParents'> {
  readonly name: string;
  readonly tokens: Tokens;
}

export interface ServiceOptions extends Omit<ResolvedOptions, 'apiKeys' | 'credentials'> {
  readonly keys: Keys;
  /** Undefined: there are no others. */
  readonly beside?: Beside;
  /** In order: later ones take precedence. */
  readonly recordSources: readonly RecordSource[];
  /** Undefined: there are no sessions, so nothing is sent to their clients. */
  readonly sessionOf?: ((name: string) => Session) | undefined;
  /** The origin at which the mock listens, once it does. Undefined: it has no socket. */
  readonly listensAt?: (() => string | undefined) | undefined;
}

export function compileSeedValues(
  contract: Contract,
  { seed, locale, now = SEED_DATE, notice }: Pick<ResolvedOptions, 'seed' | 'locale' | 'now' | 'notice'>,
): SeedValues {
  const fakes = { locale: localeOf(locale, contract, notice), now };
  for (const line of unknownFakes(contract)) notice(line);
  return createSeedValues(seed, createFake(fakes), createEdgeCases(), createNamedFake(fakes));
}

/** @throws DocumentError if a seed file does not fit the document. */
export async function compileService(source: Contract, options: ServiceOptions): Promise<Service> {
  const { parts, keys, seed, count, progress, beside } = options;
  const contract = options.basePath ? source : placedAt(source, '', false);
  const { operations, resources } = contract;
  const { basePath } = contract;
  const values = compileSeedValues(contract, options);
  const examples = createSeedExamples(contract);
  const collections = compileCollections(resources, values, count, examples, operations, beside);
  const seeds = relatedValues(values, {
    idMakers: { get: (resource) => collections.get(resource)?.seedId, keys: () => collections.keys() },
    membersOf: (resource, ordinal) => (collections.get(resource) as RecordCollection).membersOf(ordinal),
    count,
  });
  const singletons = compileSingletons(contract.singletons, seeds, beside);
  const recordCollections = [...collections.values(), ...singletons.values()].filter(isStored);
  const snapshots = once(() =>
    import('./records/snapshot/snapshot.ts').then(({ compileSnapshots }) =>
      compileSnapshots(recordCollections),
    ),
  );
  const roles = rolesOf({ collections, singletons });
  const { seeded, settings } = await fill(options, {
    contract,
    collections: recordCollections,
    roles,
    seeds,
    snapshots,
    progress,
  });
  const relationsOf = compileRelations(collections, beside?.foreign);
  const tokens = beside?.tokens ?? createTokens(seed);
  const asked = operations.flatMap(({ security }) => security.flat());
  const credentials = [...new Map(asked.map((credential) => [credential.scheme, credential])).values()];
  const isBuiltIn = keys.apiKeys === 'any' || keys.apiKeys.includes(BUILT_IN_KEY);
  const isIssued = (token: string, now = Date.now) => tokens.holderOf(token, now()) !== undefined;
  const cookie = sessionCookie(operations);
  const accountRoles = compileAccountRoles(operations, resources);
  const profiles = compileProfiles({ contract, collections, relationsOf });
  const compileStream = await loadStreams(contract);
  const redacting = compileRedacting(operations, options);
  const webhooks = await loadWebhooks(
    { contract, sessionOf: options.sessionOf },
    {
      collections,
      roles,
      seeds,
      redactText: redacting.redactText,
      callbackHosts: options.callbackHosts,
      webhookSecret: options.webhookSecret,
      time: options.time,
      onBug: options.onBug,
      dispatch: parts.dispatch,
      notice: options.notice,
      listensAt: options.listensAt ?? (() => undefined),
    },
  );
  const context = {
    contract,
    parts,
    seeds,
    collections,
    relationsOf,
    roles,
    tokens,
    credentials,
    compileStream,
    cookie,
    accountRoles,
    profiles,
    performed: (operation: Operation) => webhooks?.performed(operation),
    nameOperation: beside?.nameOperation ?? ((operation: Operation) => operation),
    foreignParents: beside?.foreignParents ?? (() => []),
    codeFor: await compileCodes(options.operations, recordCollections, {
      contract,
      seeds,
      seed,
      snapshots,
      relationsOf,
    }),
    keys: { ...keys, isIssued, cookie },
    maxBody: options.maxBody,
    hasUpstream: options.upstream !== undefined,
    reportUnnamed: createReportUnnamed(options.notice, redacting.redactText),
    logins: {
      takesAnybody: keys.apiKeys === 'any',
      password: isBuiltIn ? BUILT_IN_PASSWORD : undefined,
      registered: registeredLogins(contract.operations),
    },
  };
  const endpoints = operations.map((operation) => compileEndpoint(operation, context));
  const leftOut = contract.leftOut.flatMap((one) =>
    one.operations.map((operation) => compileLeftOut(operation, one, context)),
  );
  const files = documentFiles(contract);
  const find = withOwnPaths(
    parts.route([...endpoints, ...leftOut], ({ operation }) => operation),
    files,
  );
  const stored = new Map(recordCollections.map((collection) => [collection.resource, collection]));
  return {
    contract,
    seeds,
    documents: [{ name: beside?.name ?? '', contract, basePath, endpoints, collections: stored }],
    basePath,
    collections: stored,
    seeded,
    settings,
    endpoints,
    leftOut,
    find,
    refuse: parts.refuse(undefined, contract),
    finish: parts.reply(undefined, contract),
    files,
    snapshots,
    webhooks,
    ...redacting,
    ...compileShowing(redacting, {
      contract,
      endpoints: [...endpoints, ...leftOut],
      accountRoles: () => accountRoles,
    }),
  };
}

type Redacting = Pick<Service, 'redact' | 'redactText' | 'showReason'> & {
  readonly redactSent: RedactSent;
  readonly showEntryWith: (traceOf: Tracing['traceOf']) => ShowEntry;
};

export function compileRedacting(
  operations: readonly Operation[],
  { keys, adminToken }: Pick<ServiceOptions, 'keys' | 'adminToken'>,
): Redacting {
  const redact = compileRedact(keys, adminToken);
  const redactSent = compileRedactSent(redact);
  return {
    redact: compileRedactTarget(operations, redact),
    redactText: redact,
    redactSent,
    showEntryWith: (traceOf) => compileShowEntry(operations, redact, traceOf),
    showReason: ({ code, message, details }, request) => {
      const redactText = request ? redactSent(request) : redact;
      return { code, message: redactText(message), violations: showDetails(details, redactText) };
    },
  };
}

export function compileShowing(
  { redactSent, showEntryWith }: Redacting,
  context: Omit<TraceContext, 'redactSent'>,
): Pick<Service, 'showEntry' | 'tracing'> {
  const tracing = compileTrace({ ...context, redactSent });
  return { tracing, showEntry: showEntryWith(tracing.traceOf) };
}

async function loadWebhooks(
  { contract, sessionOf }: { readonly contract: Contract; readonly sessionOf: ServiceOptions['sessionOf'] },
  context: Omit<WebhooksContext, 'contract' | 'sessionOf'>,
): Promise<Webhooks | undefined> {
  if (contract.outgoing.length === 0 || !sessionOf) return undefined;
  const { createWebhooks } = await import('./webhooks/webhooks.ts');
  return createWebhooks({ ...context, contract, sessionOf });
}

interface CodeContext extends Pick<EndpointContext, 'contract' | 'seeds'> {
  readonly seed: number;
  readonly snapshots: () => Promise<Snapshots>;
  readonly relationsOf: RelationsOf;
}

async function compileCodes(
  operations: Code['operations'],
  collections: readonly RecordCollection[],
  { snapshots, relationsOf, ...context }: CodeContext,
): Promise<EndpointContext['codeFor']> {
  if (Object.keys(operations).length === 0) return () => undefined;
  const [{ compileCode }, { compileCodeRecords }] = await Promise.all([
    import('./code/compile-code.ts'),
    import('./code/code-records.ts'),
  ]);
  const codes = codedOperations(operations, context.contract.operations);
  const recordsFor = compileCodeRecords(collections, { snapshots, relationsOf });
  return (operation) => {
    const code = codes.get(operation);
    return code && ((coded) => compileCode(code, { ...context, ...coded, operation, recordsFor }));
  };
}

async function loadStreams({ operations }: Contract): Promise<EndpointContext['compileStream']> {
  if (!operations.some(({ responses }) => responses.some(hasStream))) return undefined;
  return (await import('./records/streams/compile-stream.ts')).compileStream;
}

/** The collections' first records, and the settings in seed files. */
export async function fill(
  { recordSources, seedCode, seed, now = SEED_DATE, locale, upstream }: ServiceOptions,
  context: Omit<SourceContext, 'filled' | 'readSettings'>,
): Promise<Pick<Service, 'seeded' | 'settings'>> {
  const { operations } = context.contract;
  const { settings, read } = createSeedSettings({ operations, hasUpstream: upstream !== undefined });
  const all = [...recordSources];
  if (seedCode) {
    const { codeSource } = await import('./code/seed-code.ts');
    all.push(codeSource(seedCode, { seed, now, locale: localeOf(locale, context.contract, () => {}) }));
  }
  return { seeded: await fillCollections(all, { ...context, readSettings: read }), settings };
}
