import { type MockSession, openMockSession } from './mock-session.ts';
import { describeMock, type RunningMock } from './running-mock.ts';
import type { Started } from './start.ts';

/** A running mock; it is itself the session of all requests that name none. */
export interface Mock<P = unknown> extends MockSession<P>, RunningMock {
  readonly url: string;
  /**
   * A session with a state of its own, for tests that run in parallel; the same name is the same session.
   * @throws RangeError unless the name has 1 to 64 letters, digits and the characters `.`, `_` and `-`.
   */
  session(name: string): MockSession<P>;
}

/** What users get of a mock. */
export function openMock<P>(started: Started): Mock<P> {
  const { serving, origin, options } = started;
  const running = describeMock(started);
  const sessionNamed = (name: string) => openMockSession(name, { ...serving, origin, options });
  const mock: Mock = {
    ...sessionNamed(''),
    get url() {
      return running.url;
    },
    controlUrl: running.controlUrl,
    get contract() {
      return running.contract;
    },
    get operations() {
      return running.operations;
    },
    get recorded() {
      return running.recorded;
    },
    session: sessionNamed,
    curlLine: running.curlLine,
    close: running.close,
  };
  // That the generated types are those of this document is for the caller to see to.
  return mock as unknown as Mock<P>;
}
