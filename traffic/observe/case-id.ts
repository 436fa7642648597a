/** The case of what traffic has shown of a cell: what `known` and `only` name it by. */
export function caseIdOf(operationId: string, status: number): string {
  return `${operationId}/${status}/traffic`;
}
