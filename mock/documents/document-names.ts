import type { Contract } from '#spec';

/** A document, and where it is served. */
export interface Placed {
  readonly contract: Contract;
  /** The path below which it is mounted: `/users`; undefined: requests find it as its servers say. */
  readonly at: string | undefined;
}

/**
 * What distinguishes documents: `users` of `services/users.yaml`, `users/openapi` of `services/users/openapi.yaml` where several
 * files have one name, or the path below which one is mounted.
 */
export function documentNames(given: readonly Placed[]): readonly string[] {
  const paths = given.map(({ contract, at }) => segmentsOf(at ?? contract.document.root.file.uri));
  const names = paths.map((own) => {
    for (let length = 1; length < own.length; length++) {
      const end = own.slice(-length).join('/');
      if (paths.filter((other) => other.slice(-length).join('/') === end).length === 1) return end;
    }
    return own.join('/');
  });
  return names.map((name, index) => {
    const earlier = names.slice(0, index).filter((other) => other === name).length;
    return earlier === 0 ? name : `${name}-${earlier + 1}`;
  });
}

function segmentsOf(location: string): readonly string[] {
  const path = URL.canParse(location) ? new URL(location).pathname : location;
  return path
    .replace(/\.(?:ya?ml|json)$/i, '')
    .split(/[/\\]/)
    .filter((segment) => !['', '.', '..'].includes(segment));
}
