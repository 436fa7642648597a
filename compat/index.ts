/** The public entry point of the comparison of two versions of a document. */
import type { Report } from '#contract-tests';
import { type CompareOptions, compare } from './compare.ts';
import { makeReport } from './compat-report.ts';
import { openVersion } from './open-version.ts';
import { renamed } from './renamed.ts';

export { renderComparison } from './render.ts';

export interface CompatOptions extends CompareOptions {
  /** Folders, files and http(s) URLs that `$ref`s of both documents may name beyond their own folder or host. Default: none. */
  readonly allowRefs?: readonly string[] | undefined;
}

/**
 * Compares two versions of a document: are clients of OLD safe with NEW?
 * @param old path, http(s) URL or `git:REF:PATH`
 * @param next likewise
 * @returns a report whose findings are the breaking changes, and whose notices are warnings
 * @throws DocumentError for a document that cannot be read or used, with file, line and column of each problem
 */
export async function compat(
  old: string,
  next: string,
  { allowRefs, ...options }: CompatOptions = {},
): Promise<Report> {
  const versions = [await openVersion(old)];
  try {
    versions.push(await openVersion(next));
    const [before, after] = versions.map(({ location }) => ({ location, allowRefs })) as [
      { location: string; allowRefs: CompatOptions['allowRefs'] },
      { location: string; allowRefs: CompatOptions['allowRefs'] },
    ];
    const report = makeReport(await compare(before, after, options), next);
    return renamed(report, (text) => versions.reduce((shown, { rename }) => rename(shown), text));
  } catch (error) {
    throw renamed(error, (text) => versions.reduce((shown, { rename }) => rename(shown), text));
  } finally {
    for (const { close } of versions) await close();
  }
}
