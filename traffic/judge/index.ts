/** The entry point of what judges recorded traffic (`#judge`). */
export { GlimpseError } from './glimpse-pool.ts';
export { type JudgedFile, type JudgedTarget, judgeFiles } from './judge-files.ts';
