export { KnowledgePage } from "./knowledge-page.tsx";
export { CollectionPage } from "./collection-page.tsx";
export { DocumentPage } from "./document-page.tsx";
