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

/** Rules, latency and clock under names, which all sessions of a mock share. */
export interface MockScenarios {
  /**
   * Keeps rules, latency and clock under a name: in the folder of the option `scenarios`, else as long as the mock runs.
   * Rejects with a RangeError for a name that no file can have, and with a DocumentError where what is given does not fit the
   * document.
   * @param scenario what is kept in place of what the session is set to, in the form of a seed file
   */
  saveScenario(name: string, scenario?: ScenarioForm): Promise<void>;
  /**
   * All scenarios by their names: what each sets, whether the session is set to it, and why it cannot be used. Rejects as the
   * file system does.
   */
  scenarios(): Promise<readonly ScenarioView[]>;
  /** Gives a scenario another name. Rejects with a RangeError where there is none, or one of the new name. */
  renameScenario(name: string, to: string): Promise<void>;
  /** Removes a scenario. Rejects with a RangeError where there is none of this name. */
  removeScenario(name: string): Promise<void>;
  /**
   * Sets rules, latency and clock to those of a scenario, and records where it has some. Rejects with a RangeError where there
   * is none of this name, and with a DocumentError where it does not fit the document.
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

/** The scenarios of a mock, which its sessions share, as one session has them. */
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
