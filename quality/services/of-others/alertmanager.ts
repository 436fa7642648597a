import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, read, until } from '../client.ts';
import type { Service } from '../service.ts';
import { line } from '../state.ts';

const CONFIGURATION = `
route:
  receiver: default
  group_by: [alertname, cluster]
  group_wait: 0s
  group_interval: 1m
  repeat_interval: 12h
  routes:
    - receiver: team-database
      matchers: [service="database"]
    - receiver: team-web
      matchers: [service=~"web|proxy"]
inhibit_rules:
  - source_matchers: [severity="critical"]
    target_matchers: [severity="warning"]
    equal: [cluster]
receivers:
  - name: default
  - name: team-database
  - name: team-web
`;

const FAR = '2099-01-01T00:00:00Z';

export const ALERTMANAGER: Service = {
  name: 'alertmanager',
  version: '0.25.0',
  stack: 'Go, from the Go module proxy',
  packages: {
    // Debian's program opens templates in /usr/share, which exist only if its package is installed there.
    go: [
      {
        name: 'alertmanager',
        module: 'github.com/prometheus/alertmanager@v0.25.0',
        main: './cmd/alertmanager',
      },
    ],
  },
  basePath: '/api/v2',
  ready: '/api/v2/status',
  launch({ folder, installed, port }) {
    const configuration = join(folder, 'alertmanager.yml');
    writeFileSync(configuration, CONFIGURATION);
    return {
      command: [
        join(installed, 'alertmanager'),
        `--config.file=${configuration}`,
        `--storage.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
    };
  },
  async fill({ url }) {
    const silence = (name: string, value: string, createdBy: string, isRegex = false) =>
      call('POST', `${url}/silences`, {
        matchers: [{ name, value, isRegex, isEqual: true }],
        startsAt: new Date().toISOString(),
        endsAt: FAR,
        createdBy,
        comment: 'maintenance',
      });
    await silence('service', 'proxy', 'ann');
    await silence('alertname', 'Disk.*', 'ben', true);
    await silence('cluster', 'never', 'cy');
    const { silenceID } = await silence('cluster', 'old', 'dan');
    await call('DELETE', `${url}/silence/${silenceID}`);
    const alert = (alertname: string, service: string, severity: string, cluster: string) => ({
      labels: { alertname, service, severity, cluster },
      annotations: { summary: `${alertname} on ${cluster}` },
      startsAt: '2025-01-01T00:00:00Z',
      endsAt: FAR,
      generatorURL: 'http://prometheus.example/graph',
    });
    await call('POST', `${url}/alerts`, [
      alert('HighLatency', 'web', 'critical', 'eu'),
      alert('HighLatency', 'web', 'warning', 'us'),
      alert('DiskFull', 'database', 'warning', 'ap'),
      alert('ReplicaLag', 'database', 'critical', 'ap'),
      alert('ProxyDown', 'proxy', 'critical', 'us'),
      alert('JobFailed', 'batch', 'warning', 'eu'),
    ]);
    // An alert is "unprocessed" until it has been grouped once.
    await until(20, 'grouping the alerts', async () => {
      return !JSON.stringify(await read(`${url}/alerts`)).includes('unprocessed');
    });
  },
  async state({ url }) {
    const list = async (path: string) => [await read(url + path)].flat();
    const names = (receivers: { name: string }[] = []) => receivers.map(({ name }) => name).sort();
    const alerts = await list('/alerts?active=true&silenced=true&inhibited=true&unprocessed=true');
    const groups = await list('/alerts/groups');
    return [
      ...alerts.map((alert) => line('alert', { ...alert, receivers: names(alert.receivers) })),
      ...(await list('/silences')).map((silence) => line('silence', silence)),
      ...groups.flatMap(({ receiver, labels, alerts = [] }) =>
        (alerts as { fingerprint: string }[]).map(({ fingerprint }) =>
          line('group', [receiver?.name, labels, fingerprint]),
        ),
      ),
      ...(await list('/receivers')).map((receiver) => line('receiver', receiver)),
      line('configuration', (await read(`${url}/status`)).config),
    ];
  },
  document: async ({ installed }) => join(installed, 'go/alertmanager/api/v2/openapi.yaml'),
};
