import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract.ts';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { uniqueKeys } from './unique.ts';

const text = { type: 'string' };
const TRACK = {
  type: 'object',
  required: ['title', 'album', 'code'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: text,
    album: text,
    code: text,
    email: text,
    displayName: text,
    side: { type: 'string', enum: ['A', 'B'] },
    albumId: { type: 'integer' },
  },
};

/** Each key of a collection of tracks where a create documents this 409: `certainty members`. */
async function keysOf(
  description: string,
  schema: object = TRACK,
  conflict: object = { description },
  more: object = {},
): Promise<string[]> {
  const body = { 'application/json': { schema } };
  const contract = await contractOf({
    'document.json': {
      ...documentOf({
        '/tracks': {
          get: {
            responses: {
              200: {
                description: 'All',
                content: { 'application/json': { schema: { type: 'array', items: schema } } },
              },
            },
          },
          post: {
            ...more,
            requestBody: { content: body },
            responses: { 201: { description: 'New', content: body }, 409: conflict },
          },
        },
        '/tracks/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          get: { responses: { 200: { description: 'One', content: body } } },
        },
      }),
      components: { responses: { Taken: { description } } },
    },
  });
  return contract.resources.flatMap((resource) =>
    uniqueKeys(resource).map(({ certainty, properties }) => `${certainty} ${properties.join(' + ')}`),
  );
}

describe('what a documented 409 says to be unique', () => {
  test.each<[string, string[]]>([
    ['A track with this title already exists.', ['promised title']],
    ['Another track has the same `title`', ['promised title']],
    ['There is already a track with the same title and code.', []],
    ['The combination of title and code must be unique', []],
    ['Title and code must be unique', []],
    ['A track with this title or code exists', ['promised code']],
    ['The display name is already taken', ['promised displayName']],
    ['Duplicate title', ['promised title']],
    ['A track with this title already exists in the same album.', []],
    ['A track of the same title already exists', ['promised title']],
    ['If the title is already in use, or the disc is full', ['promised title']],
    ['A track with this title already exists on this shelf', []],
    ['A published track with this title already exists', []],
    ['The title may already be taken', []],
    ['A track with this title already exists, unless drafts are allowed', []],
    ['A track with this title exists that is older', []],
    ['Another track has the same side', []],
    ['No track with this title exists', []],
    ['The title is being changed', []],
    ['Email already taken', ['promised email']],
    ['The album may not be closed: its title is already printed.', []],
    ['Conflict', []],
  ])('%s', async (description, want) => {
    expect(await keysOf(description)).toEqual(want);
  });
});

describe('the codes of refusals that an operation with a 409 names', () => {
  test.each<[string, string[]]>([
    ['Refused with 409 and the code `title_taken`.', ['promised title']],
    ['409 (`display_name_already_exists`)', ['promised displayName']],
    ['409 (`title_locked`)', []],
    ['409 (`shelf_taken`)', []],
    ['The title may be one that is taken.', []],
  ])('%s', async (description, want) => {
    expect(await keysOf('Conflict', TRACK, undefined, { description })).toEqual(want);
  });
});

test('the keys of a document with all of it', async () => {
  const contract = await loadContract(
    fileURLToPath(new URL('../../fixtures/specs/festival.yaml', import.meta.url)),
  );
  const keys = contract.resources.flatMap((resource) =>
    uniqueKeys(resource).map((key) => {
      const facts = [key.isPerParent && 'per parent', key.freed && 'freed'].filter(Boolean);
      const refusing = key.refusedBy.map(({ id }) => id);
      return [`${resource.path} ${key.certainty} ${key.properties.join(' + ')}`, ...facts, ...refusing].join(
        ', ',
      );
    }),
  );
  expect(keys).toEqual([
    '/artists promised email, bookArtist, rebookArtist, correctArtist',
    '/artists promised slug, freed, bookArtist, rebookArtist, correctArtist',
    '/venues promised name + city, addVenue, replaceVenue',
    '/venues/{venueId}/stages promised title, per parent, buildStage',
  ]);
});
