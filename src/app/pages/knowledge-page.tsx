import { useState } from "react";
import { CollectionsView } from "../../features/knowledge/collections-view.tsx";
import { KnowledgeSlotsProvider } from "../../features/knowledge/knowledge-slots.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { knowledgeSlots } from "./knowledge-parts.ts";
import { PageFrame } from "./page-frame.tsx";

/** All collections. */
export function KnowledgePage() {
  const [making, setMaking] = useState(false);
  return (
    <KnowledgeSlotsProvider slots={knowledgeSlots}>
      <PageFrame
        title="Knowledge"
        lead="Documents that agents can search and quote."
        actions={
          <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
            New collection
          </Button>
        }
      >
        <CollectionsView making={making} onMaking={setMaking} />
      </PageFrame>
    </KnowledgeSlotsProvider>
  );
}
