#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';

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
// From the second start on, Node takes compiled code from its cache: the cache must be on before anything is loaded.
// This file is plain JavaScript, so that Node need not load what takes the types out, either.
nodeModule.enableCompileCache();
const { runProgram } = await import('./program.ts');
await runProgram();
