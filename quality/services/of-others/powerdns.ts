import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../testing/free-port.ts';
import { call, read, servedDocument } from '../client.ts';
import type { Service } from '../service.ts';
import { line, rowLines } from '../state.ts';

const HEADERS = { 'X-API-Key': 'pdns-secret' };

/** Changes when a record is rewritten unchanged, or when the server maintains its zones. */
const PASSING = ['id', 'last_check', 'notified_serial'];

export const POWERDNS: Service = {
  name: 'powerdns',
  version: '4.7.3',
  stack: 'C++, from Debian',
  packages: { debian: ['pdns-server=4.7.3-2', 'pdns-backend-sqlite3=4.7.3-2'] },
  basePath: '/api/v1',
  ready: '/api',
  headers: () => HEADERS,
  options: () => ['--api-key', HEADERS['X-API-Key'], '--value', 'server_id=localhost'],
  async launch({ folder, installed, port }) {
    const debian = join(installed, 'debian');
    const [libraryFolder = ''] = globSync('usr/lib/*-linux-gnu', { cwd: debian });
    const libraries = join(debian, libraryFolder);
    const file = join(folder, 'pdns.sqlite3');
    const database = new DatabaseSync(file);
    database.exec(
      readFileSync(join(debian, 'usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'), 'utf8'),
    );
    database.close();
    const settings = {
      launch: 'gsqlite3',
      'module-dir': join(libraries, 'pdns'),
      'gsqlite3-database': file,
      'gsqlite3-dnssec': 'yes',
      'local-address': '127.0.0.1',
      'local-port': await freePort(),
      'socket-dir': folder,
      api: 'yes',
      'api-key': HEADERS['X-API-Key'],
      webserver: 'yes',
      'webserver-address': '127.0.0.1',
      'webserver-port': port,
      'webserver-allow-from': '127.0.0.1',
      'security-poll-suffix': '',
      'only-notify': '',
      'zone-cache-refresh-interval': 0,
    };
    writeFileSync(
      join(folder, 'pdns.conf'),
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    return {
      command: [
        join(debian, 'usr/sbin/pdns_server'),
        `--config-dir=${folder}`,
        '--guardian=no',
        '--daemon=no',
        '--disable-syslog',
        '--write-pid=no',
      ],
      env: { LD_LIBRARY_PATH: libraries },
    };
  },
  async fill({ url }) {
    const at = `${url}/servers/localhost`;
    const post = (path: string, body: unknown) => call('POST', at + path, body, HEADERS);
    const set = (name: string, type: string, ttl: number, ...contents: string[]) => ({
      name,
      type,
      ttl,
      records: contents.map((content) => ({ content, disabled: false })),
    });
    await post('/zones', {
      name: 'example.org.',
      kind: 'Native',
      nameservers: ['ns1.example.org.', 'ns2.example.org.'],
      rrsets: [
        set('ns1.example.org.', 'A', 3600, '192.0.2.1'),
        {
          ...set('www.example.org.', 'A', 300, '192.0.2.10', '192.0.2.11'),
          comments: [{ content: 'the web server', account: 'ann' }],
        },
        set('www.example.org.', 'AAAA', 300, '2001:db8::10'),
        set('example.org.', 'MX', 3600, '10 mail.example.org.'),
        set('example.org.', 'TXT', 3600, '"v=spf1 mx -all"'),
      ],
    });
    await post('/zones', {
      name: 'example.com.',
      kind: 'Master',
      account: 'ben',
      dnssec: true,
      nameservers: ['ns1.example.org.'],
      rrsets: [
        set('api.example.com.', 'CNAME', 60, 'www.example.org.'),
        set('_sip._tcp.example.com.', 'SRV', 60, '0 5 5060 sip.example.com.'),
      ],
    });
    await post('/zones', {
      name: 'secondary.example.net.',
      kind: 'Slave',
      masters: ['127.0.0.9'],
      nameservers: [],
    });
    await post('/zones/example.org./metadata', {
      kind: 'ALLOW-AXFR-FROM',
      metadata: ['192.0.2.0/24', 'AUTO-NS'],
    });
    await post('/zones/example.com./metadata', { kind: 'X-OWNER', metadata: ['ben'] });
    await post('/tsigkeys', { name: 'transfer', algorithm: 'hmac-sha256', key: 'c2VjcmV0LW9mLXNvbWVib2R5' });
    await post('/tsigkeys', { name: 'update', algorithm: 'hmac-sha512' });
    await post('/autoprimaries', { ip: '192.0.2.77', nameserver: 'ns.example.net', account: 'cy' });
  },
  async state({ url, folder }) {
    const file = join(folder, 'pdns.sqlite3');
    const zones = new Map<unknown, unknown>();
    rowLines(file, (table, row) => {
      if (table === 'domains') zones.set(row.id, row.name);
      return row;
    });
    const rows = rowLines(file, (table, row) => {
      const zone = row.domain_id === undefined ? {} : { domain_id: zones.get(row.domain_id) ?? 'no zone' };
      const kept = Object.entries(row).filter(([name]) => table === 'cryptokeys' || !PASSING.includes(name));
      return { ...Object.fromEntries(kept), ...zone };
    });
    const configuration = [await read(`${url}/servers/localhost/config`, HEADERS)].flat();
    return [...rows, ...configuration.map((setting) => line('configuration', setting))];
  },
  document: (place) => servedDocument(place, new URL('/api/docs', place.url).href, HEADERS),
};
