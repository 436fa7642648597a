import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { BUILD_OF } from '../testing/build-of.ts';
import { reportOn } from '../testing/report-on.ts';
import { NASTY } from '../testing/report-saying.ts';
import type { Report } from './report.ts';
import { renderTerminal } from './terminal.ts';

/** A target that sends a text wherever HTTP allows: reason phrase, headers, members of bodies. */
function saying(text: string): Partial<Behaviour> {
  const body = Buffer.from(JSON.stringify({ code: text, message: text, name: text, id: text, [text]: text }));
  const value = Buffer.from(text.replace(/\p{Cc}/gu, '')).toString('latin1');
  const head = [
    `HTTP/1.1 200 ${value}`,
    `Content-Type: application/json; note=${value}`,
    ...['X-Text', 'Location', 'WWW-Authenticate', 'Set-Cookie', 'Link', 'Allow'].map(
      (name) => `${name}: ${value}`,
    ),
    `Content-Length: ${body.length}`,
    '\r\n',
  ];
  return {
    send: (_written, _response, { socket }) => {
      socket.write(Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), body]));
    },
  };
}

// Any response says all of it. All records of this target have one id: what a request shows depends on the order of requests.
const FEW = { only: 'listPets/|createPet/201', jobs: 1, settle: 0, examples: 0 };
const runOf = (text: string): Promise<Report> => reportOn(saying(text), FEW);

/** The structure of a report in each format. */
async function structuresOf(report: Report): Promise<Record<string, unknown>> {
  const built = Object.entries(BUILD_OF).map(async ([name, buildOf]) => [name, await buildOf(report)]);
  return Object.fromEntries(await Promise.all(built));
}

let plain: Record<string, unknown>;

beforeAll(async () => {
  const report = await runOf('word');
  expect(report.findings.length).toBeGreaterThan(20);
  plain = await structuresOf(report);
});

/** Each text in each format: escaping.test.ts. These show that whatever a target says goes that way. */
const SENT = ['terminal colours and titles', 'workflow commands', 'unseen characters', 'a shell'];

describe.each(SENT)('%s', (name) => {
  const text = NASTY[name] as string;
  let report: Report;

  beforeAll(async () => {
    report = await runOf(text);
  });

  test('changes the structure of no report', async () => {
    const structures = await structuresOf(report);
    for (const [name, structure] of Object.entries(structures))
      if (!isDeepStrictEqual(structure, plain[name])) expect(structure).toEqual(plain[name]);
    expect(Object.keys(structures)).toEqual(Object.keys(plain));
  });

  test('is printed as text only', () => {
    const output = renderTerminal(report, false);
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });
});
