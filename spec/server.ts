import { addWarning, child, children, type Spot } from './document/spot.ts';
import { listAt, textAt } from './document/typed-member.ts';

/** A Server Object (OpenAPI 3.1 §4.8.5) with its variables at their defaults. */
export interface Server {
  /** Absolute, or relative to the address of the document. */
  readonly url: string;
  readonly description: string | undefined;
  /** The path of the URL without a trailing slash: `/v1`, or the empty string. */
  readonly basePath: string;
}

/** The document's servers; `/` if it has none. */
export function readServers(root: Spot): Server[] {
  const servers = listAt(root, 'servers').map(readServer);
  return servers.length > 0 ? servers : [{ url: '/', description: undefined, basePath: '' }];
}

function readServer(spot: Spot): Server {
  const variables = new Map(
    children(child(spot, 'variables')).map(([name, variable]) => [name, textAt(variable, 'default')]),
  );
  const url = (textAt(spot, 'url') ?? '/').replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined)
      addWarning(spot, `the server variable {${name}} has no default; it is read as its own name`);
    return value ?? name;
  });
  const parsed = URL.parse(url, 'http://localhost');
  if (!parsed) addWarning(spot, `"${url}" is no URL; its path is read as /`);
  return {
    url,
    description: textAt(spot, 'description'),
    basePath: parsed?.pathname.replace(/\/+$/, '') ?? '',
  };
}
