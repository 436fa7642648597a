import { isRecord, nearest, stringifyJson } from '#spec';

/**
 * Custom code around a run and its requests. If it throws, the run ends without a report.
 * @typeParam O the `operations` that openapi-typescript generates from the document; `unknown`: operations have any name,
 * and values no types
 */
export interface Hooks<O = unknown> {
  /** Called before anything is sent. */
  readonly before?: ((run: RunToCome) => unknown) | undefined;
  /** Called at the end, with the results. */
  readonly after?: ((report: RunOutcome) => unknown) | undefined;
  /** Called before a request is sent, but not for its retries. */
  readonly beforeRequest?:
    | ((
        request: HookRequest<OperationName<O>>,
      ) => RequestChange | undefined | Promise<RequestChange | undefined>)
    | undefined;
  /** Called for each response before it is judged. */
  readonly afterResponse?:
    | ((
        exchange: HookExchange<OperationName<O>>,
      ) => ResponseChange | undefined | Promise<ResponseChange | undefined>)
    | undefined;
  /** By operation: returns path parameters and bodies for its requests. */
  readonly prepare?:
    | { readonly [Id in OperationName<O>]?: Prepare<Id extends keyof O ? O[Id] : unknown> | undefined }
    | undefined;
  /** Called when the run has removed its records, however it ended. */
  readonly cleanup?: ((left: LeftBehind) => unknown) | undefined;
}

type OperationName<O> = unknown extends O ? string : keyof O & string;

type Prepare<Op> = (about: Preparing) => Prepared<Op> | undefined | Promise<Prepared<Op> | undefined>;

export interface RunToCome {
  /** The base URL of the target. */
  readonly target: string;
  readonly document: string;
  readonly seed: number;
}

/** The results of a run; a report has more members. */
export interface RunOutcome {
  readonly verdict: string;
  readonly exitCode: number;
  readonly reason: string | undefined;
  readonly findings: readonly {
    readonly operationId: string;
    readonly law: string;
    readonly received: string;
    readonly documented: string;
  }[];
}

export interface HookRequest<Id extends string = string> {
  readonly operationId: Id;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As text; undefined: it has none. */
  readonly body: string | undefined;
  /** Whether its credential is intentionally wrong or missing: a replacement for it is not sent. */
  readonly isRefused: boolean;
}

export interface RequestChange {
  /** By name; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
  /** Additional query parameters. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** A text or bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Why it is not sent. */
  readonly skip?: string | undefined;
}

export interface HookExchange<Id extends string = string> {
  readonly request: HookRequest<Id>;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly ms: number;
  };
}

export interface ResponseChange {
  /** By name; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
  /** A text or bytes are used unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Why it is not judged. */
  readonly skip?: string | undefined;
}

export interface Preparing {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly seed: number;
}

/** Records in it count as the run's own: they are changed and removed like those that it creates. */
export interface Prepared<Op = unknown> {
  /** Values of path parameters by name. */
  readonly path?: PathOf<Op> | undefined;
  /** The value of the body; for an operation that creates records, the base of generated bodies. */
  readonly body?: BodyOf<Op> | undefined;
}

type PathOf<Op> = Op extends { parameters: { path?: infer Path } }
  ? [NonNullable<Path>] extends [never]
    ? undefined
    : Readonly<Partial<NonNullable<Path>>>
  : Readonly<Record<string, unknown>>;

type BodyOf<Op> = Op extends { requestBody?: { content: infer Content } | undefined }
  ? Content[keyof Content]
  : unknown;

export interface LeftBehind {
  /** Records that the run created and did not remove. */
  readonly created: readonly { readonly operationId: string; readonly id: unknown }[];
  /** What `prepare` returned, in order. */
  readonly prepared: readonly (Prepared & { readonly operationId: string })[];
}

/** The names of all hooks. */
export const HOOK_NAMES = [
  'before',
  'after',
  'beforeRequest',
  'afterResponse',
  'prepare',
  'cleanup',
] as const;

/** What is wrong with hooks; undefined: nothing. */
export function hooksProblem(hooks: unknown): string | undefined {
  if (!isRecord(hooks)) return 'they must be an object of functions';
  for (const [name, value] of Object.entries(hooks)) {
    if (!HOOK_NAMES.some((one) => one === name))
      return `there is no hook "${name}": there are ${HOOK_NAMES.join(', ')}`;
    const isFunction = (one: unknown) => typeof one === 'function';
    if (value === undefined || (name !== 'prepare' && isFunction(value))) continue;
    if (name !== 'prepare') return `${name} must be a function`;
    if (!isRecord(value) || !Object.values(value).every(isFunction))
      return 'prepare must have a function for each operation';
  }
  return undefined;
}

type Form = readonly [allowed: string, accepts: (value: unknown) => boolean];

const isPlain = (value: unknown) => ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
const byName = (accepts: (value: unknown) => boolean) => (value: unknown) =>
  isRecord(value) && Object.values(value).every(accepts);

const HEADERS: Form = [
  'an object of texts by name, null for a header to remove',
  byName((value) => value === null || isPlain(value)),
];
const BODY: Form = ['a text, bytes, or a value of JSON', () => true];
const SKIP: Form = ['the reason, a text', (value) => typeof value === 'string'];
const PATH: Form = ['an object of values by path parameter', byName((value) => value !== undefined)];

/** What hooks may return, by member. */
const RETURNED = {
  beforeRequest: {
    headers: HEADERS,
    query: ['an object of texts by name', byName(isPlain)],
    body: BODY,
    skip: SKIP,
  },
  afterResponse: { headers: HEADERS, body: BODY, skip: SKIP },
  prepare: { path: PATH, body: BODY },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Form>>>>;

/** What is wrong with the return value of a hook; undefined: nothing. */
export function returnedProblem(hook: keyof typeof RETURNED, returned: unknown): string | undefined {
  if (returned === undefined || returned === null) return undefined;
  const forms: Readonly<Record<string, Form>> = RETURNED[hook];
  const names = Object.keys(forms).join(', ');
  if (!isRecord(returned))
    return `it returned ${stringifyJson(returned) ?? typeof returned}: return nothing, or an object of ${names}`;
  for (const [name, value] of Object.entries(returned)) {
    const [allowed, accepts] = (Object.hasOwn(forms, name) && forms[name]) || [];
    const meant = accepts ? undefined : nearest(name, Object.keys(forms));
    const hint = meant === undefined ? `there are ${names}` : `did you mean ${meant}?`;
    if (!accepts) return `it returned a member "${name}", which is none: ${hint}`;
    if (value !== undefined && !accepts(value)) return `it returned ${name} that is not ${allowed}`;
  }
  return undefined;
}

/** What is wrong with values for path parameters; undefined: nothing. */
export function pathProblem(
  path: Readonly<Record<string, unknown>> = {},
  parameters: readonly string[] = [],
): string | undefined {
  const unknown = Object.keys(path).find((name) => !parameters.includes(name));
  if (unknown === undefined) return undefined;
  return `it returned a value for "${unknown}", and the path has ${parameters.join(', ') || 'no parameters'}`;
}
