import { expect, test } from 'vitest';
import { loadContract } from '#spec';
import { SHIPPED_DOCUMENT } from '../../quality/mutants/suspect.ts';
import { EXCHANGE, startPlayback } from './playback.ts';

test.for([
  ['the Location of a created record is played back', 201, 'https://h.example/v1/pets/1'],
  ['a redirect leads nowhere', 302, null],
] as const)('%s', async ([, status, location]) => {
  const playback = await startPlayback(await loadContract(SHIPPED_DOCUMENT));
  const headers = [['Location', 'https://h.example/v1/pets/1']] as const;
  const id = playback.add({ status, headers, body: Buffer.from('played') });
  const response = await fetch(playback.url, { headers: { [EXCHANGE]: id } });
  expect(response.status).toBe(status);
  expect(response.headers.get('location')).toBe(location);
  expect(await response.text()).toBe('played');
  await playback.close();
});

test('a request without a recorded exchange gets no response', async () => {
  const playback = await startPlayback(await loadContract(SHIPPED_DOCUMENT));
  await expect(fetch(playback.url)).rejects.toThrow('fetch failed');
  await playback.close();
});
