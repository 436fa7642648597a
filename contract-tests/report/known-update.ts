import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Document, isMap, isSeq, parseDocument, YAMLSeq } from 'yaml';
import { isRecord } from '#spec';
import { SettingsError } from '../settings/check-options.ts';
import { isAbout, wasLookedFor } from '../settings/known.ts';
import { replaceFile } from '../whole-file.ts';
import type { Report } from './report.ts';

/** The changes of a file of known findings. */
export interface KnownUpdate {
  /** Findings without an entry. */
  readonly added: number;
  /** Expired entries whose finding still exists. */
  readonly renewed: number;
  /** Entries whose finding is fixed, or whose case does not exist. */
  readonly struck: number;
}

/** How long a new entry is valid, in days. */
const DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Writes the findings of a run to the file of `--known`, which is created if missing. Valid entries keep their form and
 * comments, and so do those of cases that were skipped or not reached.
 *
 * @param file a YAML file, or JSON if its name ends in `.json`
 * @throws SettingsError if the file cannot be read or written
 */
export function updateKnown(file: string, report: Report): KnownUpdate {
  try {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const { text: updated, ...update } = knownAfter(text, report, { json: /\.json$/i.test(file) });
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, updated, true);
    return update;
  } catch (error) {
    throw new SettingsError(`--accept: ${(error as Error).message}`);
  }
}

/** The text of the file after a run. */
export function knownAfter(
  text: string,
  { findings, cases }: Pick<Report, 'findings' | 'cases'>,
  { json = false, now = Date.now() }: { readonly json?: boolean; readonly now?: number } = {},
): KnownUpdate & { readonly text: string } {
  const document = parseDocument(text) as Document;
  const list = isSeq(document.contents) ? document.contents : new YAMLSeq(document.schema);
  document.contents = list;
  const [today, until] = [dayOf(now), dayOf(now + DAYS * DAY)];
  const before = list.items.length;
  let renewed = 0;

  const covered = new Set<Report['findings'][number]>();
  list.items = list.items.filter((item) => {
    const entry: unknown = isMap(item) ? item.toJS(document) : undefined;
    if (!isMap(item) || !isRecord(entry)) return true;
    const matches = findings.filter((finding) => isAbout(entry, finding));
    for (const finding of matches) covered.add(finding);
    if (matches.length === 0) return !wasLookedFor(entry, cases);
    if (String(entry.until) < today) {
      item.set('until', until);
      renewed += 1;
    }
    return true;
  });
  const struck = before - list.items.length;

  const missing = findings.filter((finding) => !covered.has(finding));
  const byKey = new Map<string, (typeof missing)[number]>();
  for (const finding of missing) if (!byKey.has(finding.key)) byKey.set(finding.key, finding);
  for (const { key, caseId, received } of byKey.values()) {
    const why = `written by --accept on ${today}: received ${received}`;
    list.items.push(document.createNode({ key, case: caseId, until, why }));
  }
  if (list.items.length > 0) list.flow = false;
  const value: unknown = document.toJS();
  const updated = json ? `${JSON.stringify(value, null, 2)}\n` : document.toString({ lineWidth: 0 });
  return { text: updated, added: byKey.size, renewed, struck };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
