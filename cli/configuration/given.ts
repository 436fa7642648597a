/** A value of the file as the command line has it: texts, or whether a switch is on. */
export type Given = boolean | readonly string[];

/** Says what is wrong with the part of a value at a path below it. */
export type Complain = (path: readonly string[], message: string) => void;
