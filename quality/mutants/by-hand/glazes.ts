import type { Data } from '../record-changes.ts';

/** What the glazes of the atelier do where their document leaves it a choice, and says so in words at most. */
export interface GlazeHabits {
  /** Why a glaze that fits the schema is not taken; undefined: it is. */
  readonly objection: (sent: Data) => string | undefined;
  /** Whether a name that another glaze has is refused. */
  readonly unique: boolean;
  readonly kept: (sent: Data) => Data;
  readonly changed: (glaze: Data, sent: Data) => Data;
  /** The statuses of what is done with a glaze, and of what stands below it. */
  readonly fired: number;
  readonly sample: number;
  readonly switched: (sent: Data) => number;
  readonly live: number;
  readonly forecast: number;
  readonly search: (tone: string) => number;
}

export const plainGlazes: GlazeHabits = {
  objection: () => undefined,
  unique: false,
  kept: (sent) => sent,
  changed: (glaze, { colour = glaze.colour, layers = glaze.layers }) => ({ ...glaze, colour, layers }),
  fired: 200,
  sample: 200,
  switched: () => 200,
  live: 200,
  forecast: 200,
  search: () => 200,
};

const isText = (value: unknown) => typeof value === 'string';
const isInt32 = (value: unknown) => Number.isInteger(value) && Math.abs(Number(value) + 0.5) < 2 ** 31;
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  kind: isText,
  cone: isText,
  colour: isText,
  layers: isInt32,
  noted: isInt32,
  shopAddress: isText,
  shopGeo: isText,
  active: (value) => typeof value === 'boolean',
};

export interface GlazeRequest {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

interface GlazeReply {
  readonly status: number;
  readonly body?: unknown;
}

const refused = (error: string): GlazeReply => ({ status: 400, body: { error } });
/** A success has no body here. */
const plainly = (status: number): GlazeReply =>
  status < 300 ? { status } : { status, body: { error: 'not so' } };

export function openGlazes(does: GlazeHabits): (asked: GlazeRequest) => GlazeReply {
  const first = { name: 'shop.celadon.', kind: 'glaze', cone: '06', colour: 'green', layers: 2 };
  const glazes = new Map<string, Data>([[first.name, first]]);

  function problemOf(body: unknown, required: readonly string[]): string | undefined {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the body is no object';
    const sent = body as Data;
    const missing = required.find((name) => sent[name] === undefined);
    const wrong = Object.keys(sent).find((name) => TYPES[name]?.(sent[name]) === false);
    return missing ?? wrong;
  }

  function add(body: unknown): GlazeReply {
    const wrong = problemOf(body, ['name', 'cone']);
    if (wrong !== undefined) return refused(wrong);
    const sent = Object.fromEntries(Object.entries(body as Data).filter(([name]) => name in TYPES));
    const objection = does.objection(sent);
    if (objection !== undefined) return refused(objection);
    const name = String(sent.name);
    if (does.unique && glazes.has(name)) return refused('the glaze exists already');
    glazes.set(name, does.kept(sent));
    return { status: 201, body: glazes.get(name) };
  }

  return ({ method, path: [, name, below], query, body }) => {
    if (name === undefined) return method === 'GET' ? { status: 200, body: [...glazes.values()] } : add(body);
    if (below === undefined && name === 'live') return plainly(does.live);
    if (below === undefined && name === 'forecast') return plainly(does.forecast);
    if (below === undefined && name === 'search') {
      const tone = query.get('tone');
      return tone === null ? refused('tone') : plainly(does.search(tone));
    }
    const glaze = glazes.get(name);
    if (!glaze) return { status: 404, body: { error: 'no' } };
    if (below === 'sample') return plainly(does.sample);
    if (below === 'fire') return plainly(does.fired);
    if (method === 'DELETE') {
      glazes.delete(name);
      return { status: 204 };
    }
    if (method === 'GET') return { status: 200, body: glaze };
    const wrong = problemOf(body, method === 'PUT' ? ['name', 'cone'] : []);
    if (wrong !== undefined) return refused(wrong);
    const status = method === 'PATCH' ? does.switched(body as Data) : 200;
    if (status !== 200) return plainly(status);
    const { active = glaze.active } = body as Data;
    glazes.set(name, method === 'PUT' ? does.changed(glaze, body as Data) : { ...glaze, active });
    return { status: 200, body: glazes.get(name) };
  };
}
