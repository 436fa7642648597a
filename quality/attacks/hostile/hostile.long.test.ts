import { expect, test } from 'vitest';
import { runCheck } from '../processes.ts';
import { BEHAVIOURS, startTarget } from './targets.ts';

/** What the run prints about each. */
const REPORTED: Readonly<Record<string, RegExp>> = {
  'an endless body': /larger than 16 MiB/,
  'endless chunks': /larger than 16 MiB/,
  'a slow body': /no whole answer within/,
  'slow headers': /no whole answer within/,
  'no response': /no whole answer within/,
  'a reset connection': /the connection was closed/,
  'a redirect loop': /answers 302/,
  'a gzip bomb': /is not "gzip"/,
  'a nested gzip bomb': /is not "gzip"/,
  'a brotli bomb': /is not "br"/,
  'a thousand content codings': /names 1001 codings/,
  'megabytes of headers': /larger than 256 KiB/,
  'endless headers': /larger than 256 KiB/,
  'ten thousand small headers': /not covered|violated/i,
  'invalid UTF-8': /not UTF-8/,
  'deeply nested lists': /nested too deeply/,
  'numbers of a million digits': /violated/i,
  'a hundred thousand records': /violated/i,
  'another protocol': /does not speak HTTP/,
  'two responses to each request': /violated/i,
  'endless informational responses': /no whole answer within/,
  'a Retry-After of a year': /no time to wait/,
  'a Retry-After every other time': /violated|not reached/i,
  'a protocol switch': /switches to another protocol/,
};

const GIB = 2 ** 30;
/** Seconds. A case that has begun is finished, which takes some more on a busy machine. */
const MAX_TIME = 3;
const LONGEST = 180_000;
/** On a machine so busy that the time was over before anything was found. */
const TOO_LATE = /^(?:No verdict|Incomplete): .*--max-time \d+ (?:is over|leaves no time)/m;

test.concurrent.for(Object.entries(BEHAVIOURS))(
  'a target with %s costs bounded time and memory, and is reported',
  async ([name, behaviour]) => {
    const target = await startTarget(behaviour);
    const reported = REPORTED[name] ?? /no such behaviour/;
    // Only for those that never answer: an answer of megabytes takes seconds on a busy machine.
    const timeout = reported.source.includes('no whole answer') ? '700' : '5000';
    const bounds = ['--max-time', String(MAX_TIME), '--timeout', timeout, '--settle', '100'];
    const { code, output, ms, peak } = await runCheck([target.url, ...bounds]);
    await target.close();
    if (!TOO_LATE.test(output)) expect(output).toMatch(reported);
    expect(output).not.toMatch(/this is a bug/);
    // Broken, no verdict, or incomplete; never that the contract holds, and never a crash.
    expect([1, 3, 4]).toContain(code);
    expect(ms).toBeLessThan(LONGEST);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(1.5 * GIB);
  },
);
