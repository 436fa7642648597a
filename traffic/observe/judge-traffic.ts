import type { Contract } from '#spec';
import type { ObservedRequest, PendingExchange } from './observed.ts';
import { observe } from './observer.ts';

/**
 * Judges the exchanges with a service by the laws of the proxy, one after the other: what a mock that stands in front of a real
 * service (`upstream`) takes as its `judge`.
 * @param baseUrl of the service
 * @throws SettingsError for a base URL that cannot be used
 * @example
 * const mock = await createMock({ document: 'openapi.yaml', upstream: 'http://127.0.0.1:8080', judge: judgeTraffic });
 */
export function judgeTraffic(
  contract: Contract,
  baseUrl: string,
): (request: ObservedRequest) => Pick<PendingExchange, 'end'> {
  const { begin } = observe(contract, { baseUrls: [baseUrl], wholeHeaders: true });
  return begin;
}
