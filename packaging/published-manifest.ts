interface Manifest extends Record<string, unknown> {
  readonly imports: Readonly<Record<string, string>>;
}

/** Of use in a clone only. */
const OF_THE_CLONE = new Set(['private', 'scripts', 'devDependencies', 'allowScripts']);

/**
 * The package.json of the package, from that of the clone: where the clone names a `.ts` file, the package has the
 * `.js` file that was made of it. So the two can never name different doors.
 */
export function publishedManifest(text: string): Manifest {
  const clone: Manifest = JSON.parse(text, (_key, value) =>
    typeof value === 'string' ? value.replace(/^(\.\/.*)\.ts$/, '$1.js') : value,
  );
  return Object.fromEntries(Object.entries(clone).filter(([key]) => !OF_THE_CLONE.has(key))) as Manifest;
}
