import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { calculatorTool } from "../../nodes/tools/calculator-tool.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { chatTrigger } from "../../nodes/triggers/chat-trigger.ts";

/** What an empty chat offers: the questions of its trigger, or else some that its other nodes can answer. */
export function firstQuestions(nodes: WorkflowDocument["nodes"], registry: NodeRegistry): string[] {
  const used = Object.values(nodes).filter(({ disabled }) => disabled !== true);
  const own = used.flatMap(({ type, config }) => {
    const read = type === chatTrigger.type ? chatTrigger.config.safeParse(config) : undefined;
    return read?.success ? read.data.questions : [];
  });
  const has = (test: (type: string) => boolean) => used.some(({ type }) => test(type));
  const fitting = [
    ...(own.length === 0 && has((type) => type === calculatorTool.type) ? ["What is 12.5% of 480?"] : []),
    ...(has((type) => definitionOf(registry, type)?.role === "memory") ? ["My name is Ada. Please remember it."] : []),
    "What can you help me with?",
  ];
  return [...new Set([...own, ...fitting])].slice(0, Math.max(3, own.length));
}
