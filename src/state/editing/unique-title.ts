import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";

/** The title itself, or with the first number that is free: "HTTP request 2". */
export function uniqueTitle(document: Pick<WorkflowDocument, "nodes">, title: string): string {
  const taken = new Set(Object.values(document.nodes).map((node) => node.title));
  if (!taken.has(title)) return title;
  const base = title.replace(/ \d+$/, "");
  let number = 2;
  while (taken.has(`${base} ${number}`)) number += 1;
  return `${base} ${number}`;
}
