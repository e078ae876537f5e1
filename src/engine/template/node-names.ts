import type { ASTNode } from "@marcbachmann/cel-js";
import { slugify } from "../document/slugify.ts";

/** Lets `nodes["…"]` name a node by its title as well: the text becomes the name that the title gives. */
export function readTitleAsName(node: ASTNode): void {
  const name = nameIn(node);
  if (name?.op === "value" && typeof name.args === "string") Object.assign(name, { args: slugify(name.args) });
}

function nameIn(node: ASTNode): ASTNode | undefined {
  if (node.op === "[]" || node.op === "[?]") return isNodes(node.args[0]) ? node.args[1] : undefined;
  return node.op === "in" && isNodes(node.args[1]) ? node.args[0] : undefined;
}

function isNodes(node: ASTNode): boolean {
  return node.op === "id" && node.args === "nodes";
}
