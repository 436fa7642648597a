import { stringifyJson } from '#spec';
import type { Serving } from './serving.ts';
import {
  listScenarios,
  readScenario,
  type ScenarioForm,
  type ScenarioView,
  scenarioNameProblem,
  scenariosChanged,
  switchTo,
} from './sessions/preferences/scenarios.ts';
import { type Session, settingsForm } from './sessions/session.ts';

/** Named sets of rules, latency and clock, which all sessions of a mock share. */
export interface MockScenarios {
  /**
   * Saves rules, latency and clock by name: in the folder of the option `scenarios`, else until the mock ends. Rejects with
   * a RangeError for a name that is no valid file name, and with a DocumentError if the scenario does not fit the document.
   * @param scenario content in the form of a seed file, in place of the session's settings
   */
  saveScenario(name: string, scenario?: ScenarioForm): Promise<void>;
  /**
   * All scenarios by name, with what each sets, whether the session currently has its settings, and why it cannot be used.
   * Rejects with errors of the file system.
   */
  scenarios(): Promise<readonly ScenarioView[]>;
  /** Renames a scenario. Rejects with a RangeError if it does not exist, or the new name is in use. */
  renameScenario(name: string, to: string): Promise<void>;
  /** Removes a scenario. Rejects with a RangeError if it does not exist. */
  removeScenario(name: string): Promise<void>;
  /**
   * Sets rules, latency and clock to those of a scenario, and records if it has some. Rejects with a RangeError if it does
   * not exist, and with a DocumentError if it does not fit the document.
   * @example
   * ```ts
   * await mock.session('worker-1').useScenario('payments are down');
   * ```
   */
  useScenario(name: string): Promise<void>;
}

interface ScenariosContext extends Pick<Serving, 'service' | 'sessions'> {
  readonly scenarios: Serving['scenarios'];
  readonly hasUpstream: boolean;
}

/** The scenarios that a mock's sessions share, for one session. */
export function openScenarios(
  session: () => Session,
  { scenarios: shelf, service, sessions, hasUpstream }: ScenariosContext,
): MockScenarios {
  const context = () => {
    const { contract, snapshots } = service();
    return { document: { ...contract, hasUpstream }, snapshots };
  };
  const requireName = (name: string) => {
    const problem = scenarioNameProblem(name);
    if (problem !== undefined) throw new RangeError(problem);
  };
  const missing = (name: string) => new RangeError(`there is no scenario ${JSON.stringify(name)}`);

  return {
    scenarios: () => listScenarios(session(), { ...context(), shelf }),
    async saveScenario(name, scenario) {
      requireName(name);
      if (scenario !== undefined)
        await readScenario({ text: stringifyJson(scenario), uri: 'scenario' }, context());
      const refused = await shelf.write(name, scenario ?? settingsForm(session()));
      if (refused !== undefined) throw new RangeError(refused);
      scenariosChanged(sessions);
    },
    async useScenario(name) {
      const file = await shelf.read(name);
      if (!file) throw missing(name);
      await switchTo(session(), await readScenario(file, context()));
    },
    async renameScenario(name, to) {
      requireName(to);
      if (!(await shelf.read(name))) throw missing(name);
      if (!(await shelf.rename(name, to)))
        throw new RangeError(`there is a scenario ${JSON.stringify(to)} already`);
      scenariosChanged(sessions);
    },
    async removeScenario(name) {
      if (!(await shelf.remove(name))) throw missing(name);
      scenariosChanged(sessions);
    },
  };
}
