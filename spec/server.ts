import { children, complain, listAt, type Spot, textAt } from './document/spot.ts';

/** A Server Object (OpenAPI 3.1 §4.8.5) with its variables at their defaults. */
export interface Server {
  readonly url: string;
  readonly description: string | undefined;
  /** The path part of the URL without a slash at its end: `/v1`, or the empty text. */
  readonly basePath: string;
}

export function readServers(root: Spot): Server[] {
  const servers = listAt(root, 'servers').map(readServer);
  return servers.length > 0 ? servers : [{ url: '/', description: undefined, basePath: '' }];
}

function readServer(spot: Spot): Server {
  const variables = new Map(
    children(childOrSelf(spot, 'variables')).map(([name, variable]) => [
      name,
      textAt(variable, 'default') ?? '',
    ]),
  );
  const template = textAt(spot, 'url') ?? '/';
  const url = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined) complain(spot, `the server variable {${name}} has no default`);
    return value ?? '';
  });
  return { url, description: textAt(spot, 'description'), basePath: pathOf(url, spot) };
}

function childOrSelf(spot: Spot, key: string): Spot {
  return children(spot).find(([name]) => name === key)?.[1] ?? { ...spot, value: {} };
}

function pathOf(url: string, spot: Spot): string {
  try {
    return new URL(url, 'http://localhost').pathname.replace(/\/+$/, '');
  } catch {
    complain(spot, `"${url}" is no URL`);
    return '';
  }
}
