#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';

// A clone needs a newer Node than the package, since it runs `.ts` files.
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = engines.node.replace('>=', '');
const [major, minor = 0] = oldest.split('.').map(Number);
const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);

// Nothing younger is imported by name before this line: an older Node would fail there, in words that help nobody.
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`error: Paddock needs Node ${oldest} or newer, and this is Node ${process.versions.node}`);
  process.exit(2);
}
// With it V8 soon makes some of what a mock logs in its old generation, where it keeps the rest of the log alive after it
// has been dropped: each collection of the young generation takes twice as long.
setFlagsFromString('--no-allocation-site-pretenuring');
const compilers = compilersInUse();
for (const name of compilers) setFlagsFromString(`--no-${name}`);

// From the second start on, Node takes compiled code from its cache: the cache must be on before anything is loaded, and
// the flags of V8 set, since compiled code holds for the same flags only.
// This file is plain JavaScript, so that Node need not load what takes the types out, either.
nodeModule.enableCompileCache();
const { runProgram } = await import('./program.ts');
await runProgram(optimize);

/** The optimizing compilers of V8, which are off until the program has started (`optimizing.ts`). */
function compilersInUse() {
  const given = [...process.execArgv, process.env.NODE_OPTIONS].join(' ').replaceAll('_', '-');
  // Who has chosen among them is not overruled, and one that V8 was started without must not come back.
  if (/--(?:no-?)?(?:jitless|lite-mode|opt|turbofan|maglev)\b/.test(given)) return [];
  // Node 22 has no Maglev unless it is asked for.
  const hasMaglev = Reflect.get(process.config.variables, 'v8_enable_maglev') && ownMajor >= 24;
  return hasMaglev ? ['opt', 'maglev'] : ['opt'];
}

function optimize() {
  // What has been loaded so far was compiled for the flags of the start.
  if (compilers.length > 0) nodeModule.flushCompileCache();
  for (const name of compilers) setFlagsFromString(`--${name}`);
}
