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

/** Stores scenarios by name; each is a seed file. */
export interface Shelf {
  names(): Awaitable<readonly string[]>;
  /** YAML or JSON, and its name in messages. Undefined: there is no such scenario. */
  read(name: string): Awaitable<{ readonly text: string; readonly uri: string } | undefined>;
  /** Undefined: it was saved; else the reason why not. */
  write(name: string, scenario: ScenarioForm): Awaitable<string | undefined>;
  /** False: the new name is in use. */
  rename(name: string, to: string): Awaitable<boolean>;
  /** False: there is no such scenario. */
  remove(name: string): Awaitable<boolean>;
}

/** A seed file as data. */
export interface ScenarioForm extends SettingsForm {
  /** Default: records stay as they are. */
  readonly records?: Readonly<Record<string, unknown>>;
}

/** A scenario in the list. */
export interface ScenarioView {
  readonly name: string;
  readonly rules: number;
  readonly latency?: number | string;
  readonly now?: string;
  /** Whether it replaces records, too. */
  readonly hasRecords: boolean;
  /** Whether the session has the scenario's rules and latency. */
  readonly isCurrent: boolean;
  /** Why it cannot be used. Absent: it can. */
  readonly problem?: string;
}

/** Scenarios in memory, until the mock ends. */
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

/** A name must be a valid file name on every system. */
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
  /** Empty: records stay as they are. */
  readonly records: ReturnType<Snapshots['read']>;
}

/** @throws DocumentError with everything that does not fit the document */
export async function readScenario(
  { text, uri }: { readonly text: string; readonly uri: string },
  { document, snapshots }: ScenarioContext,
): Promise<Scenario> {
  const snapshot = await snapshots();
  if (/\{[{%]/.test(text)) await loadTemplates(text);
  const { settings, read } = createSeedSettings(document);
  return { records: snapshot.read(uri, text, read), settings };
}

/** Gives a session the scenario's rules, latency and clock, and its records if it has some. */
export function switchTo(session: Session, { settings, records }: Scenario): Promise<void> {
  return restoreSession(session, settings, records.size > 0 ? records : undefined);
}

/** Whether the session has the rules and latency of the scenario; a running clock cannot be compared. */
function isCurrent(session: Session, { rules, latency }: SeedSettings): boolean {
  const { initial } = session;
  const now = settingsForm(session);
  return (
    stringifyJson(now.rules) === stringifyJson((rules ?? initial.rules.rules).map(ruleForm)) &&
    now.latency === delayJson(latency ?? initial.latency)
  );
}

/** Notifies the pages of all sessions. */
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
