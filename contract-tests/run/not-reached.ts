/** The case cannot be judged on this target; no finding. The message is the cell's reason. */
export class NotReached extends Error {
  override name = 'NotReached';
}
