import { OLDEST_NODE } from '../../spec/supported-node.ts';

interface Manifest extends Record<string, unknown> {
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
}

/** Fields that are used in a clone only. */
const OF_THE_CLONE = new Set(['private', 'workspaces', 'scripts', 'devDependencies', 'allowScripts']);

/** The bundle for browsers, which release/packaging/build-browser.ts makes. */
export const BROWSER_ENTRY = './browser/index.js';

/**
 * The package.json of the package, derived from that of the clone: each `.ts` file becomes the `.js` file that is built
 * from it, so that both have the same entry points. Modules that are others in a browser are only in the bundle.
 */
export function publishedManifest(text: string): Manifest {
  const clone: Manifest = JSON.parse(text, (_key, value) => {
    if (typeof value === 'string') return value.replace(/^(\.\/.*)\.ts$/, '$1.js');
    return typeof value?.browser === 'string' ? value.default : value;
  });
  const kept = Object.fromEntries(
    Object.entries(clone).filter(([key]) => !OF_THE_CLONE.has(key)),
  ) as Manifest;
  return {
    ...kept,
    engines: { node: `>=${OLDEST_NODE}` },
    exports: { ...kept.exports, './browser': BROWSER_ENTRY },
  };
}
