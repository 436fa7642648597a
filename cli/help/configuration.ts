import type { Topic } from './topic.ts';

export const CONFIGURATION_TOPIC: Topic = {
  name: 'configuration',
  summary: 'paddock.config.yaml: options of all verbs, and targets by name',
  page: () => `paddock.config.yaml, .yml, .json or .ts is looked for in the working directory and above, up to
the root of the repository. paddock init writes one. --config FILE names another one, --no-config
reads none.

  # yaml-language-server: $schema=./node_modules/openapi-paddock/paddock.schema.json
  document: openapi.yaml          # for all verbs; paths count from the folder of this file
  targets:
    local:
      url: http://127.0.0.1:4020/v1
    staging:
      url: https://staging.example/v1
      apiKeyEnv: STAGING_API_KEY  # the name of a variable, never a secret
      readOnly: true              # any option of check and proxy, for this target alone
  mock:
    port: 4020
    fixture: [seed.yaml]
  check:
    known: known.yaml
    report: [json=report.json]

Keys are the long options in camelCase: maxTime for --max-time. What several verbs have may stand at
the top. The order: command line, environment, target, verb, top of the file, default.

  paddock check staging           the target of that name
  paddock check                   the only target, if there is one only
  paddock mock                    the document and the options of the file

What is wrong in the file is told with line and column, and no verb starts.
Editors complete and check it by the schema, which is made from the options.`,
};
