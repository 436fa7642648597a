import { writeFileSync } from 'node:fs';
import { configSchemaFiles } from './config-schema.ts';

/** `npm run config-schema`: writes the JSON Schema of the configuration file, for editors, and its type. */
for (const [path, text] of await configSchemaFiles())
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
