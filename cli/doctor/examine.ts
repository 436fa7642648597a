import { headerOf, isLoopback, SettingsError, type Target, withSchemes } from '#target';
import { askTarget, type Sender } from './ask-target.ts';
import { examineBasePath } from './base-path.ts';
import { examineClock } from './clock.ts';
import { examineConnection } from './connection.ts';
import { type DocumentOptions, examineDocument } from './document.ts';
import { examineEnvironment, type Surroundings } from './environment.ts';
import { examineKey } from './key.ts';
import { examineNode } from './node-version.ts';
import { type Address, examinePort } from './port.ts';
import { about, type Remark } from './remark.ts';

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

/** Examines everything that mock and suite depend on, and tells it in the order of the subjects. */
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
  const isFar = target !== undefined && !isLoopback(target.base);
  yield* examineEnvironment({ ...surroundings, isFar });
  const { contract, remarks } = await examineDocument(document);
  yield* remarks;
  yield await examinePort(mock);
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
    // The message says which schemes the document has.
    yield about('key').wrong(error.message.replace('option credentials: ', ''));
    keys = { ...sender, credentials: {} };
  }
  const heard = await askTarget(target, contract, keys);
  if (typeof heard.base === 'string') return yield wrong(`${target.base.href}: ${heard.base}`);
  const { status, ms } = heard.base;
  const { href } = target.base;
  yield status >= 500
    ? warning(`${href} answers ${status}`, 'look at the service, and at the gateway in front of it')
    : good(`${href} answers HTTP in ${Math.round(ms)} ms`);
  if (contract) {
    yield examineBasePath(target.base, contract, heard.answers);
    yield examineKey(contract, keys, heard.answers);
  }
  yield examineClock(headerOf(heard.base, 'date'), headerOf(heard.base, 'age'), heard.at);
}
