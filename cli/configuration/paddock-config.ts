/** Written by `npm run config-schema`, from the options of the command line. */

/** What `paddock.config.ts` exports by default. What is left out has its default. */
export interface PaddockConfig {
  /** the JSON Schema of this file, for editors */
  readonly $schema?: string | undefined;
  /** running services by name: paddock check NAME */
  readonly targets?: Readonly<Record<string, PaddockTarget>> | null | undefined;
  /** Serve a stateful mock of an OpenAPI document. */
  readonly mock?: {
    /** OpenAPI 3 or Swagger 2.0 document: path or URL, YAML or JSON */
    readonly document?: string | undefined;
    /** folder, file or URL that $refs may name outside the document's folder or host */
    readonly allowRefs?: string | readonly string[] | undefined;
    /** OpenAPI Overlay that changes the document before it is read: path or URL */
    readonly overlay?: string | readonly string[] | undefined;
    /** refuse a document for what it is otherwise read with a warning of */
    readonly strictDocument?: boolean | undefined;
    /** 0 takes a free one */
    readonly port?: number | undefined;
    /** address to listen on */
    readonly host?: string | undefined;
    /** accept every key that is not empty */
    readonly anyKey?: boolean | undefined;
    /** the same seed gives the same bytes */
    readonly seed?: number | undefined;
    /** records that each collection begins with */
    readonly count?: number | undefined;
    /** begin with the valid examples of the document, whatever they are */
    readonly examplesFirst?: boolean | undefined;
    /** begin with the records of a seed file, YAML or JSON */
    readonly fixture?: string | readonly string[] | undefined;
    /** begin with the records that recorded traffic shows */
    readonly fromHar?: string | readonly string[] | undefined;
    /** where records are: memory, file:PATH, or postgres://... that mocks share */
    readonly store?: string | undefined;
    /** its name among mocks that share a store (default: host and process) */
    readonly replica?: string | undefined;
    /** how long each answer waits: 100, or a range such as 50-150 */
    readonly latency?: string | number | undefined;
    /** set the clock, which then runs on; removed operations are gone */
    readonly now?: string | undefined;
    /** leave out the path of the document's first server */
    readonly basePath?: boolean | undefined;
    /** how requests are printed: a line for people, JSON, or not at all */
    readonly log?: 'text' | 'json' | 'quiet' | false | undefined;
    /** longest request body */
    readonly maxBody?: number | undefined;
    /** take over the document when its files change; records that fit stay */
    readonly watch?: boolean | undefined;
    /** print what each operation does, and from which lines; then end */
    readonly explain?: boolean | undefined;
    /** the NAME of the environment variable that holds the secret for --api-key: accepted instead of the built-in key */
    readonly apiKeyEnv?: string | undefined;
    /** the NAME of the environment variable that holds the secret for --admin-token: needed to steer the mock (/__admin) when others can reach it */
    readonly adminTokenEnv?: string | undefined;
  } | null | undefined;
  /** Check a running service against its OpenAPI document. */
  readonly check?: {
    /** OpenAPI 3 or Swagger 2.0, YAML or JSON, file or URL */
    readonly document?: string | undefined;
    /** folder, file or URL that $refs may name outside the document's folder or host */
    readonly allowRefs?: string | readonly string[] | undefined;
    /** OpenAPI Overlay that changes the document before it is read: path or URL */
    readonly overlay?: string | readonly string[] | undefined;
    /** refuse a document for what it is otherwise read with a warning of */
    readonly strictDocument?: boolean | undefined;
    /** file with the credential in its first line */
    readonly apiKeyFile?: string | undefined;
    /** client certificate for an https target, PEM */
    readonly clientCert?: string | undefined;
    /** private key of the client certificate, PEM */
    readonly clientKey?: string | undefined;
    /** do not verify the certificate of an https target */
    readonly insecure?: boolean | undefined;
    /** header of every request, as 'Name: value' */
    readonly header?: Readonly<Record<string, string | number | boolean>> | string | readonly string[] | undefined;
    /** send unsafe methods to a target beyond loopback */
    readonly allowWrites?: boolean | undefined;
    /** send safe methods only */
    readonly readOnly?: boolean | undefined;
    /** run only the cases whose id matches; requests that set one up remain */
    readonly only?: string | undefined;
    /** skip the cases whose id matches; requests that set up others remain */
    readonly skip?: string | undefined;
    /** call an operation that is withheld: operationId, "METHOD /path", tag:NAME or all */
    readonly allow?: string | readonly string[] | undefined;
    /** never call an operation, not for set-up either */
    readonly exclude?: string | readonly string[] | undefined;
    /** send nothing: show what would be sent, withheld and left behind */
    readonly plan?: boolean | undefined;
    /** value that is valid on the target */
    readonly value?: Readonly<Record<string, string | number | boolean>> | string | readonly string[] | undefined;
    /** for targets without state: force each status with "Prefer: code=" */
    readonly stateless?: boolean | undefined;
    /** let experimental and beta operations gate */
    readonly strictStability?: boolean | undefined;
    /** requests for statuses that the document does not say how to provoke */
    readonly provoke?: string | undefined;
    /** let every documented status gate, provoked or not */
    readonly strictCells?: boolean | undefined;
    /** send altered credentials to a target beyond loopback */
    readonly probeKey?: boolean | undefined;
    /** findings that are accepted until a day, as YAML or JSON */
    readonly known?: string | undefined;
    /** write the findings of this run into the file of --known */
    readonly knownUpdate?: boolean | undefined;
    /** JSON report of an earlier run: tell what is new, fixed and the same */
    readonly baseline?: string | undefined;
    /** let only findings gate that --baseline lacks */
    readonly newOnly?: boolean | undefined;
    /** generated inputs for each operation, and sequences for each resource */
    readonly examples?: number | undefined;
    /** send no requests in parallel */
    readonly races?: boolean | undefined;
    /** seed of the generated inputs; the same seed repeats a run */
    readonly seed?: number | undefined;
    /** seconds to wait for the target to start */
    readonly wait?: number | undefined;
    /** cases that run side by side; 1 runs one after another */
    readonly jobs?: number | undefined;
    /** maximum request rate, such as 5/s */
    readonly rate?: string | number | undefined;
    /** milliseconds for one exchange */
    readonly timeout?: number | undefined;
    /** retries of a request that failed outside the service */
    readonly retries?: number | undefined;
    /** milliseconds to repeat a read that is not yet consistent */
    readonly settle?: number | undefined;
    /** records to leave that the service cannot remove (default: 60; on loopback as many as the cases need) */
    readonly maxCreates?: number | undefined;
    /** seconds for the whole run */
    readonly maxTime?: number | undefined;
    /** write a report: json, junit, html, sarif, markdown, ctrf, codequality or har; the file - is standard output */
    readonly report?: Readonly<Partial<Record<'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'ctrf' | 'codequality' | 'har', string>>> | string | readonly string[] | undefined;
    /** also compare with prism or dredd as installed in your project */
    readonly opinion?: 'prism' | 'dredd' | readonly ('prism' | 'dredd')[] | undefined;
    /** the NAME of the environment variable that holds the secret for --api-key: credential, USER:PASSWORD for Basic; other users can see the command line, not the environment */
    readonly apiKeyEnv?: string | undefined;
    /** the NAMES of the environment variables that hold the secrets, by security scheme, for --credential: credential of one security scheme (repeatable; env: PADDOCK_CREDENTIAL_NAME) */
    readonly credentialEnv?: Readonly<Record<string, string>> | undefined;
  } | null | undefined;
  /** Stand in front of a running service, and judge what passes by its OpenAPI document. */
  readonly proxy?: {
    /** OpenAPI 3 or Swagger 2.0, YAML or JSON, file or URL */
    readonly document?: string | undefined;
    /** folder, file or URL that $refs may name outside the document's folder or host */
    readonly allowRefs?: string | readonly string[] | undefined;
    /** OpenAPI Overlay that changes the document before it is read: path or URL */
    readonly overlay?: string | readonly string[] | undefined;
    /** refuse a document for what it is otherwise read with a warning of */
    readonly strictDocument?: boolean | undefined;
    /** 0 takes a free one */
    readonly port?: number | undefined;
    /** address to listen on */
    readonly host?: string | undefined;
    /** send the header Host on as it came (default: it names the target) */
    readonly keepHost?: boolean | undefined;
    /** client certificate for an https target, PEM */
    readonly clientCert?: string | undefined;
    /** private key of the client certificate, PEM */
    readonly clientKey?: string | undefined;
    /** do not verify the certificate of an https target */
    readonly insecure?: boolean | undefined;
    /** answer 502 in place of a response that breaks the document */
    readonly enforce?: boolean | undefined;
    /** add the header Paddock-Finding to a response that breaks the document */
    readonly annotate?: boolean | undefined;
    /** nobody else changes records: what several exchanges show together gates, too */
    readonly exclusive?: boolean | undefined;
    /** milliseconds for which a replica may lag behind a change */
    readonly settle?: number | undefined;
    /** judge only the cells whose id (OPERATION/STATUS/traffic) matches */
    readonly only?: string | undefined;
    /** leave out the cells whose id matches */
    readonly skip?: string | undefined;
    /** findings that are accepted until a day, as YAML or JSON */
    readonly known?: string | undefined;
    /** JSON report of an earlier run: tell what is new, fixed and the same */
    readonly baseline?: string | undefined;
    /** let only findings gate that --baseline lacks */
    readonly newOnly?: boolean | undefined;
    /** let experimental and beta operations gate */
    readonly strictStability?: boolean | undefined;
    /** let every documented status gate that was not seen */
    readonly strictCells?: boolean | undefined;
    /** how findings are printed: a line for people, JSON, or not at all */
    readonly log?: 'text' | 'json' | 'quiet' | undefined;
    /** write a report: json, junit, html, sarif, markdown, ctrf or codequality; the file - is standard output */
    readonly report?: Readonly<Partial<Record<'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'ctrf' | 'codequality', string>>> | string | readonly string[] | undefined;
    /** the NAME of the environment variable that holds the secret for --admin-token: needed for /__admin when others can reach the proxy */
    readonly adminTokenEnv?: string | undefined;
  } | null | undefined;
  /** Judge recorded traffic (HAR) against its OpenAPI document, and say what of it was covered. */
  readonly judge?: {
    /** OpenAPI 3 or Swagger 2.0, YAML or JSON, file or URL */
    readonly document?: string | undefined;
    /** folder, file or URL that $refs may name outside the document's folder or host */
    readonly allowRefs?: string | readonly string[] | undefined;
    /** OpenAPI Overlay that changes the document before it is read: path or URL */
    readonly overlay?: string | readonly string[] | undefined;
    /** refuse a document for what it is otherwise read with a warning of */
    readonly strictDocument?: boolean | undefined;
    /** judge only requests below this URL of the service (repeatable; default: any origin) */
    readonly baseUrl?: string | readonly string[] | undefined;
    /** no client but the recorded ones has changed records meanwhile */
    readonly exclusive?: boolean | undefined;
    /** milliseconds for which a replica may lag behind a change */
    readonly settle?: number | undefined;
    /** judge only cells whose id (OPERATION/STATUS/traffic) matches */
    readonly only?: string | undefined;
    /** leave out the cells whose id matches */
    readonly skip?: string | undefined;
    /** let experimental and beta operations gate */
    readonly strictStability?: boolean | undefined;
    /** let cells gate that the traffic has not reached */
    readonly strictCells?: boolean | undefined;
    /** findings that are accepted until a day, as YAML or JSON */
    readonly known?: string | undefined;
    /** JSON report of an earlier run: tell what is new, fixed and the same */
    readonly baseline?: string | undefined;
    /** let only findings gate that --baseline lacks */
    readonly newOnly?: boolean | undefined;
    /** write a report: json, junit, html, sarif, markdown, ctrf or codequality; the file - is standard output */
    readonly report?: Readonly<Partial<Record<'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'ctrf' | 'codequality', string>>> | string | readonly string[] | undefined;
  } | null | undefined;
  /** Compare two versions of a document: are clients of OLD safe with NEW? */
  readonly compat?: {
    /** folder, file or URL that $refs may name outside the document's folder or host */
    readonly allowRefs?: string | readonly string[] | undefined;
    /** OpenAPI Overlay that changes each of the documents, before it is read: path or URL */
    readonly overlay?: string | readonly string[] | undefined;
    /** OpenAPI Overlay that changes OLD only, after those of --overlay, before it is read: path or URL */
    readonly overlayOld?: string | readonly string[] | undefined;
    /** OpenAPI Overlay that changes NEW only, after those of --overlay, before it is read: path or URL */
    readonly overlayNew?: string | readonly string[] | undefined;
    /** refuse a document for what it is otherwise read with a warning of */
    readonly strictDocument?: boolean | undefined;
    /** let experimental and beta operations of OLD gate */
    readonly strictStability?: boolean | undefined;
    /** breaking changes that are accepted until a day, as YAML or JSON */
    readonly known?: string | undefined;
    /** generated inputs for each operation */
    readonly examples?: number | undefined;
    /** seed of the generated inputs; the same seed repeats a comparison */
    readonly seed?: number | undefined;
    /** seconds for the whole comparison */
    readonly maxTime?: number | undefined;
    /** write a report: json, junit, html, sarif, markdown, ctrf or codequality; the file - is standard output */
    readonly report?: Readonly<Partial<Record<'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'ctrf' | 'codequality', string>>> | string | readonly string[] | undefined;
  } | null | undefined;
  /** OpenAPI 3 or Swagger 2.0 document: path or URL, YAML or JSON */
  readonly document?: string | undefined;
  /** folder, file or URL that $refs may name outside the document's folder or host */
  readonly allowRefs?: string | readonly string[] | undefined;
  /** OpenAPI Overlay that changes the document before it is read: path or URL */
  readonly overlay?: string | readonly string[] | undefined;
  /** refuse a document for what it is otherwise read with a warning of */
  readonly strictDocument?: boolean | undefined;
  /** 0 takes a free one */
  readonly port?: number | undefined;
  /** address to listen on */
  readonly host?: string | undefined;
  /** the same seed gives the same bytes */
  readonly seed?: number | undefined;
  /** how requests are printed: a line for people, JSON, or not at all */
  readonly log?: ('text' | 'json' | 'quiet' | false) & ('text' | 'json' | 'quiet') | undefined;
  /** client certificate for an https target, PEM */
  readonly clientCert?: string | undefined;
  /** private key of the client certificate, PEM */
  readonly clientKey?: string | undefined;
  /** do not verify the certificate of an https target */
  readonly insecure?: boolean | undefined;
  /** run only the cases whose id matches; requests that set one up remain */
  readonly only?: string | undefined;
  /** skip the cases whose id matches; requests that set up others remain */
  readonly skip?: string | undefined;
  /** let experimental and beta operations gate */
  readonly strictStability?: boolean | undefined;
  /** let every documented status gate, provoked or not */
  readonly strictCells?: boolean | undefined;
  /** findings that are accepted until a day, as YAML or JSON */
  readonly known?: string | undefined;
  /** JSON report of an earlier run: tell what is new, fixed and the same */
  readonly baseline?: string | undefined;
  /** let only findings gate that --baseline lacks */
  readonly newOnly?: boolean | undefined;
  /** generated inputs for each operation, and sequences for each resource */
  readonly examples?: number | undefined;
  /** milliseconds to repeat a read that is not yet consistent */
  readonly settle?: number | undefined;
  /** seconds for the whole run */
  readonly maxTime?: number | undefined;
  /** write a report: json, junit, html, sarif, markdown, ctrf, codequality or har; the file - is standard output */
  readonly report?: (Readonly<Partial<Record<'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'ctrf' | 'codequality' | 'har', string>>> | string | readonly string[]) & (Readonly<Partial<Record<'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'ctrf' | 'codequality', string>>> | string | readonly string[]) | undefined;
  /** nobody else changes records: what several exchanges show together gates, too */
  readonly exclusive?: boolean | undefined;
  /** the NAME of the environment variable that holds the secret for --api-key: accepted instead of the built-in key */
  readonly apiKeyEnv?: string | undefined;
  /** the NAME of the environment variable that holds the secret for --admin-token: needed to steer the mock (/__admin) when others can reach it */
  readonly adminTokenEnv?: string | undefined;
}

/** A running service by its name. */
export interface PaddockTarget {
  /** base URL of the service with its path prefix */
  readonly url: string;
  /** OpenAPI 3 or Swagger 2.0, YAML or JSON, file or URL */
  readonly document?: string | undefined;
  /** folder, file or URL that $refs may name outside the document's folder or host */
  readonly allowRefs?: string | readonly string[] | undefined;
  /** OpenAPI Overlay that changes the document before it is read: path or URL */
  readonly overlay?: string | readonly string[] | undefined;
  /** refuse a document for what it is otherwise read with a warning of */
  readonly strictDocument?: boolean | undefined;
  /** file with the credential in its first line */
  readonly apiKeyFile?: string | undefined;
  /** client certificate for an https target, PEM */
  readonly clientCert?: string | undefined;
  /** private key of the client certificate, PEM */
  readonly clientKey?: string | undefined;
  /** do not verify the certificate of an https target */
  readonly insecure?: boolean | undefined;
  /** header of every request, as 'Name: value' */
  readonly header?: Readonly<Record<string, string | number | boolean>> | string | readonly string[] | undefined;
  /** send unsafe methods to a target beyond loopback */
  readonly allowWrites?: boolean | undefined;
  /** send safe methods only */
  readonly readOnly?: boolean | undefined;
  /** run only the cases whose id matches; requests that set one up remain */
  readonly only?: string | undefined;
  /** skip the cases whose id matches; requests that set up others remain */
  readonly skip?: string | undefined;
  /** call an operation that is withheld: operationId, "METHOD /path", tag:NAME or all */
  readonly allow?: string | readonly string[] | undefined;
  /** never call an operation, not for set-up either */
  readonly exclude?: string | readonly string[] | undefined;
  /** send nothing: show what would be sent, withheld and left behind */
  readonly plan?: boolean | undefined;
  /** value that is valid on the target */
  readonly value?: Readonly<Record<string, string | number | boolean>> | string | readonly string[] | undefined;
  /** for targets without state: force each status with "Prefer: code=" */
  readonly stateless?: boolean | undefined;
  /** let experimental and beta operations gate */
  readonly strictStability?: boolean | undefined;
  /** requests for statuses that the document does not say how to provoke */
  readonly provoke?: string | undefined;
  /** let every documented status gate, provoked or not */
  readonly strictCells?: boolean | undefined;
  /** send altered credentials to a target beyond loopback */
  readonly probeKey?: boolean | undefined;
  /** findings that are accepted until a day, as YAML or JSON */
  readonly known?: string | undefined;
  /** write the findings of this run into the file of --known */
  readonly knownUpdate?: boolean | undefined;
  /** JSON report of an earlier run: tell what is new, fixed and the same */
  readonly baseline?: string | undefined;
  /** let only findings gate that --baseline lacks */
  readonly newOnly?: boolean | undefined;
  /** generated inputs for each operation, and sequences for each resource */
  readonly examples?: number | undefined;
  /** send no requests in parallel */
  readonly races?: boolean | undefined;
  /** seed of the generated inputs; the same seed repeats a run */
  readonly seed?: number | undefined;
  /** seconds to wait for the target to start */
  readonly wait?: number | undefined;
  /** cases that run side by side; 1 runs one after another */
  readonly jobs?: number | undefined;
  /** maximum request rate, such as 5/s */
  readonly rate?: string | number | undefined;
  /** milliseconds for one exchange */
  readonly timeout?: number | undefined;
  /** retries of a request that failed outside the service */
  readonly retries?: number | undefined;
  /** milliseconds to repeat a read that is not yet consistent */
  readonly settle?: number | undefined;
  /** records to leave that the service cannot remove (default: 60; on loopback as many as the cases need) */
  readonly maxCreates?: number | undefined;
  /** seconds for the whole run */
  readonly maxTime?: number | undefined;
  /** write a report: json, junit, html, sarif, markdown, ctrf, codequality or har; the file - is standard output */
  readonly report?: (Readonly<Partial<Record<'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'ctrf' | 'codequality' | 'har', string>>> | string | readonly string[]) & (Readonly<Partial<Record<'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'ctrf' | 'codequality', string>>> | string | readonly string[]) | undefined;
  /** also compare with prism or dredd as installed in your project */
  readonly opinion?: 'prism' | 'dredd' | readonly ('prism' | 'dredd')[] | undefined;
  /** 0 takes a free one */
  readonly port?: number | undefined;
  /** address to listen on */
  readonly host?: string | undefined;
  /** send the header Host on as it came (default: it names the target) */
  readonly keepHost?: boolean | undefined;
  /** answer 502 in place of a response that breaks the document */
  readonly enforce?: boolean | undefined;
  /** add the header Paddock-Finding to a response that breaks the document */
  readonly annotate?: boolean | undefined;
  /** nobody else changes records: what several exchanges show together gates, too */
  readonly exclusive?: boolean | undefined;
  /** how findings are printed: a line for people, JSON, or not at all */
  readonly log?: 'text' | 'json' | 'quiet' | undefined;
  /** the NAME of the environment variable that holds the secret for --api-key: credential, USER:PASSWORD for Basic; other users can see the command line, not the environment */
  readonly apiKeyEnv?: string | undefined;
  /** the NAMES of the environment variables that hold the secrets, by security scheme, for --credential: credential of one security scheme (repeatable; env: PADDOCK_CREDENTIAL_NAME) */
  readonly credentialEnv?: Readonly<Record<string, string>> | undefined;
  /** the NAME of the environment variable that holds the secret for --admin-token: needed for /__admin when others can reach the proxy */
  readonly adminTokenEnv?: string | undefined;
}
