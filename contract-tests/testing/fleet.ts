type Data = Readonly<Record<string, unknown>>;

/** An id of fixtures/specs/fleet.yaml. */
export const vanId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const van = (n: number, more: Data = {}): Data => ({
  id: vanId(n),
  kind: 'Van',
  label: `van ${n}`,
  depot: 'hill',
  electric: false,
  plate: 'FL-0001',
  registered: '2024-01-01T00:00:00Z',
  registeredOn: '2024-01-01',
  revision: 1,
  verified: true,
  ...more,
});
