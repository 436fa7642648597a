import { checkInterface, checkTag, checkVersion, checkWorkTree } from './check-sources.ts';
import { build, pack, testTarball } from './make-package.ts';
import { previewPublish, publish, writeChecksums, writeNotes } from './publish.ts';
import type { Step } from './release.ts';
import { writeSbom } from './sbom.ts';

/** What a release does, in this order; the first step that fails ends it. */
export const STEPS: readonly Step[] = [
  { title: 'clean work tree', run: checkWorkTree },
  { title: 'version and change log', run: checkVersion },
  { title: 'tag', run: checkTag },
  { title: 'stable interface', run: checkInterface },
  { title: 'build', run: build },
  { title: 'pack', run: pack },
  { title: 'tests of the tarball', run: testTarball },
  { title: 'SBOM', run: writeSbom },
  { title: 'checksums', run: writeChecksums },
  { title: 'what is published', run: previewPublish },
  { title: 'release notes', run: writeNotes },
  { title: 'npm publish', run: publish },
];
