import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../client.ts';
import { must } from '../processes.ts';
import type { Place, Service } from '../service.ts';
import { rowLines } from '../state.ts';

const KEY = 'wall-secret-key';
const MACHINE = { machine_id: 'others', password: 'others-secret' };

/** What a machine and a bouncer bear of their last request. */
const OF_THE_LAST_REQUEST = [
  ...['last_push', 'last_heartbeat', 'last_pull', 'created_at', 'updated_at'],
  ...['ip_address', 'version', 'type', 'until'],
];

const configuration = (folder: string, port: number) => ({
  common: { daemonize: false, log_media: 'stdout', log_level: 'info', working_dir: folder },
  config_paths: {
    config_dir: folder,
    data_dir: folder,
    simulation_path: join(folder, 'simulation.yaml'),
    hub_dir: join(folder, 'hub'),
    index_path: join(folder, 'hub/.index.json'),
    notification_dir: join(folder, 'notifications'),
    plugin_dir: join(folder, 'plugins'),
  },
  db_config: { log_level: 'info', type: 'sqlite', db_path: join(folder, 'crowdsec.db') },
  api: {
    client: { credentials_path: join(folder, 'client.yaml') },
    // No credentials of the central API: nothing is pushed or pulled.
    server: {
      log_level: 'info',
      listen_uri: `127.0.0.1:${port}`,
      profiles_path: join(folder, 'profiles.yaml'),
      trusted_ips: ['127.0.0.1'],
    },
  },
  prometheus: { enabled: false },
});

/** Of the machine; it is there once the service is filled. */
function headers({ folder }: Place): Record<string, string> {
  const file = join(folder, 'token');
  const token = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { Authorization: `Bearer ${token}`, 'X-Api-Key': KEY };
}

export const CROWDSEC: Service = {
  name: 'crowdsec',
  version: '1.4.6',
  stack: 'Go, from Debian',
  packages: {
    debian: ['crowdsec=1.4.6-6~deb12u1+b1'],
    // Debian leaves the document out.
    go: [{ name: 'crowdsec', module: 'github.com/crowdsecurity/crowdsec@v1.4.6' }],
  },
  basePath: '/v1',
  ready: '/health',
  headers,
  // The document names the header of one scheme "Authorization: Bearer", so that no credential can be given for it.
  options: (place) =>
    Object.entries(headers(place)).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
  async launch({ folder, installed, port }) {
    const bin = join(installed, 'debian/usr/bin');
    for (const name of ['hub', 'notifications', 'plugins']) mkdirSync(join(folder, name));
    const config = join(folder, 'config.yaml');
    const files = {
      'config.yaml': JSON.stringify(configuration(folder, port)),
      'simulation.yaml': 'simulation: off\n',
      'hub/.index.json': '{}',
      'client.yaml': '',
      'profiles.yaml': readFileSync(join(installed, 'debian/etc/crowdsec/profiles.yaml'), 'utf8'),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { machine_id, password } = MACHINE;
    const administer = (...args: string[]) => must(folder, [join(bin, 'cscli'), '-c', config, ...args]);
    await administer(
      'machines',
      'add',
      machine_id,
      '--password',
      password,
      '-f',
      join(folder, 'machine.yaml'),
    );
    await administer('bouncers', 'add', 'wall', '-k', KEY);
    return { command: [join(bin, 'crowdsec'), '-c', config, '-no-cs'] };
  },
  async fill(place) {
    // A machine is let in only with a User-Agent of a name and a version.
    const agent = { 'User-Agent': 'others/1.0' };
    const { token } = await call('POST', `${place.url}/watchers/login`, MACHINE, agent);
    writeFileSync(join(place.folder, 'token'), token);
    const alert = (scenario: string, ip: string) => ({
      scenario,
      scenario_hash: 'c1a5',
      scenario_version: '0.1',
      message: `${ip} performed ${scenario}`,
      events_count: 1,
      start_at: '2026-01-01T00:00:00Z',
      stop_at: '2026-01-01T00:01:00Z',
      capacity: 5,
      leakspeed: '10s',
      simulated: false,
      events: [{ timestamp: '2026-01-01T00:00:30Z', meta: [{ key: 'log_type', value: 'ssh' }] }],
      source: { scope: 'Ip', value: ip, ip },
      decisions: [{ origin: 'crowdsec', type: 'ban', scope: 'Ip', value: ip, duration: '9000h', scenario }],
    });
    for (const ip of ['192.0.2.1', '192.0.2.2', '198.51.100.3'])
      await call('POST', `${place.url}/alerts`, [alert('ssh-bf', ip)], headers(place));
    await call('GET', `${place.url}/alerts`, undefined, headers(place));
    await call('GET', `${place.url}/alerts/1`, undefined, headers(place));
    await call('GET', `${place.url}/decisions`, undefined, headers(place));
  },
  state: async ({ folder }) =>
    rowLines(join(folder, 'crowdsec.db'), (table, row) => {
      const kept = Object.entries(row).filter(([name]) => !OF_THE_LAST_REQUEST.includes(name));
      return ['machines', 'bouncers'].includes(table) ? Object.fromEntries(kept) : row;
    }),
  document: async ({ installed }) => join(installed, 'go/crowdsec/pkg/models/localapi_swagger.yaml'),
};
