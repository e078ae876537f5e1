import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

const totals = `const rows = json.sales;
const total = rows.reduce((sum, row) => sum + row.amount, 0);
const best = rows.reduce((top, row) => (row.amount > top.amount ? row : top), rows[0]);
return { ...json, total, best: best.product, average: Math.round(total / rows.length) };`;

/** Numbers, computed in code, written up by an agent. */
export const weeklyReport: WorkflowTemplate = {
  id: "weekly-report",
  title: "Weekly report",
  summary: "Code adds the numbers up, an agent writes the report, and the result is ready to be sent on.",
  category: "data",
  build: (id) =>
    buildWorkflow(
      id,
      "Weekly report",
      {
        note: note(
          "**Weekly report**\n\nClick Test, or start it from a schedule of your own: `npm run workflow` runs an exported workflow on a server.\n\nNumbers are computed in code, so that the agent only has to write. Replace the sales in the trigger by an HTTP request to your shop.",
        ),
        start: {
          type: "manual-trigger",
          title: "Sales of the week",
          at: [0, 0],
          config: {
            input: {
              sales: [
                { product: "Desk lamp", amount: 1240 },
                { product: "Floor lamp", amount: 2310 },
                { product: "Bulbs", amount: 480 },
              ],
            },
          },
        },
        week: {
          type: "set-fields",
          title: "Name the week",
          at: [304, 0],
          config: { fields: { shop: "Lumen & Oak", title: "Sales of the week" } },
        },
        totals: { type: "code", title: "Totals", at: [608, 0], config: { code: totals } },
        agent: {
          type: "ai-agent",
          title: "Writer",
          at: [912, 0],
          config: {
            systemPrompt:
              "You write a short weekly report for the owner of a shop: three sentences, plain words, only the numbers that you are given.",
            userMessage:
              "{{json.title}} of {{json.shop}}: total {{string(json.total)}}, on average {{string(json.average)}} a product, best product {{json.best}}.",
            maxIterations: 2,
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [912, 224] },
        report: {
          type: "set-fields",
          title: "Report",
          at: [1280, 0],
          config: {
            keepInput: false,
            fields: { subject: "{{name_the_week.title}}", text: "{{json.response}}", total: "{{totals.total}}" },
          },
        },
      },
      [
        ["start.main", "week.main"],
        ["week.main", "totals.main"],
        ["totals.main", "agent.main"],
        ["model.model", "agent.model"],
        ["agent.main", "report.main"],
      ],
    ),
};
