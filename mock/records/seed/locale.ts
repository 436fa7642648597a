import { fakerLocales } from '#platform';
import { type Contract, isRecord } from '#spec';

/** Faker's name for English, the fallback. */
export const ENGLISH = 'en';

/**
 * Faker's name for a language in BCP 47 or its own spelling: `pt_BR` for `pt-br` and `pt`, `de` for `de-DE`. Undefined:
 * faker does not have the language.
 */
export function findLocale(option: string): string | undefined {
  const wanted = option.trim().replaceAll('-', '_').toLowerCase();
  const [language = ''] = wanted.split('_');
  const named = (name: string) => locales.find((locale) => locale.toLowerCase() === name.toLowerCase());
  const locales = fakerLocales();
  if (!/^[a-z]{2,3}$/.test(language)) return undefined;
  return (
    named(wanted) ??
    named(regional(wanted.replaceAll('_', '-'))) ??
    named(language) ??
    named(regional(language)) ??
    locales.find((locale) => locale.split('_').includes(language))
  );
}

/** `zh_TW` for `zh-Hant`: language and region, by default the most likely one. */
function regional(tag: string): string {
  try {
    const { language, region } = new Intl.Locale(tag).maximize();
    return `${language}_${region}`;
  } catch {
    return '';
  }
}

const SCRIPTS: Readonly<Record<string, string>> = { latin: 'Latn', cyrl: 'Cyrl' };

/** The BCP 47 tag of a locale of faker: `sr-Latn-RS` for `sr_RS_latin`, `ckb` for `ku_ckb`. */
export function languageOf(locale: string): string {
  const [language = ENGLISH, ...rest] = locale.split('_');
  const narrow = rest.find((part) => /^[a-z]{3}$/.test(part)) ?? language;
  const scripts = narrow === language ? rest.flatMap((part) => SCRIPTS[part] ?? []) : [];
  return [narrow, ...scripts, ...rest.filter((part) => /^[A-Z]{2}$/.test(part))].join('-');
}

/** The supported languages, similar ones first. */
export function allowedLocales(option: unknown): string {
  const names = fakerLocales();
  const start = String(option).slice(0, 2).toLowerCase();
  const english = new Intl.DisplayNames('en', { type: 'language' });
  const near = names.filter(
    (name) => english.of(languageOf(name))?.toLowerCase() === String(option).toLowerCase(),
  );
  const meant = near.length > 0 ? near : names.filter((name) => name.startsWith(start));
  const first = meant.length > 0 ? `, perhaps ${meant.join(' or ')}` : '';
  return `a language${first}; there are ${names.join(', ')}`;
}

/**
 * The locale of seeded records: the option, else `x-locale` of the document, at its root or in `info`. An unknown language
 * in the document, which users may not control, is reported but no error.
 */
export function localeOf(
  option: string | undefined,
  { document }: Contract,
  notice: (text: string) => void,
): string {
  const root = document.root.value;
  const info = isRecord(root) && isRecord(root.info) ? root.info : {};
  const wanted = option ?? (isRecord(root) ? (root['x-locale'] ?? info['x-locale']) : undefined);
  if (wanted === undefined) return ENGLISH;
  const locale = typeof wanted === 'string' ? findLocale(wanted) : undefined;
  if (locale !== undefined) return locale;
  const place = option === undefined ? `x-locale ${JSON.stringify(wanted)}` : `the locale ${option}`;
  notice(`${place} is not there, so records are in English; there are ${fakerLocales().join(', ')}`);
  return ENGLISH;
}
