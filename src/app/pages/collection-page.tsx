import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useCollectionActions } from "../../features/knowledge/collection-actions.ts";
import { CollectionMenu } from "../../features/knowledge/collection-menu.tsx";
import { CollectionView } from "../../features/knowledge/collection-view.tsx";
import { embeddingText } from "../../features/knowledge/embedding-choices.ts";
import { holdings } from "../../features/knowledge/holdings.ts";
import { useCollection } from "../../features/knowledge/knowledge-queries.ts";
import { KnowledgeSlotsProvider } from "../../features/knowledge/knowledge-slots.tsx";
import { NotLoaded } from "../../features/knowledge/not-loaded.tsx";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { NameInput } from "../../ui/fields/name-input.tsx";
import { BackLink } from "./back-link.tsx";
import { knowledgeSlots } from "./knowledge-parts.ts";
import { PageFrame } from "./page-frame.tsx";

/** One collection. */
export function CollectionPage({ collectionId }: { collectionId: string }) {
  const found = useCollection(collectionId);
  if (found.data !== undefined) return <OpenCollection collection={found.data} />;
  return (
    <PageFrame title="Knowledge" above={<BackLink href="/knowledge">Knowledge</BackLink>}>
      {found.isPending ? (
        <ListSkeleton label="Loading the collection" />
      ) : (
        <NotLoaded what="collection" error={found.error} onRetry={() => void found.refetch()}>
          <Link href="/knowledge">All collections</Link>
        </NotLoaded>
      )}
    </PageFrame>
  );
}

function OpenCollection({ collection }: { collection: CollectionSummary }) {
  const [, navigate] = useLocation();
  const [renaming, setRenaming] = useState(false);
  const actions = useCollectionActions(() => navigate("/knowledge"));
  const { id, name, embedding, description } = collection;
  return (
    <KnowledgeSlotsProvider slots={knowledgeSlots}>
      <PageFrame
        title={actions.renaming ?? name}
        heading={
          renaming && (
            <NameInput
              label={`New name of ${name}`}
              value={name}
              onDone={(next) => {
                setRenaming(false);
                if (next !== null) actions.rename(id, next);
              }}
            />
          )
        }
        above={<BackLink href="/knowledge">Knowledge</BackLink>}
        lead={
          <>
            {description !== "" && <span className="block">{description}</span>}
            <span className="flex flex-wrap gap-x-3 numeric">
              {holdings(collection).map((words) => (
                <span key={words}>{words}</span>
              ))}
              <span>{embeddingText(embedding)}</span>
            </span>
          </>
        }
        actions={<CollectionMenu collection={collection} actions={actions} onRename={() => setRenaming(true)} />}
      >
        <CollectionView collection={collection} />
      </PageFrame>
    </KnowledgeSlotsProvider>
  );
}
