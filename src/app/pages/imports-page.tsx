import { ImportMany } from "../../features/library/import/import-many.tsx";
import { ImportsList } from "../../features/library/import/imports-list.tsx";
import { BackLink } from "./back-link.tsx";
import { PageFrame } from "./page-frame.tsx";

/** Bringing workflows in, many at once, and what is still to do about those that came. */
export function ImportsPage() {
  return (
    <PageFrame
      title="Imports"
      above={<BackLink href="/">Workflows</BackLink>}
      lead="Bring in workflows from n8n, Dify, Flowise, Langflow, the Agent Builder or this studio. Reading them runs nothing and contacts nothing."
    >
      <ImportMany />
      <ImportsList />
    </PageFrame>
  );
}
