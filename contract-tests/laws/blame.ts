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
  const named = new Set(isRecord(json) || Array.isArray(json) ? placesIn(json) : []);
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

/** Words such as `type` and `in` stand in many a sentence. */
const isTelling = (name: string) =>
  name.length >= 3 && !/^(?:type|name|value|data|key|code|id|status|error|message)$/i.test(name);

/** Members of an error that hold the name, or the path, of what is wrong. */
const NAMING =
  /^(?:fields?|path|pointer|loc(?:ation)?|propert(?:y|ies)|property_?(?:name|path)|param(?:eter)?s?|name|source|instance_?path|attribute|member|key|target|missing_?property|in)$/i;

/** Objects whose own members are named as those that are wrong: `{ "errors": { "email": ["is taken"] } }`. */
const CONTAINERS =
  /^(?:errors?|fields?|field_?errors|violations|details?|invalid_?(?:params|fields)|messages?|validation(?:_?errors)?)$/i;

/** The places that structured errors name, in plain form: `body.email`, `/data/id` and `["email"]` are `email`, `data.id`, `email`. */
function placesIn(value: unknown, isContainer = false): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, isContainer));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = isContainer ? [plain(name)] : [];
    const said = NAMING.test(name) ? namesIn(inner) : [];
    return [...own, ...said, ...placesIn(inner, CONTAINERS.test(name))];
  });
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [plain(value)];
  if (!Array.isArray(value)) return [];
  const steps = value.filter((step) => typeof step === 'string');
  // A path in steps, or a list of names.
  return [plain(steps.join('.')), ...steps.map(plain)];
}

/** Without what stands before the members of a body, and without positions in lists. */
function plain(place: string): string {
  const steps = place.replace(/\[["']?([^\]"']*)["']?\]/g, '.$1').split(/[./#$]+/);
  const kept = steps.filter((step) => step !== '' && !/^\d+$/.test(step)).map((step) => step.toLowerCase());
  return (
    /^(?:body|payload|requestbody|json)$/.test(kept[0] ?? '') && kept.length > 1 ? kept.slice(1) : kept
  ).join('.');
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
