import { expect, test } from 'vitest';
import type { Ask, Written } from '../mutants/by-hand/behaviour.ts';
import { correct } from '../mutants/by-hand/correct.ts';
import { reportOn } from '../testing/report-on.ts';
import { REPORT_FORMATS, type ReportFormat } from './formats.ts';
import { renderGithub } from './github.ts';
import type { Report } from './report.ts';
import { renderTerminal } from './terminal.ts';

const FORMATS: Readonly<Record<string, Pick<ReportFormat, 'render'>>> = {
  ...REPORT_FORMATS,
  github: { render: renderGithub },
  terminal: { render: (report: Report) => renderTerminal(report, true) },
};

/** Encodings in which the service echoes the credential. */
const ECHOES: readonly ((credential: string) => string)[] = [
  (credential) => credential,
  (credential) => Buffer.from(`you sent ${credential} to us`).toString('base64'),
  (credential) => [...credential].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
  (credential) => Buffer.from(credential).toString('hex'),
];

/** So many consecutive characters of a credential are confidential. */
const TELLING = 8;

test('no report reveals a key that the target echoes, plain or encoded, whole or cut', async () => {
  const keys: string[] = [];
  let asked = 0;
  const write = (answer: Parameters<typeof correct.write>[0], ask: Ask): Written => {
    const credential = ask.headers.authorization ?? '';
    keys.push(credential);
    const spell = ECHOES[asked % ECHOES.length] as (typeof ECHOES)[number];
    // A value is shortened to 240 characters: here it is cut in the midst of the credential, each time elsewhere.
    const echo = '·'.repeat(190 + ((asked++ * 3) % 40)) + spell(credential);
    const written = correct.write({ ...answer, body: withEcho(answer.body, echo) }, ask);
    const header = ['X-Your-Credential', encodeURIComponent(spell(credential))] as const;
    return { ...written, headers: [...written.headers, header] };
  };
  const behaviour = { write, page: <T>(records: T) => records, matches: () => true, idOf: () => 0n };
  const report = await reportOn(behaviour, { recordExchanges: true });
  expect(report.exchanges?.entries.length).toBe(report.totals.requests);
  expect(report.findings.length).toBeGreaterThan(20);
  const key = keys.find((one) => one.startsWith('Bearer '))?.slice('Bearer '.length) ?? '';
  expect(key.length).toBeGreaterThan(TELLING);
  for (const [name, { render }] of Object.entries(FORMATS)) {
    const text = render(report);
    for (const piece of piecesOf(key)) {
      for (const form of [...ECHOES.map((spell) => spell(piece)), ...base64Of(piece)])
        expect({ name, form, at: around(text, form) }).toEqual({ name, form, at: undefined });
    }
  }
});

function withEcho(body: unknown, echo: string): unknown {
  if (Array.isArray(body)) return body.map((item) => withEcho(item, echo));
  return typeof body === 'object' && body !== null ? { echo, ...body } : body;
}

function piecesOf(key: string): string[] {
  return Array.from({ length: key.length - TELLING + 1 }, (_, at) => key.slice(at, at + TELLING));
}

/** The characters that every base64 text with this piece has, at any offset. */
function base64Of(piece: string): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.from('·'.repeat(offset) + piece, 'latin1').toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + piece.length) * 8) / 6));
  });
}

function around(text: string, form: string): string | undefined {
  const at = text.toLowerCase().indexOf(form.toLowerCase());
  return at < 0 ? undefined : text.slice(Math.max(0, at - 40), at + 60);
}
