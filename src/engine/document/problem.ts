import type { RunErrorCode } from "../errors.ts";
import type { AnyNodeDefinition } from "./define-node.ts";
import type { EdgeRecord, NodeRecord } from "./workflow-document.ts";

/** Something wrong with a workflow, at a node, a field or an edge. Only errors keep a run from starting. */
export interface Problem {
  nodeId?: string;
  edgeId?: string;
  /** Name of the config field. */
  field?: string;
  severity: "error" | "warning";
  code: RunErrorCode;
  message: string;
  hint: string;
  /** The node came with an import and waits for a person, who may look at all such nodes at once. */
  review?: true;
}

/** What validation keeps at hand about one node of a known type. */
export interface CheckedNode {
  node: NodeRecord;
  definition: AnyNodeDefinition;
  incoming: EdgeRecord[];
  outgoing: EdgeRecord[];
}
