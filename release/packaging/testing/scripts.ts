import {
  bodyMedia,
  type Contract,
  encodeBody,
  encodeParameter,
  hasStream,
  type Operation,
  type Parameter,
  queryPairs,
  sample,
} from '#spec';
import type { Step } from './play.ts';

const KEY = 'paddock-dev-key';

/**
 * Requests to each operation of a document: valid ones, and ones without a credential or with an undescribed query and
 * body; then states, sessions, rules and the clock.
 */
export function stepsFor({ operations, basePath }: Contract): Step[] {
  const requests = operations.flatMap(requestsTo);
  const [first] = requests;
  const rules: Step[] = [
    { call: 'addRule', rule: { status: 503, times: 1 } },
    { call: 'addRule', rule: { delay: 1, truncate: true, times: 1 } },
    { call: 'addRule', rule: { drop: true, times: 1 } },
    { call: 'addRule', rule: { status: 7 } },
    {
      call: 'addRule',
      rule: { body: { id: 1, é: [null] }, headers: { 'X-Own': 'a' }, status: 200, times: 1 },
    },
    {
      call: 'addRule',
      rule: { sequence: [500, 'pass', { body: 'text', delay: '1-3' }], match: { method: 'GET' } },
    },
  ];
  return [
    ...requests,
    { call: 'state' },
    { call: 'requests' },
    ...(first ? rules.flatMap((rule) => [rule, first]) : []),
    { call: 'reset' },
    ...requests.slice(0, 4).map((step) => ({ ...step, session: 'own' })),
    { call: 'state', session: 'own' },
    { call: 'restore' },
    { call: 'setClock', at: Date.UTC(2030, 11, 6) },
    ...requests.filter(({ method }) => method === 'GET'),
    { call: 'state' },
    get('/nowhere'),
    get('/openapi.json'),
    get('http://localhost/__admin/state'),
    get('http://localhost/__admin/nowhere'),
    get(`http://localhost${basePath}/`, 'PURGE'),
    get(`/${'long'.repeat(5000)}`),
  ];
}

type FetchStep = Extract<Step, { call: 'fetch' }>;

const get = (path: string, method = 'GET'): FetchStep => ({ call: 'fetch', path, method, headers: {} });

function requestsTo(operation: Operation): FetchStep[] {
  const { method, body, parameters, security } = operation;
  // `fetch` does not support these.
  if (['TRACE', 'CONNECT'].includes(method)) return [];
  // Reading a stream to its end may never finish.
  if (operation.responses.some(hasStream)) return [];
  const valueFor = (parameter: Parameter) => {
    const value = sample(parameter.shape, { key: `${operation.id}/${parameter.name}` });
    return parameter.in === 'path' && parameter.shape.mainType === 'integer' ? 1 : value;
  };
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter ? encodeParameter(parameter, valueFor(parameter)).join() : 'x';
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .flatMap((parameter) => queryPairs(parameter, valueFor(parameter)))
    .map((pair) => pair.join('='));
  const headers: Record<string, string> = {};
  for (const parameter of parameters)
    if (parameter.in === 'header' && parameter.required)
      headers[parameter.name] = encodeParameter(parameter, valueFor(parameter)).join();
  const secret: Record<string, string> = {};
  for (const { kind, in: place, name } of security[0] ?? []) {
    if (kind === 'bearer') secret.authorization = `Bearer ${KEY}`;
    else if (kind === 'basic') secret.authorization = `Basic ${btoa(`${KEY}:`)}`;
    else if (place === 'header') secret[name] = KEY;
    else if (place === 'cookie') secret.cookie = `${name}=${KEY}`;
    else query.push(`${name}=${KEY}`);
  }
  const url = (more: readonly string[]) =>
    path + (query.length + more.length > 0 ? `?${[...query, ...more].join('&')}` : '');
  const all = { ...headers, ...secret };
  const bare = { call: 'fetch', method, path: url([]), headers: all } as const;
  const media = bodyMedia(body);
  if (!media || method === 'GET' || method === 'HEAD')
    return [
      bare,
      { ...bare, headers },
      { ...bare, path: url(['limit=-1', 'page=x', 'sort=%ff']) },
      { ...bare, headers: { ...all, prefer: 'code=404' } },
    ];
  const { bytes, type } = encodeBody(media, media.shape && sample(media.shape, { key: operation.id }));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const typed = { ...bare, headers: { ...all, 'content-type': type } };
  return [
    { ...typed, body: text },
    { ...typed, body: `${text}\xff{` },
    {
      ...typed,
      body: '{"id":12345678901234567890,"é":[null]}',
      headers: { ...all, 'content-type': 'application/json' },
    },
    { ...bare, body: text, headers: { ...all, 'content-type': 'image/png' } },
    { ...bare, headers },
  ];
}
