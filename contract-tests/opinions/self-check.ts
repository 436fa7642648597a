import {
  breakEachKeyword,
  explicitStatuses,
  type Operation,
  responseFor,
  type Shape,
  sample,
  stringifyJson,
} from '#spec';
import { madeUpPath } from '../arrange/query.ts';
import type { Run } from '../run/run.ts';
import { planRequest } from '../send/plan-request.ts';
import type { Played } from './playback.ts';
import type { AskPrism } from './prism-ask.ts';

/** What a judge can see, found out with bodies that are known to be good and bad. */
export interface SelfCheck {
  /** No broken body was noticed. */
  readonly blind: boolean;
  /** It finds fault with a good body of that cell, so what it says of bodies there counts for nothing. */
  readonly isMistaken: (operationId: string, status: number) => boolean;
  readonly notes: readonly string[];
}

/** One keyword is broken in so many ways at most. */
const MOST_BROKEN = 24;
const SAMPLES = 6;

interface Probe {
  readonly operation: Operation;
  readonly status: number;
  /** Several, since there may be several forms. */
  readonly good: readonly Played[];
  readonly bad: readonly { readonly keyword: string; readonly answer: Played }[];
}

/** Some versions of Prism do not look into `allOf`, say: what a judge cannot see, its silence does not vouch for. */
export async function selfCheck(run: Run, ask: AskPrism): Promise<SelfCheck> {
  const mistaken = new Set<string>();
  const seen = new Map<string, boolean>();
  const unseen: string[] = [];
  for (const { operation, status, good, bad } of probesOf(run)) {
    const objects = async (answer: Played) => {
      const path = madeUpPath(operation);
      const violations = await ask(planRequest(run.settings, operation, { path }), answer);
      return violations?.some(({ part, isBody }) => part === 'response' && isBody) ?? false;
    };
    const cell = `${operation.id} ${status}`;
    for (const answer of good) if (await objects(answer)) mistaken.add(cell);
    let sees = bad.length === 0;
    for (const { keyword, answer } of bad) {
      const noticed = await objects(answer);
      sees ||= noticed;
      seen.set(keyword, noticed || (seen.get(keyword) ?? false));
    }
    if (!sees) unseen.push(cell);
  }
  const blindTo = [...seen].filter(([, noticed]) => !noticed).map(([keyword]) => keyword);
  return {
    blind: seen.size > 0 && blindTo.length === seen.size,
    isMistaken: (operationId, status) => mistaken.has(`${operationId} ${status}`),
    notes: [
      ...told('sees no broken body at all in', unseen),
      ...told('does not see when a body breaks', blindTo),
      ...told('finds fault with a good body of', [...mistaken]),
    ],
  };
}

function told(what: string, of: readonly string[]): string[] {
  return of.length === 0 ? [] : [`it ${what} ${of.join(', ')}`];
}

function probesOf(run: Run): Probe[] {
  return run.contract.operations.flatMap((operation) =>
    explicitStatuses(operation.responses).flatMap((status) => {
      const media = responseFor(operation.responses, status)?.content.find(({ isJson }) => isJson);
      if (!media?.schema || !media.shape) return [];
      const validate = run.contract.validators.compile(media.schema, 'response');
      const { shape } = media;
      const omit = (one: Shape) => one.writeOnly;
      const values = Array.from({ length: SAMPLES }, (_, index) =>
        sample(shape, { key: `${operation.id} ${status} ${index}`, omit }),
      ).filter((value) => validate(value).length === 0);
      if (values.length === 0) return [];
      const type = media.type.includes('*') ? 'application/json' : media.type;
      const answer = (body: unknown): Played => ({
        status,
        headers: [['Content-Type', type]],
        body: Buffer.from(stringifyJson(body)),
      });
      const broken = breakEachKeyword(shape, values[0], validate).slice(0, MOST_BROKEN);
      const bad = broken.map((one) => ({ keyword: one.keyword, answer: answer(one.value) }));
      return [{ operation, status, good: values.map(answer), bad }];
    }),
  );
}
