import { expect, test } from 'vitest';
import { startPaddock } from '../quality/testing/paddock.ts';

test.each([
  ['the help', ['check', '--help'], 0],
  ['a report', ['check', 'http://127.0.0.1:9/v1'], 3],
  ['the description of the mock', ['mock', '--explain'], 0],
])(
  '%s is written into a pipe that nobody reads: no stack trace, and the same exit code',
  async (_, args, code) => {
    const { child, ended, output } = startPaddock(args);
    child.stdout?.destroy();
    expect({ code: await ended, err: output().err }).toEqual({ code, err: '' });
  },
);
