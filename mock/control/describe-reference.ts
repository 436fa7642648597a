import { type Contract, type Credential, isRecord, METHODS, type Operation, parseFragment } from '#spec';
import { bundle } from '#whole-document';
import { deprecationRemark } from '../http/response-headers.ts';

/** What the page of the API reference has to know. */
export interface ReferenceView {
  /** The served document, aimed at this mock. */
  readonly document: unknown;
  /** Accepted by the mock as each credential of the document. */
  readonly key: string;
  /** The security schemes that operations require, each once. */
  readonly schemes: readonly { readonly name: string; readonly kind: Credential['kind'] }[];
}

export function describeReference(contract: Contract, basePath: string, key: string): ReferenceView {
  const credentials = contract.operations.flatMap(({ security }) => security.flat());
  const kinds = new Map(credentials.map(({ scheme, kind }) => [scheme, kind]));
  return {
    document: shownDocument(contract, basePath),
    key,
    schemes: [...kinds].map(([name, kind]) => ({ name, kind })),
  };
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The served document as the reference shows it: one file, whose only server is this mock, with the day on which each
 * deprecated operation is removed.
 */
function shownDocument(contract: Contract, basePath: string): unknown {
  const root = bundle(contract.document) as Members;
  const known = new Map(contract.operations.map((operation) => [keyOf(operation), operation]));
  const { paths, components } = root;
  return {
    ...root,
    servers: [{ url: basePath || '/', description: 'This mock' }],
    ...(isRecord(paths) && { paths: mapMembers(paths, (item, path) => shownPath(item, path)) }),
    ...(isRecord(components) && { components: shownComponents(components) }),
  };

  function shownPath(written: unknown, path: string): unknown {
    const item = dereference(root, written);
    if (!isRecord(item)) return written;
    // Its own servers would lead elsewhere, and the mock serves all operations below one path.
    const { servers: _, ...kept } = item;
    const shown: Record<string, unknown> = { ...kept };
    for (const method of METHODS) {
      const operation = dereference(root, kept[method.toLowerCase()]);
      if (!isRecord(operation)) continue;
      const read = known.get(keyOf({ method, path: path.replace(/^(?!\/)/, '/') }));
      shown[method.toLowerCase()] = shownOperation(operation, read);
    }
    return shown;
  }

  function shownOperation({ servers: _, ...operation }: Members, read: Operation | undefined): Members {
    const remark = read && deprecationRemark(read);
    if (!remark) return operation;
    const { summary, description } = operation;
    const next = contract.operations.find(({ id }) => id === read.successor);
    const instead = next ? ` Use \`${next.method} ${next.path}\` instead.` : '';
    const notes = [`**This operation is ${remark}.**${instead}`, description];
    return {
      ...operation,
      summary: [summary, `(${remark})`].filter(Boolean).join(' '),
      description: notes.filter((note) => typeof note === 'string').join('\n\n'),
    };
  }

  function shownComponents(members: Members): Members {
    const schemes = dereference(root, members.securitySchemes);
    if (!isRecord(schemes)) return members;
    return {
      ...members,
      securitySchemes: mapMembers(schemes, (scheme) => shownScheme(dereference(root, scheme))),
    };
  }
}

function keyOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function mapMembers(members: Members, map: (member: unknown, key: string) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, map(member, key)]));
}

/** More than a chain of references has that leads anywhere. */
const MOST_HOPS = 100;

/** What a reference within the bundle leads to; any other value is itself. */
function dereference(root: Members, written: unknown): unknown {
  let here = written;
  for (let hops = 0; isRecord(here) && typeof here.$ref === 'string' && hops < MOST_HOPS; hops++) {
    const path = here.$ref.startsWith('#') ? parseFragment(here.$ref.slice(1)) : undefined;
    here = path?.reduce((value: unknown, key) => (isRecord(value) ? value[key] : undefined), root);
  }
  return here;
}

const NAMES: Readonly<Record<string, string>> = { oauth2: 'OAuth 2.0', openIdConnect: 'OpenID Connect' };

/**
 * A Security Scheme Object as the mock checks it: of OAuth 2.0 and OpenID Connect it sees the bearer token alone
 * (RFC 6750), and the servers that issue tokens know none for a mock.
 */
function shownScheme(scheme: unknown): unknown {
  if (!isRecord(scheme)) return scheme;
  const name = Object.hasOwn(NAMES, String(scheme.type)) ? NAMES[String(scheme.type)] : undefined;
  if (name === undefined) return scheme;
  const note = `${name} in the document; this mock accepts its key as the bearer token.`;
  const texts = [scheme.description, note].filter((text) => typeof text === 'string');
  return { type: 'http', scheme: 'bearer', description: texts.join('\n\n') };
}
