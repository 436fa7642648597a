import { expect, test } from 'vitest';
import { overlayLines, sayInOverlay } from './overlay-file.ts';

const TEXT = `# mine
overlay: 1.0.0
actions:
  - target: $.components.schemas.Pet
    update: { x-paddock: { members: { owner: { set: service } } } } # keep
  # about the login
  - target: $.paths['/enter'].post
    update: { x-paddock-guess: { first: 1 } }
`;
const [PET, ENTER] = ['$.components.schemas.Pet', "$.paths['/enter'].post"];

test('what is said joins what is there, a role takes the place of another, and null takes back; comments stay', () => {
  const names = sayInOverlay(TEXT, PET, { members: { owner: { names: '/owners' } }, id: 'no' });
  expect(names).toContain(
    "x-paddock: { members: { owner: { set: service, names: /owners } }, id: 'no' } } # keep",
  );
  const created = sayInOverlay(TEXT, ENTER, { create: true, query: { q: '$search' } });
  const login = sayInOverlay(created, ENTER, { login: true, query: { q: null } });
  expect(login).toContain('  # about the login\n');
  expect(login).toContain('update: { x-paddock-guess: { first: 1 }, x-paddock: { login: true } }');
  expect(sayInOverlay(login, ENTER, { login: null })).toBe(TEXT);
  const added = sayInOverlay(TEXT, '$.info', { none: true });
  expect(added).toBe(`${TEXT}  - target: $.info\n    update:\n      x-paddock:\n        none: true\n`);
  expect(sayInOverlay(added, '$.info', { none: null })).toBe(TEXT);
});

test('JSON stays JSON, and lines are there to be copied', () => {
  const json = sayInOverlay('{"overlay": "1.0.0", "actions": []}', PET, { id: 'no' });
  expect(JSON.parse(json).actions).toEqual([{ target: PET, update: { 'x-paddock': { id: 'no' } } }]);
  expect(overlayLines(ENTER, { login: true })).toBe(
    `  - { target: "$.paths['/enter'].post", update: { x-paddock: { login: true } } }`,
  );
});
