import { isRecord, stringifyJson } from '#spec';
import type { Members } from './collect-records.ts';
import { type Judgement, KINDS } from './judge-records.ts';
import { meaningOf, snakeCase } from './meanings.ts';

/** A document as the page shows it. */
export interface Section {
  readonly document: string;
  readonly title: string;
  readonly judgement: Judgement;
  readonly tables: readonly Table[];
}

export interface Table {
  readonly path: string;
  readonly request: string | undefined;
  readonly records: readonly Members[];
  readonly total: number;
}

/** The picture of an address as a `data:` URL; undefined: it shows none. */
export type Pictures = ReadonlyMap<string, string | undefined>;

const LONGEST = 60;

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8dee4,#3a414a);--soft:light-dark(#f4f6f8,#20252b);--faint:light-dark(#57606a,#9aa4af);--bad:light-dark(#b42318,#ff8f85)}
body{font:14px/1.45 system-ui,sans-serif;margin:24px auto;max-width:1160px;padding:0 20px;background:light-dark(#fff,#15191e);color:light-dark(#1f2328,#e6e9ec)}
h1{font-size:22px}h2{font-size:19px;margin:36px 0 2px;border-top:1px solid var(--line);padding-top:20px}h3{font:600 14px ui-monospace,monospace;margin:20px 0 6px}
small,h3 span,.counts{color:var(--faint);font-weight:400}.counts b{color:var(--bad)}
.cards{display:flex;gap:12px;margin-bottom:10px;overflow:hidden}.card{flex:0 0 216px;border:1px solid var(--line);border-radius:8px;overflow:hidden;background:var(--soft);position:relative}
.card .picture{height:120px;display:flex;align-items:center;justify-content:center;background:light-dark(#e6eaee,#2a3038);color:var(--faint);font-size:11px;overflow-wrap:anywhere;text-align:center}
.card img{width:100%;height:120px;object-fit:cover}.card div.words{padding:8px 10px}.card strong{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.card p{margin:2px 0;color:var(--faint);font-size:12.5px;max-height:36px;overflow:hidden}
.badge{position:absolute;top:8px;right:8px;background:light-dark(#1f2328,#e6e9ec);color:light-dark(#fff,#15191e);border-radius:9px;padding:1px 8px;font-size:11px}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:12.5px}th,td{border:1px solid var(--line);padding:3px 7px;text-align:left;vertical-align:top;max-width:230px;overflow-wrap:break-word}th{background:var(--soft);font-weight:600;white-space:nowrap}
td img{height:34px;border-radius:4px;vertical-align:middle}.chip{display:inline-block;background:var(--soft);border:1px solid var(--line);border-radius:9px;padding:0 7px;margin:1px 2px 1px 0}
.broken{color:var(--bad);overflow-wrap:anywhere}.none{color:var(--faint)}`;

/** One page that needs no network. */
export function renderGallery(sections: readonly Section[], pictures: Pictures): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gallery</title>
<style>${STYLE}</style>
<h1>Gallery</h1>
<p>The first five records of each collection, as the mock makes them.</p>
${sections.map((section) => renderSection(section, pictures)).join('\n')}
</html>
`;
}

function renderSection({ document, title, judgement, tables }: Section, pictures: Pictures): string {
  const shown = tables.filter(({ records }) => records.length > 0);
  return `<section id="${escaped(document)}">
<h2>${escaped(title)} <small>${escaped(document)}</small></h2>
<p class="counts">${countsOf(judgement)
    .map(({ text, isBad }) => (isBad ? `<b>${text}</b>` : text))
    .join(', ')}</p>
${shown.map((table) => renderTable(table, pictures)).join('\n')}
</section>`;
}

/** `noise 3 of 812` for each kind. */
export function countsOf({ judged, complaints }: Judgement): { text: string; isBad: boolean }[] {
  return KINDS.map((kind) => {
    const found = complaints.filter((one) => one.kind === kind).length;
    return { text: `${kind} ${found} of ${judged[kind]}`, isBad: found > 0 };
  });
}

function renderTable({ path, request, records, total }: Table, pictures: Pictures): string {
  const names = [...new Set(records.flatMap((one) => Object.keys(one)))];
  const rows = records.map(
    (one) => `<tr>${names.map((name) => `<td>${cell(name, one[name], pictures)}</td>`).join('')}</tr>`,
  );
  const cards = records.map((one) => card(one, pictures)).join('');
  return `<h3>${escaped(path)} <span>${total} records${request === undefined ? ', not listed' : ''}</span></h3>
${cards === '' ? '' : `<div class="cards">${cards}</div>`}
<div class="scroll"><table><tr>${names.map((name) => `<th>${escaped(name)}</th>`).join('')}</tr>
${rows.join('\n')}</table></div>`;
}

function cell(name: string, value: unknown, pictures: Pictures): string {
  if (value === null || value === undefined)
    return `<span class="none">${value === null ? 'null' : '–'}</span>`;
  if (Array.isArray(value)) {
    if (value.some((one) => isPicture(name, one)))
      return value.map((one) => cell(name, one, pictures)).join(' ');
    const chips = value.slice(0, 4).map((one) => `<span class="chip">${clipped(shortOf(one))}</span>`);
    return chips.join('') + (value.length > 4 ? ` +${value.length - 4}` : value.length === 0 ? '[]' : '');
  }
  if (isPicture(name, value)) return picture(value, pictures);
  return isRecord(value) ? `<span class="chip">${clipped(shortOf(value))}</span>` : clipped(shortOf(value));
}

/** An object by its name, title or id; any other value as it is. */
function shortOf(value: unknown): string {
  if (!isRecord(value)) return typeof value === 'string' ? value : stringifyJson(value);
  const named = ['name', 'title', 'label', 'username', 'full_name', 'email', 'id'].map((name) => value[name]);
  const best = named.find((one) => typeof one === 'string' || typeof one === 'number');
  return best === undefined ? stringifyJson(value) : String(best);
}

/** Moments and UUIDs by what tells them apart; any text whole where the pointer is. */
function clipped(text: string): string {
  const short = MOMENT.test(text)
    ? text.slice(0, 16).replace('T', ' ')
    : UUID.test(text)
      ? `${text.slice(0, 13)}…`
      : text.length > LONGEST
        ? `${text.slice(0, LONGEST)}…`
        : text;
  return short === text ? escaped(text) : `<span title="${escaped(text)}">${escaped(short)}</span>`;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function picture(url: string, pictures: Pictures): string {
  const data = pictures.get(url);
  return data === undefined
    ? `<span class="broken" title="${escaped(url)}">✕ ${escaped(url.slice(0, LONGEST))}</span>`
    : `<img src="${data}" alt="${escaped(url)}">`;
}

/** What a front end shows as a picture, or tries to. An icon may be the name of one. */
export function isPicture(name: string, value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || meaningOf(name, undefined) !== 'image') return false;
  return ADDRESS.test(value) || !/(?:icon|logo|cover|banner)$/.test(snakeCase(name));
}

const ADDRESS = /^(?:https?:\/\/|\/|data:image\/)/;

/** The first member of a name like this is the part of a card. */
const PARTS = {
  title: /^(?:title|name|username|full_name|display_name|headline|subject|label)$|_(?:name|title)$/,
  subtitle: /^(?:subtitle|description|summary|excerpt|bio|body|email|city|address|breed)$/,
  price: /^(?:price|amount|total|cost|unit_price)$/,
  currency: /^currency(?:_code)?$/,
  date: /^(?:date|published_at|start|starts_at|start_date|due|due_date|birth_?date|created_at|created|updated_at)$/,
  state: /^(?:status|state)$/,
} as const;

/** What front ends make of a record by the names of its members; empty: it has neither a picture nor a title. */
function card(record: Members, pictures: Pictures): string {
  const members = Object.entries(record).map(([name, value]) => ({ name: snakeCase(name), value }));
  const partOf = (part: keyof typeof PARTS): string => {
    const found = members.find(({ name, value }) => PARTS[part].test(name) && !isCompound(value))?.value;
    return String(found ?? '');
  };
  const whole = ['first_name', 'last_name'].flatMap(
    (part) => members.find(({ name }) => name === part)?.value ?? [],
  );
  const title = whole.length === 2 ? whole.join(' ') : partOf('title');
  const image = members
    .flatMap(({ name, value }) => (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const))
    .find(([name, value]) => isPicture(name, value))?.[1];
  if (image === undefined && title === '') return '';
  const state = partOf('state');
  const line = [`${partOf('price')} ${partOf('currency')}`.trim(), partOf('date').slice(0, 10)];
  const shown = typeof image === 'string' ? `<div class="picture">${picture(image, pictures)}</div>` : '';
  const badge = state === '' ? '' : `<span class="badge">${escaped(state)}</span>`;
  return `<div class="card">${shown}${badge}<div class="words"><strong>${escaped(title)}</strong>
<p>${clipped(partOf('subtitle'))}</p><p>${escaped(line.filter(Boolean).join(' · '))}</p></div></div>`;
}

const isCompound = (value: unknown) => typeof value === 'object' && value !== null;

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? one);
