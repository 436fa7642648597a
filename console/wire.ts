/** What the control API responds, as types of the mock: the only import from another folder, and none at run time. */
export type {
  CollectionView,
  ContractView,
  MemberView,
  OperationView,
} from '../mock/control/describe-contract.ts';
export type { ReferenceView } from '../mock/control/reference/describe-reference.ts';
