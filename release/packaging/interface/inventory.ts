import { writeConfigurationTypes } from '../../../cli/generate.ts';
import reportSchema from '../../../contract-tests/report/report.schema.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };
import { adminEntries } from './admin-entries.ts';
import { commandEntries } from './command-entries.ts';
import { configurationEntries } from './configuration-entries.ts';
import { type Entries, ownersOf } from './entries.ts';
import { exportEntries } from './export-entries.ts';
import { schemaEntries } from './schema-entries.ts';

/** Types that are made of the options, each of which is an entry already. */
const MADE_OF_OPTIONS = ['openapi-paddock/config > PaddockConfig', 'openapi-paddock/config > PaddockTarget'];

/** All that users rely on and that the code itself tells; docs/stable-interface.md names the rest. */
export async function inventory(): Promise<Entries> {
  await writeConfigurationTypes();
  const entries = [
    ...(await commandEntries()),
    ...(await configurationEntries()),
    ...schemaEntries('report', reportSchema),
    ...(await adminEntries()),
    ...exportEntries(packageJson.name, packageJson.exports),
  ];
  return Object.fromEntries(
    entries.filter(([name]) => !ownersOf(name).some((owner) => MADE_OF_OPTIONS.includes(owner))),
  );
}
