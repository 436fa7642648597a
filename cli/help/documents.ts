import type { Topic } from './topic.ts';

export const DOCUMENTS_TOPIC: Topic = {
  name: 'documents',
  summary: 'which OpenAPI documents are read, and how',
  page: () => `OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0, YAML or JSON, in one file or several: a path or an http(s)
URL. compat also reads git:REF:PATH. Without a document the Pet Store is used that comes with
Paddock.

  paddock mock openapi.yaml
  paddock check https://staging.example/v1 openapi.yaml --read-only
  paddock judge traffic.har --document openapi.yaml
  paddock compat git:main:openapi.yaml openapi.yaml

What is against the specification is told as a warning, with file and line and how it is read all
the same. --strict-document refuses such a document.

Several files
  A $ref may name files in the folder of the document or below it, or the host of a URL.
  --allow-refs PLACE permits a further folder, file or URL.

A document that cannot be changed
  --overlay FILE changes it before it is read (OpenAPI Overlay 1.0 and 1.1):

    overlay: 1.0.0
    info: { title: What the document lacks, version: 1.0.0 }
    actions:
      - target: $.paths['/orders'].get
        update: { x-paddock-action: list }

What follows from a document
  paddock mock DOCUMENT --explain prints what each operation does, and from which lines.
  A base URL has the path of the document's first server: http://127.0.0.1:4020/v1 for servers
  [{ url: https://api.example/v1 }].`,
};
