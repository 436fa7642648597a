/** The entry point of what judges recorded traffic (`#judge`). */
export { type JudgedFile, judgeFiles } from './judge-files.ts';
