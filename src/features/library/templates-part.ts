/* What shows templates. They are built with the registry of nodes, which the list of workflows does without. */

export { TemplateCards } from "./template-cards.tsx";
export { ElsewhereGallery } from "./gallery/elsewhere-gallery.tsx";
export { TemplateGallery } from "./gallery/template-gallery.tsx";
