import type { MockSession } from '#mock';

/** One call of a mock, as data that can be sent to a page. */
export type Step =
  | {
      readonly call: 'fetch';
      readonly path: string;
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      /** With a character for each byte. */
      readonly body?: string;
      readonly session?: string;
    }
  | { readonly call: 'addRule'; readonly rule: Readonly<Record<string, unknown>>; readonly session?: string }
  | { readonly call: 'setClock'; readonly at: number; readonly session?: string }
  | { readonly call: 'reset' | 'state' | 'restore' | 'requests'; readonly session?: string };

/** The calls of one mock, in order. */
export interface Script {
  /** The path of the document in the clone. */
  readonly name: string;
  readonly text: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

interface Library {
  createMock(options: {
    readonly document: string;
    readonly documentName: string;
    readonly time: () => number;
  }): Promise<MockSession & { session(name: string): MockSession; close(): Promise<void> }>;
}

/**
 * Plays a script, in Node or in a page, and returns the result of each step as text: for a response its status, headers
 * and bytes (as characters). It uses nothing outside itself, since a page gets its source.
 */
export async function play({ library, script }: { library: Library; script: Script }): Promise<string[]> {
  const { name, text, options, steps } = script;
  const mock = await library.createMock({
    ...options,
    document: text,
    documentName: name,
    time: () => Date.UTC(2026, 0, 1),
  });
  const show = (value: unknown) =>
    JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member)) ?? 'undefined';
  const characters = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  /** Without the measured times, which differ between runs. */
  const withoutTime = (request: ReturnType<MockSession['requests']>[number]) => ({
    ...request,
    ms: 0,
    trace: { ...request.trace, latency: undefined },
  });
  const outcomes: string[] = [];
  let kept: Awaited<ReturnType<MockSession['state']>> | undefined;

  async function perform(step: Step, session: MockSession): Promise<string> {
    if (step.call === 'fetch') {
      const { path, method, headers, body } = step;
      const bytes = body === undefined ? null : Uint8Array.from(body, (sign) => sign.charCodeAt(0));
      const response = await session.fetch(path, { method, headers, body: bytes });
      const head = [response.status, [...response.headers]];
      const received: string[] = [];
      try {
        const reader = response.body?.getReader();
        for (let part = await reader?.read(); part?.value; part = await reader?.read())
          received.push(characters(part.value));
        return show([...head, received.join('')]);
      } catch (error) {
        // The message differs between engines.
        return show([...head, received.join(''), (error as Error).name]);
      }
    }
    if (step.call === 'addRule') return show(typeof session.addRule(step.rule));
    if (step.call === 'setClock') return show(await session.setClock(new Date(step.at)));
    if (step.call === 'reset') return show(await session.reset());
    if (step.call === 'restore') return show(kept && (await session.restore(kept)));
    if (step.call === 'requests') return show(session.requests().map(withoutTime));
    kept = await session.state();
    return show(kept);
  }

  for (const step of steps) {
    const session = step.session === undefined ? mock : mock.session(step.session);
    outcomes.push(
      await perform(step, session).catch((error) => `${error.name}: ${error.message}; ${error.cause ?? ''}`),
    );
  }
  await mock.close();
  return outcomes;
}
