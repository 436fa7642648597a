#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// From the second start on, Node takes compiled code from its cache: the cache must be on before anything is loaded.
enableCompileCache();
const { runProgram } = await import('./program.ts');
await runProgram();
