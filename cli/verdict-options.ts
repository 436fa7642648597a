import type { Option } from 'commander';
import { option, wholeNumber } from './options.ts';

/** `--strict-stability`. */
export function strictStability(): Option {
  return option('--strict-stability', 'let experimental and beta operations gate');
}

/** `--known`. */
export function known(): Option {
  return option('--known <file>', 'findings that are accepted until a day, as YAML or JSON');
}

/** `--baseline`. */
export function baseline(): Option {
  return option('--baseline <file>', 'JSON report of an earlier run: tell what is new, fixed and the same');
}

/** `--new-only`. */
export function newOnly(): Option {
  return option('--new-only', 'let only findings gate that --baseline lacks');
}

/** `--settle` of traffic that others send. */
export function replicaLag(): Option {
  return option('--settle <ms>', 'milliseconds for which a replica may lag behind a change')
    .argParser(wholeNumber(0, 600_000))
    .default(2000);
}
