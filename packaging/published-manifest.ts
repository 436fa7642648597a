interface Manifest extends Record<string, unknown> {
  readonly imports: Readonly<Record<string, string>>;
}

/** Fields that are used in a clone only. */
const OF_THE_CLONE = new Set(['private', 'scripts', 'devDependencies', 'allowScripts']);

/**
 * The package.json of the package, derived from that of the clone: each `.ts` file becomes the `.js` file that is built
 * from it, so that both have the same entry points.
 */
export function publishedManifest(text: string): Manifest {
  const clone: Manifest = JSON.parse(text, (_key, value) =>
    typeof value === 'string' ? value.replace(/^(\.\/.*)\.ts$/, '$1.js') : value,
  );
  return Object.fromEntries(Object.entries(clone).filter(([key]) => !OF_THE_CLONE.has(key))) as Manifest;
}
