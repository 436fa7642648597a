import { type Client, type ClientOptions, createClient } from './client.ts';
import { createFetchClient, type Fetch } from './fetch-client.ts';

/** A client over sockets, or one whose requests go to a function. */
export function openClient({
  fetch,
  ...options
}: ClientOptions & { readonly fetch?: Fetch | undefined }): Client {
  return fetch ? createFetchClient(fetch, options.timeout, options.abort) : createClient(options);
}
