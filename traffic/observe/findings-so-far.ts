import {
  credentialVariable,
  isRecord,
  isSecretHeader,
  isSecretName,
  type Mask,
  maskText,
  maskUrl,
  type Operation,
  parseJson,
  percentDecode,
  secretsIn,
  showPlace,
} from '#spec';
import type { Judgement } from '../../contract-tests/laws/all-laws.ts';
import type { Evidence } from '../../contract-tests/laws/evidence.ts';
import type { Finding, Observation } from '../../contract-tests/laws/finding.ts';
import type { LawName } from '../../contract-tests/laws/law.ts';
import { createRedactor, MASK, type Redact } from '../../contract-tests/report/redact.ts';
import { findingReporter, type ReportedFinding } from '../../contract-tests/report/reported-finding.ts';
import { counts, gates } from '../../contract-tests/report/verdict.ts';
import { CaseLog } from '../../contract-tests/run/case-log.ts';
import { headerVariable, type Presented, present, theKey } from '../../contract-tests/send/credentials.ts';
import type { Exchange } from '../../contract-tests/send/response.ts';
import { jsonOf } from '../../contract-tests/send/response.ts';
import { headerOf, type WireRequest } from '../../contract-tests/send/wire.ts';
import { caseIdOf, type ObservedFinding, type ObservedRun } from './observed.ts';
import { plainRequest } from './plain-request.ts';
import { Times, timesText } from './tally.ts';

/** The findings of the traffic: one for each rule, place in the document and cell, with its number of occurrences. */
export interface FindingsSoFar {
  /** Adds the breaches of an exchange. */
  add(judgements: readonly Judgement[], evidence: Evidence): readonly ObservedFinding[];
  /** Adds breaches that an unobserved client may be the reason for. */
  suspect(judgements: readonly Judgement[], evidence: Evidence): void;
  readonly all: readonly KeptFinding[];
  readonly suspicions: readonly Observation[];
  /** The number of distinct findings that were dropped. */
  readonly dropped: number;
}

export interface KeptFinding {
  /** Without the bodies of its exchange. */
  readonly finding: Finding;
  readonly reported: ReportedFinding;
}

/** The maximum number of distinct ones. */
const MOST_FINDINGS = 1000;
const MOST_SUSPICIONS = 200;
/** The request headers that a rule depends on, and the service's behaviour does not. */
const SPECIAL: Readonly<Partial<Record<LawName, string>>> = { encoding: 'accept-encoding' };
/** The number of clients whose redactors are cached. */
const MOST_REDACTORS = 16;

export function collectFindings(run: ObservedRun, mask: Mask): FindingsSoFar {
  const { settings } = run;
  const kept = new Map<string, { finding: Finding; reported: ReportedFinding; times: number }>();
  const suspicions = new Times<Observation>(MOST_SUSPICIONS);
  const redactors = new Map<string, Redact>();
  let dropped = 0;

  function redactorFor(secrets: readonly string[]): Redact {
    const key = secrets.join('\n');
    const redact = redactors.get(key) ?? createRedactor(withSecrets(run, secrets).settings);
    redactors.set(key, redact);
    if (redactors.size > MOST_REDACTORS) redactors.delete([...redactors.keys()][0] ?? '');
    return redact;
  }

  /** As the suite makes them of one case. */
  function findingsOf(judgements: readonly Judgement[], { exchange }: Evidence): readonly Finding[] {
    const { operation, response } = exchange;
    const { status } = response;
    const log = new CaseLog({ id: caseIdOf(operation.id, status), operation, status }, run);
    log.blame(judgements, exchange);
    return log.findings;
  }

  function take(finding: Finding): ObservedFinding {
    const secrets = [...secretsOf(finding.exchange, mask), ...maskedIn(finding, mask)];
    const redact = redactorFor(secrets);
    const received = redact(finding.received);
    const documented = redact(finding.documented);
    const key = `${finding.caseId} ${finding.key}`;
    const operation = finding.exchange.operation;
    const isGating = counts(finding, settings) && gates(operation, settings);
    const entry = kept.get(key);
    if (entry) entry.times += 1;
    else if (kept.size < MOST_FINDINGS) {
      const { request } = finding.exchange;
      const isHidden = (name: string) => isKey(operation, name) || isSecretName(name) || mask.hides(name);
      const credential = presentedIn(operation, request, mask);
      const url = new URL(maskUrl(request.url.href, MASK, isHidden));
      const exchange = { ...finding.exchange, request: { ...request, url, credential } };
      const copy = mask.isEmpty ? { ...finding, exchange } : withoutMasked({ ...finding, exchange }, mask);
      const report = findingReporter(withSecrets(run, secrets));
      const plain = plainRequest(copy.exchange.request, operation, SPECIAL[finding.law]);
      const { curl } = report({ ...copy, exchange: { ...copy.exchange, request: plain } });
      const reported = { ...report(copy), curl };
      kept.set(key, { finding: withoutBodies({ ...finding, received, documented }), reported, times: 1 });
    } else dropped += 1;
    return {
      caseId: finding.caseId,
      operationId: finding.operationId,
      status: finding.status,
      law: finding.law,
      received,
      documented,
      at: showPlace(finding.at),
      gates: isGating,
      times: entry?.times ?? 1,
    };
  }

  return {
    add: (judgements, evidence) =>
      judgements.length === 0 ? [] : findingsOf(judgements, evidence).map(take),
    suspect(judgements, evidence) {
      if (judgements.length === 0) return;
      for (const finding of findingsOf(judgements, evidence)) {
        const { caseId, operationId, law } = finding;
        suspicions.add(`${caseId} ${finding.key}`, () => {
          const redact = redactorFor([...secretsOf(finding.exchange, mask), ...maskedIn(finding, mask)]);
          const text = redact(`received ${finding.received}; documented ${finding.documented}`);
          return { caseId, operationId, text: `${law}: ${text}` };
        });
      }
    },
    get all() {
      return [...kept.values()].map(({ finding, reported, times }) => ({
        finding,
        reported: { ...reported, times },
      }));
    },
    get suspicions() {
      return suspicions.all.map(({ item, times }) => ({ ...item, text: item.text + timesText(times) }));
    },
    get dropped() {
      return dropped;
    },
  };
}

function isKey({ security }: Operation, name: string): boolean {
  return security.flat().some((credential) => credential.in === 'query' && credential.name === name);
}

/** Treats the secrets of an exchange like the run's own. */
function withSecrets(run: ObservedRun, secrets: readonly string[]): ObservedRun {
  const headers = secrets.map((secret) => ['authorization', secret] as const);
  return { ...run, settings: { ...run.settings, headers } };
}

function withoutBodies(finding: Finding): Finding {
  const { exchange } = finding;
  const { request, response } = exchange;
  const light: Exchange = {
    operation: exchange.operation,
    input: {},
    request: { ...request, body: undefined },
    response: { ...response, body: new Uint8Array(), text: undefined, json: { error: 'not kept' } },
  };
  const { about: _, shownBy: __, ...rest } = finding;
  return { ...rest, exchange: light };
}

/** The depth to which values are searched. */
const DEEPEST = 6;
/** Shorter ones occur anywhere; masking each of them would make a report unreadable. */
const SHORTEST = 3;
const MOST_SECRETS = 64;

/**
 * The credentials and other secrets of an exchange, by the document's security schemes and by name: no report contains
 * recorded secrets of others.
 */
function secretsOf({ operation, request, response }: Exchange, { hides }: Mask): string[] {
  const secrets = new Set<string>();
  const add = (value: unknown) => {
    if (typeof value !== 'string' || value.length < SHORTEST || secrets.size >= MOST_SECRETS) return;
    secrets.add(value);
  };
  const named = schemeNames(operation);
  const isSecret = (name: string) => named.has(name.toLowerCase()) || isSecretName(name) || hides(name);
  for (const [name, value] of [...request.headers, ...response.headers]) {
    if (/^(?:set-)?cookie$/i.test(name)) for (const secret of secretsIn(name, value)) add(secret);
    else if (isSecret(name) || isSecretHeader(name)) add(value);
    else if (/^(?:location|referer|content-location)$/i.test(name)) addQuery(value, isSecret, add);
  }
  addQuery(request.url.href, isSecret, add);
  for (const part of [request.url.username, request.url.password]) add(percentDecode(part));
  for (const body of [request.body && parsed(request.body), jsonOf(response)])
    eachMember(body, (name, value) => isSecret(name) && add(value));
  return [...secrets];
}

/** The masked values in the bodies of a finding that occur in its texts. */
function maskedIn({ exchange, received, documented }: Finding, mask: Mask): string[] {
  if (mask.isEmpty) return [];
  const texts = received + documented;
  const values = new Set<string>();
  const isSaid = (value: string) =>
    texts.includes(value) || texts.includes(JSON.stringify(value).slice(1, -1));
  const take = (value: unknown) => {
    const text = String(value);
    if (value !== null && text !== '' && isSaid(text)) values.add(text);
    return value;
  };
  for (const { text, type } of bodiesOf(exchange)) maskText(text, type, { mask, replace: take });
  return [...values];
}

function bodiesOf({ request, response }: Exchange) {
  return [
    { text: Buffer.from(request.body ?? []).toString(), type: headerOf(request, 'content-type') ?? '' },
    { text: response.text ?? '', type: response.contentType ?? '' },
  ] as const;
}

/** A finding with masked values replaced in its exchange. */
function withoutMasked(finding: Finding, mask: Mask): Finding {
  const { about: _, ...rest } = finding;
  const { request, response } = finding.exchange;
  const [sent, received] = bodiesOf(finding.exchange).map(({ text, type }) => {
    const masked = maskText(text, type, { mask, replace: () => MASK });
    return masked === text ? undefined : masked;
  });
  return {
    ...(received === undefined ? finding : rest),
    exchange: {
      ...finding.exchange,
      request: sent === undefined ? request : { ...request, body: Buffer.from(sent) },
      response:
        received === undefined
          ? response
          : {
              ...response,
              text: received,
              json: 'value' in response.json ? { value: parseJson(received) } : response.json,
            },
    },
  };
}

function schemeNames({ security }: Operation): ReadonlySet<string> {
  return new Set(security.flat().map(({ name }) => name.toLowerCase()));
}

function addQuery(href: string, isSecret: (name: string) => boolean, add: (value: unknown) => void): void {
  const url = URL.parse(href, 'http://localhost');
  for (const pair of url?.search.slice(1).split('&') ?? []) {
    const at = pair.indexOf('=');
    if (at < 0 || !isSecret(pair.slice(0, at))) continue;
    add(pair.slice(at + 1));
    add(new URLSearchParams(pair).values().next().value);
  }
}

/** Parses JSON, or a form. */
function parsed(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString();
  try {
    return JSON.parse(text);
  } catch {
    return /^[^\s{[]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
  }
}

function eachMember(value: unknown, visit: (name: string, value: unknown) => void, depth = 0): void {
  if (depth > DEEPEST || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) for (const item of value) eachMember(item, visit, depth + 1);
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    visit(name, member);
    eachMember(member, visit, depth + 1);
  }
}

/** The documented credentials and other secret headers of a request, so that a command reads them from its environment. */
function presentedIn({ security }: Operation, { headers }: WireRequest, { hides }: Mask): Presented {
  const documented = security.flat().filter((credential) => credential.in === 'header');
  const secretHeaders = headers.flatMap(([name, value]) => {
    for (const credential of documented) {
      if (credential.name !== name.toLowerCase()) continue;
      const [, secret] = FORMS[credential.kind].exec(value) ?? [];
      if (secret === undefined) continue;
      const key = credential.kind === 'basic' ? Buffer.from(secret, 'base64').toString() : secret;
      const variable = documented.length > 1 ? credentialVariable(credential.scheme) : undefined;
      const [[, keyedText] = []] = present(credential, theKey(key, variable)).headers;
      if (keyedText?.text === value) return [[name, keyedText] as const];
    }
    const isHidden = isSecretHeader(name) || hides(name);
    return isHidden ? [[name, headerVariable(name, value)] as const] : [];
  });
  return { headers: secretHeaders, query: [] };
}

const FORMS = { bearer: /^Bearer (.+)$/i, basic: /^Basic (.+)$/i, apiKey: /^(.+)$/ } as const;
