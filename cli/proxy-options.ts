import { InvalidArgumentError } from 'commander';
import type { ProxyOptions } from '#proxy';
import { FILE, type OptionRow } from './options.ts';
import {
  DOCUMENT_OPTIONS,
  JUDGED_CELLS,
  KNOWN,
  listenOptions,
  MASKED,
  REPLICA_LAG,
  reportOption,
  STRICT,
  TLS_OPTIONS,
  VERBOSE,
} from './shared-options.ts';

const PERCENT = '^(?!0+(?:\\.0*)?%$)(100(?:\\.0+)?|\\d{1,2}(?:\\.\\d+)?)%$';

export const OPTIONS: readonly OptionRow<ProxyOptions>[] = [
  ...DOCUMENT_OPTIONS,
  ...listenOptions(4030),
  {
    flags: '--keep-host',
    help: 'forward the header Host as it came',
    defaultText: 'it names the target',
    to: 'keepHost',
  },
  ...TLS_OPTIONS,
  {
    flags: '--forward',
    help: 'serve clients that only name a proxy (HTTP_PROXY, HTTPS_PROXY), too, and decrypt what goes to the service',
    brief: 'serve clients that only name a proxy, too',
    to: 'forward',
    see: 'proxy.md#clients-that-only-name-a-proxy',
  },
  {
    flags: '--allow-host <host>',
    help: 'where --forward leads, too: HOST, HOST:PORT, *.DOMAIN, or * for all',
    isList: true,
    to: 'allowHosts',
    see: 'proxy.md#clients-that-only-name-a-proxy',
  },
  {
    flags: '--enforce [sides]',
    help: 'hold back what breaks the document: responses (clients get a 502; the default), requests (they are not sent on, and clients get the error body of the document) or both',
    brief: 'hold back what breaks the document',
    value: { type: 'text', choices: ['requests', 'responses', 'both'] },
    to: 'enforce',
    see: 'proxy.md#what-is-held-back',
  },
  {
    flags: '--annotate',
    help: 'add the header Paddock-Finding to a response that breaks the document',
    brief: 'add Paddock-Finding to responses that break it',
    to: 'annotate',
  },
  {
    flags: '--exclusive',
    help: 'no other client changes records: what several exchanges show together is a finding, too',
    to: 'exclusive',
  },
  {
    flags: '--sample <percent>',
    help: 'judge only this part of the exchanges, such as 10%; which ones depends on their order alone',
    brief: 'judge a part of the exchanges, such as 10%',
    value: { type: 'text', pattern: PERCENT },
    parse: parsePercent,
    to: 'sample',
    see: 'proxy.md#what-is-judged',
  },
  MASKED,
  REPLICA_LAG,
  JUDGED_CELLS,
  KNOWN,
  STRICT,
  {
    flags: '--admin-token <token>',
    help: 'token for /__admin, required where other machines can reach the proxy',
    isSecret: true,
    to: 'adminToken',
  },
  {
    flags: '--log <form>',
    help: 'how findings and invalid requests are logged: as text for people, as JSON, or not at all',
    brief: 'text, json or quiet',
    value: { type: 'text', choices: ['text', 'json', 'quiet'] },
    default: 'text',
  },
  reportOption('har'),
  {
    flags: '--learn <file>',
    help: 'write what the traffic shows at the end: the overlay that the document lacks, or a document where none is named',
    brief: 'write what the document lacks for the traffic',
    value: FILE,
  },
  { ...VERBOSE, help: `${VERBOSE.help}; with --log json a line for each request, too` },
];

function parsePercent(text: string): number {
  const [, percent] = new RegExp(PERCENT).exec(text) ?? [];
  if (percent !== undefined) return Number(percent) / 100;
  throw new InvalidArgumentError('It must be more than 0 and at most 100%, such as 10%.');
}
