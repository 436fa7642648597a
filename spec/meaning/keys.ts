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

/** What an operation does, after "it", and by which methods; undefined: any. */
export const ROLES = {
  list: ['lists records', SHOWING],
  view: ['lists some, at another path', SHOWING],
  read: ['shows one', SHOWING],
  create: ['makes one', SENDING],
  createMany: ['makes several', SENDING],
  replace: ['puts the body in its place', SENDING],
  update: ['merges the body into it', SENDING],
  updateMany: ['changes several', SENDING],
  remove: ['removes one', REMOVING],
  removeMany: ['removes those that are named, or all', REMOVING],
  action: ['does something to one: `sets`', undefined],
  singleton: ['is for the one record at its path', undefined],
  values: ['lists the values of a member: `in`', SHOWING],
  register: ['makes an account', SENDING],
  login: ['gives a token for a secret', SENDING],
  grant: ['is a token endpoint of OAuth2', SENDING],
  refresh: ['gives a new token', undefined],
  logout: ['ends the session', undefined],
  current: ['is for the account that calls', undefined],
  none: ['has nothing to do with these', undefined],
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

/** A member behind a sign, or a word: the sign is no part of the name that is looked up. */
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

/** A member's name is a filter by it; `>= at`, `> at`, `<= at`, `< at` are bounds, `!= at` leaves its value out. */
const filter = signed(
  'a member, `>= at`, `!= at`',
  'a member, a bound or a word',
  /^(?:[<>]=?|!=)\s*/,
  ...QUERY_WORDS,
);

/** A member, the greatest first with a sign: `-createdAt`. */
const ordered = signed('a member', 'a member', /^-/);

const RELATIVES = ['next', 'previous', 'first', 'last', 'self'] as const;
export type PageSign = Exclude<(typeof PAGE_SIGNS)[number], 'links'>;

/** What a member beside a list, or a header of its response, says of the page. */
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
  of: [collection, 'where the role is as inferred'],
  path: [
    map('path', text('a member', 'record', '$id', '$parent', '$scope')),
    'what path parameters name; `$scope` is in no record',
  ],
  in: [
    object({
      body: [inBody, 'where the body has the record'],
      record: [inResponse, 'where the response has the record'],
      records: [inResponse, 'where the response has the records'],
      id: [placeInResponse, 'where the response has the id of what was made'],
      values: [member, 'of `values`: the member of the records'],
    }),
    'where body and response have them; `values`: the member whose values are listed',
  ],
  query: [
    map(
      'query',
      either(
        filter,
        object({ search: [members, 'a text that is looked for in these members'] }, 'search'),
        object({ order: [members, 'the members to order by'] }, 'order'),
      ),
    ),
    'what query parameters do: filter by a member, bound it, look for a text, order, page',
  ],
  order: [list(ordered), 'how it is listed where no query says so: `-createdAt`, the newest first'],
  page: [map('page', choice(...PAGE_SIGNS)), 'what members and headers say of the page'],
  first: [choice(0, 1), 'the number of the first page'],
  where: [
    map('record', json('$account', '$followed', '{parameter}')),
    'what listed records always have; `$maker` stands for who has made them',
  ],
  sets: [map('record', json('$now', '$account', '$body', '+1', '-1')), 'what it makes of members'],
  changes: [members, 'the only members that it changes'],
  tallies: [
    map(
      'response',
      object(
        {
          of: [collection, 'whose records count'],
          sum: [text('a member'), 'the member that is added up; without it they are counted'],
          by: [text('a member'), 'a number for each value of this member'],
          where: [map(undefined, json()), 'of those with this value of a member alone'],
        },
        'of',
      ),
    ),
    'what numbers of a summary count, or add up',
  ],
  conditional: [
    list(choice('tag', 'stale', 'required', 'notModified')),
    'it shows an entity tag, answers 412, 428, 304',
  ],
  refuses: [map('status', choice('parent', 'cursor', 'credentials', 'state')), 'what a status says is wrong'],
  upsert: [flag, 'it makes the record that is not there'],
  may: [
    object({
      roles: [list(text('a role')), 'the roles of accounts'],
      maker: [flag, 'the account that made the record'],
      everybody: [flag, 'everybody: it needs no credential'],
    }),
    'who may call it',
  ],
  safe: [flag, "the suite may send it to anybody's service; in local files alone"],
  says: [map('response', json()), 'constant members of the response'],
  account: [
    object({
      identity: [list(inBody), 'by which one logs in'],
      proof: [inBody, 'the password, the code or the key'],
      token: [inResponse, 'the token'],
      refresh: [inResponse, 'the token for new tokens'],
      shows: [inResponse, 'the account'],
    }),
    'where body and response have them',
  ],
  within: [milliseconds, 'how soon a callback follows'],
  job: [
    either(
      placeInResponse,
      object({
        state: [inResponse, 'its state'],
        done: [list(text('a state')), 'the states in which it has ended well'],
        failed: [list(text('a state')), 'the states in which it has failed'],
        result: [inResponse, 'what it has when it is done'],
        error: [inResponse, 'what it has when it has failed'],
        fails: [list(choice('parent')), 'why it fails: a record names one that is not there'],
      }),
    ),
    'where a 202 shows its job, and how that ends',
  ],
  idempotencyKey: [text('a header', 'header'), 'that repeated requests have in common'],
  results: [inResponse, 'one for each record that was sent'],
} as const satisfies Keys;

const MEMBER = {
  aka: [list(text('a name')), 'its other names in requests'],
  set: [choice('service', 'once'), 'the service sets it: always, at creation'],
  holds: [
    choice(
      ...(['created', 'changed', 'moment', 'version', 'place', 'secret', 'maker'] as const),
      ...(['role', 'state', 'count', 'set'] as const),
    ),
    'what its value is',
  ],
  names: [collection, 'it names a record there'],
  shows: [collection, 'it shows those of its records'],
  hidden: [choice('always', 'in lists'), 'no response shows it, or no list does'],
  adjusted: [flag, 'another value than was sent may be stored'],
  stays: [flag, 'a replacement without it may keep it'],
  per: [choice('account'), 'each account has its own value'],
  counts: [
    text('a list, or a collection'),
    'how many items that member has, or how many records there belong to it',
  ],
  adds: [text('a list and a member, `lines.price`'), 'the sum of that member of the items'],
  first: [json(), 'what a new record begins with'],
  transitions: [map(undefined, list(text('a state'))), 'where a state may go from each'],
} as const satisfies Keys;

const unique = object(
  {
    members: [members, 'one, or several together'],
    perParent: [flag, 'among the records of one parent'],
    freed: [flag, 'a removed record frees its value'],
  },
  'members',
);

export const RECORD = {
  id: [member, 'what identifies a record'],
  idFrom: [member, 'what a new id follows, as a slug a title'],
  parents: [
    map(
      'path',
      object({
        of: [collection, 'the collection of the parent'],
        member: [member, 'the member that names the parent'],
        owned: [flag, 'records are below one parent alone, and are gone with it'],
      }),
    ),
    'what the records belong to, by the path parameter that names it',
  ],
  accounts: [flag, 'the records are those who log in'],
  members: [map('record', object(MEMBER)), 'what members mean:'],
  unique: [
    list(either(member, members, unique)),
    'what no two records share: one member, several together, per parent, freed by a removal',
  ],
  keptBy: [list(collection), 'their records keep one from being removed (409)'],
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
