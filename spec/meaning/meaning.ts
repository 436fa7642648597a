import type { Certainty, Sign } from './basis.ts';

/**
 * What a document means beyond its schemas, as plain JSON. Collections are named by their paths, operations by method and
 * path, schemas by JSON Pointers (RFC 6901), and members by their names with dots between.
 */
export interface Meaning {
  readonly collections: Readonly<Record<CollectionPath, CollectionMeaning>>;
  /** Every operation of the document. */
  readonly operations: Readonly<Record<OperationKey, OperationMeaning>>;
}

/** Why a fact is taken for one. */
export interface FactBasis {
  readonly certainty: Certainty;
  readonly signs: readonly Sign[];
  /** Where the document has it, as `file:line`. */
  readonly because: readonly string[];
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
/** `/owners/{ownerId}/dogs` */
export type CollectionPath = string;
/** `GET /pets/{petId}` */
export type OperationKey = string;
/** `name`, or `author.username` of a member that is an object. */
export type Member = string;

/** A collection of records, or with `single` the one record of state at its path. */
export interface CollectionMeaning {
  readonly single?: true;
  /** JSON Pointer to the Schema Object of a record. */
  readonly record?: string;
  /** The member that identifies a record. */
  readonly id?: Member;
  /** The member that the service makes a new id from, as a slug follows a title. */
  readonly idFrom?: Member;
  /** What the records belong to, by the path parameter that names it. */
  readonly parents?: Readonly<Record<string, ParentMeaning>>;
  /** The collection with the very same records, at a shorter path. */
  readonly sharedWith?: CollectionPath;
  /** The accounts of the service: those who log in. */
  readonly accounts?: true;
  /** Only of those that mean something. */
  readonly members?: Readonly<Record<Member, MemberMeaning>>;
  readonly unique?: readonly UniqueMeaning[];
  /** As long as records there belong to one, it is not removed (409). */
  readonly keptBy?: readonly CollectionPath[];
}

export interface ParentMeaning {
  readonly of?: CollectionPath;
  /** The record's member that names the parent. */
  readonly member?: Member;
  /** Its records are made below a parent alone, are below no other, and go with it. */
  readonly owned?: boolean;
}

export interface UniqueMeaning {
  readonly members: readonly Member[];
  /** Among the records of one parent alone. */
  readonly perParent?: true;
  /** A removed record frees its value. */
  readonly freed?: true;
}

export interface MemberMeaning {
  /** Its other names in requests. */
  readonly aka?: readonly string[];
  /** `service`: it sets the member itself, and may change it. `once`: it is set at creation. */
  readonly set?: 'service' | 'once';
  readonly holds?:
    | 'created'
    | 'changed'
    | 'moment'
    | 'version'
    | 'place'
    | 'secret'
    | 'maker'
    | 'role'
    | 'state'
    | 'count'
    | 'set';
  /** The collection of which it names a record: an id, or an object with one. */
  readonly names?: CollectionPath;
  /** The collection whose records that belong to its record it shows. */
  readonly shows?: CollectionPath;
  /** No response shows it, or no list does. */
  readonly hidden?: 'always' | 'in lists';
  /** The service may store another value than was sent. */
  readonly adjusted?: true;
  /** A replacement that leaves it out need not take it away. */
  readonly stays?: true;
  /** Each account has its own value. */
  readonly per?: 'account';
  /** What a new record begins with. */
  readonly first?: Json;
  /** Of a state: where it may go from each. A state that leads nowhere is an ended one. */
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
}

/** What an operation does with the records of its collection, or with accounts; `none`: nothing that is known. */
export type Does = (typeof DOES)[number];

export const DOES = [
  ...(['list', 'view', 'create', 'createMany', 'read', 'replace', 'update', 'updateMany'] as const),
  ...(['remove', 'removeMany', 'action', 'singleton', 'values'] as const),
  ...(['register', 'login', 'grant', 'refresh', 'logout', 'current', 'none'] as const),
] as const;

export interface OperationMeaning {
  readonly does: Does;
  /** The collection that it works on. */
  readonly of?: CollectionPath;
  /** What path parameters say: a member, `$id`, `$parent`, or `$scope` for what no record shows. */
  readonly path?: Readonly<Record<string, Member | '$id' | '$parent' | '$scope'>>;
  /** Where body and response have the record, the records or the id. */
  readonly in?: {
    readonly body?: Member;
    readonly record?: Member;
    readonly records?: Member;
    readonly id?: Member | '$Location';
    /** The member of the records whose values it lists. */
    readonly values?: Member;
  };
  /** What query parameters do. */
  readonly query?: Readonly<Record<string, QueryMeaning>>;
  /** What members and headers of a response say of its page. */
  readonly page?: Readonly<Record<string, PageSign | 'links'>>;
  /** The number of the first page. */
  readonly first?: 0 | 1;
  /**
   * What the records of a list always have: a value, `$account`, `$followed` for a record that the account follows, `{name}`
   * for a flag of the account that this path parameter names.
   */
  readonly where?: Readonly<Record<Member, Json>>;
  /** What it makes of members: a value, `$now`, `$account`, `+1`, `-1`, or `$body` for what is sent. */
  readonly sets?: Readonly<Record<Member, Json>>;
  /** The only members that it changes. */
  readonly changes?: readonly Member[];
  /** It makes the record that it names, where there is none. */
  readonly upsert?: true;
  /** What statuses stand for: `taken`, `state`, `kept`, `version`, `unconditional`, `parent`, `credentials`, `cursor`. */
  readonly refuses?: Readonly<Record<string, string>>;
  /** Who may call it. */
  readonly may?: { readonly roles?: readonly string[]; readonly maker?: true; readonly everybody?: true };
  /** How its responses are versioned (RFC 9110 §13). */
  readonly conditional?: readonly ('tag' | 'stale' | 'required' | 'notModified')[];
  /** The suite may send it to a service of somebody else. Never inferred where it may change something. */
  readonly safe?: boolean;
  /** Constant members of the response. */
  readonly says?: Readonly<Record<Member, Json>>;
  readonly account?: AccountMeaning;
  /** How soon a callback follows, in milliseconds. */
  readonly within?: number;
  /** Where a 202 says how its job goes: a member, or `$Location`. */
  readonly job?: Member | '$Location';
  /** The header by which a repeated request is known. */
  readonly idempotencyKey?: string;
  /** Where a response has one result for each of what was sent. */
  readonly results?: Member;
}

export interface AccountMeaning {
  /** The members of the body by which one logs in. */
  readonly identity?: readonly Member[];
  readonly proof?: Member;
  /** Where the response has tokens, and the account. */
  readonly token?: Member;
  readonly refresh?: Member;
  readonly shows?: Member;
}

/**
 * A member's name is a filter by it; `>= at`, `> at`, `<= at`, `< at` are bounds. `$fields` and `$expand` choose what a
 * response shows; `none`: it has no effect.
 */
export type QueryMeaning =
  | Member
  | { readonly search: readonly Member[] }
  | { readonly order: readonly Member[] }
  | (typeof QUERY_WORDS)[number];

export const QUERY_WORDS = [
  ...(['$limit', '$offset', '$page', '$cursor', '$search', '$order', '$direction'] as const),
  ...(['$fields', '$expand', 'none'] as const),
] as const;

const RELATIVES = ['next', 'previous', 'first', 'last', 'self'] as const;
export type Relation = (typeof RELATIVES)[number];

/** What a member beside a list, or a header of its response, says of the page. */
export type PageSign = (typeof PAGE_SIGNS)[number] | `${Relation} url`;

export const PAGE_SIGNS = [
  // Numbers of records: on all pages, on this one, at most on one, before this one.
  ...(['total', 'listed', 'size', 'offset'] as const),
  // The number of all pages, and that of this one.
  ...(['pages', 'page'] as const),
  ...(['has more', 'has previous', 'is first', 'is last', 'is empty'] as const),
  // Values of the parameters of another page.
  ...(['next cursor', 'previous cursor', 'next page', 'previous page'] as const),
  ...(['next offset', 'previous offset', 'first id', 'last id'] as const),
] as const;

/** All that can be said of a page. */
export const ALL_PAGE_SIGNS: readonly (PageSign | 'links')[] = [
  ...PAGE_SIGNS,
  ...RELATIVES.map((one) => `${one} url` as const),
  'links',
];
