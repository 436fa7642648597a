/**
 * The records of each collection, by the path under which a client finds them.
 * @typeParam P the `paths` that openapi-typescript generates; `unknown`: nothing is known of the document's paths
 */
export type RecordsByPath<P> = unknown extends P
  ? Readonly<Record<string, readonly unknown[]>>
  : KnownRecords<P> & Readonly<Record<string, readonly unknown[]>>;

/** The records at a path; `unknown` where no path of one record (`/things/{id}`) tells what they are. */
export type RecordAt<P, Path extends string> = unknown extends P
  ? unknown
  : Path extends keyof KnownRecords<P>
    ? KnownRecords<P>[Path] extends readonly (infer R)[]
      ? R
      : unknown
    : unknown;

/** A collection's records are what its path of one record responds with. */
type KnownRecords<P> = {
  readonly [Q in keyof P & string as Concrete<CollectionOf<Q>>]: readonly ResponseOf<P[Q]>[];
};

/** `/shelves/{shelfId}/books` of `/shelves/{shelfId}/books/{bookId}`; never of what does not end with a parameter. */
type CollectionOf<Q extends string, Before extends string = ''> = Q extends `${infer Head}/{${infer Tail}`
  ? Tail extends `${infer Name}}${infer More}`
    ? More extends ''
      ? `${Before}${Head}`
      : CollectionOf<More, `${Before}${Head}/{${Name}}`>
    : never
  : never;

/** `/shelves/{shelfId}/books` as a client writes it: any text stands for a parameter. */
type Concrete<Path extends string> = Path extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${Concrete<Tail>}`
  : Path;

type ResponseOf<Item> = Item extends { get: { responses: infer R } }
  ? R extends { 200: { content: infer C } }
    ? Json<C>
    : R extends { '2XX': { content: infer C } }
      ? Json<C>
      : unknown
  : unknown;

type Json<Content> = [keyof Content & `${string}json${string}`] extends [never]
  ? unknown
  : Content[keyof Content & `${string}json${string}`];
