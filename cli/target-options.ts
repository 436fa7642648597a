import { Option } from 'commander';
import { list, option, repeatable, secret } from './options.ts';

/** `--client-cert`. */
export function clientCert(): Option {
  return option('--client-cert <file>', 'client certificate for an https target, PEM');
}

/** `--client-key`. */
export function clientKey(): Option {
  return option('--client-key <file>', 'private key of the client certificate, PEM');
}

/** `--insecure`. */
export function insecure(): Option {
  return option('--insecure', 'do not verify the certificate of an https target');
}

/** `--api-key` of a client. */
export function apiKey(): Option {
  return secret(
    option(
      '--api-key <key>',
      'credential, USER:PASSWORD for Basic; other users can see the command line, not the environment',
    ),
  );
}

/** `--api-key-file`. */
export function apiKeyFile(): Option {
  return option('--api-key-file <file>', 'file with the credential in its first line').conflicts('apiKey');
}

/** `--credential`. A comma may stand in a credential: each has an environment variable of its own. */
export function credential(): Option {
  const made = new Option(
    '--credential <name=value>',
    'credential of one security scheme (repeatable; env: PADDOCK_CREDENTIAL_NAME)',
  );
  return secret(list(made));
}

/** `--header`. */
export function header(): Option {
  return repeatable('--header <header>', "header of every request, as 'Name: value' (repeatable)");
}
