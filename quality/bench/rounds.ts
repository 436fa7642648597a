import { refuse } from '../arguments.ts';

export interface Rounds {
  readonly rounds: number;
  /** For each operation and server. */
  readonly seconds: number;
  /** Seconds in an uncounted first round: V8 compiles hot code in steps, on threads that count as the server's. */
  readonly warming: number;
}

/** `--rounds`, `--seconds` and `--warming` for `readArguments`. */
export function roundsOptions({ rounds, seconds, warming }: Rounds) {
  const number = (value: number) => ({ type: 'string', default: String(value) }) as const;
  return { rounds: number(rounds), seconds: number(seconds), warming: number(warming) };
}

/** Ends the process with exit code 2 when one of them is no number from 1 on. */
export function toRounds(values: Readonly<Record<keyof Rounds, string>>): Rounds {
  const number = (name: keyof Rounds) => {
    const value = Number(values[name]);
    return value >= 1 ? value : refuse(`--${name} must be a number from 1 on, not "${values[name]}"`);
  };
  return { rounds: number('rounds'), seconds: number('seconds'), warming: number('warming') };
}

/** Writes on standard error which round begins. */
export function progressOf(what: string, rounds: number): (round: number) => void {
  return (round) =>
    process.stderr.write(`${what}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}\n`);
}
