/** The requests that are measured, in the words of the shipped document. */
export interface Measured {
  readonly name: 'list' | 'read' | 'create' | '401' | '400';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly authorised: boolean;
  readonly body?: string;
  readonly status: number;
}

export const KEY = 'paddock-dev-key';

export const OPERATIONS: readonly [Measured, ...Measured[]] = [
  { name: 'list', method: 'GET', path: '/pets?limit=20&status=available', authorised: true, status: 200 },
  { name: 'read', method: 'GET', path: '/pets/7', authorised: true, status: 200 },
  {
    name: 'create',
    method: 'POST',
    path: '/pets',
    authorised: true,
    body: '{"name":"Ernesto","categoryId":7,"status":"available"}',
    status: 201,
  },
  { name: '401', method: 'GET', path: '/pets', authorised: false, status: 401 },
  { name: '400', method: 'POST', path: '/pets', authorised: true, body: '{"status":"gone"}', status: 400 },
];

export function headersOf({ authorised, body }: Measured): Record<string, string> {
  return {
    ...(authorised && { authorization: `Bearer ${KEY}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}
