import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

export const VERDICTS = ['true', 'false', 'debatable'] as const;
type Verdict = (typeof VERDICTS)[number];

/** A person's verdict on a cause. */
interface Judged {
  /** The key of a cause in a JSON report; `*` stands for any characters. */
  readonly key: string;
  readonly verdict: Verdict;
  /** A sentence that quotes the promise of the document. */
  readonly why: string;
}

/** The verdicts of two people on a service's causes, made independently: `judged/NAME.yaml` and `judged/again/NAME.yaml`. */
export const readJudges = (name: string): [Judged[], Judged[]] => [
  readJudged(`judged/${name}.yaml`),
  readJudged(`judged/again/${name}.yaml`),
];

/** A file has sentences by verdict, then by key. */
function readJudged(path: string): Judged[] {
  const file = new URL(path, import.meta.url);
  if (!existsSync(file)) return [];
  const byVerdict = (parse(readFileSync(file, 'utf8')) ?? {}) as Record<
    string,
    Record<string, string> | null
  >;
  return VERDICTS.flatMap((verdict) =>
    Object.entries(byVerdict[verdict] ?? {}).map(([key, why]) => ({ key, verdict, why })),
  );
}

/** Whether a cause counts. A cause that is only worth a look violates nothing but presumed facts, and does not. */
export function isRoot({
  gates,
  worthALook,
}: {
  readonly gates: boolean;
  readonly worthALook?: object;
}): boolean {
  return gates || worthALook === undefined;
}

interface Judgement {
  /** By the key of the cause; undefined: nobody has judged it. */
  readonly verdicts: ReadonlyMap<string, Verdict | undefined>;
  /** The keys of causes judged true that no run shows any more. */
  readonly lost: readonly string[];
}

/** Combines two judgements: a cause with different verdicts is debatable. */
export function agree(first: Judgement, second: Judgement): Judgement {
  const verdicts = [...first.verdicts].map(([key, verdict]) => {
    const other = second.verdicts.get(key);
    return [key, verdict && other && verdict !== other ? 'debatable' : (verdict ?? other)] as const;
  });
  return { verdicts: new Map(verdicts), lost: first.lost };
}

/**
 * Finds the verdicts for the keys of a run: an exact key first, then the longest pattern.
 * @param others keys of causes that are worth a look, which do not count as lost
 */
export function judge(
  keys: readonly string[],
  judged: readonly Judged[],
  others: readonly string[] = [],
): Judgement {
  const byLength = [...judged].sort((a, b) => wildcards(a) - wildcards(b) || b.key.length - a.key.length);
  const judgedAs = (key: string) => byLength.find((one) => patternOf(one.key).test(key));
  const verdicts = new Map(keys.map((key) => [key, judgedAs(key)?.verdict]));
  const used = new Set([...keys, ...others].map(judgedAs));
  const lost = judged.filter((one) => one.verdict === 'true' && !used.has(one)).map(({ key }) => key);
  return { verdicts, lost };
}

const wildcards = ({ key }: Judged) => key.split('*').length - 1;
const patternOf = (key: string) => new RegExp(`^${key.split('*').map(RegExp.escape).join('.*')}$`, 's');
