import type { Command } from 'commander';
import type { Uses } from '#consumer';
import type { LogEntry } from '#mock-server';
import type { ObservedRequest, Use } from '#observe';
import type { Contract } from '#spec';
import { type OptionRow, valuesOf } from './options.ts';
import { parsePair, readMask } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

/** `--consumer`, of what sees requests of clients. */
export const CONSUMER: OptionRow = {
  flags: '--consumer <name=file>',
  help: 'add what the client of this name uses to a consumer file, which paddock compat reads',
  value: { type: 'pairs', between: '=', path: 'path' },
  isList: true,
  see: 'compat.md#what-clients-use',
};

/** Consumer files that are written at the end. */
export interface ConsumerOutput {
  readonly onUse: Uses['note'];
  /** Adds what was seen to what is in the files by then. @returns what was done, for people @throws UsageError */
  write(): Promise<string>;
}

/**
 * Opens the files of `--consumer` before anything is seen: a run that could not write one does not start. Each gets all of
 * what is seen.
 * @param several what there are several of, which one file cannot tell apart; undefined: there is one
 * @throws UsageError
 */
export async function openConsumer(
  command: Command,
  several: string | undefined,
): Promise<ConsumerOutput | undefined> {
  const named = valuesOf(command, 'consumer').map((text) => {
    const [name, file] = parsePair('--consumer', text);
    if (file === '')
      throw new UsageError(`--consumer: "${text}" must be NAME=FILE, such as web=web.consumer.yaml`);
    return { name, file };
  });
  if (named.length === 0) return undefined;
  if (several !== undefined)
    throw new UsageError(
      `--consumer: a file is about one service, and there are several ${several}: name one`,
    );
  const [{ createUses }, { addToFile, tryAdding }] = await Promise.all([
    import('#consumer'),
    import('./consumer-output.ts'),
  ]);
  const uses = createUses(readMask(command));
  for (const { name, file } of named) tryAdding(file, { consumer: name, operations: {} });
  return {
    onUse: uses.note,
    async write() {
      const { operations } = uses;
      const count = Object.keys(operations).length;
      return named
        .map(({ name, file }) => {
          addToFile(file, { consumer: name, operations });
          return `${name} uses ${count} ${count === 1 ? 'operation' : 'operations'}: ${file}`;
        })
        .join('\n');
    },
  };
}

/** What the log of a mock shows of an exchange. */
interface Logged {
  readonly entry: Pick<LogEntry, 'operation' | 'status'>;
  readonly request: NonNullable<Parameters<import('#mock-server').Log>[1]>['request'];
}

/** Reads the requests to a mock as those to a service. */
export async function usesOfMock(
  service: () => { readonly url: string; readonly contract: Contract },
  onUse: (use: Use) => void,
): Promise<(logged: Logged) => void> {
  const { compileFindOperation, readInput } = await import('#observe');
  let known: { contract: Contract; find: ReturnType<typeof compileFindOperation> } | undefined;
  return ({ entry, request }) => {
    // A reload replaces it.
    const { url, contract } = service();
    if (known?.contract !== contract)
      known = { contract, find: compileFindOperation(contract, [new URL(url)]) };
    const { method, path, query, headers, body } = request;
    const sent: ObservedRequest = {
      method,
      url: new URL(`${new URL(url).origin}${path}${query === '' ? '' : `?${query}`}`),
      headers: Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
      ),
      body: body === 'too large' ? undefined : body,
      bodyMissing: body === 'too large',
      startedAt: undefined,
    };
    const found = known.find(method, sent.url);
    if (!('operation' in found)) return;
    const { read, wire, bodyMissing } = readInput(contract, found, sent, true);
    onUse({ operation: found.operation, read, wire, bodyMissing, status: entry.status || undefined });
  };
}
