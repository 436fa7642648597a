import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../quality/testing/command.ts';

/** A service of compose.yaml, as far as it is used there. */
export interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

export const COMPOSE_FILE = join(ROOT, 'examples/docker/compose.yaml');

/** The services, with the variables of `.env` filled in. @throws Error for a variable that is required and not there */
export function readServices(env: Readonly<Record<string, string>>): Record<string, Service> {
  const text = readFileSync(COMPOSE_FILE, 'utf8').replace(
    /\$\{(\w+):\?([^}]*)\}/g,
    (_, name: string, why: string) => {
      const value = env[name];
      if (!value) throw new Error(`required variable ${name} is missing a value: ${why}`);
      return value;
    },
  );
  return parse(text, { merge: true }).services;
}

/** Files of this machine by their place in the container: those of the project, not named volumes. */
export function filesOf({ volumes = [] }: Service): Record<string, string> {
  const pairs = volumes.map((volume) => volume.split(':')).filter(([from = '']) => from.startsWith('.'));
  return Object.fromEntries(pairs.map(([from = '', to = '']) => [to, resolve(dirname(COMPOSE_FILE), from)]));
}
