/** The entry point for judging recorded traffic (`#judge`). */
export { type JudgedFile, judgeFiles } from './judge-files.ts';
