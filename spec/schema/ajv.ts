/** A validator of the library. Its declarations name nothing of Node, which those who use the package may lack. */
export type Ajv = InstanceType<typeof import('ajv/dist/core.js')['default']>;
