import { stringifyJson } from '#spec';
import type { Awaitable } from '../../http/exchange.ts';
import { type Refusal, refuseFile } from '../../http/refusal.ts';
import type { Snapshots } from '../../records/snapshot/snapshot.ts';
import { restoreSession, type Session, settingsForm } from '../session.ts';
import type { Sessions } from '../sessions.ts';
import { delayJson } from './delay.ts';
import type { RuledDocument } from './read-rule.ts';
import { ruleForm } from './rules.ts';
import { createSeedSettings, type SeedSettings, type SettingsForm } from './seed-settings.ts';
import { loadTemplates } from './template.ts';

/** Where scenarios are kept, by their names: each is a seed file. */
export interface Shelf {
  names(): Awaitable<readonly string[]>;
  /** YAML or JSON, and what the text is called in messages; undefined: there is none. */
  read(name: string): Awaitable<{ readonly text: string; readonly uri: string } | undefined>;
  /** Undefined: it is kept; else why not. */
  write(name: string, scenario: ScenarioForm): Awaitable<string | undefined>;
  /** False: there is one of the new name. */
  rename(name: string, to: string): Awaitable<boolean>;
  /** False: there was none. */
  remove(name: string): Awaitable<boolean>;
}

/** A seed file as data. */
export interface ScenarioForm extends SettingsForm {
  /** Default: the records stay. */
  readonly records?: Readonly<Record<string, unknown>>;
}

/** A scenario as the list shows it. */
export interface ScenarioView {
  readonly name: string;
  readonly rules: number;
  readonly latency?: number | string;
  readonly now?: string;
  /** Whether it replaces records, too. */
  readonly hasRecords: boolean;
  /** Whether the session has its rules and its latency. */
  readonly isCurrent: boolean;
  /** Why it cannot be used; absent: it can. */
  readonly problem?: string;
}

/** Kept as long as the mock runs. */
export function createShelf(): Shelf {
  const texts = new Map<string, string>();
  return {
    names: () => [...texts.keys()].sort(),
    read(name) {
      const text = texts.get(name);
      return text === undefined ? undefined : { text, uri: name };
    },
    write(name, scenario) {
      texts.set(name, stringifyJson(scenario, 2));
      return undefined;
    },
    rename(name, to) {
      if (texts.has(to)) return false;
      texts.set(to, texts.get(name) ?? '{}');
      return texts.delete(name);
    },
    remove: (name) => texts.delete(name),
  };
}

/** A name is a file's, on every system. */
export function scenarioNameProblem(name: string): string | undefined {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name) && !/[ .]$/.test(name)) return undefined;
  const allowed = '1 to 64 letters, digits, spaces and the characters . _ -';
  return `A scenario's name must have ${allowed}, begin with a letter or digit and not end with a space or a dot, not ${JSON.stringify(name)}`;
}

export interface ScenarioContext {
  readonly document: RuledDocument;
  readonly snapshots: () => Promise<Snapshots>;
}

interface Scenario {
  readonly settings: SeedSettings;
  /** Empty: the records stay. */
  readonly records: ReturnType<Snapshots['read']>;
}

/** @throws DocumentError with everything in it that does not fit the document */
export async function readScenario(
  { text, uri }: { readonly text: string; readonly uri: string },
  { document, snapshots }: ScenarioContext,
): Promise<Scenario> {
  const snapshot = await snapshots();
  if (/\{[{%]/.test(text)) await loadTemplates(text);
  const { settings, read } = createSeedSettings(document);
  return { records: snapshot.read(uri, text, read), settings };
}

/** Rules, latency and clock of the session are those of the scenario from now on; records only where it has some. */
export function switchTo(session: Session, { settings, records }: Scenario): Promise<void> {
  return restoreSession(session, settings, records.size > 0 ? records : undefined);
}

/** Whether the session has its rules and its latency, as far as it says; of a clock that runs nobody can say it. */
function isCurrent(session: Session, { rules, latency }: SeedSettings): boolean {
  const { initial } = session;
  const now = settingsForm(session);
  return (
    stringifyJson(now.rules) === stringifyJson((rules ?? initial.rules.rules).map(ruleForm)) &&
    now.latency === delayJson(latency ?? initial.latency)
  );
}

/** Pages of all sessions show them. */
export function scenariosChanged({ all }: Sessions): void {
  for (const { events } of all) events.publish('scenarios', '{}');
}

/** All scenarios, as a session sees them. */
export async function listScenarios(
  session: Session,
  context: ScenarioContext & { readonly shelf: Shelf },
): Promise<ScenarioView[]> {
  const names = await context.shelf.names();
  const all = names.map(async (name): Promise<ScenarioView[]> => {
    const file = await context.shelf.read(name);
    if (!file) return [];
    const scenario = await readable(file, context);
    if ('refuse' in scenario)
      return [{ name, rules: 0, hasRecords: false, isCurrent: false, problem: String(scenario.message) }];
    const { settings, records } = scenario;
    const { rules, latency, now } = settings;
    return [
      {
        name,
        rules: rules?.length ?? 0,
        ...(latency && { latency: delayJson(latency) }),
        ...(now !== undefined && { now: new Date(now).toISOString() }),
        hasRecords: records.size > 0,
        isCurrent: isCurrent(session, settings),
      },
    ];
  });
  return (await Promise.all(all)).flat();
}

/** A scenario, or why it cannot be used. */
export async function readable(
  file: { readonly text: string; readonly uri: string },
  context: ScenarioContext,
): Promise<Scenario | Refusal> {
  try {
    return await readScenario(file, context);
  } catch (error) {
    return refuseFile(error, file.uri);
  }
}
