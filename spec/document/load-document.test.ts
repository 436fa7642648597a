import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { loadDocument } from './load-document.ts';
import { type Document, rawChild, type Spot } from './spot.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'reach-'));
  for (const folder of ['api/parts', 'apis', 'shared']) await mkdir(join(home, folder), { recursive: true });
  for (const file of ['api/parts/a.json', 'api/own.json', 'apis/a.json', 'shared/a.json', 'secret.json'])
    await writeFile(join(home, file), '{"type": "string"}');
  return () => rm(home, { recursive: true });
});

/** A document with a single reference, in line 3. */
const referring = (ref: string) => `openapi: 3.1.1\nx-part:\n  $ref: ${JSON.stringify(ref)}\npaths: {}\n`;

async function load(ref: string, allowRefs: readonly string[] = []) {
  const file = join(home, 'api/openapi.yaml');
  await writeFile(file, referring(ref));
  return loadDocument(file, { allowRefs });
}

/** Why the only reference of a document does not resolve. */
function whyLost({ root }: Document): string {
  return String(root.document.follow(rawChild(root, 'x-part') as Spot));
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

describe('a local document', () => {
  test.each(['parts/a.json', './own.json#/type', 'parts/../own.json'])('may refer to %s', async (ref) => {
    expect((await load(ref)).files.size).toBe(2);
  });

  test.each(['../secret.json', 'parts/../../secret.json', '../apis/a.json', '%2e%2e/secret.json'])(
    'may not refer to %s; the reason has the option that allows it',
    async (ref) => {
      const outside = dirname(new URL(ref, `file://${home}/api/`).pathname);
      const document = await load(ref);
      expect(whyLost(document)).toBe(
        "leads too far: a file outside the document's folder is read " +
          `only with --allow-refs ${relative('', outside)}`,
      );
      expect(document.files.size).toBe(1);
    },
  );

  test('may not refer to a file: URL, nor to a symbolic link out of its folder', async () => {
    await symlink(join(home, 'secret.json'), join(home, 'api/link.json'));
    await symlink(join(home, 'shared'), join(home, 'api/linked'));
    for (const ref of [`file://${home}/secret.json`, 'link.json', 'linked/a.json'])
      expect(whyLost(await load(ref))).toContain('leads too far');
  });

  test('may refer to an allowed file, and to all below an allowed folder', async () => {
    expect((await load('../shared/a.json', [join(home, 'shared')])).files.size).toBe(2);
    expect((await load('../secret.json', [join(home, 'secret.json')])).files.size).toBe(2);
    expect(whyLost(await load('../secret.json', [join(home, 'shared')]))).toContain('leads too far');
    expect(whyLost(await load('../apis/a.json', [join(home, 'api')]))).toContain('leads too far');
  });

  test.each(['file://server/share/a.json', '//server/share/a.json', 'a%2Fb.json'])(
    'may name no path: %s',
    async (ref) => {
      expect(whyLost(await load(ref))).toContain('no path on this machine');
      const example = { examples: { one: { externalValue: ref } } };
      const file = join(home, 'api/external.json');
      await writeFile(file, JSON.stringify({ openapi: '3.1.0', components: { mediaTypes: { a: example } } }));
      const [warning] = (await loadDocument(file)).warnings;
      expect(warning?.message).toContain('leads nowhere: it is no path on this machine');
    },
  );

  test('has the meta-schema of JSON Schema without a request', async () => {
    const document = await load('https://json-schema.org/draft/2020-12/schema');
    expect([document.files.size, document.follow(rawChild(document.root, 'x-part') as Spot)]).toEqual([
      9,
      expect.objectContaining({ path: [] }),
    ]);
  });

  test('has a schema with an $id of another host beside it, and what that refers to', async () => {
    await writeFile(
      join(home, 'api/own.json'),
      '{"$id": "https://a.example/own.json", "$ref": "parts/a.json"}',
    );
    const document = await load('own.json');
    expect(document.files.size).toBe(3);
    expect(
      document.resolve(document.resolve(rawChild(document.root, 'x-part') as Spot) as Spot)?.value,
    ).toEqual({
      type: 'string',
    });
  });

  test('causes no request to another host, unless that host is allowed', async () => {
    let asked = 0;
    const origin = await serve((_, response) => {
      asked += 1;
      response.end('{"type": "string"}');
    });
    const ref = `${origin}/schemas/a.json`;
    expect(whyLost(await load(ref))).toMatch(
      new RegExp(`another host may be asked only with --allow-refs ${origin}/$`),
    );
    expect(whyLost(await load(ref, [`${origin}/schema`]))).toContain('leads too far');
    expect(asked).toBe(0);
    for (const allowed of [origin, `${origin}/schemas`, ref])
      expect((await load(ref, [allowed])).files.size).toBe(2);
  });
});

describe('a document at a URL', () => {
  async function loadFrom(ref: string, pages: Record<string, string> = {}, allowRefs: string[] = []) {
    const origin = await serve((request, response) => {
      const page = request.url === '/api/openapi.yaml' ? referring(ref) : pages[request.url ?? ''];
      if (page?.startsWith('http')) response.writeHead(302, { location: page }).end();
      else response.writeHead(page === undefined ? 404 : 200).end(page);
    });
    return loadDocument(`${origin}/api/openapi.yaml`, { allowRefs });
  }

  test('may refer to other URLs of its host', async () => {
    expect((await loadFrom('../a.json', { '/a.json': '{}' })).files.size).toBe(2);
  });

  test("may not name this machine's files", async () => {
    const ref = `file://${home}/secret.json`;
    expect(whyLost(await loadFrom(ref))).toContain("this machine's files are read only with --allow-refs");
    expect((await loadFrom(ref, {}, [home])).files.size).toBe(2);
  });

  test('may not refer to another host, nor redirect there', async () => {
    let asked = 0;
    const inner = await serve((_, response) => {
      asked += 1;
      response.end('{}');
    });
    expect(whyLost(await loadFrom(`${inner}/a.json`))).toContain('another host may be asked only with');
    const led = await loadFrom('/a.json', { '/a.json': `${inner}/a.json` });
    expect(whyLost(led)).toContain(`it redirects to ${inner}/a.json: another host may be asked only with`);
    expect(asked).toBe(0);
  });

  test('that redirects to itself is refused', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(302, { location: '/' }).end();
    });
    await expect(loadDocument(origin)).rejects.toThrow('it redirects more than 5 times');
  });

  test('without end is not read beyond the limit', async () => {
    const origin = await serve((_, response) => {
      const piece = Buffer.alloc(2 ** 20, '#\n');
      const go = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', go).on('error', () => {});
      go();
    });
    await expect(loadDocument(origin)).rejects.toThrow('it is longer than 67108864 bytes');
  });
});

test('a chain of a thousand files does not exhaust the stack', async () => {
  for (let index = 0; index < 1000; index++)
    await writeFile(
      join(home, 'api', `${index}.json`),
      `{"$ref": "${index === 999 ? 'own' : index + 1}.json"}`,
    );
  expect((await load('0.json')).files.size).toBe(1002);
});

/** The first line of the error for a document with this text, or of this many bytes. */
async function refusalOf(name: string, text: string, bytes = text.length): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'large-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, text);
  if (bytes > text.length) await truncate(file, bytes);
  const error = await loadDocument(file).catch((reason: Error) => reason);
  return error instanceof Error ? error.message.split('\n', 1)[0]?.replaceAll(`${folder}/`, '') : undefined;
}

test('a file of more than 64 MiB is refused before it is read', async () => {
  expect(await refusalOf('a.json', '{}', 2 ** 26 + 1)).toBe(
    'a.json:1:1: cannot read a.json: it is longer than 67108864 bytes',
  );
});

test('YAML that would exhaust memory is refused before it is parsed, and broken JSON as JSON', async () => {
  const tooLong =
    'YAML of more than 1000000 lines and items is not read; as JSON it takes a tenth of the memory';
  const items = 1_000_001;
  expect(await refusalOf('lines.yaml', '- a\n'.repeat(items))).toBe(`lines.yaml:1:1: ${tooLong}`);
  expect(await refusalOf('flow.yaml', `[${'a,'.repeat(items)}a]`)).toBe(`flow.yaml:1:1: ${tooLong}`);
  expect(await refusalOf('a.json', `[${'1,'.repeat(items)}`)).toMatch(
    /^a\.json:1:\d+: this is no JSON: it ends/,
  );
  expect(await refusalOf('sound.json', `[${'1,'.repeat(items)}1]`)).toBeUndefined();
});
