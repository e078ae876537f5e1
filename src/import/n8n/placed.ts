import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";
import type { N8nNode } from "./read-n8n.ts";

/** A node of n8n with its counterpart; `record` is absent for one that is part of another's settings. */
export interface Placed {
  node: N8nNode;
  made: Made;
  record: NodeRecord | undefined;
  /** The steps that run before it, in their order. */
  before: readonly NodeRecord[];
  work: NodeWork;
}
