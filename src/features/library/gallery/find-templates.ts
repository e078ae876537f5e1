import type { TemplateCategory, WorkflowTemplate } from "../templates/workflow-template.ts";

/** The templates of a category (all of them for null) that hold every word of `search`, in their order. */
export function findTemplates(
  templates: readonly WorkflowTemplate[],
  search: string,
  category: TemplateCategory | null,
): WorkflowTemplate[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return templates.filter((template) => {
    const text = `${template.title} ${template.summary} ${template.category}`.toLowerCase();
    return (category === null || template.category === category) && words.every((word) => text.includes(word));
  });
}
