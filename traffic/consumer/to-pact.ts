import {
  type Contract,
  type DocumentedResponse,
  encodeHeader,
  encodeParameter,
  isRecord,
  type MediaType,
  mediaTypeFor,
  memberShape,
  type Operation,
  type Parameter,
  percentDecode,
  pointerTokens,
  queryPairs,
  type Requirement,
  responseFor,
  type Shape,
  sample,
} from '#spec';
import type { Consumer, SentRequest, UsedPlace } from './consumer.ts';
import { operationsIn } from './operations-in.ts';
import { isSecretMember } from './uses.ts';

/** A Pact file, and what could not become an interaction. */
export interface Exported {
  /** Version 3 of the Pact specification. */
  readonly pact: object;
  readonly interactions: number;
  /** In words: `GET /pets 500: ...` */
  readonly leftOut: readonly string[];
}

/** A value for what clients read, of which type and members count, and no more. */
interface Expected {
  readonly value: unknown;
  readonly rules: Readonly<Record<string, object>>;
}

/**
 * What a client uses as a Pact file: an interaction for each operation and status, with the request that got it, and of the
 * response what the client reads. Its values are made up by the document; of these the type is what counts.
 */
export function toPact({ consumer, operations }: Consumer, contract: Contract): Exported {
  const leftOut: string[] = [];
  const interactions = operationsIn(operations, contract).flatMap(({ key, operation, used }) => {
    if (!operation) {
      leftOut.push(`${key}: the document does not have it`);
      return [];
    }
    return Object.entries(used.responses).flatMap(([status, { reads, request }]) => {
      const given =
        request ?? (operation.parameters.some(isNeeded) || operation.body?.required ? undefined : {});
      if (!given) {
        leftOut.push(`${key} ${status}: the file has no "request" that got it`);
        return [];
      }
      const documented = responseFor(operation.responses, Number(status));
      return [interactionOf(operation, Number(status), given, documented, reads)];
    });
  });
  const name = contract.title || 'service';
  return {
    pact: {
      consumer: { name: consumer },
      provider: { name },
      interactions,
      metadata: { pactSpecification: { version: '3.0.0' } },
    },
    interactions: interactions.length,
    leftOut,
  };
}

function isNeeded({ required, in: place }: Parameter): boolean {
  return required && (place === 'path' || place === 'query');
}

function interactionOf(
  operation: Operation,
  status: number,
  request: SentRequest,
  documented: DocumentedResponse | undefined,
  reads: readonly string[] | undefined,
): object {
  const name = `${operation.id} is answered with ${status}`;
  const body = expectedBody(documented, reads ?? []);
  const headers = expectedHeaders(documented, reads ?? []);
  const rules = {
    ...(body && { body: body.rules }),
    ...(headers && { header: headers.rules }),
  };
  return {
    description: name,
    // What has to be so is for the provider to arrange.
    providerStates: [{ name, ...(request.path && { params: request.path }) }],
    request: wireOf(operation, request, status === 401 ? [] : (operation.security[0] ?? [])),
    response: {
      status,
      ...(headers && { headers: headers.value }),
      ...(body && { body: body.value }),
      ...(Object.keys(rules).length > 0 && { matchingRules: rules }),
    },
  };
}

/** Stands for a credential, which is in no file: who verifies the provider puts one there. */
const CREDENTIAL = 'credential';
const SCHEMES = { bearer: 'Bearer ', basic: 'Basic ', apiKey: '' } as const;

function wireOf(operation: Operation, request: SentRequest, credentials: Requirement): object {
  const sent = (place: UsedPlace) =>
    operation.parameters.flatMap((parameter) => {
      const values = request[place] ?? {};
      return parameter.in === place && Object.hasOwn(values, parameter.name)
        ? [{ parameter, value: values[parameter.name] }]
        : [];
    });
  const texts = new Map(
    sent('path').map(({ parameter, value }) => [parameter.name, encodeParameter(parameter, value).join(',')]),
  );
  const query: Record<string, string[]> = {};
  for (const { parameter, value } of sent('query'))
    for (const [name, text] of queryPairs(parameter, value)) {
      const [key, plain] = [name, text].map((one) => percentDecode(one)) as [string, string];
      query[key] = [...(query[key] ?? []), plain];
    }
  for (const { in: place, name } of credentials) if (place === 'query') query[name] = [CREDENTIAL];
  const media = request.body === undefined ? undefined : mediaOf(operation, request.type);
  const cookies = [
    ...sent('cookie').map(
      ({ parameter, value }) => `${parameter.name}=${encodeParameter(parameter, value).join(',')}`,
    ),
    ...credentials.flatMap(({ in: place, name }) => (place === 'cookie' ? [`${name}=${CREDENTIAL}`] : [])),
  ];
  const headers = {
    ...(media && { 'Content-Type': media.type }),
    ...Object.fromEntries(
      credentials.flatMap(({ in: place, kind, name }) =>
        place === 'header' ? [[spelled(name), SCHEMES[kind] + CREDENTIAL]] : [],
      ),
    ),
    ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
    ...Object.fromEntries(
      sent('header').map(({ parameter, value }) => [
        parameter.name,
        encodeParameter(parameter, value).join(', '),
      ]),
    ),
  };
  return {
    method: operation.method,
    path: operation.path.replace(/\{([^}]+)\}/g, (whole, name: string) => texts.get(name) ?? whole),
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(request.body !== undefined && { body: completed(request.body, media?.shape) }),
  };
}

/** `authorization` as it is written. */
function spelled(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function mediaOf({ body }: Operation, type: string | undefined): MediaType | undefined {
  const content = body?.content ?? [];
  return (type === undefined ? undefined : mediaTypeFor(content, type)) ?? content[0];
}

/** Secrets are in no file: members that have to be there get another value. */
function completed(body: unknown, shape: Shape | undefined): unknown {
  if (!shape || !isRecord(body)) return body;
  const missing = [...shape.required.keys()].filter(
    (name) => !Object.hasOwn(body, name) && isSecretMember(name, memberShape(shape, name)),
  );
  const made = missing.flatMap((name) => {
    const member = memberShape(shape, name);
    return member && !member.readOnly ? [[name, sample(member, { key: `pact ${name}` })]] : [];
  });
  const own = Object.entries(body).map(([name, value]) => [name, completed(value, memberShape(shape, name))]);
  return Object.fromEntries([...own, ...made]);
}

const BY_TYPE = { matchers: [{ match: 'type' }], combine: 'AND' } as const;

function expectedHeaders(
  documented: DocumentedResponse | undefined,
  reads: readonly string[],
): Expected | undefined {
  const names = reads.filter((read) => read !== '' && !read.startsWith('/'));
  if (names.length === 0) return undefined;
  const described = (name: string) =>
    documented?.headers.find((one) => one.name.toLowerCase() === name.toLowerCase());
  const value = names.map((name) => {
    const header = described(name);
    const value = header?.schema && sample(header.shape, { key: `pact ${name}` });
    return [name, header && value !== undefined ? encodeHeader(header, value) : 'text'];
  });
  return {
    value: Object.fromEntries(value),
    rules: Object.fromEntries(names.map((name) => [name, BY_TYPE])),
  };
}

function expectedBody(
  documented: DocumentedResponse | undefined,
  reads: readonly string[],
): Expected | undefined {
  const shape = documented?.content.find(({ isJson }) => isJson)?.shape;
  const read = reads.filter((one) => one === '' || one.startsWith('/')).map(pointerTokens);
  if (!shape || read.length === 0) return undefined;
  const rules: Record<string, object> = {};
  return { value: expected(shape, read, '$', rules), rules };
}

/** @param read what of the value is read; an empty path: all that the document requires */
function expected(
  shape: Shape | undefined,
  read: readonly (readonly string[])[],
  at: string,
  rules: Record<string, object>,
): unknown {
  rules[at] = BY_TYPE;
  const inner = Map.groupBy(
    read.filter((tokens) => tokens.length > 0),
    ([token = '']) => token,
  );
  if (inner.size === 0) return shape ? sample(shape, { key: `pact ${at}`, include: () => false }) : 'text';
  const [first = ''] = inner.keys();
  const forms = shape ? [shape, ...shape.alternatives] : [];
  const rest = (tokens: readonly (readonly string[])[]) => tokens.map((one) => one.slice(1));
  const items = forms.find((one) => one.items)?.items;
  if (items && /^(?:-|\d+)$/.test(first)) return [expected(items, rest(read), `${at}[*]`, rules)];
  return Object.fromEntries(
    [...inner].map(([name, tokens]) => {
      const member = shape && (memberShape(shape, name) ?? shape.additional);
      const step = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replaceAll("'", "\\'")}']`;
      return [name, expected(member, rest(tokens), at + step, rules)];
    }),
  );
}
