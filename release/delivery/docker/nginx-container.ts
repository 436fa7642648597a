import { existsSync } from 'node:fs';
import { type Container, type RunOptions, runContainer } from './container.ts';

/** Debian's package, in the place of the image `nginxinc/nginx-unprivileged`. */
export const hasNginx = existsSync('/usr/sbin/nginx') && existsSync('/etc/nginx/nginx.conf');

/** Its user in that image. */
const USER = '101:101';

/** nginx, as the command of compose.yaml starts it. */
export function runNginx(options: RunOptions): Container {
  const Env = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'];
  const config = { User: USER, Env, Entrypoint: [], Cmd: [], WorkingDir: '/' };
  return runContainer({ config, root: '/' }, options);
}
