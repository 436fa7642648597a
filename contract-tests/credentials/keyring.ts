import type { Contract, Operation } from '#spec';
import { type Client, type Fetch, openClient, type TlsSettings } from '../send/client.ts';
import { schemesFor } from '../send/credentials.ts';
import type { Turns } from '../send/turns.ts';
import { CredentialFailed, compileSource, type Obtain } from './obtain.ts';
import type { CredentialSource, GrantSource, Issued } from './source.ts';

/** The settings for obtaining and renewing a run's credentials. */
export interface KeyringOptions {
  readonly base: URL;
  readonly apiKey: string | undefined;
  /** By scheme; obtained ones are added, and replaced when they are renewed. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, CredentialSource>>;
  /** For redaction in reports: the first credentials, of which near misses are sent, and all later ones. */
  readonly secrets: Set<string>;
  readonly renewed: Set<string>;
  readonly plan: boolean;
  readonly timeout: number;
  readonly tls: TlsSettings;
  readonly onLoopback: boolean;
  readonly fetch: Fetch | undefined;
  readonly notice: (text: string) => void;
}

/** Obtains the credentials of a run, and renews them while it continues: once, for all callers that wait. */
export interface Keyring {
  /**
   * Obtains all credentials.
   * @throws CredentialFailed
   */
  open(): Promise<void>;
  /**
   * Renews credentials of an operation that are about to expire.
   * @throws CredentialFailed
   */
  fresh(operation: Operation): Promise<void>;
  /**
   * Renews the credentials of a rejected request (401).
   * @param sent the credentials at the time of sending
   * @returns whether to send it again with a new one
   * @throws CredentialFailed
   */
  renew(operation: Operation, sent: Readonly<Record<string, string>>): Promise<boolean>;
  /** Records whether an operation accepts a new credential, or rejects it, too. */
  note(operation: Operation, isRefused: boolean): void;
  close(): void;
}

interface Ring {
  readonly scheme: string;
  readonly obtain: Obtain;
  /** On the clock of `Date.now()`: afterwards it is renewed before use. */
  renewAt: number;
  work: Promise<void> | undefined;
}

/** A token is renewed when a fifth of its lifetime is left, but at most 30 s before its end; in milliseconds. */
const MARGIN = 30_000;
const PART = 0.2;

/** An operation that rejects so many new credentials in a row rejects them for another reason. */
const MOST_DOUBTS = 2;

/** Stands for a credential if nothing is sent. */
const NOT_OBTAINED = 'not-obtained';

export function createKeyring(contract: Contract, settings: KeyringOptions, turns: Turns): Keyring {
  const values = settings.credentials as Record<string, string>;
  const rings = new Map(
    Object.entries(settings.sources).map(([scheme, source]): [string, Ring] => [
      scheme,
      { scheme, obtain: compileSource(source), renewAt: Number.POSITIVE_INFINITY, work: undefined },
    ]),
  );
  const doubts = new Map<Operation, number>();
  const clients = new Map<string, Client>();
  let failed: CredentialFailed | undefined;

  function clientFor(url: URL): Client {
    const { base, timeout, onLoopback, tls, fetch } = settings;
    const isTarget = url.origin === base.origin;
    const client =
      clients.get(url.origin) ??
      openClient({ timeout, direct: isTarget && onLoopback, ...(isTarget && { tls, fetch }) });
    clients.set(url.origin, client);
    return isTarget
      ? { ...client, send: (request) => turns.take(request, () => client.send(request)) }
      : client;
  }

  async function replace(ring: Ring): Promise<void> {
    const { scheme } = ring;
    try {
      const issued = await ring.obtain({
        scheme,
        base: settings.base,
        documented: (grant) => documentedUrl(contract, scheme, grant),
        former: values[scheme],
        clientFor,
        notice: settings.notice,
        keepSecret: (secret) => void settings.renewed.add(secret),
      });
      demandValue(issued);
      settings[values[scheme] === undefined ? 'secrets' : 'renewed'].add(issued.value);
      ring.renewAt = renewalOf(issued);
      values[scheme] = issued.value;
    } catch (error) {
      if (!(error instanceof CredentialFailed)) throw error;
      failed ??= new CredentialFailed(`the credential of ${scheme} cannot be obtained: ${error.message}`);
      throw failed;
    }
  }

  function renewed(ring: Ring): Promise<void> {
    if (failed) return Promise.reject(failed);
    ring.work ??= replace(ring).finally(() => {
      ring.work = undefined;
    });
    return ring.work;
  }

  const ringsOf = (operation: Operation) =>
    rings.size === 0 ? [] : schemesFor(operation, settings).flatMap((scheme) => rings.get(scheme) ?? []);

  return {
    async open() {
      if (settings.plan) for (const { scheme } of rings.values()) values[scheme] = NOT_OBTAINED;
      else for (const ring of rings.values()) await renewed(ring);
    },
    async fresh(operation) {
      for (const ring of ringsOf(operation)) if (Date.now() >= ring.renewAt) await renewed(ring);
    },
    async renew(operation, sent) {
      const operationRings = ringsOf(operation);
      if (operationRings.length === 0 || (doubts.get(operation) ?? 0) >= MOST_DOUBTS) return false;
      for (const ring of operationRings) if (values[ring.scheme] === sent[ring.scheme]) await renewed(ring);
      return true;
    },
    note(operation, isRefused) {
      if (isRefused) doubts.set(operation, (doubts.get(operation) ?? 0) + 1);
      else doubts.delete(operation);
    },
    close() {
      for (const client of clients.values()) client.close();
    },
  };
}

/** RFC 9110 §5.5: headers contain no control characters. */
function demandValue(issued: Issued): void {
  const { value } = issued ?? {};
  if (typeof value === 'string' && value !== '' && !/\p{Cc}/u.test(value)) return;
  throw new CredentialFailed('what came is no text of one line');
}

function renewalOf({ expiresIn, expiresAt }: Issued): number {
  const now = Date.now();
  const end = expiresIn === undefined ? endOf(expiresAt) : now + expiresIn * 1000;
  return end - Math.min(MARGIN, Math.max(0, (end - now) * PART));
}

function endOf(expiresAt: Issued['expiresAt']): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY;
  const end = new Date(expiresAt).getTime();
  if (Number.isNaN(end)) throw new CredentialFailed(`its expiresAt is no date: ${String(expiresAt)}`);
  return end;
}

const FLOWS: Readonly<Record<GrantSource['grant'], readonly string[]>> = {
  client_credentials: ['clientCredentials'],
  password: ['password'],
  refresh_token: ['authorizationCode', 'password', 'clientCredentials'],
};

/** The documented URL for tokens (OAuth Flow Object, OpenAPI 3.1 §4.8.30). */
function documentedUrl(
  { operations }: Contract,
  scheme: string,
  grant: GrantSource['grant'],
): string | undefined {
  const credential = operations
    .flatMap(({ security }) => security.flat())
    .find((one) => one.scheme === scheme);
  const { flows = {} } = (credential?.spot.value ?? {}) as {
    flows?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  };
  const urls = FLOWS[grant].flatMap((name) => {
    const { refreshUrl, tokenUrl } = flows[name] ?? {};
    return grant === 'refresh_token' ? [refreshUrl, tokenUrl] : [tokenUrl];
  });
  return urls.find((url) => typeof url === 'string');
}
