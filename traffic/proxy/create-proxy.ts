import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Https, serverCertificate } from '#certificates';
import { type Report, type ReportedFinding, SettingsError } from '#contract-tests';
import { openService } from '#forwarder';
import type { HarFile } from '#har';
import { type ObserveOptions, observe, resolveMask } from '#observe';
import { type Contract, loadContract, maskUrl } from '#spec';
import { compileRedactTarget, readTarget, type Target, type TargetOptions } from '#target';
import { createAdminServer, type FindingsView, TRAFFIC_FORMATS } from './admin.ts';
import { exchange } from './exchange.ts';
import { createJudging } from './judging/judging.ts';
import { createSampler, type Sampling } from './judging/repeats.ts';
import { Refusal } from './message.ts';
import {
  compileShow,
  createInvalidRequests,
  createSeenExchanges,
  type InvalidRequest,
  type SeenExchange,
} from './seen.ts';
import { type Listening, serve } from './serve.ts';
import { ADMIN_PATH, createCounts, createOwnConnections, isAdminTarget, type Way } from './way.ts';

/** The options for judging; see {@link ObserveOptions}. */
type Judgement = Omit<ObserveOptions, 'baseUrls' | 'wholeHeaders'>;

/** What is validated before it passes. */
export type Enforced = 'requests' | 'responses' | 'both';

/** The options of a proxy; `undefined` counts as absent. */
export interface ProxyOptions extends TargetOptions, Judgement, Sampling {
  /** Path or http(s) URL of the OpenAPI document, YAML or JSON. */
  readonly document: string;
  /** Folders, files and http(s) URLs that `$ref`s may refer to beyond the document's own folder or host. Default: none. */
  readonly allowRefs?: readonly string[] | undefined;
  /** Paths or URLs of OpenAPI Overlays. Default: none. */
  readonly overlays?: readonly string[] | undefined;
  /** Whether to reject the document for what is otherwise a warning. Default: false. */
  readonly strictDocument?: boolean | undefined;
  /** Port to listen on, 0 to 65,535; 0 selects a free one. Default: 4030. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /**
   * Serve https: `true` with a certificate for localhost that Paddock creates and keeps, or `{ cert, key }`, paths of PEM
   * files, with your own. Default: false, plain http.
   */
  readonly https?: Https | undefined;
  /** Whether to keep the client's Host header. Default: false, it names the target. */
  readonly keepHost?: boolean | undefined;
  /**
   * Whether to serve clients that can only be configured with a proxy (`HTTP_PROXY`, `HTTPS_PROXY`), too: requests to the
   * target and to the servers of the document are judged, https decrypted; others are forwarded if allowed. Default:
   * false.
   */
  readonly forward?: boolean | undefined;
  /**
   * Further hosts that such clients may reach, in addition to the target and, for clients on this machine, to this machine
   * and the servers of the document: `HOST`, `HOST:PORT`, `*.DOMAIN`, or `*` for all. Default: none.
   */
  readonly allowHosts?: readonly string[] | undefined;
  /**
   * What is validated before it passes. `responses`, or true: 502 replaces an invalid response. `requests`: an invalid
   * request is not forwarded, and gets the documented error body. Default: false, neither.
   */
  readonly enforce?: boolean | Enforced | undefined;
  /** Whether to add the header Paddock-Finding to responses that break the document. Default: false. */
  readonly annotate?: boolean | undefined;
  /** The token for `/__admin`. Default: none, and only clients on this machine are allowed. */
  readonly adminToken?: string | undefined;
  /** HARs from `openHarFile` that receive all exchanges, with secrets masked; the caller closes them. Default: none. */
  readonly har?: HarFile | readonly HarFile[] | undefined;
  /** Receives each finding when it first occurs. */
  readonly onFinding?: ((finding: ReportedFinding) => void) | undefined;
  /** Receives each exchange as `/__admin` shows it, without credentials. Default: none. */
  readonly onSeen?: ((exchange: SeenExchange) => void) | undefined;
  /** Receives invalid requests: of equal ones the first, the 10th, the 100th and so on. */
  readonly onInvalidRequest?: ((request: InvalidRequest) => void) | undefined;
  /** Receives other messages, such as that the target does not respond. */
  readonly notice?: ((text: string) => void) | undefined;
  /** Receives internal errors of Paddock. Default: they are ignored. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** A running proxy. */
export interface Proxy {
  /** The base URL for clients: that of the target with another origin, `http://127.0.0.1:4030/v1`. */
  readonly url: string;
  /** The base URL of its control API: `http://127.0.0.1:4030/__admin`. */
  readonly adminUrl: string;
  /** The file (PEM) of the authority that clients must trust; undefined: plain http, or your own certificate. */
  readonly authority: string | undefined;
  /** The same for the hosts that `forward` decrypts; undefined: none. */
  readonly forwardAuthority: string | undefined;
  /** The document, read and compiled. */
  readonly contract: Contract;
  /** The response of `GET /__admin/findings`. */
  found(): FindingsView;
  /** The report on the traffic so far, in the form of a run of the suite. */
  report(): Report;
  /** Accepts no more connections; resolves when the last request has a response and is judged, or after 3 seconds. */
  close(): Promise<void>;
}

/**
 * Starts a proxy for a service that judges the traffic by the document.
 * @throws SettingsError for an invalid option
 * @throws DocumentError for a document that cannot be read or used, with file, line and column of each problem
 * @throws Error of the system if it cannot listen
 * @example
 * const proxy = await createProxy({ target: 'http://127.0.0.1:4020/v1', document: 'openapi.yaml', port: 0 });
 * const pets = await fetch(`${proxy.url}/pets`);
 * await proxy.close();
 * console.log(proxy.report().findings);
 */
export async function createProxy(options: ProxyOptions): Promise<Proxy> {
  const { document, port = 4030, host = '127.0.0.1', annotate = false } = options;
  const enforce = options.enforce === true ? 'responses' : options.enforce;
  const enforcesResponses = enforce === 'responses' || enforce === 'both';
  const {
    https = false,
    notice = () => {},
    onBug = () => {},
    onFinding,
    onInvalidRequest,
    adminToken,
  } = options;
  const target = readTarget(options);
  const { base } = target;
  const { exclusive, settle, only, known } = options;
  const { strict, mask = [] } = options;
  const judgement = { exclusive, settle, only, known, mask, strict };
  const { allowRefs = [], overlays = [], strictDocument = false } = options;
  const certificate = await serverCertificate(https).catch((error: Error) => {
    throw new SettingsError(error.message, 'https');
  });
  const contract = await loadContract(document, { allowRefs, overlays, strictDocument });
  const forwarding = await forwardingOf(options, contract, target);
  const baseUrls = [target, ...(forwarding?.servers ?? [])].map((one) => one.base.href);
  const observer = observe(contract, { ...judgement, baseUrls, wholeHeaders: true });
  const counts = createCounts();
  const ownMask = resolveMask(mask);
  const redactQuery = compileRedactTarget(contract.operations);
  const redactTarget = (text: string) => maskUrl(redactQuery(text), '***', ownMask.hides);
  const show = compileShow(redactTarget);
  const seen = createSeenExchanges(show);

  const findingsView = (): FindingsView => ({
    target: base.href,
    document: contract.document.root.file.uri,
    counts: { ...counts },
    traffic: observer.traffic,
    findings: observer.findings,
    formats: TRAFFIC_FORMATS,
  });
  const admin = createAdminServer({
    contract,
    target: base.href,
    basePath: base.pathname.replace(/\/$/, ''),
    host,
    adminToken,
    counts,
    seen,
    findingsView,
    report: () => finished(),
    onBug,
  });
  const noteInvalid = onInvalidRequest && createInvalidRequests(redactTarget, onInvalidRequest);
  const files = [options.har ?? []].flat();
  const recorder =
    files.length > 0
      ? (await import('./record-har.ts')).createHarRecorder(files, contract, ownMask)
      : undefined;
  const judging = createJudging({
    observer,
    counts,
    settle: options.settle ?? 2000,
    enforce: enforcesResponses,
    annotate,
    onJudged(recording) {
      const id = seen.add(recording);
      recorder?.ended(recording);
      options.onSeen?.(show(recording, id));
      admin.publish('exchange', () => JSON.stringify(show(recording, id)));
    },
    onBegun: recorder?.begun,
    isSampled: createSampler(readSampling(options, enforcesResponses || annotate)),
    onInvalid: (head, fault) => noteInvalid?.(head, fault),
    onFinding(finding: ReportedFinding) {
      admin.publish('finding', () => JSON.stringify(finding));
      onFinding?.(finding);
    },
    onBug,
  });
  const finished = () => {
    judging.finish();
    return observer.report();
  };

  /** Loaded only if requests are enforced. */
  async function openScreens(): Promise<(base: URL) => Way['screen']> {
    const { compileScreen } = await import('./screen.ts');
    return (base) => {
      const screen = compileScreen(contract, base, ownMask);
      return (head, body) => {
        try {
          const refused = screen(head, body);
          if (!refused) return undefined;
          const { fault, response } = refused;
          counts.invalid += 1;
          noteInvalid?.(head, fault, response.status);
          judging.refused(base.origin, head, response, fault);
          return response;
        } catch (error) {
          onBug(error);
          return undefined;
        }
      };
    };
  }
  const screenOf = enforce === 'requests' || enforce === 'both' ? await openScreens() : undefined;

  let listening: Listening | undefined;
  const ownConnections = createOwnConnections();
  const ways: Way[] = [];
  function wayTo(to: Target, judgedAt = to): Way {
    const way: Way = {
      service: openService(to),
      host: options.keepHost ? undefined : to.base.host,
      counts,
      holds: enforcesResponses || annotate,
      screen: screenOf?.(judgedAt.base),
      witness: judging.witness(judgedAt.base.origin),
      ownConnections,
      notice: ({ method, target }, what) => notice(`${method} ${redactTarget(target)}: ${what}`),
    };
    ways.push(way);
    return way;
  }
  const home = wayTo(target);
  const forward = forwarding?.open({ home, wayTo, listening: () => listening, notice });
  listening = await serve({
    port,
    host,
    certificate,
    counts,
    notice,
    forwards: forward !== undefined,
    connect: (incoming, client, first) => forward?.connect(incoming, client, first),
    serve(asked) {
      const { incoming, outgoing, head } = asked;
      if (ownConnections.has(incoming.socket))
        throw new Refusal('the target leads back to the proxy itself', 508);
      const way = forward ? forward.wayOf(incoming.socket, head) : home;
      if (way !== home || !isAdminTarget(head.target)) return exchange(asked, way);
      void admin.serve(incoming, outgoing, head.target);
      return () => false;
    },
  });
  const { origin, address, close } = listening;
  if (await leadsTo(address, target)) {
    await close();
    const message = `the target ${base.origin} is the proxy itself: name the service, or choose another --port`;
    throw new SettingsError(message);
  }
  return {
    url: origin + base.pathname.replace(/\/$/, ''),
    adminUrl: origin + ADMIN_PATH,
    authority: certificate?.authority,
    forwardAuthority: forwarding?.authority,
    contract,
    found: () => {
      judging.finish();
      return findingsView();
    },
    report: finished,
    async close() {
      const closed = close();
      admin.close();
      await closed;
      for (const { service } of ways) service.close();
      judging.finish();
    },
  };
}

async function forwardingOf(options: ProxyOptions, contract: Contract, target: Target) {
  if (options.forward) {
    const { readForwarding } = await import('./forward/read-forwarding.ts');
    return readForwarding(options, contract, target);
  }
  if (options.allowHosts?.length)
    throw new SettingsError('option allowHosts says where forward leads: set that as well', 'allowHosts');
  return undefined;
}

/** @throws SettingsError */
function readSampling({ sample }: Sampling, judgesAll: boolean): Sampling {
  if (sample === undefined) return {};
  if (judgesAll)
    throw new SettingsError('option sample leaves out what enforce and annotate judge: choose one', 'sample');
  if (!(sample > 0 && sample <= 1))
    throw new SettingsError('option sample: it must be more than 0, and at most 1', 'sample');
  return { sample };
}

/** Whether the target would be the proxy's own address. */
async function leadsTo({ address, port }: AddressInfo, { base, proxyEnv }: Target): Promise<boolean> {
  if (proxyEnv !== undefined || Number(base.port || (base.protocol === 'https:' ? 443 : 80)) !== port)
    return false;
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list.map((one) => one.address));
  const isAny = address === '0.0.0.0' || address === '::';
  const places = await lookup(base.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  return places.some((place) => place.address === address || (isAny && addresses.includes(place.address)));
}
