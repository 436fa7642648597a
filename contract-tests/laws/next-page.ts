import {
  isIdOfLast,
  isRecord,
  type ListForm,
  nextSigns,
  type Operation,
  type PageHeader,
  type PageMember,
  type Resource,
  type Spot,
  valueAt,
} from '#spec';
import { pathTexts } from '../send/plan-request.ts';
import type { Exchange } from '../send/response.ts';
import { type Data, headerOf } from '../send/wire.ts';

/** The next page, according to a response. */
export interface NextPage {
  /** The query for it; undefined: there is none. */
  readonly query: Data | undefined;
  /** The part of the document that names it. */
  readonly spot: Spot;
}

type Sign = PageMember | PageHeader;

/** The members that name the next page of a list. For a URL of the same list, the name is sign enough. */
function signsOf(form: ListForm): Sign[] {
  return nextSigns(form).filter(({ says, certainty }) => certainty === 'promised' || says === 'next url');
}

/** The documented name of what leads from page to page; undefined: there is none. */
export function leadsOn({ list, id }: Resource): string | undefined {
  const [sign] = list ? signsOf(list) : [];
  if (sign) return nameOf(sign);
  return list?.cursor && id && isIdOfLast(list.cursor) ? list.cursor.name : undefined;
}

/** Values that mean the end in the place of a cursor, a number or a URL. */
const NONE: ReadonlySet<unknown> = new Set([undefined, null, '', 0, -1, '0', '-1']);

function nameOf(sign: Sign): string {
  if ('path' in sign) return sign.path.join('.');
  return sign.says === 'links' ? 'Link' : sign.name;
}

/** Whether a response says that there are more pages; undefined: it does not say. */
export function saysMore({ members }: ListForm, json: unknown): boolean | undefined {
  for (const { says, path, certainty } of members) {
    const value = valueAt(json, path);
    if (certainty === 'presumed' || typeof value !== 'boolean') continue;
    if (says === 'has more') return value;
    if (says === 'is last') return !value;
  }
  return undefined;
}

/**
 * The next page that a response names.
 * @returns undefined: none is named, or none that this list accepts
 */
export function nextPageOf(
  resource: Resource,
  exchange: Exchange,
  json: unknown,
  records: readonly Data[],
): NextPage | undefined {
  const { list: form, id } = resource;
  if (!form) return undefined;
  const signs = signsOf(form);
  const [first] = signs;
  const more = saysMore(form, json);
  const byId = form.cursor && id && isIdOfLast(form.cursor) ? form.cursor : undefined;
  const spot = first?.because ?? byId?.spot;
  if (!spot) return undefined;
  if (more === false) return { query: undefined, spot };
  for (const sign of signs) {
    const value = readSign(sign, exchange, json);
    if (NONE.has(value)) continue;
    const query = queryFor(form, sign, value, exchange);
    return query && { query, spot: sign.because };
  }
  const last = byId && records.at(-1)?.[id?.property ?? ''];
  if (byId && last !== undefined) return { query: { ...exchange.input.query, [byId.name]: last }, spot };
  return more === undefined ? { query: undefined, spot } : undefined;
}

function readSign(sign: Sign, { response }: Exchange, json: unknown): unknown {
  if ('path' in sign) return isRecord(json) ? valueAt(json, sign.path) : undefined;
  const value = headerOf(response, sign.name);
  return sign.says === 'links' ? value && nextLink(value) : value;
}

/** The target of the first link with the relation `next` (RFC 8288 §3). */
export function nextLink(header: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(/<([^>]*)>((?:[^<"]|"[^"]*")*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
    if ((quoted ?? bare ?? '').toLowerCase().split(/\s+/).includes('next')) return target;
  }
  return undefined;
}

function queryFor(form: ListForm, { says }: Sign, value: unknown, exchange: Exchange): Data | undefined {
  if (says === 'links' || says === 'next url') return queryIn(String(value), exchange);
  const parameters = { 'next cursor': form.cursor, 'next page': form.page, 'next offset': form.offset };
  const parameter = parameters[says as keyof typeof parameters];
  return parameter && { ...exchange.input.query, [parameter.name]: value };
}

/** The query of a URL of the same list. Its host may differ: a service need not know its public URL. */
function queryIn(text: string, { operation, input, request }: Exchange): Data | undefined {
  const url = URL.parse(text, request.url.href);
  if (!url || !withoutSlash(url.pathname).endsWith(withoutSlash(pathOf(operation, input)))) return undefined;
  const secret = new Set(
    operation.security.flat().flatMap((credential) => (credential.in === 'query' ? [credential.name] : [])),
  );
  const names = [...new Set(url.searchParams.keys())].filter((name) => !secret.has(name));
  return Object.fromEntries(
    names.map((name) => {
      const [value, ...more] = url.searchParams.getAll(name);
      return [name, more.length > 0 ? [value, ...more] : value];
    }),
  );
}

const withoutSlash = (path: string) => path.replace(/\/$/, '');

function pathOf(operation: Operation, input: Exchange['input']): string {
  const texts = pathTexts(operation, input);
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => texts[name] ?? '');
}
