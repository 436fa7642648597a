/** The public entry point for comparing two versions of a document. */
import type { Report } from '#contract-tests';
import { readKnown } from '#report-parts';
import { type CompareOptions, compare } from './compare.ts';
import { makeReport } from './compat-report.ts';
import { openVersion, renamed } from './open-version.ts';

export { renderChangelog } from './changelog.ts';
export type { CompatProgress } from './pace.ts';

export interface CompatOptions extends CompareOptions {
  /** Folders, files and http(s) URLs that `$ref`s of both documents may refer to beyond their own. Default: none. */
  readonly allowRefs?: readonly string[] | undefined;
  /** Paths or http(s) URLs of OpenAPI Overlays, applied to OLD in this order. Default: none. */
  readonly oldOverlays?: readonly string[] | undefined;
  /** The same for NEW. Default: none. */
  readonly newOverlays?: readonly string[] | undefined;
  /** Whether to reject documents for what are otherwise warnings. Default: false. */
  readonly strictDocument?: boolean | undefined;
  /** Path of a YAML or JSON list of breaking changes that are waived until a date. Default: none. */
  readonly known?: string | undefined;
}

/**
 * Compares two versions of a document: are clients of OLD safe with NEW?
 * @param old path, http(s) URL or `git:REF:PATH`
 * @param next likewise
 * @returns a report whose findings are the breaking changes, and whose notices are warnings
 * @throws DocumentError for a document that cannot be read or used, with file, line and column of each problem
 * @throws SettingsError for a file of `known` or `consumers` that cannot be used
 */
export async function compat(old: string, next: string, options: CompatOptions = {}): Promise<Report> {
  const {
    allowRefs = [],
    oldOverlays = [],
    newOverlays = [],
    strictDocument = false,
    known,
    ...others
  } = options;
  const entries = known === undefined ? [] : readKnown(known);
  const versions = [await openVersion(old)];
  const rename = (text: string) => versions.reduce((result, version) => version.rename(result), text);
  try {
    versions.push(await openVersion(next));
    const [before = old, after = next] = versions.map(({ location }) => location);
    const compared = await compare(
      { location: before, reading: { allowRefs, strictDocument, overlays: oldOverlays } },
      { location: after, reading: { allowRefs, strictDocument, overlays: newOverlays } },
      {
        ...others,
        onWarnings: (warnings) => others.onWarnings?.(renamed(warnings, rename)),
      },
    );
    return renamed(makeReport(compared, next, entries), rename);
  } catch (error) {
    throw renamed(error, rename);
  } finally {
    for (const { close } of versions) await close();
  }
}
