import type { Https } from '#certificates';
import type { Contract } from '#spec';
import type { OperationsCode, SeedCode } from './code/code.ts';
import type { Parts } from './engine/parts.ts';
import type { AcceptedKeys } from './http/authenticate.ts';
import type { Recording } from './records/recorded/recorded-traffic.ts';
import type { Log } from './server/listen.ts';
import type { Delay } from './sessions/preferences/delay.ts';
import type { Time } from './sessions/session.ts';
import type { Judge } from './upstream/judge.ts';
import type { Sources } from './upstream/sources.ts';

/**
 * Options of {@link createMock}. `undefined` is the same as absent. `P` and `O` are the `paths` and `operations` that
 * openapi-typescript generates from the document; with them code of operations has types.
 */
export interface MockOptions<P = unknown, O = unknown> {
  /**
   * Path or http(s) URL of an OpenAPI 3.0 or 3.1 document, or a contract that was loaded from one. Required, unless
   * `documents` are given.
   */
  readonly document?: string | URL | Contract | undefined;
  /**
   * Several documents in place of one, each at the host and base path of its first server, or below a path: `{ document:
   * 'users.yaml', at: '/users' }`. They share store, sessions, log, clock and keys. Default: none.
   */
  readonly documents?: readonly (string | URL | Contract | MountedDocument)[] | undefined;
  /**
   * References between documents: the key is a collection's full path, a number sign and the name of a member or path
   * parameter; the value is the full path of the other collection. Default: none.
   */
  readonly relate?: Readonly<Record<string, string>> | undefined;
  /**
   * Folders, files and http(s) URLs beyond the document's own folder or host to which its `$ref`s may refer. Default: none.
   */
  readonly allowRefs?: readonly string[] | undefined;
  /**
   * Paths or http(s) URLs of OpenAPI Overlays (1.0 or 1.1), applied to the document in this order. Default: none.
   */
  readonly overlays?: readonly string[] | undefined;
  /** Refuse what is otherwise a warning. Default: false. */
  readonly strictDocument?: boolean | undefined;
  /** From 0 to 65,535; 0 uses a free port; `false` opens no socket, for {@link Mock.fetch} only. Default: 0. */
  readonly port?: number | false | undefined;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Serve https: `true` with a certificate for localhost, 127.0.0.1 and ::1 that Paddock creates and keeps, or with your
   * own, `{ cert, key }`: paths of PEM files. Default: false, plain http.
   */
  readonly https?: Https | undefined;
  /**
   * The accepted API keys, each of 1 to 256 bytes, or `any`. Default: {@link BUILT_IN_KEY}; with an `upstream`, whose keys the
   * mock does not know, `any`.
   */
  readonly apiKeys?: AcceptedKeys | undefined;
  /**
   * The only accepted credential of a security scheme, by its name, of 1 to 256 bytes; for HTTP Basic `USER:PASSWORD`, or
   * one of both. Default: every scheme accepts {@link MockOptions.apiKeys}.
   */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /**
   * A whole number; the same seed makes the same records. Or a function that returns initial records; the seed is then 1.
   * Default: 1.
   */
  readonly seed?: number | SeedCode | undefined;
  /** Functions that respond to operations, by operationId or `GET /things/{thingId}`. Default: none. */
  readonly operations?: OperationsCode<P, O> | undefined;
  /**
   * Base URL (http or https) of a real service, with the path prefix of its deployment: it responds where it can, and the
   * mock otherwise. Clients' credentials are forwarded. Default: none.
   */
  readonly upstream?: string | URL | undefined;
  /**
   * Who responds if there is an `upstream`: `real`, `mock`, or `auto`, which uses the mock where the real service lacks the
   * operation. By operationId, `GET /things`, `tag:NAME` or `all`. Default: `auto`.
   */
  readonly sources?: Sources | undefined;
  /** The timeout for responses of the `upstream` in milliseconds, from 1 to 600,000. Default: 30,000. */
  readonly upstreamTimeout?: number | undefined;
  /**
   * Validates responses of the `upstream`: `judgeTraffic` of `openapi-paddock/check`. Violations appear in the log and in
   * {@link Mock.requests}. Default: no validation.
   */
  readonly judge?: Judge | undefined;
  /**
   * The language of the records: names, addresses, phone numbers and texts. BCP 47 or a locale of faker, such as `de`,
   * `de-AT` or `pt_BR`; browsers only have English. Default: `x-locale` of the document, at its root or in `info`, else
   * `en`.
   */
  readonly locale?: string | undefined;
  /** The initial number of records in each collection, from 0 to 10,000,000. Default: 50. */
  readonly count?: number | undefined;
  /** Whether paths begin with those of the document's servers. Default: true. */
  readonly basePath?: boolean | undefined;
  /** The longest request body in bytes, from 1 to 2^30; longer ones get 413. Default: 2^20 (1 MiB). */
  readonly maxBody?: number | undefined;
  /** Seed files (YAML or JSON) in the form of {@link Mock.state}, for the collections that they name. Default: none. */
  readonly fixtures?: readonly (string | URL)[] | undefined;
  /**
   * A folder of seed files: each is a scenario, to which sessions can switch by name (`/__admin/answers/scenarios`), and
   * the console saves its scenarios there. Default: none; scenarios last as long as the mock.
   */
  readonly scenarios?: string | undefined;
  /**
   * Recorded traffic: each collection in it begins with just the recorded records; others are not affected. A seed file for
   * a collection takes precedence. Called at the start, and for each changed document. Default: none.
   */
  readonly recorded?: Recording | undefined;
  /** `memory`, `file:PATH` (SQLite) or `postgres://...`, which several mocks may share. Default: `memory`. */
  readonly store?: string | undefined;
  /**
   * The name of this mock among those with the same store, in responses of `/__admin`: 1 to 256 printable ASCII characters
   * without spaces. Default: host name and process id.
   */
  readonly replica?: string | undefined;
  /** The delay of each response of an operation: milliseconds from 0 to 600,000, or a range of them. Default: 0. */
  readonly latency?: Delay | number | undefined;
  /**
   * Sets the mock's clock, which keeps running; seeded records have dates around it, and operations respond with 410 after
   * their sunset date: a `Date`, an RFC 3339 date or date-time, or `today`. Default: no clock, no operation is removed, and
   * seeded records have dates before a fixed day.
   */
  readonly now?: Date | string | undefined;
  /** The bearer token of the control API, 1 to 256 bytes. Default: none; only this machine may use the control API. */
  readonly adminToken?: string | undefined;
  /** The maximum number of named sessions, from 1; beyond it, the one idle for longest is removed. Default: 1000. */
  readonly maxSessions?: number | undefined;
  /** Milliseconds without a request after which a named session is removed, from 0. Default: 3,600,000 (1 hour). */
  readonly sessionIdle?: number | undefined;
  /**
   * Hosts beside this machine to which callbacks and webhooks may be sent: names, with or without a port. Default: none;
   * anything for other hosts is withheld, and the log of webhooks says so.
   */
  readonly callbackHosts?: readonly string[] | undefined;
  /**
   * Signs callbacks and webhooks whose document has a signature header, by the Standard Webhooks specification: base64,
   * with or without `whsec_` in front. Default: none; nothing is signed.
   */
  readonly webhookSecret?: string | undefined;
  /** Reloads the document when its files change, and keeps the records that fit. Default: false. */
  readonly watch?: boolean | undefined;
  /** Returns the current time in milliseconds since 1970. Default: `Date.now`. */
  readonly time?: Time | undefined;
  /** Receives each exchange over the socket. Default: ignored. */
  readonly log?: Log | undefined;
  /**
   * Whether every response explains itself in the header `Paddock-Trace`; else only those to requests with the header
   * `Paddock-Trace: 1`. Default: false.
   */
  readonly trace?: boolean | undefined;
  /** Receives actions of the mock itself, such as removing a session. Default: ignored. */
  readonly notice?: ((text: string) => void) | undefined;
  /** Receives the progress of filling a large collection at the start. Default: ignored. */
  readonly progress?: ((text: string) => void) | undefined;
  /** Receives unexpected errors, which clients see as a 500 without details. Default: `process.emitWarning`. */
  readonly onBug?: ((error: unknown) => void) | undefined;
  /**
   * Replaces named parts of the engine. Default: none.
   * @experimental See {@link Parts}.
   */
  readonly parts?: Partial<Parts> | undefined;
}

/** A document mounted below a path. */
export interface MountedDocument {
  readonly document: string | URL | Contract;
  /** `/users` */
  readonly at: string;
}
