import { escapeText, isRecord, type Shape } from '#spec';
import { jsonOf, type Response } from '../send/response.ts';

/** A member of a body, or a parameter, that a refusal may be about. */
export interface BodyMember {
  readonly path: readonly string[];
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** Undefined: it was not sent. */
  readonly value: unknown;
}

/** How deep refusals are looked for. */
const DEEPEST = 3;

export function membersIn(shape: Shape, body: unknown, above: readonly string[]): BodyMember[] {
  if (above.length >= DEEPEST) return [];
  const described = [
    ...new Map([...shape.alternatives.flatMap(({ properties }) => [...properties]), ...shape.properties]),
  ];
  return described.flatMap(([name, member]): BodyMember[] => {
    if (member.readOnly) return [];
    const path = [...above, name];
    const value = isRecord(body) ? body[name] : undefined;
    const own = { path, name, shape: member, required: shape.required.has(name), value };
    return [own, ...(value === undefined ? [] : membersIn(member, value, path))];
  });
}

/** How surely a refusal is about a member, from the surest. */
const STRUCTURED = 3;
const QUOTED = 2;
const MENTIONED = 1;

/**
 * The members that a refusal is about: those that its structured errors name, else those that its text quotes, or whose
 * values it quotes, else those whose names are words of it.
 */
export function blamedMembers(response: Response, members: readonly BodyMember[]): BodyMember[] {
  const json = jsonOf(response);
  const texts = json === undefined ? [response.text ?? ''] : textsIn(json);
  const known = new Set(members.flatMap(({ path, name }) => [plain(path.join('.')), plain(name)]));
  const named = new Set(isRecord(json) || Array.isArray(json) ? placesIn(json, known) : []);
  const rated = members.map((member) => ({ member, rate: rate(member, named, texts) }));
  const best = Math.max(0, ...rated.map((one) => one.rate));
  if (best === 0) return [];
  const blamed = rated.filter((one) => one.rate === best).map(({ member }) => member);
  // An object is blamed for a member in it only where nothing more is said.
  return blamed.filter(({ path }) => !blamed.some((other) => isBelow(other.path, path)));
}

const isBelow = (inner: readonly string[], outer: readonly string[]) =>
  inner.length > outer.length && outer.every((step, index) => inner[index] === step);

function rate(member: BodyMember, named: ReadonlySet<string>, texts: readonly string[]): number {
  const { path, name, value } = member;
  const places = [path.join('.'), ...(path.length === 1 || isTelling(name) ? [name] : [])].map(plain);
  if (places.some((one) => named.has(one))) return STRUCTURED;
  const quoted = (text: string) => new RegExp(`["'\`‘“«]${escapeText(text)}["'\`’”»]`, 'i');
  const dotted = quoted(path.join('.'));
  if (texts.some((text) => quoted(name).test(text) || dotted.test(text))) return QUOTED;
  if (valuesIn(value).some((one) => texts.some((text) => text.includes(one)))) return QUOTED;
  const word = new RegExp(`(?<![\\w-])${escapeText(name)}(?![\\w-])`, isTelling(name) ? 'i' : '');
  return texts.some((text) => word.test(text)) ? MENTIONED : 0;
}

/** Shorter ones stand in many a sentence. */
const isTelling = (name: string) => name.length >= 3;

/**
 * The places that structured errors name, in plain form: `body.email`, `/data/id` and `["email"]` are `email`, `data.id`, `email`.
 * A text names one, and so do the names in an object most of which are known: `{ "errors": { "email": ["is taken"] } }`.
 */
function placesIn(value: unknown, known: ReadonlySet<string>, isContainer = false): string[] {
  if (Array.isArray(value)) return [...namesIn(value), ...value.flatMap((item) => placesIn(item, known))];
  if (!isRecord(value)) return namesIn(value);
  const keys = Object.keys(value).map(plain);
  const own = keys.filter((name) => known.has(name));
  return [
    ...(isContainer && own.length * 2 >= keys.length ? own : []),
    ...Object.values(value).flatMap((inner) => placesIn(inner, known, true)),
  ];
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [plain(value)];
  if (!Array.isArray(value)) return [];
  const steps = value.filter((step) => typeof step === 'string');
  // A path in steps, or a list of names.
  return [plain(steps.join('.')), ...steps.map(plain)];
}

const BODIES: ReadonlySet<string> = new Set(['body', 'payload', 'requestbody', 'json']);

/** Without what stands before the members of a body, and without positions in lists. */
function plain(place: string): string {
  const steps = place.replace(/\[["']?([^\]"']*)["']?\]/g, '.$1').split(/[./#$]+/);
  const kept = steps.filter((step) => step !== '' && !/^\d+$/.test(step)).map((step) => step.toLowerCase());
  return (BODIES.has(kept[0] ?? '') && kept.length > 1 ? kept.slice(1) : kept).join('.');
}

/** All texts of an error: those beside the names are sentences. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Texts that are long enough to be known again. */
const LEAST = 4;

function valuesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= LEAST ? [value] : [];
  return Array.isArray(value) ? value.flatMap(valuesIn) : [];
}
