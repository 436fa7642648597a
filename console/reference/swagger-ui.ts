import { SESSION } from '../shell/place.ts';
import type { ReferenceView } from '../wire.ts';
import { withoutMarks, writeExactly } from './exact-integers.ts';

/** What the page uses of Swagger UI, whose script defines one name. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
  preauthorizeBasic(scheme: string, user: string, password: string): void;
}

interface SwaggerRequest {
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

declare const SwaggerUIBundle: (options: object) => SwaggerUi;

/** Shows a document, with the mock's key filled in; what it sends belongs to the session of the page. */
export function showReference(domNode: HTMLElement, { document, key, schemes }: ReferenceView): void {
  const ui = SwaggerUIBundle({
    domNode,
    spec: document,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    syntaxHighlight: { theme: 'monokai' },
    requestInterceptor: prepare,
    onComplete() {
      writeExactly();
      for (const { name, kind } of schemes)
        if (kind === 'basic') ui.preauthorizeBasic(name, 'paddock', key);
        else ui.preauthorizeApiKey(name, key);
    },
  });
}

function prepare(request: SwaggerRequest): SwaggerRequest {
  const { Cookie: cookies, ...headers } = request.headers;
  // No script may set the header, but a page may set the cookies of its own origin.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS or this machine.
  for (const pair of cookies?.split(/; */) ?? []) document.cookie = `${pair}; path=/; SameSite=Strict`;
  const { url, body } = request;
  return Object.assign(request, {
    url: withoutMarks(url),
    headers: { ...headers, ...(SESSION !== '' && { 'Paddock-Session': SESSION }) },
    ...(typeof body === 'string' && { body: withoutMarks(body) }),
  });
}
