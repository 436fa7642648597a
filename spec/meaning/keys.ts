import {
  choice,
  either,
  type Form,
  flag,
  json,
  type Keys,
  list,
  map,
  milliseconds,
  object,
  text,
  type ValueOf,
  type ValuesOf,
} from './forms.ts';

/**
 * All that `x-paddock` can say: a key with the form of its value and one line of help. What reads it, its JSON Schema, what
 * contradicts a document, the type of the value and the tables of docs/meaning.md come from here.
 */

const member = text('a member', 'record');
const members = list(member);
const collection = text('a collection', 'collection');
const inBody = text('a member of the body', 'body');
const inResponse = text('a member of the response', 'response');
const placeInResponse = text('a member of the response', 'response', '$Location');

/** Methods by which an operation may have a role: those that show, those that send, and those that remove. */
const SHOWING = ['GET', 'HEAD', 'QUERY', 'POST'];
const SENDING = ['POST', 'PUT', 'PATCH'];
const REMOVING = ['DELETE', ...SENDING];

/** The roles of operations: a description that continues "it ...", and the methods that may have the role (undefined: any). */
export const ROLES = {
  list: ['lists records', SHOWING],
  view: ['lists some, at another path', SHOWING],
  read: ['reads one', SHOWING],
  create: ['creates one', SENDING],
  createMany: ['creates several', SENDING],
  replace: ['replaces it by the body', SENDING],
  update: ['merges the body into it', SENDING],
  updateMany: ['changes several', SENDING],
  remove: ['removes one', REMOVING],
  removeMany: ['removes several, or all', REMOVING],
  action: ['does something to one, see `sets`', undefined],
  singleton: ['reads or writes the one record at its path', undefined],
  values: ['lists the values of a member: `in`', SHOWING],
  register: ['creates an account', SENDING],
  login: ['returns a token for a secret', SENDING],
  grant: ['is a token endpoint of OAuth2', SENDING],
  refresh: ['returns a new token', undefined],
  logout: ['ends the session', undefined],
  current: ['is about the account of the caller', undefined],
  none: ['has no role', undefined],
} as const satisfies Readonly<
  Record<string, readonly [does: string, methods: readonly string[] | undefined]>
>;

/** What an operation does with the records of its collection, or with accounts. */
export type Does = keyof typeof ROLES;

export const DOES = Object.keys(ROLES) as readonly Does[];

/** What a query parameter does, beside filters and bounds. */
export const QUERY_WORDS = [
  ...(['$limit', '$offset', '$page', '$cursor', '$before', '$search', '$order', '$direction'] as const),
  ...(['$fields', '$expand', 'none'] as const),
] as const;

/** A word, or a member behind a sign that is no part of the member's name. */
function signed(label: string, wanted: string, sign: RegExp, ...words: readonly string[]): Form<string> {
  const form = (says: string) => text(says, 'record', ...words);
  return {
    ...form(label),
    read: (spot, reader) =>
      form(wanted).read(spot, {
        ...reader,
        name: (kind, name, at) => reader.name(kind, name.replace(sign, ''), at),
      }),
  };
}

/** A member's name means a filter by it; `>= at`, `> at`, `<= at`, `< at` mean bounds, `!= at` means an exclusion. */
const filter = signed(
  'a member, `>= at`, `!= at`',
  'a member, a bound or a word',
  /^(?:[<>]=?|!=)\s*/,
  ...QUERY_WORDS,
);

/** A member; a minus sign means descending: `-createdAt`. */
const ordered = signed('a member', 'a member', /^-/);

const RELATIVES = ['next', 'previous', 'first', 'last', 'self'] as const;
export type PageSign = Exclude<(typeof PAGE_SIGNS)[number], 'links'>;

/** The meanings of a member beside a list, or of a response header, for paging. */
export const PAGE_SIGNS = [
  // Numbers of records: on all pages, on this one, at most on one, before this one; of pages; of this one; of its records, from 1.
  ...(['total', 'listed', 'size', 'offset', 'pages', 'page', 'first item', 'last item'] as const),
  ...(['has more', 'has previous', 'is first', 'is last', 'is empty'] as const),
  // Values of the parameters of another page.
  ...(['next cursor', 'previous cursor', 'next page', 'previous page'] as const),
  ...(['next offset', 'previous offset', 'first id', 'last id'] as const),
  ...RELATIVES.map((one) => `${one} url` as const),
  'links',
] as const;

export const OPERATION = {
  of: [collection, 'the collection, if only that is inferred wrongly'],
  path: [
    map('path', text('a member', 'record', '$id', '$parent', '$scope')),
    'the members that path parameters name; `$scope`: no member of a record',
  ],
  in: [
    object({
      body: [inBody, 'where the body has the record'],
      record: [inResponse, 'where the response has the record'],
      records: [inResponse, 'where the response has the records'],
      id: [placeInResponse, 'where the response has the id of the new record'],
      values: [member, 'for `values`: the member of the records'],
    }),
    'where body and response have the record, the records or the id',
  ],
  query: [
    map(
      'query',
      either(
        filter,
        object({ search: [members, 'searches these members for the text'] }, 'search'),
        object({ order: [members, 'the members to order by'] }, 'order'),
      ),
    ),
    'what query parameters do: filter by a member, bound it, search, order, page',
  ],
  order: [list(ordered), 'the default order; `-createdAt`: newest first'],
  page: [map('page', choice(...PAGE_SIGNS)), 'what members and headers of the response say about the page'],
  first: [choice(0, 1), 'the number of the first page'],
  where: [
    map('record', json('$account', '$followed', '{parameter}')),
    'the values that listed records have; `$maker`: the account that created them',
  ],
  sets: [map('record', json('$now', '$account', '$body', '+1', '-1')), 'the values that it gives members'],
  changes: [members, 'the only members that it changes'],
  tallies: [
    map(
      'response',
      object(
        {
          of: [collection, 'the collection whose records are counted'],
          sum: [text('a member'), 'the member to add up; without it records are counted'],
          by: [text('a member'), 'one number for each value of this member'],
          where: [map(undefined, json()), 'only records with these values'],
        },
        'of',
      ),
    ),
    'what the numbers of a summary count or add up',
  ],
  conditional: [
    list(choice('tag', 'stale', 'required', 'notModified')),
    'it returns an entity tag, or answers with 412, 428 or 304',
  ],
  refuses: [
    map('status', choice('parent', 'cursor', 'credentials', 'state')),
    'the fault that a status stands for',
  ],
  upsert: [flag, 'it creates a record that does not exist'],
  may: [
    object({
      roles: [list(text('a role')), 'the roles of accounts'],
      maker: [flag, 'the account that created the record'],
      everybody: [flag, 'it needs no credential'],
    }),
    'who may call it',
  ],
  safe: [flag, 'the suite may send it to any service; counts in local files only'],
  says: [map('response', json()), 'constant members of the response'],
  account: [
    object({
      identity: [list(inBody), 'the members that identify an account'],
      proof: [inBody, 'the password, the code or the key'],
      token: [inResponse, 'the token'],
      refresh: [inResponse, 'the token for new tokens'],
      shows: [inResponse, 'the account'],
    }),
    'where body and response have the parts of an account',
  ],
  within: [milliseconds, 'how soon a callback must follow'],
  job: [
    either(
      placeInResponse,
      object({
        state: [inResponse, 'its state'],
        done: [list(text('a state')), 'the states of a job that has succeeded'],
        failed: [list(text('a state')), 'the states of a job that has failed'],
        result: [inResponse, 'the result of a job that has succeeded'],
        error: [inResponse, 'the error of a job that has failed'],
        fails: [list(choice('parent')), 'why it fails; `parent`: a record refers to a missing one'],
      }),
    ),
    'where a 202 returns its job, and how the job ends',
  ],
  idempotencyKey: [text('a header', 'header'), 'the header that identifies repeated requests'],
  results: [inResponse, 'the list with one result for each record of the request'],
} as const satisfies Keys;

const MEMBER = {
  aka: [list(text('a name')), 'its other names in requests'],
  set: [choice('service', 'once'), 'the service sets it: always, or only at creation'],
  holds: [
    choice(
      ...(['created', 'changed', 'moment', 'version', 'place', 'secret', 'maker'] as const),
      ...(['role', 'state', 'count', 'set'] as const),
    ),
    'what its value means',
  ],
  names: [collection, 'it refers to a record of that collection'],
  shows: [collection, 'it embeds those records of the collection that belong to it'],
  hidden: [choice('always', 'in lists'), 'no response shows it, or no list does'],
  adjusted: [flag, 'the service may store another value than the one sent'],
  stays: [flag, 'a replacement that omits it may keep it'],
  per: [choice('account'), 'each account has its own value'],
  counts: [
    text('a list, or a collection'),
    'the length of that list, or the number of records there that refer to it',
  ],
  adds: [text('a list and a member, `lines.price`'), 'the sum of that member over the items'],
  first: [json(), 'its value in a new record'],
  transitions: [map(undefined, list(text('a state'))), 'the states that may follow each state'],
} as const satisfies Keys;

const unique = object(
  {
    members: [members, 'one member, or several whose combination is unique'],
    perParent: [flag, 'among the records of one parent'],
    freed: [flag, 'a removed record frees its values'],
  },
  'members',
);

export const RECORD = {
  id: [member, 'what identifies a record'],
  idFrom: [member, 'the member that a new id is derived from, as a slug from a title'],
  parents: [
    map(
      'path',
      object({
        of: [collection, 'the collection of the parent'],
        member: [member, 'the member that names the parent'],
        owned: [flag, 'records belong to one parent, and are removed with it'],
      }),
    ),
    'the parents of the records, by path parameter',
  ],
  accounts: [flag, 'the records are the accounts that log in'],
  members: [map('record', object(MEMBER)), 'what members mean, by name'],
  unique: [
    list(either(member, members, unique)),
    'values that no two records share: of one member or several, per parent, freed by a removal',
  ],
  keptBy: [list(collection), 'collections whose records prevent a removal (409)'],
} as const satisfies Keys;

export type OperationFacts = ValuesOf<typeof OPERATION>;
export type QueryMeaning = NonNullable<OperationFacts['query']>[string];
export type MemberMeaning = ValuesOf<typeof MEMBER>;
export type UniqueMeaning = ValueOf<typeof unique>;
export type RecordFacts = Omit<ValuesOf<typeof RECORD>, 'unique'>;

/** Each role as a key: `{ list: /pets }`, or `{ list: true }` for the collection at the path. */
export const roleKeys = (): Keys => {
  const form = either(collection, choice(true));
  return Object.fromEntries(DOES.map((does) => [does, [form, `it ${ROLES[does][0]}`]] as const));
};
