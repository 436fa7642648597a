import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { run } from '../../quality/testing/command.ts';
import type { ClientRequest } from '../code/client-request.ts';
import { SHIPPED } from '../testing/page.ts';
import { codeSamples } from './code-samples.ts';

/** A body with everything that languages escape. */
const NAME = `O'Hara "\\\\n" \${x} $(id) \`y\` %s {z} \\"""\\ é 🐾`;
const BODY = JSON.stringify({ name: NAME, categoryId: 1 }, undefined, 2);

const requests: Readonly<Record<string, (url: string) => ClientRequest>> = {
  'with a body of several lines': (url) => ({
    method: 'POST',
    url: `${url}/pets`,
    headers: [
      ['Authorization', 'Bearer $PADDOCK_API_KEY'],
      ['Content-Type', 'application/json'],
    ],
    cookies: [],
    body: BODY,
  }),
  'with a query and a cookie': (url) => ({
    method: 'GET',
    url: `${url}/pets?limit=2&status=sold`,
    headers: [
      ['Authorization', 'Bearer $PADDOCK_API_KEY'],
      ['X-Note', `it's "quoted" $HOME`],
    ],
    cookies: [['crumb', 'a b']],
    body: undefined,
  }),
};

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/** How to run each. Undefined: it is not installed. */
const RUNNERS: Readonly<Record<string, ((file: string) => readonly string[]) | undefined>> = {
  curl: has('curl', '--version') ? (file) => ['sh', file] : undefined,
  JavaScript: (file) => [process.execPath, file],
  Python: has('python3', '-c', 'import requests') ? (file) => ['python3', file] : undefined,
  // Before Java 18, the locale decides the encoding of sources.
  Java: has('java', '-version') ? (file) => ['java', '-Dfile.encoding=UTF-8', file] : undefined,
};

const FILES: Readonly<Record<string, string>> = {
  curl: 'request.sh',
  JavaScript: 'request.mjs',
  Python: 'request.py',
  Java: 'Request.java',
};

for (const [language, runner] of Object.entries(RUNNERS))
  test.skipIf(!runner)(
    `code in ${language}${runner ? '' : ' (it is not here)'} sends what the form sends`,
    async () => {
      const mock = await createMock({ document: SHIPPED, port: 0 });
      onTestFinished(() => mock.close());
      const folder = mkdtempSync(join(tmpdir(), 'code-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      for (const [title, make] of Object.entries(requests)) {
        const request = make(mock.url);
        const code = codeSamples(request).find(({ name }) => name === language)?.code ?? '';
        const file = join(folder, FILES[language] as string);
        writeFileSync(file, code);
        const { code: exit, output } = await run(
          folder,
          (runner as (file: string) => readonly string[])(file),
          { PADDOCK_API_KEY: 'paddock-dev-key' },
          60_000,
        );
        expect([title, exit, output.slice(0, 400)]).toEqual([title, 0, expect.any(String)]);
        const logged = mock.requests().at(-1);
        const { method, status, target, headers, body } = logged ?? {};
        expect({ title, method, status, target }).toEqual({
          title,
          method: request.method,
          status: request.body === undefined ? 200 : 201,
          target: request.url.slice(new URL(mock.url).origin.length),
        });
        expect(body ?? undefined).toBe(request.body);
        const [note] = request.headers.filter(([name]) => name === 'X-Note');
        if (note) expect(headers?.['x-note']).toBe(note[1]);
      }
    },
    120_000,
  );
