import { type Contract, DocumentError, loadContract, type Problem, showPlace } from '#spec';
import { about, type Remark } from './remark.ts';

const { good, warning, wrong } = about('document');

/** How a document is read: the options of the other verbs. */
export interface DocumentOptions {
  readonly document: string;
  readonly allowRefs: readonly string[];
  readonly overlays: readonly string[];
  readonly strictDocument: boolean;
}

/** The first ones say what kind of document it is. */
const MOST = 5;

/** Reads the document; without a contract the target is examined as far as that goes. */
export async function examineDocument({
  document,
  ...options
}: DocumentOptions): Promise<{ contract: Contract | undefined; remarks: Remark[] }> {
  try {
    const contract = await loadContract(document, options);
    const { title, version, operations, warnings } = contract;
    const name = `${title} ${version}`.trim() || document;
    const size = `${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}`;
    const read = good(`${name}, ${size} (${contract.document.root.file.positionOf([]).uri})`);
    const found = told(warnings).map((text) => warning(text));
    return { contract, remarks: [read, ...found] };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { contract: undefined, remarks: told(error.problems).map((text) => wrong(text)) };
  }
}

function told(problems: readonly Problem[]): string[] {
  const lines = problems.slice(0, MOST).map((problem) => `${showPlace(problem)}: ${problem.message}`);
  const others = problems.length - lines.length;
  return others > 0 ? [...lines, `${others} more; paddock mock --strict-document shows all`] : lines;
}
