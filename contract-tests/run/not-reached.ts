/** The case cannot be judged on this target; no finding. The message is the cell's reason. */
export class NotReached extends Error {
  override name = 'NotReached';
}

/** It is the document that does not say how to provoke the cell: nothing is amiss with the target. */
export class NotProvoked extends NotReached {
  override name = 'NotProvoked';
}
