import type { MockOptions } from '#mock';
import { FILE, grouped, type OptionRow, wholeNumber } from './options.ts';
import { credentialOption, DOCUMENT_OPTIONS, listenOptions, parsePair } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

export const OPTIONS: readonly OptionRow<MockOptions>[] = [
  ...grouped<MockOptions>('Document', [
    ...DOCUMENT_OPTIONS,
    {
      flags: '--at <prefix=document>',
      help: 'serve a document below a path, beside the others: /users=users.yaml',
      brief: 'serve a document below a path: /users=users.yaml',
      value: { type: 'pairs', between: '=', path: 'path' },
      isList: true,
      see: 'documents.md#several-documents',
    },
    {
      flags: '--relate <member=collection>',
      help: "let a member name records of another document's collection: '/v1/orders#userId': /v1/users",
      isSetting: true,
      value: { type: 'pairs', between: '=' },
      isList: true,
      to: 'relate',
      see: 'documents.md#relations-between-documents',
      convert: (texts: readonly string[]) =>
        texts.length === 0 ? undefined : Object.fromEntries(texts.map((text) => parsePair('relate', text))),
    },
    {
      flags: '--watch',
      help: 'reload the document when its files change; records that still fit stay',
      brief: 'reload the document when its files change',
      to: 'watch',
      see: 'editor.md',
    },
    {
      flags: '--no-base-path',
      help: "leave out the paths of the document's servers",
      to: 'basePath',
    },
  ]),
  ...grouped<MockOptions>('Data', [
    {
      flags: '--count <n>',
      help: 'records that each collection starts with',
      brief: 'records of each collection (default: 50)',
      value: wholeNumber(0, 10_000_000),
      default: 50,
      to: 'count',
    },
    {
      flags: '--seed <n>',
      help: 'seed of the records; the same seed gives the same bytes on every machine and day',
      brief: 'the same seed gives the same records (default: 1)',
      value: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      default: 1,
      to: 'seed',
    },
    {
      flags: '--locale <language>',
      help: 'language of the records: names, addresses, phone numbers and texts; de, de-AT, pt_BR, ...',
      brief: 'language of names and texts: de, pt_BR, ...',
      defaultText: '`x-locale` of the document, else `en`',
      to: 'locale',
      see: 'mock.md#languages',
    },
    {
      flags: '--fixture <file>',
      help: 'start with the records of a seed file, YAML or JSON',
      brief: 'start with the records of a seed file',
      value: FILE,
      isList: true,
      to: 'fixtures',
    },
    {
      flags: '--from-har <file>',
      help: 'start with the records that recorded traffic shows',
      brief: 'start with the records of recorded traffic',
      value: FILE,
      isList: true,
      see: 'record-and-play.md',
    },
    {
      flags: '--scenarios <folder>',
      help: 'keep named scenarios in this folder, as seed files',
      value: FILE,
      to: 'scenarios',
    },
    {
      flags: '--store <store>',
      help: 'where records are stored: memory, file:PATH, or postgres://..., which several mocks can share',
      brief: 'memory, file:PATH or postgres://...',
      value: { type: 'text', path: 'store' },
      default: 'memory',
      suggests: ['memory', 'file:', 'postgres://'],
      to: 'store',
      see: 'replicas.md',
    },
  ]),
  ...grouped<MockOptions>('Answers', [
    {
      flags: '--latency <ms>',
      help: 'delay of each response in milliseconds: 100, or a range such as 50-150',
      brief: 'delay of each response: 100, or 50-150',
      value: { type: 'text', orNumber: {} },
      default: '0',
    },
    {
      flags: '--now <date>',
      help: 'set the clock, which then runs on, to a date or today; seeded records are dated around it, and operations that the document removes by then are gone',
      brief: 'set the clock',
      to: 'now',
    },
    {
      flags: '--upstream <url>',
      help: 'base URL of a real service that responds to what it has; the mock responds to the rest',
      brief: 'real service that responds first',
      to: 'upstream',
      see: 'upstream.md',
    },
    {
      flags: '--source <op=source>',
      help: 'who responds to an operation (operationId, "METHOD /path", tag:NAME or all): real, mock or auto',
      value: { type: 'pairs', between: '=' },
      isList: true,
      defaultText: 'all=auto',
      see: 'upstream.md',
      to: 'sources',
      convert: (texts: readonly string[]) => Object.fromEntries(texts.map(parseSource)),
    },
    {
      flags: '--upstream-timeout <ms>',
      help: 'milliseconds after which a response of the real service is not waited for',
      isSetting: true,
      value: wholeNumber(1, 600_000),
      default: 30_000,
      to: 'upstreamTimeout',
      see: 'upstream.md',
    },
    {
      flags: '--max-body <bytes>',
      help: 'maximum size of a request body in bytes',
      value: wholeNumber(1, 2 ** 30),
      default: 2 ** 20,
      to: 'maxBody',
    },
    {
      flags: '--allow-host <host>',
      help: 'host beside this machine that callbacks and webhooks are sent to: hooks.example, hooks.example:8443',
      isList: true,
      to: 'callbackHosts',
      see: 'webhooks.md',
    },
    {
      flags: '--webhook-secret <secret>',
      help: 'sign callbacks and webhooks that have a signature header with this secret, base64 (Standard Webhooks)',
      isSecret: true,
      to: 'webhookSecret',
      see: 'webhooks.md',
    },
  ]),
  ...grouped<MockOptions>('Access', [
    ...listenOptions(4020),
    {
      flags: '--api-key <key>',
      help: 'key that is accepted in place of the built-in one',
      brief: 'key that is accepted in place of the built-in one',
      isList: true,
      isSecret: true,
    },
    credentialOption('credential that alone is accepted under one security scheme'),
    {
      flags: '--any-key',
      help: 'accept every key that is not empty',
      brief: 'accept every key',
      excludes: ['apiKey'],
    },
    {
      flags: '--admin-token <token>',
      help: 'token for the control API (/__admin), required where other machines can reach the mock',
      brief: 'token for the console and the control API',
      isSecret: true,
      to: 'adminToken',
    },
  ]),
  ...grouped<MockOptions>('Output', [
    {
      flags: '--log <form>',
      help: 'how requests are logged: as text for people, as JSON, or not at all',
      brief: 'text, json or quiet',
      value: { type: 'text', choices: ['text', 'json', 'quiet'] },
      default: 'text',
      see: 'log.md#the-log',
    },
    {
      flags: '--explain',
      help: 'print what each operation does, and which lines of the document say so; then exit',
      brief: 'print what each operation does, and exit',
    },
  ]),
];

/** `getThing=mock`; @throws UsageError */
function parseSource(text: string): [operation: string, source: string] {
  const at = text.lastIndexOf('=');
  const source = text.slice(at + 1);
  if (at > 0 && ['real', 'mock', 'auto'].includes(source)) return [text.slice(0, at), source];
  throw new UsageError(
    `--source: "${text}" is not of the form OPERATION=real, OPERATION=mock or OPERATION=auto`,
  );
}
