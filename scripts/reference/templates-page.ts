import { templates } from "../../src/features/library/templates/index.ts";
import {
  type TemplateCategory,
  templateCategories,
  type WorkflowTemplate,
} from "../../src/features/library/templates/workflow-template.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { code, plain, table } from "./markdown.ts";

const titles: Record<TemplateCategory, string> = {
  start: "To begin with",
  agents: "Agents",
  tools: "Tools",
  knowledge: "Knowledge",
  data: "Data",
  channels: "Channels",
};

/** Every workflow that **New workflow** offers. */
export function templatesPage(): string {
  return [
    "# Templates",
    "The workflows that **New workflow** offers. All of them run on the demo model, without a key.",
    ...templateCategories.flatMap((category) => [
      `## ${titles[category]}`,
      table(
        ["Template", "What it does", "Needs", "Try", "Nodes"],
        templates.filter((one) => one.category === category).map(row),
      ),
    ]),
  ].join("\n\n");
}

function row(template: WorkflowTemplate): string[] {
  const nodes = Object.values(template.build("template").nodes);
  const types = [...new Set(nodes.map(({ type }) => type))].filter((type) => nodeRegistry[type]?.drawnAs === undefined);
  return [
    plain(template.title),
    plain(template.summary),
    plain(template.needs?.join(", ") ?? ""),
    template.example === undefined ? "" : code(template.example),
    types.map((type) => plain(nodeRegistry[type]?.title ?? type)).join(", "),
  ];
}
