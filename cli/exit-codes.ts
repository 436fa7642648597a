/** Exit codes with their meaning. Codes with the same meaning are joined: `130, 143`. */
type Meanings = readonly (readonly [codes: string, meaning: string])[];

/** For every error that the user can correct, in any verb. */
export const EXIT_USAGE = 2;

/** If there is nothing to give a verdict on. */
export const EXIT_NO_VERDICT = 3;

const INTERRUPTED = 'interrupted by SIGINT (Ctrl-C) or SIGTERM; the reports show what was';

/** The exit codes of each verb, from which help and documentation are made. */
export const EXIT_CODES = {
  mock: [
    ['0', 'stopped by SIGINT (Ctrl-C) or SIGTERM, or the explanation was printed (--explain)'],
    ['2', 'invalid option or document, or the port or the store cannot be used'],
  ],
  explain: [
    ['0', 'the meaning was printed or written; with --check, what is said agrees with the document'],
    ['1', 'with --check: a target of an overlay is stale, or the document contradicts what is said'],
    ['2', 'invalid option or document'],
  ],
  check: [
    ['0', 'the contract holds for what was sent, or nothing was to be sent (--plan)'],
    ['1', 'the service breaks the contract'],
    ['2', 'invalid option or document, or code of yours that fails'],
    ['3', 'no verdict: no usable response, or the credential is refused everywhere or cannot be obtained'],
    ['4', 'incomplete: an operation or a required response was not reached; or all is withheld'],
    ['130, 143', `${INTERRUPTED} checked until then`],
  ],
  merge: [
    ['0', 'the contract holds for what all shards have sent'],
    ['1', 'the service breaks the contract'],
    ['2', 'invalid option, or files that are no reports of shards of one run'],
    ['3', 'no verdict: no shard has one'],
    ['4', 'incomplete: a shard is missing, or a required response was not reached'],
  ],
  proxy: [
    ['0', 'all traffic keeps the contract'],
    ['1', 'the service breaks the contract'],
    ['2', 'invalid option or document'],
    ['3', 'no verdict: no request was for an operation of the document'],
    ['4', 'incomplete: no body to judge; with --strict cells, a response not reached'],
  ],
  judge: [
    ['0', 'the recorded traffic keeps the contract'],
    ['1', 'the service breaks the contract'],
    ['2', 'invalid option or document, or a file that is no HAR'],
    ['3', 'no verdict: the traffic has nothing in common with the document'],
    ['4', 'incomplete: broken file or entry, no body to judge; with --strict cells, a response not reached'],
    ['130, 143', `${INTERRUPTED} judged until then`],
  ],
  learn: [
    ['0', 'the document or the overlay was written'],
    ['1', 'it was written, and the same traffic still breaks it: what stands against it is listed'],
    ['2', 'invalid option or document, or a file that is no HAR'],
    ['3', 'no verdict: the traffic shows nothing of a service'],
  ],
  compat: [
    ['0', 'clients of OLD are safe with NEW; warnings change nothing'],
    ['1', 'NEW breaks clients of OLD'],
    ['2', 'invalid option or document'],
    ['4', 'incomplete: a changed operation could not be tried, or the time limit was reached'],
    ['130, 143', `${INTERRUPTED} found until then`],
  ],
} as const satisfies Readonly<Record<string, Meanings>>;

/** The verbs with their own exit codes; the others end with 0, or with 2 for an invalid option. */
export type JudgedVerb = keyof typeof EXIT_CODES;

/** The lines of one verb, indented. */
export function exitCodeLines(verb: JudgedVerb): string[] {
  return EXIT_CODES[verb].map(([codes, meaning]) => `  ${codes}  ${meaning}`);
}

/** The exit codes at the end of `--help`. */
export function exitCodes(verb: JudgedVerb): string {
  return `\nExit codes:\n${exitCodeLines(verb).join('\n')}\n`;
}
