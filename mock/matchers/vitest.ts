/** The entry point that adds the matcher `toHaveReceived` to Vitest's `expect` when imported. */
import { expect } from 'vitest';
import { type ExpectedRequest, type ReceivedOperation, toHaveReceived } from './index.ts';

expect.extend({ toHaveReceived });

declare module 'vitest' {
  interface Matchers<R, T> {
    /**
     * Passes if the mock, or its session, has received a request of this operation with these members.
     * @example
     * ```ts
     * expect(mock).toHaveReceived('createPet', { body: { name: 'Rex' } });
     * ```
     */
    toHaveReceived(operation: ReceivedOperation, expected?: ExpectedRequest): R;
  }
}

export type { ExpectedRequest } from './index.ts';
