import { z } from "zod/mini";
import type { Memory } from "../memory/memory.ts";
import type { Tool } from "../tool/tool.ts";
import { defineNode } from "../document/define-node.ts";
import { out } from "../document/ports.ts";
import { nowhere } from "../document/reach.ts";
import type { ChatModel } from "../model/chat-model.ts";

const shared = {
  version: 1,
  summary: "For tests.",
  icon: "box" as const,
  config: z.object({}),
  inputs: {},
  reach: nowhere,
};

/** A model node that gives this very model, to put a scripted model into a workflow. */
export function modelNodeOf(type: string, model: ChatModel) {
  return defineNode({
    ...shared,
    type,
    role: "model",
    title: type,
    outputs: { model: out("model") },
    run: () => model,
  });
}

/** A memory node that gives this very memory. */
export function memoryNodeOf(type: string, memory: Memory) {
  return defineNode({
    ...shared,
    type,
    role: "memory",
    keepsAt: () => null,
    title: type,
    outputs: { memory: out("memory") },
    run: () => memory,
  });
}

/** A tool node that gives these very tools. */
export function toolNodeOf(type: string, ...tools: Tool[]) {
  const toolName = () => tools[0]?.name;
  const outputs = { tool: out("tool") };
  return defineNode({ ...shared, type, role: "tool", title: type, outputs, toolName, run: () => ({ tools }) });
}
