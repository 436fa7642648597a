import { type Contract, loadContract } from '#spec';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { Opened } from '../serving.ts';
import { compileJoined } from './compile-joined.ts';
import { documentNames, joinContracts, type Placed } from './join-contracts.ts';

/** Loads documents that are served together. @throws DocumentError, RangeError */
export async function openDocuments(
  options: ResolvedOptions,
  locationOf: (document: string | URL) => string,
): Promise<Opened> {
  const { documents, overlays, recorded, upstream, watch, notice } = options;
  if (overlays.length > 0) throw new RangeError('overlays: they are for one document, and there are several');
  if (upstream) throw new RangeError('upstream: a real service has one document, and there are several');
  if (recorded) throw new RangeError('recorded: traffic is of one document, and there are several');
  const given = documents.map((one) =>
    typeof one === 'object' && 'at' in one ? one : { document: one, at: undefined },
  );
  const opened = await Promise.all(
    given.map(async ({ document, at }) => {
      const location =
        typeof document === 'object' && 'operations' in document ? undefined : locationOf(document);
      // What a contract was loaded from is not known any more.
      if (watch && location === undefined)
        throw new RangeError('To be watched, documents must be given by their paths');
      const contract =
        location === undefined
          ? (document as Contract)
          : await loadContract(location, { ...options, presumeResponses: true });
      return { location, contract, at };
    }),
  );
  let placed: readonly Placed[] = opened;
  return {
    contract: joinContracts(placed, options),
    compile: compileJoined,
    async follow(serving) {
      const { watchDocument } = await import('../sessions/watch/watch-document.ts');
      const names = documentNames(placed);
      let changing: Promise<unknown> = Promise.resolve();
      const watches = opened.map(({ location = '' }, index) =>
        watchDocument(
          location,
          {
            service: () => placed[index] as Placed,
            refuseDocument: (problems) => serving.refuseDocument(problems),
            /** One follows the other: each has to know what the others have become. */
            changeDocument(contract) {
              const change = async () => {
                const next = placed.map((one, at) => (at === index ? { ...one, contract } : one));
                await serving.changeDocument(joinContracts(next, options));
                placed = next;
              };
              const done = changing.then(change);
              changing = done.catch(() => {});
              return done;
            },
          },
          { ...options, notice: (text) => notice(`${names[index]}: ${text}`) },
        ),
      );
      return {
        close: () => {
          for (const one of watches) one.close();
        },
      };
    },
  };
}
