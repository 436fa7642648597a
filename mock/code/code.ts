import type { Faker } from '@faker-js/faker';
import type { RecordAt } from '../records/snapshot/snapshot.ts';

/**
 * The user's code for operations, by operationId or by method and path (`GET /things/{thingId}`). Other operations respond
 * as usual.
 * @typeParam P the `paths`, and `O` the `operations`, that openapi-typescript generates from the document; `unknown`: any
 * name is allowed, and values have no types
 */
export type OperationsCode<P = unknown, O = unknown> = [unknown, unknown] extends [P, O]
  ? Readonly<Record<string, OperationCode>>
  : { readonly [Id in Exclude<keyof O, number | symbol>]?: OperationCode<P, O[Id]> | undefined } & {
      readonly [Route in RouteOf<P>]?: OperationCode<P, OperationAt<P, Route>> | undefined;
    };

/**
 * Handles a valid, authenticated request of an operation. Returns a response, its body alone, or undefined for the mock's
 * own response; an object with only `status`, `headers` and `body` is a response, any other value a body.
 */
export type OperationCode<P = unknown, Op = unknown> = (
  context: CodeContext<P, Op>,
) => Answer<Op> | Promise<Answer<Op>>;

/** The input of an operation's code. */
export interface CodeContext<P = unknown, Op = unknown> {
  readonly request: CodeRequest<Op>;
  /** The records of the request's session. */
  readonly records: CodeRecords<P>;
  /** The session of the request; its name is empty for the default session. */
  readonly session: { readonly name: string };
  /** By the session's clock. */
  readonly now: Date;
  /** The seed of the mock. */
  readonly seed: number;
  /** The account of the request's token, if the mock has issued it. Undefined: unknown. */
  readonly account: CodeAccount | undefined;
  /** The mock's own response, made once however often this is called. */
  readonly next: () => Promise<NextResponse<Op>>;
}

/** A valid request, with values typed by their schemas; integers beyond 2^53 are bigints. */
export interface CodeRequest<Op = unknown> {
  readonly method: string;
  /** As sent, with the query. */
  readonly url: string;
  /** Path parameters by name. */
  readonly path: ParametersOf<Op, 'path'>;
  readonly query: ParametersOf<Op, 'query'>;
  /** Parameters by lower-case name, and all other headers as sent. */
  readonly headers: InLowerCase<ParametersOf<Op, 'header'>> & Readonly<Record<string, unknown>>;
  readonly cookies: ParametersOf<Op, 'cookie'>;
  /** Undefined: none was sent. */
  readonly body: RequestBody<Op>;
}

/** An account that has registered or logged in. */
export interface CodeAccount {
  /** Its name in tokens. */
  readonly subject: string;
  /** The members that responses show. */
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * The records of one session, by the path of their collection: `/things`, `/shelves/3/books`, or `/shelves/{shelfId}/books`
 * for those of all shelves. Integers beyond 2^53 are bigints. Each method rejects with a RangeError if the document has no
 * collection at the path.
 */
export interface CodeRecords<P = unknown> {
  list<Path extends string>(path: Path): Promise<readonly RecordAt<P, Path>[]>;
  /** Undefined: there is no record with this id. */
  find<Path extends string>(path: Path, id: RecordId): Promise<RecordAt<P, Path> | undefined>;
  /**
   * Stores a new record, completed like one that a client creates, and returns it. Rejects with a RangeError if it does not
   * fit the document, or its id or a unique value is taken.
   */
  add<Path extends string>(path: Path, members: MembersAt<P, Path>): Promise<RecordAt<P, Path>>;
  /** Replaces these members of a record, and returns it. Undefined: there is no such record. Rejects as `add` does. */
  change<Path extends string>(
    path: Path,
    id: RecordId,
    members: MembersAt<P, Path>,
  ): Promise<RecordAt<P, Path> | undefined>;
  /**
   * Removes a record with everything that belongs to it; false: there is no such record. Rejects with a RangeError if a
   * client's DELETE would be refused because records belong to it.
   */
  remove(path: string, id: RecordId): Promise<boolean>;
}

export type RecordId = string | number | bigint;

type MembersAt<P, Path extends string> =
  unknown extends RecordAt<P, Path> ? Readonly<Record<string, unknown>> : Partial<RecordAt<P, Path>>;

/** What code returns in place of the mock's own response. */
type Answer<Op> = unknown extends Op ? unknown : CodeResponse<Op> | SuccessBody<Op> | undefined;

/**
 * A response; without a body the documented one for its status. A response that violates the document is sent all the same,
 * and noted in the log and in `X-Paddock-Violation`.
 */
export type CodeResponse<Op = unknown> = unknown extends Op
  ? { readonly status?: number; readonly headers?: CodeHeaders; readonly body?: unknown }
  :
      | { readonly status?: undefined; readonly headers?: CodeHeaders; readonly body?: SuccessBody<Op> }
      | {
          [Key in keyof ResponsesOf<Op>]: {
            readonly status: StatusOf<Key, keyof ResponsesOf<Op>>;
            readonly headers?: CodeHeaders;
            readonly body?: BodyIn<ResponsesOf<Op>[Key]>;
          };
        }[keyof ResponsesOf<Op>];

type CodeHeaders = Readonly<Record<string, string | number>>;

/** The mock's own response. */
export type NextResponse<Op = unknown> = unknown extends Op
  ? { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: unknown }
  : {
      [Key in keyof ResponsesOf<Op>]: {
        readonly status: StatusOf<Key, keyof ResponsesOf<Op>>;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: BodyIn<ResponsesOf<Op>[Key]>;
      };
    }[keyof ResponsesOf<Op>];

/**
 * Replaces the initial records: of `collection`, or, as lists by path, of collections below each record of another (`{
 * '/shelves/3/books': [...] }`). They must fit the document, like those of a seed file. Undefined: no change.
 */
export type SeedCode = (context: SeedCodeContext) => SeededRecords | Promise<SeededRecords>;

type SeededRecords = readonly unknown[] | Readonly<Record<string, readonly unknown[]>> | undefined;

/** The input of code for a collection's first records. */
export interface SeedCodeContext {
  /** Its path in the document. */
  readonly collection: string;
  /** The records with which it would begin. */
  readonly records: readonly unknown[];
  /** Returns the same values in the same order each time. */
  readonly faker: Faker;
  /** The seed of the mock. */
  readonly seed: number;
  /** The current time for seeded records. */
  readonly now: Date;
}

/** An error in the user's code. */
export class CodeError extends Error {
  override readonly name = 'CodeError';
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace' | 'query';

/** `GET /things/{thingId}` for each operation in the document's paths. */
type RouteOf<P> = {
  [Path in keyof P & string]: `${Uppercase<MethodOf<P[Path]>>} ${Path}`;
}[keyof P & string];

type MethodOf<Item> = {
  [Name in keyof Item & Method]: Item[Name] extends { responses: unknown } ? Name : never;
}[keyof Item & Method];

type OperationAt<P, Route> = Route extends `${infer Name} ${infer Path}`
  ? Path extends keyof P
    ? Lowercase<Name> extends keyof P[Path]
      ? P[Path][Lowercase<Name>]
      : unknown
    : unknown
  : unknown;

type ParametersOf<Op, Place extends string> = Op extends { parameters: infer All }
  ? Place extends keyof All
    ? [Exclude<All[Place], undefined>] extends [never]
      ? Readonly<Record<never, never>>
      : Readonly<Exclude<All[Place], undefined>>
    : Readonly<Record<never, never>>
  : Readonly<Record<string, unknown>>;

type InLowerCase<Values> = { readonly [Name in keyof Values as Lowercase<Name & string>]: Values[Name] };

type RequestBody<Op> = unknown extends Op
  ? unknown
  : Op extends { requestBody: { content: infer Content } }
    ? Content[keyof Content]
    : Op extends { requestBody?: { content: infer Content } }
      ? Content[keyof Content] | undefined
      : undefined;

type ResponsesOf<Op> = Op extends { responses: infer All } ? All : never;

/** A range, and `default`, cover the statuses that the document does not name. */
type StatusOf<Key, Documented> = Key extends number
  ? Key
  : Key extends `${infer Digit}${'XX' | 'xx'}`
    ? Exclude<Statuses[Digit & keyof Statuses], Documented>
    : Exclude<Statuses[keyof Statuses], Documented>;

/** Registered statuses (RFC 9110 §16.2.1), since types cannot exclude single numbers. */
interface Statuses {
  '2': NumberIn<'200 201 202 203 204 205 206 207 208 226'>;
  '3': NumberIn<'300 301 302 303 304 305 307 308'>;
  '4':
    | NumberIn<'400 401 402 403 404 405 406 407 408 409 410 411 412 413 414 415 416 417 418'>
    | NumberIn<'421 422 423 424 425 426 428 429 431 451'>;
  '5': NumberIn<'500 501 502 503 504 505 506 507 508 510 511'>;
}

type NumberIn<Text> = Text extends `${infer First extends number} ${infer Rest}`
  ? First | NumberIn<Rest>
  : Text extends `${infer Last extends number}`
    ? Last
    : never;

type BodyIn<Response> = Response extends { content: infer Content }
  ? [Content] extends [never]
    ? undefined
    : Content[keyof Content]
  : undefined;

type SuccessBody<Op> = {
  [Key in keyof ResponsesOf<Op>]: `${Key & (string | number)}` extends `2${string}`
    ? BodyIn<ResponsesOf<Op>[Key]>
    : never;
}[keyof ResponsesOf<Op>];
