import { type Contract, DocumentError, loadContract, namesLoopback, type Problem, showPlace } from '#spec';
import { headerOf, SettingsError, type Target, withSchemes } from '#target';
import { askTarget, type Sender } from './ask-target.ts';
import { examineConnection } from './connection.ts';
import { examineEnvironment, examineNode, type Surroundings } from './environment.ts';
import { examineHttps } from './https.ts';
import { type Address, examinePort } from './port.ts';
import { about, type Remark } from './remark.ts';
import { examineBasePath, examineClock, examineKey } from './responses.ts';

/** What is examined. */
export interface Patient {
  /** What was said of the configuration file. */
  readonly configuration: readonly Remark[];
  readonly document: DocumentOptions;
  readonly mock: Address;
  /** Undefined: only this machine is examined. */
  readonly target: Target | undefined;
  readonly sender: Sender;
  readonly surroundings: Omit<Surroundings, 'isFar'>;
}

/** Examines everything that mock and suite depend on, and reports it in the order of the subjects. */
export async function* examine({
  configuration,
  document,
  mock,
  target,
  sender,
  surroundings,
}: Patient): AsyncGenerator<Remark> {
  yield examineNode(process.versions.node);
  yield* configuration;
  const isFar = target !== undefined && !namesLoopback(target.base.hostname);
  yield* examineEnvironment({ ...surroundings, isFar });
  const { contract, remarks } = await examineDocument(document);
  yield* remarks;
  yield await examinePort(mock);
  yield* examineHttps();
  const { skipped, good, warning, wrong } = about('target');
  if (!target) return yield skipped('none is named: paddock doctor BASE-URL or TARGET examines one');
  const way = await examineConnection(target, sender.timeout);
  yield* way.remarks;
  if (!way.isOpen) return;
  let keys: Sender;
  try {
    keys = contract ? withSchemes(sender, contract) : sender;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    // The message names the schemes of the document.
    yield about('key').wrong(error.message.replace('option credentials: ', ''));
    keys = { ...sender, credentials: {} };
  }
  const heard = await askTarget(target, contract, keys);
  if (typeof heard.base === 'string') return yield wrong(`${target.base.href}: ${heard.base}`);
  const { status, ms } = heard.base;
  const { href } = target.base;
  yield status >= 500
    ? warning(`${href} returned ${status}`, 'check the service, and the gateway in front of it')
    : good(`${href} responded in ${Math.round(ms)} ms`);
  if (contract) {
    yield examineBasePath(target.base, contract, heard.answers);
    yield examineKey(contract, keys, heard.answers);
  }
  yield examineClock(headerOf(heard.base, 'date'), headerOf(heard.base, 'age'), heard.at);
}

const ofDocument = about('document');

/** How a document is read: the options of the other verbs. */
interface DocumentOptions {
  readonly document: string;
  readonly allowRefs: readonly string[];
  readonly overlays: readonly string[];
  readonly strictDocument: boolean;
}

/** The first ones say what kind of document it is. */
const MOST = 5;

/** Reads the document; without a contract the target is examined as far as that goes. */
async function examineDocument({
  document,
  ...options
}: DocumentOptions): Promise<{ contract: Contract | undefined; remarks: Remark[] }> {
  try {
    const contract = await loadContract(document, options);
    const { title, version, operations, warnings } = contract;
    const name = `${title} ${version}`.trim() || document;
    const size = `${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}`;
    const read = ofDocument.good(`${name}, ${size} (${contract.document.root.file.positionOf([]).uri})`);
    const found = shown(warnings).map((text) => ofDocument.warning(text));
    return { contract, remarks: [read, ...found] };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { contract: undefined, remarks: shown(error.problems).map((text) => ofDocument.wrong(text)) };
  }
}

function shown(problems: readonly Problem[]): string[] {
  const lines = problems.slice(0, MOST).map((problem) => `${showPlace(problem)}: ${problem.message}`);
  const others = problems.length - lines.length;
  return others > 0 ? [...lines, `${others} more; paddock mock --strict-document shows all`] : lines;
}
