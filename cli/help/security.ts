import { columns, type Topic } from './topic.ts';

/** What is given for each kind of security scheme, and what is sent. */
const SENT = [
  ['http bearer, oauth2, openIdConnect', 'the token         Authorization: Bearer TOKEN'],
  ['http basic', 'USER:PASSWORD     Authorization: Basic BASE64'],
  ['apiKey', 'the key           the header, query parameter or cookie'],
  ['mutualTLS', '--client-cert     the certificate of the connection'],
] as const;

export const SECURITY_TOPIC: Topic = {
  name: 'security',
  summary: 'keys and credentials: where they come from, and how they are sent',
  page: () => `Credentials belong in the environment: other users of the machine can see the command line. No
output, report or log contains one.

  export PADDOCK_API_KEY=...                   for every scheme that has none of its own
  export PADDOCK_CREDENTIAL_BASICAUTH=ann:...  for the security scheme basicAuth
  paddock check URL --api-key-file FILE        the first line of a file

In the name of a variable a scheme stands in capitals, with _ for what is neither letter nor digit.
A configuration file names the variable, never the secret:

  targets:
    staging:
      url: https://staging.example/v1
      apiKeyEnv: STAGING_API_KEY

How it is sent follows from the document:

${columns([['scheme', 'what is given     what is sent'], ...SENT])}

The mock
  Without --api-key it accepts the key paddock-dev-key, which everybody knows; --any-key accepts
  every key that is not empty. On an address that others can reach it warns, and its control API
  (/__admin) needs --admin-token.

The suite
  Requests without a credential, and with wrong ones, are part of a check. Beyond loopback those
  that come close to the key are sent with --probe-key only, unsafe methods with --allow-writes.

Is the key accepted? paddock doctor BASE-URL says so.`,
};
