import { ALL_PAGE_SIGNS, DOES, QUERY_WORDS } from './meaning.ts';

/**
 * The JSON Schema of `x-paddock`, by which it is checked; editors have it as x-paddock.schema.json. Each key has one
 * meaning, which its description gives.
 */

const text = (description: string, more: object = {}) => ({
  type: 'string',
  minLength: 1,
  description,
  ...more,
});
const flag = (description: string) => ({ type: 'boolean', description });
const MEMBER = 'A member of the record; dots lead into objects, as in author.username.';
const members = (description: string) => ({ type: 'array', items: text(MEMBER), minItems: 1, description });
const map = (description: string, additionalProperties: object | true) => ({
  type: 'object',
  description,
  additionalProperties,
});
const object = (description: string, properties: object) => ({
  type: 'object',
  description,
  additionalProperties: false,
  properties,
});

const ROLES: Readonly<Record<(typeof DOES)[number], string>> = {
  list: 'It lists the records of this collection.',
  view: 'It lists some of the records of this collection, at another path.',
  create: 'It makes a record of this collection.',
  createMany: 'It makes several records of this collection.',
  read: 'It shows one record of this collection.',
  replace: 'The body takes the place of a record of this collection.',
  update: 'The members of the body are merged into a record of this collection.',
  updateMany: 'It changes several records of this collection.',
  remove: 'It removes a record of this collection.',
  removeMany:
    'It removes the records of this collection that its parameters or its body name; without any, all.',
  action: 'It does something to a record of this collection: see sets.',
  singleton: 'It reads or writes the one record of state at its path.',
  values: 'It lists the values that records of this collection have in a member: see in.',
  register: 'It makes an account; the collection is that of the accounts.',
  login: 'It gives a token for an identity and a secret.',
  grant: 'It is a token endpoint of OAuth2 (RFC 6749).',
  refresh: 'It gives a new token for one that is valid.',
  logout: 'It ends the session of the token in the request.',
  current: 'It works on the account whose token the request has.',
  none: 'It has nothing to do with records or accounts: its response is a sample.',
};

const QUERY = {
  description:
    'What a query parameter does: a filter by a member (status), a bound (>= at), {search: [members]}, {order: [members]}, or a word.',
  anyOf: [
    { enum: [...QUERY_WORDS] },
    { type: 'string', pattern: String.raw`^(?:[<>]=?\s+)?[^$\s<>=][^\s]*$` },
    object('A text that is looked for in these members.', { search: members('The members.') }),
    object('The members to order by.', { order: members('The members.') }),
  ],
};

const ACCOUNT = object('Where body and response have what belongs to an account.', {
  identity: members('The members of the body by which one logs in.'),
  proof: text('The member of the body with the password, the code or the key.'),
  token: text('The member of the response with the token.'),
  refresh: text('The member of the response with the token for new tokens.'),
  shows: text('The member of the response with the account.'),
});

/** What the refusals of an operation are for. */
const REFUSALS = ['parent', 'cursor', 'credentials'];

const OPERATION = {
  ...object('What an operation means, at an Operation Object or a Path Item Object.', {
    ...Object.fromEntries(
      DOES.map((role) => [
        role,
        {
          anyOf: [{ type: 'string', minLength: 1 }, { const: true }],
          description: `${ROLES[role]} The path of the collection, or true for the one above.`,
        },
      ]),
    ),
    of: text('The path of the collection that it works on, where its role is as inferred.'),
    path: map('What path parameters say: a member, $id, $parent, or $scope for what no record shows.', {
      type: 'string',
    }),
    in: object('Where body and response have the record.', {
      body: text('The member of the body with the record.'),
      record: text('The member of the response with the record.'),
      records: text('The member of the response with the records.'),
      id: text('The member of the response with the id of what was made, or $Location.'),
      values: text('The member of the records whose values the response lists.'),
    }),
    query: map('What query parameters do, by name.', QUERY),
    page: map('What members and headers of the response say of its page.', { enum: [...ALL_PAGE_SIGNS] }),
    first: { enum: [0, 1], description: 'The number of the first page.' },
    where: map(
      'What the records of a list always have: $account, $followed, {name} of the path, or a value.',
      true,
    ),
    sets: map('What it makes of members: a value, $now, $account, +1, -1, or $body.', true),
    changes: members('The only members that it changes.'),
    conditional: {
      type: 'array',
      items: { enum: ['tag', 'stale', 'required', 'notModified'] },
      description:
        'How it treats versions (RFC 9110 §13): it shows an entity tag, refuses a stale If-Match (412), needs a condition (428), answers 304.',
    },
    refuses: map('What its statuses stand for.', { enum: [...REFUSALS] }),
    upsert: flag('It makes the record that it names, where there is none.'),
    may: object('Who may call it.', {
      roles: { type: 'array', items: { type: 'string' }, description: 'The roles of accounts.' },
      maker: flag('The account that made the record.'),
      everybody: flag('Everybody: it needs no credential.'),
    }),
    safe: flag('The suite may send it to a service of somebody else. Of local files alone.'),
    says: map('Constant members of the response.', true),
    account: ACCOUNT,
    within: { type: 'integer', minimum: 0, description: 'How soon a callback follows, in milliseconds.' },
    job: text('Where a 202 says how its job goes: a member, or $Location.'),
    idempotencyKey: text('The header by which a repeated request is known.'),
    results: text('Where the response has one result for each record that was sent.'),
  }),
};

const MEMBER_FACTS = object('What a member means.', {
  aka: { type: 'array', items: { type: 'string' }, description: 'Its other names in requests.' },
  set: { enum: ['service', 'once'], description: 'The service sets it; once: when a record is made.' },
  holds: {
    enum: [
      'created',
      'changed',
      'moment',
      'version',
      'place',
      'secret',
      'maker',
      'role',
      'state',
      'count',
      'set',
    ],
    description: 'What its value is.',
  },
  names: text('The path of the collection of which it names a record.'),
  shows: text('The path of the collection whose records that belong to it are shown.'),
  hidden: { enum: ['always', 'in lists'], description: 'No response shows it, or no list does.' },
  adjusted: flag('The service may store another value than was sent.'),
  per: { const: 'account', description: 'Each account has its own value.' },
  first: { description: 'What a new record begins with.' },
  transitions: map('Of a state: where it may go from each.', { type: 'array', items: { type: 'string' } }),
});

const RECORD = object('What a record means, at the Schema Object of its responses.', {
  id: text('The member that identifies a record.'),
  idFrom: text('The member that a new id is made from, as a slug follows a title.'),
  accounts: flag('The records are accounts: those who log in.'),
  members: map('What members mean, by name.', MEMBER_FACTS),
  unique: {
    type: 'array',
    description: 'Members whose values no two records share: one, or several together.',
    items: {
      anyOf: [
        text(MEMBER),
        members('Several together.'),
        {
          ...object('With what else is known of them.', {
            members: members('The members.'),
            perParent: flag('Among the records of one parent.'),
            freed: flag('A removed record frees its value.'),
          }),
          required: ['members'],
        },
      ],
    },
  },
  keptBy: {
    type: 'array',
    items: { type: 'string' },
    description: 'Collections whose records keep one from being removed (409).',
  },
});

export const X_PADDOCK_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'x-paddock',
  description: 'What a document means beyond OpenAPI, at an operation, a path or the schema of a record.',
  anyOf: [{ $ref: '#/$defs/operation' }, { $ref: '#/$defs/record' }],
  $defs: { operation: OPERATION, record: RECORD },
} as const;
