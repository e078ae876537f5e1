import { collectionOf, useCollectionsById, withCollectionName } from "../../stores/collection-list.ts";
import { useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { cardLine } from "./card-line.ts";

/** The line of a node that searches a collection, which may have got another name since it was chosen. */
export function CollectionLine({ id }: { id: string }) {
  const { registry } = useEditor();
  const node = useDocumentStore((state) => state.document.nodes[id]);
  const searched = collectionOf(node);
  const { data } = useCollectionsById(searched === "" ? [] : [searched]);
  return <div className="card-line">{node && cardLine(registry, withCollectionName(node, data))}</div>;
}
