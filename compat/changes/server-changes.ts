import { type Contract, type Operation, pathForm, type Spot } from '#spec';
import type { Contracts, Pair } from '../pair.ts';
import type { Occurrence } from './change.ts';
import { plain } from './occurrences.ts';

/** A server's host; `''` stands for a relative server, whose host clients configure. */
type Host = string;

/** The address of an operation: the path including that of the server, and its hosts. */
interface Address {
  readonly path: string;
  readonly basePath: string;
  readonly hosts: ReadonlySet<Host>;
}

/**
 * The addresses in OLD, of documents, paths and operations, that no server of NEW has. If neither the operation nor its
 * path has its own servers in one of the documents, it is a change of the document.
 */
export function serverChanges({ old, new: next }: Contracts, pairs: readonly Pair[]): Occurrence[] {
  const changes: Occurrence[] = [];
  let isOfDocument = false;
  for (const { old: before, new: after } of pairs) {
    if (!after) continue;
    const there = addressesOf(after, next);
    const gone = addressesOf(before, old).filter((address) => !there.some((other) => isKept(address, other)));
    if (gone.length === 0) continue;
    const inherits = before.servers === old.servers && after.servers === next.servers;
    if (inherits && isOfDocument) continue;
    isOfDocument ||= inherits;
    const [from = '', to = ''] = [gone, there].map((all) => [...new Set(all.map(addressText))].join(', '));
    changes.push({
      ...plain('base-path-removed', spotOf(before, old), spotOf(after, next), { from, to }),
      operation: inherits ? undefined : before,
    });
  }
  return changes;
}

function addressesOf({ servers, path }: Operation, contract: Contract): Address[] {
  const origins = new Set(contract.servers.flatMap(({ urls }) => urls.map(originOf)));
  const byPath = new Map<string, Address & { readonly hosts: Set<Host> }>();
  for (const url of servers.flatMap(({ urls }) => urls)) {
    const { pathname } = URL.parse(url, 'http://localhost') ?? { pathname: '' };
    const basePath = pathname.replace(/\/+$/, '');
    const origin = originOf(url);
    const one = byPath.get(basePath) ?? { path: pathForm(basePath + path), basePath, hosts: new Set() };
    byPath.set(basePath, one);
    one.hosts.add(origin);
    if (origin === '' || origins.has(origin)) one.hosts.add('');
  }
  return [...byPath.values()];
}

function originOf(url: string): Host {
  return URL.parse(url)?.origin ?? '';
}

function isKept(one: Address, other: Address): boolean {
  return one.path === other.path && [...one.hosts].some((host) => other.hosts.has(host));
}

function addressText({ basePath, hosts }: Address): string {
  const [first = ''] = hosts;
  return (hosts.has('') ? '' : first) + (basePath || '/');
}

function spotOf(operation: Operation, { document: { root } }: Contract): Spot {
  return operation.servers[0]?.spot ?? root;
}
