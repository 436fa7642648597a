#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';

// A clone needs a newer Node than the package, since it runs `.ts` files.
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = engines.node.replace('>=', '');
const [major, minor = 0] = oldest.split('.').map(Number);
const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);

// Nothing newer is imported by name before this line, since an older Node would fail there with an unclear message.
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`error: Paddock needs Node ${oldest} or newer, and this is Node ${process.versions.node}`);
  process.exit(2);
}
// From the second start on, Node uses compiled code from its cache, which must be enabled before anything is loaded.
// This file is plain JavaScript, so that Node need not load its type stripper for it.
nodeModule.enableCompileCache();
const { runProgram } = await import('./program.ts');
await runProgram();
