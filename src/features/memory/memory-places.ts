import type { MemoryPlace } from "../../engine/memory/memory.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { placeOfMemory } from "../../state/conversation/memory-place.ts";

/** A place with its name and a key that tells it from the others. */
export interface NamedPlace {
  key: string;
  title: string;
  place: MemoryPlace;
}

/**
 * Where the memories of a workflow keep conversations: always the database, this tab where a buffer memory keeps them
 * there, and each Redis that a memory node names.
 */
export function memoryPlaces(document: Pick<WorkflowDocument, "nodes">, registry: NodeRegistry): NamedPlace[] {
  const places = new Map<string, NamedPlace>();
  const add = (place: NamedPlace) => void (places.has(place.key) || places.set(place.key, place));
  add({ key: "postgres", title: "Database", place: { storage: "postgres" } });
  for (const node of Object.values(document.nodes)) {
    const place = placeOfMemory(registry, node);
    if (place?.storage === "tab") add({ key: "tab", title: "This tab", place });
    if (place?.storage === "redis")
      add({ key: JSON.stringify([place.credential, place.keyPrefix]), title: node.title, place });
  }
  return [...places.values()];
}
