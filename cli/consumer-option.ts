import type { Command } from 'commander';
import type { Uses } from '#consumer';
import type { LogEntry } from '#mock-server';
import type { ObservedRequest, Use } from '#observe';
import type { Contract } from '#spec';
import { type OptionRow, valuesOf } from './options.ts';
import { parsePair } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

/** `--consumer`, of what sees requests of clients. */
export const CONSUMER: OptionRow = {
  flags: '--consumer <name=file>',
  help: 'add what the client of this name uses to a consumer file, which paddock compat reads',
  value: { type: 'pairs', between: '=', path: 'path' },
  isList: true,
  see: 'compat.md#what-clients-use',
};

/** A consumer file that is written at the end. */
export interface ConsumerOutput {
  readonly onUse: Uses['note'];
  /** Adds what was seen to what is in the file by then. @returns what was done, for people @throws UsageError */
  write(): Promise<string>;
}

/**
 * Opens the file of `--consumer` before anything is seen: a run that could not write it does not start.
 * @param several what there are several of, which one file cannot tell apart; undefined: there is one
 * @throws UsageError
 */
export async function openConsumer(
  command: Command,
  several: string | undefined,
): Promise<ConsumerOutput | undefined> {
  const [given, ...others] = valuesOf(command, 'consumer');
  if (given === undefined) return undefined;
  if (others.length > 0) throw new UsageError('--consumer: requests are those of one client: name one file');
  if (several !== undefined)
    throw new UsageError(
      `--consumer: a file is about one service, and there are several ${several}: name one`,
    );
  const [name, file] = parsePair('--consumer', given);
  if (file === '')
    throw new UsageError(`--consumer: "${given}" must be NAME=FILE, such as web=web.consumer.yaml`);
  const [
    { addToConsumer, ConsumerFileError, createUses, textOf },
    { fileBehind, replaceFile, tryReplacing },
  ] = await Promise.all([import('#consumer'), import('#whole-file')]);
  const uses = createUses();
  const asUsage = (error: unknown) =>
    error instanceof Error ? new UsageError(`--consumer: ${error.message}`) : error;
  const textNow = () => addToConsumer(file, textOf(file), { consumer: name, operations: uses.operations });
  try {
    textNow();
    const behind = fileBehind(file);
    if (behind !== undefined) tryReplacing(behind);
  } catch (error) {
    throw asUsage(error);
  }
  return {
    onUse: uses.note,
    async write() {
      const count = Object.keys(uses.operations).length;
      try {
        replaceFile(file, textNow());
        return `${name} uses ${count} ${count === 1 ? 'operation' : 'operations'}: ${file}`;
      } catch (error) {
        if (!(error instanceof ConsumerFileError)) throw asUsage(error);
        // Somebody has edited it meanwhile: neither that nor what was seen may get lost.
        const beside = `${file}.seen-${process.pid}`;
        replaceFile(
          beside,
          addToConsumer(beside, undefined, { consumer: name, operations: uses.operations }),
        );
        throw new UsageError(`--consumer: ${error.message}; what was seen is in ${beside}`);
      }
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
