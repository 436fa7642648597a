#!/usr/bin/env node
import * as nodeModule from 'node:module';

const OLDEST_NODE = 24;

// Nothing is imported by name before this line: an older Node would fail there, in words that help nobody.
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(
    `error: Paddock needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}`,
  );
  process.exit(2);
}
// From the second start on, Node takes compiled code from its cache: the cache must be on before anything is loaded.
// This file is plain JavaScript, so that Node need not load what takes the types out, either.
nodeModule.enableCompileCache();
const { runProgram } = await import('./program.ts');
await runProgram();
