import { digest } from '#platform';
import { type Contract, parseJson, readContract, stringifyJson } from '#spec';
import type { Service } from './service.ts';
import type { DroppedRecord } from './sessions/document-changes.ts';
import type { Collection, Memo, Store } from './store/port.ts';

/** A store whose records belong to an earlier document. */
export interface Followed {
  /** Undefined: it cannot be read any more. */
  readonly former: Contract | undefined;
  readonly dropped: readonly DroppedRecord[];
  /** Records of collections that the document lacks, as the start with another document may be a mistake. */
  readonly unserved: readonly DroppedRecord[];
}

interface FollowContext {
  readonly service: Service;
  readonly store: Store;
  readonly memo: Memo;
  readonly compile: (contract: Contract) => Promise<Service>;
  readonly open: (collections: readonly Collection[]) => Promise<Store>;
}

/** The content of the memo; the digest quickly shows a change. */
interface Kept {
  readonly digest: string;
  /** The document as one file. Undefined: there were several. */
  readonly document?: string | undefined;
}

/**
 * Moves a store's records to the current document, like those of a watched document that changes. Undefined: it equals the
 * last start's document, or there was none.
 */
export async function followStoredDocument(context: FollowContext): Promise<Followed | undefined> {
  const { service, memo } = context;
  const text = memo.get();
  const kept = text === undefined ? undefined : (parseJson(text) as Kept);
  if (kept?.digest === digestOf(service)) return undefined;
  const followed = kept && (await follow(context, kept));
  await keepDocument(service, memo);
  return followed;
}

export async function keepDocument(service: Service, memo: Memo): Promise<void> {
  const { asOneFile } = await import('./sessions/watch/change-document.ts');
  const [first, ...others] = service.documents;
  const document = first && others.length === 0 ? asOneFile(first.contract) : undefined;
  memo.set(stringifyJson({ digest: digestOf(service), document } satisfies Kept));
}

function digestOf({ documents }: Service): string {
  const texts = documents.flatMap(({ contract: { document } }) =>
    [...document.files.values()].map(({ text }) => text),
  );
  return digest('', JSON.stringify(texts));
}

async function follow(
  { service, store, compile, open }: FollowContext,
  { document }: Kept,
): Promise<Followed> {
  const { moveStored } = await import('./sessions/watch/change-document.ts');
  // Seed options may not fit the old document: without them, unchanged seeds count as clients' records.
  const former =
    document === undefined ? undefined : await readFormer(document, compile).catch(() => undefined);
  const collections = new Map(former?.collections);
  const names = new Set([...collections.values()].map(({ name }) => name));
  const additions = [...service.collections].filter(([, { name }]) => !names.has(name));
  for (const [resource, collection] of additions) collections.set(resource, collection);
  const added = new Set(additions.map(([, { name }]) => name));
  const seeded = service.seeded.filter(({ name, isInternal }) =>
    former ? added.has(name) && !isInternal : true,
  );
  const before = await open([...(former?.seeded ?? []), ...seeded]);
  const { contract = service.contract } = former ?? {};
  const moved = await moveStored({ contract, collections, store: before }, { ...service, store });
  await before.close();
  return { former: former?.contract, ...moved };
}

async function readFormer(text: string, compile: FollowContext['compile']): Promise<Service> {
  return compile(await readContract(text, 'former-document.json', { presumeResponses: true }));
}
