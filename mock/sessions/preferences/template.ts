import type { Context, Emitter, Template } from 'liquidjs';
import { liquidLibrary, loadLiquidLibrary } from '#libraries';
import { type Data, isRecord, pointerTokens, stringifyJson } from '#spec';
import { memoizeText } from '../../http/memoize.ts';

/** Whether a text may be a template; the library is only loaded for those. */
export const isTemplate = (text: string) => text.includes('{{') || text.includes('{%');

/** Loads the template library if a text may be a template: in browsers it is a file of its own. */
export async function loadTemplates(text: string): Promise<void> {
  if (isTemplate(text)) await loadLiquidLibrary();
}

export interface TemplateValues {
  readonly request: {
    readonly method: string;
    /** As sent, with its query. */
    readonly url: string;
    /** Path parameters. */
    readonly path: Data;
    readonly query: Data;
    /** By lower-case name. */
    readonly headers: Data;
    readonly body: unknown;
  };
  readonly record: unknown;
  /** RFC 3339 in UTC. */
  readonly now: string;
  readonly seed: number;
  /** The number of times the rule was applied, including this one. */
  readonly count: number;
}

/** A value of a faker method. @throws Error if there is none */
type FakeNamed = (method: string, args: readonly unknown[]) => unknown;

export interface CompiledTemplate {
  /** The names that it reads, as paths from the outermost name: `request`, `path`, `petId`. */
  readonly reads: readonly (readonly string[])[];
  /** @throws Error if rendering fails or exceeds the limits */
  render(rendering: Rendering): unknown;
  /** When its rendering was aborted for taking too long, by `performance.now()`. */
  endedAt?: number;
}

/** One rendering of one or more templates, which share limits and values. */
export interface Rendering {
  readonly values: TemplateValues;
  readonly fake: FakeNamed;
  /** Set by the first template; the others share its limits. */
  limits?: Pick<Context, 'renderLimit' | 'memoryLimit'>;
}

/**
 * Compiles a Liquid text, in which a JSON Pointer may follow `request.body`. Undefined: the library is not loaded yet, as
 * in a browser. A text: the error.
 */
export function compileTemplate(text: string): CompiledTemplate | string | undefined {
  const library = liquidLibrary();
  if (!library) return undefined;
  compile ??= memoizeText(createCompile(library), { most: 1000, longest: 2 ** 16 });
  return compile(text);
}

let compile: ((text: string) => CompiledTemplate | string) | undefined;

/** Milliseconds, for all templates of one response. */
export const LONGEST_RENDERING = 1000;
/** In characters: the length of a template, and about that of all output of a response. */
const LONGEST_TEMPLATE = 2 ** 20;
const MOST_MADE = 2 ** 24;

/** These tags read files. */
const OF_FILES = ['include', 'render', 'layout', 'block'];
/** These tags write nothing. */
const SILENT: ReadonlySet<string> = new Set(['assign', 'capture', 'comment', '#']);

type Library = NonNullable<ReturnType<typeof liquidLibrary>>;

function createCompile(library: Library): (text: string) => CompiledTemplate | string {
  const { Output, Tag, TokenKind, toValueSync } = library;
  const liquid = createLiquid(library);
  const OwnContext = contextClass(library);

  /** Whether the template only outputs one value, which then keeps its type. */
  function isOneValue(nodes: readonly Template[]): boolean {
    const writing = nodes.filter((node) => {
      if (node instanceof Tag) return !SILENT.has(node.name);
      return node.token.kind !== TokenKind.HTML || node.token.getText() !== '';
    });
    return writing.length === 1 && writing[0] instanceof Output;
  }

  return (text) => {
    let nodes: Template[];
    let reads: string[][];
    try {
      nodes = liquid.parse(withPointers(text, library));
      reads = liquid
        .globalVariableSegmentsSync(nodes)
        .map((segments) => segments.filter((segment) => typeof segment === 'string'));
    } catch (error) {
      return messageOf(error);
    }
    const keepsType = isOneValue(nodes);
    return {
      reads,
      render(rendering) {
        const { values } = rendering;
        const context = new OwnContext(
          { ...values },
          liquid.options,
          { sync: true },
          { liquid, ...rendering.limits },
        );
        context.rendering = rendering;
        rendering.limits ??= context;
        const written = collect(context);
        toValueSync(liquid.renderer.renderTemplates(nodes, context, written));
        return keepsType ? written.last : written.buffer;
      },
    };
  };
}

/** The library's message; for a text of one line without the line number. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(', line:1, col:', ', column ').replace(/, line:(\d+), col:/, ', line $1, column ');
}

/** Collects the output as text, and the last value unconverted. */
function collect({ memoryLimit }: Context): Emitter & { last: unknown } {
  return {
    buffer: '',
    last: undefined,
    write(value: unknown) {
      this.last = value;
      const text = textOf(value);
      memoryLimit.use(text.length);
      this.buffer += text;
    },
  };
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

const POINTER = /"[^"]*"|'[^']*'|\brequest\.body((?:\/[^\s|,:()[\]{}<>=!"']*)+)/g;

/** `request.body/a/0` in Liquid: `request.body["a"]["0"]` (RFC 6901). */
function withPointers(text: string, { Tokenizer, TokenKind }: Library): string {
  let rewritten = '';
  let at = 0;
  for (const token of new Tokenizer(text).readTopLevelTokens()) {
    if (token.kind !== TokenKind.Output && token.kind !== TokenKind.Tag) continue;
    const [begin, end] = (token as typeof token & { contentRange: [number, number] }).contentRange;
    const content = text.slice(begin, end).replace(POINTER, (match, pointer?: string) => {
      const names = pointer === undefined ? undefined : pointerTokens(pointer);
      return names ? `request.body${names.map((name) => `[${JSON.stringify(name)}]`).join('')}` : match;
    });
    rewritten += text.slice(at, begin) + content;
    at = end;
  }
  return rewritten + text.slice(at);
}

/** Only own members can be read, and no virtual ones (such as `size` of an object). */
function contextClass({ Context: LibraryContext, Drop, toValue }: Library) {
  return class OwnContext extends LibraryContext {
    rendering: Rendering | undefined;

    override readProperty(holder: object, key: Parameters<Context['readProperty']>[1]): unknown {
      const name = toValue(key);
      const isPlain = typeof holder === 'object' && holder !== null && !Array.isArray(holder);
      if (!isPlain || holder instanceof Drop || typeof name !== 'string')
        return super.readProperty(holder, key);
      const property = holder === this.rendering?.values.request.headers ? name.toLowerCase() : name;
      return Object.hasOwn(holder, property) ? holder[property as keyof typeof holder] : undefined;
    }

    override spawn(scope = {}): OwnContext {
      const inner = new OwnContext(scope, this.opts, { sync: this.sync, globals: this.globals }, this);
      inner.rendering = this.rendering;
      return inner;
    }
  };
}

function createLiquid({ Liquid }: Library) {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    // Files are never read.
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit: LONGEST_TEMPLATE,
    renderLimit: LONGEST_RENDERING,
    memoryLimit: MOST_MADE,
  });
  const { filters, tags } = liquid;
  for (const table of [filters, tags]) Object.setPrototypeOf(table, null);
  for (const name of OF_FILES) delete tags[name];
  // It draws random items without a seed.
  delete filters.sample;
  for (const name of ['json', 'jsonify']) liquid.registerFilter(name, stringifyJson);
  for (const name of Object.keys(filters).filter((one) => one.startsWith('date'))) {
    const format = filters[name];
    if (typeof format !== 'function') continue;
    liquid.registerFilter(name, function (value, ...args) {
      const isNow = value === 'now' || value === 'today';
      return format.call(this, isNow ? renderingOf(this.context).values.now : value, ...args);
    });
  }
  liquid.registerFilter('offset', (value, by) => offsetTime(value, by));
  liquid.registerFilter('faker', function (method, ...args) {
    const isNamed = this.token.args.map((arg) => Array.isArray(arg));
    const named = args.filter((_, index) => isNamed[index]);
    const others = args.filter((_, index) => !isNamed[index]);
    const options = named.length > 0 ? [Object.fromEntries(named)] : [];
    requireBounded(String(method), [...others, ...options]);
    return renderingOf(this.context).fake(String(method), [...others, ...options]);
  });
  return liquid;
}

/** The most values that faker may make at once. */
const MOST_FAKED = 10_000;
/** Methods whose numbers are amounts or times, not counts. */
const MEASURES = /^(?:number|date|location)\./;

/** @throws RangeError if an argument asks for too many values */
function requireBounded(method: string, args: readonly unknown[]): void {
  const isMany = (value: unknown): boolean =>
    typeof value === 'object' && value !== null
      ? Object.values(value).some(isMany)
      : Number(value) > MOST_FAKED && typeof value !== 'string';
  const counts = args.flatMap((one) => {
    if (!isRecord(one) || /^(?:helpers|lorem|string|word)\./.test(method)) return [one];
    return [one.length, one.count];
  });
  if (!MEASURES.test(method) && counts.some(isMany))
    throw new RangeError(`faker makes at most ${MOST_FAKED} at once`);
}

const renderingOf = (context: Context) => (context as Context & { readonly rendering: Rendering }).rendering;

const UNITS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/**
 * A time `3 days` or `-1 month` from another one, in RFC 3339. The last day of a month stays within it.
 * @throws Error if either cannot be read
 */
function offsetTime(from: unknown, by: unknown): string {
  const moment = new Date(typeof from === 'number' ? from : String(from));
  const [, count = '', unit = ''] =
    /^([+-]?\d{1,9}) *(second|minute|hour|day|week|month|year)s?$/.exec(String(by)) ?? [];
  if (Number.isNaN(moment.getTime())) throw new Error(`offset: "${from}" is no moment`);
  if (unit === '') throw new Error(`offset must be such as "3 days" or "-1 month", not "${by}"`);
  const length = UNITS[unit as keyof typeof UNITS];
  if (length !== undefined) moment.setTime(moment.getTime() + Number(count) * length);
  else addMonths(moment, Number(count) * (unit === 'year' ? 12 : 1));
  if (Number.isNaN(moment.getTime())) throw new Error(`offset: "${by}" is too far away`);
  return moment.toISOString();
}

function addMonths(moment: Date, months: number): void {
  const day = moment.getUTCDate();
  moment.setUTCMonth(moment.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate();
  moment.setUTCDate(Math.min(day, last));
}
