import { resolveSettings, type Settings } from '../../contract-tests/settings.ts';
import { SettingsError } from '../../contract-tests/settings-error.ts';
import type { ObserveOptions } from './observed.ts';

/** The options of an observer, resolved once. */
export interface ObserveSettings {
  readonly baseUrls: readonly URL[] | undefined;
  readonly exclusive: boolean;
  readonly wholeHeaders: boolean;
  readonly settle: number;
  /** Those that verdict and reports need, as of a run that sends nothing. */
  readonly settings: Settings;
}

/** Stands for the target until one is known. */
const NOWHERE = 'http://localhost';

/** @throws SettingsError for an option that cannot be used */
export function resolveObserveOptions(options: ObserveOptions, document: string): ObserveSettings {
  const { baseUrls, exclusive = false, wholeHeaders = false, ...others } = options;
  const urls = baseUrls?.map((target) => resolveSettings({ target, document, writes: true }).base);
  if (urls?.length === 0) throw new SettingsError('option baseUrls: it must name at least one', 'baseUrls');
  const [target = NOWHERE] = baseUrls ?? [];
  const settings = resolveSettings({ ...others, target, document, writes: true });
  return {
    baseUrls: urls,
    exclusive,
    wholeHeaders,
    settle: settings.settle,
    // Entries of a file that is shared with "paddock check" are of other cases, unless they have a key.
    settings: {
      ...settings,
      known: settings.known.filter(({ key, case: id }) => key !== undefined || id?.endsWith('/traffic')),
    },
  };
}
