import {
  bodyMedia,
  type Contract,
  isRecord,
  memberShape,
  type Operation,
  type Resource,
  tellingMembers,
} from '#spec';
import { freshId } from '../arrange/made-up.ts';
import { isIdName, type Marks, markPattern } from '../laws/mark.ts';
import { creatorOf, resourceOf } from '../laws/operation-role.ts';
import type { RequestInput } from '../send/plan-request.ts';
import type { SentStep } from '../send/trail.ts';
import { makerOf } from './recipe.ts';

type Data = Readonly<Record<string, unknown>>;

interface Known {
  readonly contract: Contract;
  readonly origins: Parameters<typeof makerOf>[0]['origins'];
  readonly mark: string;
  readonly marks: Marks;
}

/** Makes the requests of a recipe anew: other marks, other values where no two records may have the same, the ids of new records. */
export class Renewal {
  readonly #known: Known;
  readonly #marks = new Map<string, string>();
  readonly #values = new Map<string, unknown>();
  /** The ids of the new records, by the requests that have made the old ones. */
  readonly ids = new Map<SentStep, unknown>();

  constructor(known: Known) {
    this.#known = known;
  }

  /** What to send in the place of a step. */
  inputOf({ operation, input }: SentStep): RequestInput {
    const { reserved: _, ...given } = input;
    if (input.example || input.provoked) return { ...given, ...this.#path(operation, input) };
    const { query, body, rawBody } = input;
    return {
      ...given,
      ...this.#path(operation, input),
      ...(query && { query: this.#renewed(query) as Data }),
      ...(body !== undefined && { body: this.#body(operation, body) }),
      ...(rawBody !== undefined && { rawBody: this.#text(rawBody) }),
    };
  }

  /** The id of the record that a step has made: the one that its new body has in the place of the old one. */
  chosenId({ created, operation, input }: SentStep): unknown {
    const property = created?.resource.id?.property ?? '';
    const body = this.#body(operation, input.body);
    return isRecord(body) ? body[property] : undefined;
  }

  #path(operation: Operation, { path }: RequestInput): Pick<RequestInput, 'path'> {
    if (!path) return {};
    return {
      path: Object.fromEntries(
        Object.entries(path).map(([name, value]) => [
          name,
          this.#id(operation, name, value) ?? this.#renewed(value),
        ]),
      ),
    };
  }

  #id(operation: Operation, name: string, value: unknown): unknown {
    const maker = makerOf(this.#known, operation, name, value);
    return maker && this.ids.get(maker);
  }

  #body(operation: Operation, body: unknown): unknown {
    if (!isRecord(body)) return this.#renewed(body);
    const resource = resourceOf(this.#known.contract, operation);
    const fresh = resource ? freshMembers(resource, operation, body) : new Set<string>();
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        (isIdName(name) ? this.#id(operation, name, value) : undefined) ??
          (fresh.has(name) ? this.#fresh(operation, name, value) : this.#renewed(value)),
      ]),
    );
  }

  /** The same old value has the same new one: what is sent twice on purpose still is. */
  #fresh(operation: Operation, name: string, value: unknown): unknown {
    const renewed = this.#renewed(value);
    if (renewed !== value) return renewed;
    const key = `${name} ${value}`;
    const shape = bodyMedia(operation.body)?.shape;
    const member = shape && memberShape(shape, name);
    if (!this.#values.has(key))
      this.#values.set(key, member ? freshId(member, `${name} ${this.#known.marks.next()}`) : value);
    return this.#values.get(key);
  }

  #renewed(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#renewed(item));
    // Numbers that are no doubles, and bytes, are objects as well.
    if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.#renewed(member)]));
  }

  #text(text: string): string {
    return text.replaceAll(markPattern(this.#known.mark), (mark) => {
      const renewed = this.#marks.get(mark) ?? this.#known.marks.next();
      this.#marks.set(mark, renewed);
      return renewed;
    });
  }
}

/** The members of a new record whose values no other record may have, as far as the suite has made them. */
function freshMembers(resource: Resource, operation: Operation, body: Data): ReadonlySet<string> {
  if (creatorOf(resource) !== operation) return new Set();
  const shape = bodyMedia(operation.body)?.shape;
  const names = [...tellingMembers(resource), resource.id?.property ?? ''];
  return new Set(
    names.filter((name) => {
      const member = shape && memberShape(shape, name);
      const isPlain = ['string', 'number'].includes(typeof body[name]) && body[name] !== '';
      return member && !member.readOnly && isPlain;
    }),
  );
}
