import {
  type Contract,
  isRecord,
  type Place,
  parseFragment,
  placeOf,
  rawChild,
  type Spot,
  stringifyJson,
} from '#spec';
import { UserCodeError } from '../send/user-code-error.ts';
import type { Evidence } from './evidence.ts';
import { type Breach, LAWS, type Law, type LawName } from './law.ts';

/** A law of the user's own: it judges every exchange beside ours, by the same evidence. */
export interface OwnLaw {
  /** In small letters, with hyphens: `money-has-cents`. None of ours has it. */
  readonly name: string;
  /** What the service is held to, in one sentence. Default: the name. */
  readonly says?: string | undefined;
  /** Default: it applies to every exchange. */
  readonly applies?: ((evidence: Evidence) => boolean) | undefined;
  /** What is broken; nothing, or an empty list: the law is kept. */
  readonly judge: (evidence: Evidence) => OwnBreach | readonly OwnBreach[] | undefined;
}

/** A law of the user's own, broken by a response. */
export interface OwnBreach {
  /** What came, shortened for people. */
  readonly received: string;
  /** Default: what the law says. */
  readonly documented?: string | undefined;
  /** The place in the document, or its JSON Pointer in the main file. Default: the operation. */
  readonly at?: Place | string | undefined;
  /** The part of the body that it is about: a JSON Pointer. */
  readonly part?: string | undefined;
  /** Of a list the records that it is about. */
  readonly about?: readonly unknown[] | undefined;
}

const NAME = /^[a-z]+(?:-[a-z]+)*$/;

/** What is wrong with laws of the user's own; undefined: nothing. */
export function ownLawProblem(laws: unknown): string | undefined {
  if (!Array.isArray(laws)) return 'they must be a list of { name, judge }';
  const names = new Set<string>();
  for (const law of laws as unknown[]) {
    const { name, says, applies, judge } = isRecord(law) ? law : {};
    if (typeof name !== 'string' || !NAME.test(name))
      return `the name ${JSON.stringify(name)} must have small letters and hyphens`;
    if (Object.hasOwn(LAWS, name)) return `"${name}" is a law of Paddock's: another name tells yours from it`;
    if (names.has(name)) return `"${name}" stands twice`;
    names.add(name);
    if (typeof judge !== 'function') return `"${name}" needs judge, a function`;
    if (applies !== undefined && typeof applies !== 'function')
      return `applies of "${name}" must be a function`;
    if (says !== undefined && typeof says !== 'string') return `says of "${name}" must be a text`;
  }
  return undefined;
}

/** The laws of the user's own, as ours are. */
export function compileOwnLaws(laws: readonly OwnLaw[]): Law[] {
  return laws.map(({ name, says = name, applies = () => true, judge }) => {
    const guarded = <T>(work: () => T): T => {
      try {
        return work();
      } catch (error) {
        throw new UserCodeError(`the law ${name}`, error);
      }
    };
    return {
      // Reports show its name in the place of one of ours.
      name: name as LawName,
      applies: (evidence) => guarded(() => applies(evidence)),
      judge: (evidence) =>
        guarded(() =>
          [judge(evidence) ?? []].flat().map((breach) => {
            requireForm(breach);
            return toBreach(name, says, breach, evidence);
          }),
        ),
    };
  });
}

const MEMBERS: readonly string[] = ['received', 'documented', 'at', 'part', 'about'];
const TEXTS = ['received', 'documented', 'part'] as const;

/** @throws TypeError for what no report could show */
function requireForm(breach: unknown): asserts breach is OwnBreach {
  if (breach instanceof Promise)
    throw new TypeError('judge returned a promise: it judges at once, by the evidence alone');
  const form = 'return nothing, or { received: "what came" }, or a list of these';
  if (!isRecord(breach) || breach.received === undefined)
    throw new TypeError(`judge returned ${stringifyJson(breach) ?? typeof breach}: ${form}`);
  for (const name of TEXTS)
    if (breach[name] !== undefined && typeof breach[name] !== 'string')
      throw new TypeError(`judge returned ${name} that is no text`);
  const unknown = Object.keys(breach).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`judge returned a member "${unknown}", which is none of ${MEMBERS.join(', ')}`);
}

function toBreach(
  name: string,
  says: string,
  { received, documented = says, at, part, about }: OwnBreach,
  { contract, operation }: Evidence,
): Breach {
  return {
    law: name as LawName,
    received,
    documented,
    at: typeof at === 'string' ? placeAt(contract, at) : (at ?? placeOf(operation.spot)),
    ...(part !== undefined && { part }),
    ...(about !== undefined && { about }),
  };
}

/** @throws RangeError for a pointer that leads nowhere in the document */
function placeAt({ document: { root } }: Contract, pointer: string): Place {
  const path = parseFragment(pointer.replace(/^#/, ''));
  if (!path) throw new RangeError(`at: "${pointer}" is no JSON Pointer`);
  const found = path.reduce<Spot | undefined>((spot, key) => spot && rawChild(spot, key), root);
  if (!found) throw new RangeError(`at: the document has nothing at ${pointer}`);
  return placeOf(found);
}
