import type { Tally } from '#har';
import {
  type AcceptedKeys,
  BUILT_IN_KEY,
  BUILT_IN_PASSWORD,
  type MockedDocument,
  type MockedOperation,
  type RunningMock,
} from '#mock-server';
import {
  type AccountOperation,
  accountOperation,
  count,
  isLoopback,
  showPlace,
  someOf,
  type UnmadeValue,
  unmadeValues,
  unreadBodies,
} from '#spec';
import type { LogForm } from './log.ts';
import { takesCredential, trustLines } from './shared-options.ts';
import { printable, warnOf, widest } from './terminal.ts';

/** For keys of the user. */
const OWN_KEY = '$PADDOCK_API_KEY';

const MOST_UNMADE = 10;

/** What the mock's responses lack, or how they violate the document. */
function unmadeLines(unmade: readonly UnmadeValue[]): string[] {
  const lines = unmade.slice(0, MOST_UNMADE).map(({ operation, member, keywords, at, isRequired }) => {
    const what = `no value of ${member} fits ${keywords} (${operation}, ${showPlace(at)})`;
    const instead = isRequired ? 'the mock sends one that does not fit' : 'the mock leaves it out';
    return `notice: ${what}; ${instead}. Give it an "example" or "x-faker"`;
  });
  const more = unmade.length - lines.length;
  return more > 0 ? [...lines, `notice: no value fits of ${more} more`] : lines;
}

/** Prints how to use the mock. The user's keys are never printed. */
export function announce(
  mock: RunningMock,
  keys: AcceptedKeys | undefined,
  host: string,
  form: LogForm,
  upstream?: string,
): void {
  const { contract, url, controlUrl, authority, operations } = mock;
  const key = keys === undefined ? BUILT_IN_KEY : keys === 'any' ? 'any-key' : OWN_KEY;
  const isSeveral = mock.documents.length > 1;
  const curl = mock.curlLine(key);
  if ((keys === undefined || keys === 'any') && !isLoopback(host)) {
    const why = keys === 'any' ? 'every key is accepted' : 'the key is the public development key';
    console.error(`warning: ${host} can be reached from other machines, and ${why}; set --api-key`);
  }
  warnOf(contract);
  for (const [type, unread] of unreadBodies(contract.operations))
    console.error(
      printable(`notice: bodies of ${type} are not read, and refused with 415: ${named(unread)}`),
    );
  // Checked later, as a large document has thousands of schemas.
  setImmediate(() => {
    for (const line of unmadeLines(unmadeValues(contract.operations))) console.error(printable(line));
  });
  if (form === 'json') {
    const { title, version } = contract;
    const at = new Date().toISOString();
    const { recorded } = mock;
    const documents = isSeveral ? mock.documents.map(startedDocument) : undefined;
    console.log(
      JSON.stringify({
        type: 'started',
        at,
        title,
        version,
        url,
        controlUrl,
        authority,
        operations,
        documents,
        recorded,
      }),
    );
    return;
  }
  const hasLogin = contract.operations.map(accountOperation).some(isLogin);
  const login = keys === 'any' ? 'as anybody' : `as anybody, with the password ${BUILT_IN_PASSWORD}`;
  const lines = [
    `${contract.title} ${contract.version}`.trim(),
    ...(isSeveral ? documentLines(mock) : operationLines(operations)),
    ...recordedLines(mock).map((line, index) => `  ${index === 0 ? 'recorded ' : '         '} ${line}`),
    ...(curl ? [`  try       ${curl}`] : []),
    // Last, so that it is easy to find.
    `  base URL  ${url}`,
    ...apartLines(mock),
    ...trustLines(authority),
    ...(takesCredential(contract)
      ? [`  key       ${keys === 'any' ? 'every one that is not empty' : key}`]
      : []),
    ...(hasLogin && key !== OWN_KEY ? [`  log in    ${login}`] : []),
    `  console   ${controlUrl}/`,
    ...(upstream === undefined ? [] : [`  upstream  ${upstream}`]),
    '',
  ];
  console.log(printable(lines.join('\n')));
}

function operationLines(operations: readonly MockedOperation[]): readonly string[] {
  const stateful = operations.filter(({ action }) => action !== 'sample');
  const sampled = operations.filter(({ action }) => action === 'sample');
  return atMost(MOST_LISTED, [
    ...table('stateful  ', stateful, ({ action }) => action),
    ...table('sampled   ', sampled, ({ reason }) => `from the document: ${reason}`),
  ]);
}

/** Operations with their own servers are not below the base URL. */
function apartLines({ url, contract: { operations, basePath } }: RunningMock): readonly string[] {
  const apart = Map.groupBy(operations, ({ basePaths }) => basePaths[0] ?? '');
  apart.delete(basePath);
  const origin = url.slice(0, url.length - basePath.length);
  return [...apart].map(([path, list]) => `            ${origin}${path || '/'} for ${named(list)}`);
}

/** A line for each document: `users  http://127.0.0.1:4020/v1  Users 1.0.0: 5 operations, 4 stateful`. */
function documentLines({ documents }: RunningMock): readonly string[] {
  const names = widest(documents.map(({ name }) => name));
  const urls = widest(documents.map(({ url }) => url));
  return documents.map(({ name, url, contract: { title, version }, operations }, index) => {
    const stateful = operations.filter(({ action }) => action !== 'sample').length;
    const does = `${count(operations.length, 'operation')}, ${stateful} stateful`;
    const head = index === 0 ? 'documents' : '         ';
    return `  ${head} ${name.padEnd(names)}  ${url.padEnd(urls)}  ${`${title} ${version}`.trim()}: ${does}`;
  });
}

function startedDocument({ name, url, contract: { title, version } }: MockedDocument) {
  return { name, title, version, url };
}

/** A login, or a token endpoint, with a password. */
function isLogin(meaning: AccountOperation | undefined): boolean {
  return meaning?.password !== undefined && (meaning.role === 'login' || meaning.role === 'grant');
}

/** The most lines about operations. */
const MOST_LISTED = 20;

function atMost(most: number, lines: readonly string[]): readonly string[] {
  if (lines.length <= most) return lines;
  const head = lines.slice(0, most - 1);
  return [...head, `            and ${lines.length - head.length} more: paddock explain shows all`];
}

const MOST_NAMED = 5;

function named(operations: readonly { readonly id: string }[]): string {
  const ids = operations.map(({ id }) => id);
  return someOf(ids, MOST_NAMED);
}

function table(
  title: string,
  rows: readonly MockedOperation[],
  note: (row: MockedOperation) => string | undefined,
) {
  const methods = widest(rows.map(({ method }) => method));
  const paths = widest(rows.map(({ path }) => path));
  return rows.map((row, index) => {
    const head = index === 0 ? title : ' '.repeat(title.length);
    return `  ${head}${row.method.padEnd(methods)}  ${row.path.padEnd(paths)}  ${note(row)}`;
  });
}

/** Lines for standard error: exchanges that could not be used, and what the files lack. */
export function reportMisfits({ recorded }: RunningMock, tally: Tally): void {
  if (!recorded) return;
  const say = (text: string) => console.error(printable(text));
  for (const line of tally.lines()) say(`notice: --from-har: ${line}`);
  for (const { count, meaning, first } of recorded.misfits) {
    say(`notice: --from-har: ${meaning}: ${count}`);
    for (const place of first) say(`  ${place}`);
    if (count > first.length) say(`  and ${count - first.length} more`);
  }
  if (recorded.used === 0)
    say('warning: --from-har: no exchange shows a record of this document; all collections are seeded');
}

/** A line for each recorded collection: `/pets  12 records`. */
function recordedLines({ recorded }: RunningMock): readonly string[] {
  return (recorded?.collections ?? []).map(({ path, records, madeUp }) => {
    const more = madeUp > 0 ? `, ${madeUp} of them made up: only their ids are known` : '';
    return `${path}  ${count(records, 'record')}${more}`;
  });
}
