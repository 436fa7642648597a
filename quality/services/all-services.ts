import { ALERTMANAGER } from './of-others/alertmanager.ts';
import { CHANGEDETECTION } from './of-others/changedetection.ts';
import { CROWDSEC } from './of-others/crowdsec.ts';
import { GOTIFY } from './of-others/gotify.ts';
import { JUPYTER_SERVER } from './of-others/jupyter-server.ts';
import { KINTO } from './of-others/kinto.ts';
import { LOOPBACK_TODO } from './of-others/loopback-todo.ts';
import { POWERDNS } from './of-others/powerdns.ts';
import { PREFECT } from './of-others/prefect.ts';
import { WIREMOCK } from './of-others/wiremock.ts';
import type { Service } from './service.ts';

/** From the quickest to the slowest. */
export const SERVICES: readonly Service[] = [
  ALERTMANAGER,
  WIREMOCK,
  POWERDNS,
  CROWDSEC,
  KINTO,
  LOOPBACK_TODO,
  GOTIFY,
  JUPYTER_SERVER,
  CHANGEDETECTION,
  PREFECT,
];

/** Those that install and are checked in seconds: what CI takes. */
export const SAMPLE: readonly Service[] = [ALERTMANAGER, POWERDNS];
