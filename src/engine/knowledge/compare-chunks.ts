import { canonicalJson } from "../canonical-json.ts";
import type { JsonObject } from "../json.ts";
import type { ChunkPlace, ParentPlace, StoredChunk } from "./stored-documents.ts";

/** What has to happen for a document's stored chunks to become the wanted ones. */
interface ChunkChanges<Wanted> {
  /** Ids of stored chunks that nothing wants any more. */
  remove: string[];
  /** Stored chunks that stay as they are but at another place, in another parent, or with other metadata. */
  move: ChunkPlace[];
  /** Wanted chunks that are not stored. */
  add: Wanted[];
  /** Stored chunks without a vector, with the wanted chunk that they are. */
  unembedded: { id: string; chunk: Wanted }[];
  /** How many stay, moved or not. */
  kept: number;
}

/**
 * Compares by content (`hash`), so that what did not change keeps its vector wherever it stands now. Of several equal
 * chunks as many are kept as are wanted.
 */
export function compareChunks<
  Wanted extends { hash: string; position: number; metadata: JsonObject; parent?: ParentPlace },
>(stored: readonly StoredChunk[], wanted: readonly Wanted[]): ChunkChanges<Wanted> {
  const free = new Map<string, StoredChunk[]>();
  for (const chunk of stored) free.set(chunk.hash, [...(free.get(chunk.hash) ?? []), chunk]);
  const changes: ChunkChanges<Wanted> = { remove: [], move: [], add: [], unembedded: [], kept: 0 };
  for (const chunk of wanted) {
    const same = free.get(chunk.hash)?.shift();
    if (!same) {
      changes.add.push(chunk);
      continue;
    }
    changes.kept += 1;
    const { position, metadata, parent } = chunk;
    const place = { id: same.id, position, metadata, ...(parent ? { parent } : {}) };
    if (!isAt(same, place)) changes.move.push(place);
    if (!same.embedded) changes.unembedded.push({ id: same.id, chunk });
  }
  changes.remove = [...free.values()].flat().map((chunk) => chunk.id);
  return changes;
}

function isAt(stored: StoredChunk, place: ChunkPlace): boolean {
  return (
    stored.position === place.position &&
    stored.parent?.first === place.parent?.first &&
    stored.parent?.lead === place.parent?.lead &&
    canonicalJson(stored.metadata) === canonicalJson(place.metadata)
  );
}
