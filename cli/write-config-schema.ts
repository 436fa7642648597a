import { writeFileSync } from 'node:fs';
import { configSchemaText } from './config-schema.ts';

/** `npm run config-schema`: writes the JSON Schema of the configuration file, for editors. */
writeFileSync(new URL('../paddock.schema.json', import.meta.url), await configSchemaText());
