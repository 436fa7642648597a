import { expect, test } from 'vitest';
import { runCheck } from '../run-check.ts';
import { BEHAVIOURS } from './behaviours.ts';
import { startTarget } from './target.ts';

/** What the run says of each, somewhere in what it prints. */
const SAID: Readonly<Record<string, RegExp>> = {
  'a body without end': /larger than 16 MiB/,
  'chunks without end': /larger than 16 MiB/,
  'a body that drips': /no whole answer within/,
  'headers that drip': /no whole answer within/,
  silence: /no whole answer within/,
  'a connection that is cut': /the connection was closed/,
  'redirects in a circle': /answers 302/,
  'a bomb in gzip': /is not "gzip"/,
  'a bomb in a bomb': /is not "gzip"/,
  'a bomb in brotli': /is not "br"/,
  'a thousand codings': /names 1001 codings/,
  'headers of megabytes': /larger than 256 KiB/,
  'headers without end': /larger than 256 KiB/,
  'ten thousand small headers': /not covered|violated/,
  'bytes that are no UTF-8': /not UTF-8/,
  'lists in lists': /nested too deeply/,
  'numbers of a million digits': /violated/,
  'records without end': /violated/,
  'what is no HTTP': /does not speak HTTP/,
  'two answers for each question': /violated/,
  'informational answers without end': /no whole answer within/,
  'a demand to wait for a year': /no time to wait/,
  'a demand to wait, every other time': /violated|not reached/,
  'a switch of protocols': /switches to another protocol/,
};

const GIB = 2 ** 30;
/** Seconds. A case that has begun is brought to its end, which takes some more on a busy machine. */
const MAX_TIME = 5;
const LONGEST = 60_000;

test.concurrent.for(BEHAVIOURS)(
  'a target with %s costs bounded time and memory, and is told of',
  { timeout: 2 * LONGEST },
  async ([name, behaviour]) => {
    const target = await startTarget(behaviour);
    const bounds = ['--max-time', String(MAX_TIME), '--timeout', '700', '--settle', '100'];
    const { code, output, ms, peak } = await runCheck([target.url, ...bounds]);
    await target.close();
    expect(output).toMatch(SAID[name] ?? /no such behaviour/);
    expect(output).not.toMatch(/this is a bug/);
    // Broken, incomplete, or no verdict; never that the contract holds, and never no word at all.
    expect([1, 3, 4]).toContain(code);
    expect(ms).toBeLessThan(LONGEST);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(1.5 * GIB);
  },
);
