import { isRecord, parseJson } from '#spec';
import { SettingsError } from '../settings/check-options.ts';
import type { Report } from './report.ts';

/** The members of each report of `paddock check`, by type. */
const LISTS = [
  'cells',
  'findings',
  'notSpecified',
  'notices',
  'created',
  'withheld',
  'excluded',
  'cases',
  'latency',
  'operations',
] as const;
const TEXTS = ['verdict', 'paddock', 'startedAt', 'target', 'document'] as const;
const COVERED = ['operations', 'statuses', 'parameters', 'enumValues', 'responseProperties'] as const;

/**
 * Parses a JSON report of `paddock check`. Integers beyond 2^53 stay exact; JSON reports have no exchanges.
 * @param name the source of the text, for messages
 * @throws SettingsError if it is no such report
 */
export function readReport(text: string, name: string): Report {
  const value = parse(text, name);
  const refuse = (why: string) => new SettingsError(`${name} is no JSON report of "paddock check": ${why}`);
  if (!isRecord(value)) throw refuse('it is no object');
  for (const member of LISTS)
    if (!Array.isArray(value[member]) || !value[member].every(isRecord))
      throw refuse(`it has no list "${member}"`);
  for (const member of TEXTS) if (typeof value[member] !== 'string') throw refuse(`it has no "${member}"`);
  const { documentInfo, totals, coverage, shard } = value;
  if (!isRecord(documentInfo) || typeof documentInfo.digest !== 'string')
    throw refuse('it names no document');
  if (!isRecord(totals)) throw refuse('it has no "totals"');
  const isPart = (part: unknown) => isRecord(part) && Array.isArray(part.missing);
  if (!isRecord(coverage) || !COVERED.every((part) => isPart(coverage[part])))
    throw refuse('it has no "coverage"');
  if (value.traffic !== undefined) throw refuse('it is of traffic that others have sent');
  if (shard !== undefined && !isShard(shard)) throw refuse('its "shard" is not K of N');
  return value as unknown as Report;
}

function isShard(shard: unknown): boolean {
  if (!isRecord(shard) || !Array.isArray(shard.reached)) return false;
  const { number, of } = shard as { number: number; of: number };
  return Number.isInteger(number) && Number.isInteger(of) && number >= 1 && number <= of;
}

function parse(text: string, name: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SettingsError(`${name}: ${(error as Error).message}`);
  }
}
