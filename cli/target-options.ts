import type { Option } from 'commander';
import { option } from './options.ts';

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
