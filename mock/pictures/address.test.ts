import { expect, test } from 'vitest';
import { pictureAddress, pictureAt, type WantedPicture } from './address.ts';

const pathOf = (picture: WantedPicture) => new URL(pictureAddress(picture)).pathname;

test('an address is short, and says what is not usual', () => {
  expect(pathOf({ kind: 'avatar', key: 'a' })).toMatch(/^\/__paddock\/pictures\/avatar\/[\da-z]{1,6}\.svg$/);
  expect(pathOf({ kind: 'avatar', key: 'a', label: 'ada King Lovelace' })).toMatch(/\/AL\.svg$/);
  expect(pathOf({ kind: 'image', key: 'a', width: 800, label: 'Blue Mug/2', type: 'png' })).toMatch(
    /\/image-800x600\/[\da-z]+\/Blue%20Mug%2F2\.png$/,
  );
});

test('what an address says is read from its path', () => {
  const given = {
    kind: 'image',
    key: 'x',
    width: 300,
    height: 9999,
    label: 'Tea & 茶',
    type: 'png',
  } as const;
  expect(pictureAt(pathOf(given))).toMatchObject({ ...given, key: expect.any(String), height: 2048 });
  expect(pictureAt(pathOf({ kind: 'avatar', key: 'x' }))).toMatchObject({
    width: 128,
    height: 128,
    label: '',
  });
});

test('the same key gives the same address, another one another', () => {
  const addresses = Array.from({ length: 1000 }, (_, id) => pathOf({ kind: 'image', key: `things/${id}` }));
  expect(new Set(addresses).size).toBe(1000);
  expect(pathOf({ kind: 'image', key: 'things/7' })).toBe(addresses[7]);
});

test.each([
  '',
  'face/a.svg',
  'image/a.gif',
  'image-0x10/a.svg',
  'image-10x9999/a.svg',
  'image/a/%zz.svg',
  'image/../a.svg',
])('there is no picture at %j', (path) => {
  expect(pictureAt(`/__paddock/pictures/${path}`)).toBeUndefined();
});
