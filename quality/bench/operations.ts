/** A request that is measured, of the shipped document. */
export interface Measured {
  readonly name: 'list' | 'read' | 'create' | '401' | '400';
  readonly path: string;
  /** Where there is one, the method is POST. */
  readonly body?: string;
  readonly status: number;
}

export const KEY = 'paddock-dev-key';
const PET = '{"name":"Ernesto","categoryId":7,"status":"available"}';

export const OPERATIONS: readonly [Measured, ...Measured[]] = [
  { name: 'list', path: '/pets?limit=20&status=available', status: 200 },
  { name: 'read', path: '/pets/7', status: 200 },
  { name: 'create', path: '/pets', body: PET, status: 201 },
  { name: '401', path: '/pets', status: 401 },
  { name: '400', path: '/pets', body: '{"status":"gone"}', status: 400 },
];

export function methodOf({ body }: Measured): 'GET' | 'POST' {
  return body === undefined ? 'GET' : 'POST';
}

export function headersOf({ name, body }: Measured): Record<string, string> {
  return {
    ...(name !== '401' && { authorization: `Bearer ${KEY}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}
