/**
 * The names of schemas. `C` is the `components` that openapi-typescript generates from the document; `unknown`: any name may
 * stand there, and values have no types.
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

/** The statuses that an operation documents; any number where it documents a range or `default`. */
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

/** Some of the members, in any depth; `undefined` removes one. */
export type Overrides<T> = T extends readonly (infer Item)[]
  ? readonly Overrides<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]?: Overrides<T[Name]> | undefined }
    : T;
