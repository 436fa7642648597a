import { contractOf } from '../given-document.ts';
import { memoizeFew } from '../http/memoize.ts';
import type { MockOptions } from '../options.ts';
import { resolveOptions } from '../resolve-options.ts';
import { compileService, SEED_DATE } from '../service.ts';
import { openMemoryStore } from '../store/memory.ts';
import { compileMake, type MakeOptions } from './make.ts';
import { compileRespond, type MadeResponse, type RespondOptions, type Served } from './respond.ts';
import { compileSchemaValues } from './schema-values.ts';

/** Options of {@link createFactories}: the options of a mock that concern its records. */
export type FactoryOptions = Pick<
  MockOptions,
  'allowRefs' | 'count' | 'locale' | 'now' | 'overlays' | 'seed' | 'strictDocument'
>;

/**
 * Makes values for unit tests. With `C` and `O`, the `components` and `operations` that openapi-typescript generates from
 * the document, names and values are typed.
 */
export interface Factories<C = unknown, O = unknown> {
  /**
   * A value of a schema, by its name in the document: for a record the first that a mock with the same options serves.
   * Overrides are merged into it, and the result is validated. Integers beyond 2^53 are bigints.
   * @throws FactoryError for an unknown name, and with each member that violates its schema
   * @example
   * ```ts
   * const pet = make('Pet', { status: 'sold' });
   * const pets = make('Pet', {}, { count: 3, shape: 'minimal' });
   * ```
   */
  make<Name extends SchemaName<C>>(
    name: Name,
    overrides: Overrides<SchemaOf<C, Name>> | undefined,
    options: MakeOptions & { readonly count: number },
  ): SchemaOf<C, Name>[];
  make<Name extends SchemaName<C>>(
    name: Name,
    overrides?: Overrides<SchemaOf<C, Name>>,
    options?: MakeOptions & { readonly count?: undefined },
  ): SchemaOf<C, Name>;
  /**
   * A response of an operation, by operationId or `GET /things`: for a success the response of a mock with the same options
   * to a request for its first records, for an error the documented body. Each call begins with the same records. Overrides
   * are merged into the body, and the result is validated.
   * Rejects with a FactoryError for an unknown name or status, and with each member that violates its schema.
   * @example
   * ```ts
   * const { status, headers, body } = await respond('listPets', 200, [{ name: 'Rex' }]);
   * ```
   */
  respond<Name extends OperationName<O>, Status extends StatusOf<O, Name>>(
    name: Name,
    status: Status,
    overrides?: Overrides<BodyAt<O, Name, Status>>,
    options?: RespondOptions,
  ): Promise<MadeResponse<Status, BodyAt<O, Name, Status>>>;
}

/**
 * Reads a document, and makes values of its schemas and responses without a server.
 * @param document path or URL, or the contract of a mock
 * @throws DocumentError if the document is invalid; RangeError naming each unknown option and each invalid value
 * @example
 * ```ts
 * const { make, respond } = await createFactories<components, operations>('openapi.yaml', { seed: 7 });
 * ```
 */
export async function createFactories<C = unknown, O = unknown>(
  document: NonNullable<MockOptions['document']>,
  options: FactoryOptions = {},
): Promise<Factories<C, O>> {
  const resolved = resolveOptions({ ...options, document, port: false }, () => openMemoryStore);
  const contract = await contractOf(document, resolved);
  const valuesFor = memoizeFew((seed: number) => compileSchemaValues(contract, { ...resolved, seed }));
  const servedFor = memoizeFew(async (seed: number): Promise<Served> => {
    const keys = { apiKeys: 'any', credentials: {} } as const;
    const service = await compileService(contract, { ...resolved, seed, keys, recordSources: [] });
    return { service, values: valuesFor(seed), now: resolved.now ?? SEED_DATE };
  });
  const make = compileMake(contract, (seed = resolved.seed) => valuesFor(seed));
  const respond = compileRespond(contract, (seed = resolved.seed) => servedFor(seed));
  // The caller is responsible for passing the types of this document.
  return { make, respond } as unknown as Factories<C, O>;
}

/**
 * The names of schemas. `C` is the `components` that openapi-typescript generates from the document; `unknown`: any name is
 * allowed, and values have no types.
 */
export type SchemaName<C> = unknown extends C ? string : keyof SchemasOf<C> & string;

export type SchemaOf<C, Name> = unknown extends C
  ? Record<string, unknown>
  : Name extends keyof SchemasOf<C>
    ? SchemasOf<C>[Name]
    : never;

type SchemasOf<C> = C extends { schemas: infer All } ? All : never;

/** The names of operations. `O` is the `operations` that openapi-typescript generates. */
export type OperationName<O> = unknown extends O ? string : keyof O & string;

/** The statuses that an operation documents; any number if it documents a range or `default`. */
export type StatusOf<O, Name> = unknown extends O
  ? number
  : { [Key in keyof ResponsesOf<O, Name>]: Key extends number ? Key : number }[keyof ResponsesOf<O, Name>];

/** The body of a response. */
export type BodyAt<O, Name, Status> = unknown extends O
  ? unknown
  : BodyIn<ResponsesOf<O, Name>[KeyFor<ResponsesOf<O, Name>, Status>]>;

type ResponsesOf<O, Name> = Name extends keyof O
  ? O[Name] extends { responses: infer All }
    ? All
    : never
  : never;

type KeyFor<All, Status> = Status extends keyof All ? Status : Exclude<keyof All, number>;

type BodyIn<Response> = Response extends { content: infer Content } ? Content[keyof Content] : undefined;

/** Some of the members, at any depth; `undefined` removes one. */
export type Overrides<T> = T extends readonly (infer Item)[]
  ? readonly Overrides<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]?: Overrides<T[Name]> | undefined }
    : T;
