import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { newDocument } from "../../src/engine/document/new-document.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { JsonObject } from "../../src/engine/json.ts";

/** A document, and how nodes and edges are put into it. */
function sketch(name: string) {
  const document = newDocument(randomUUID(), name);
  const place = (id: string, type: string, x: number, config: JsonObject = {}) => {
    document.nodes[id] = {
      id,
      type,
      version: 1,
      title: id,
      position: { x, y: type === "demo-model" ? 200 : 0 },
      config,
    };
  };
  const connect = (from: string, to: string, port = "main", toPort = port) => {
    const id = `${from}-${to}`;
    document.edges[id] = { id, from: { node: from, port }, to: { node: to, port: toPort } };
  };
  return { document, place, connect };
}

/** A chat agent with memory and a calculator: a model call, a tool call and an answer for each question. */
export function soakWorkflow(): WorkflowDocument {
  const { document, place, connect } = sketch("Soak");
  place("chat", "chat-trigger", 0);
  place("agent", "ai-agent", 300);
  place("model", "demo-model", 300, { wordDelayMs: 0 });
  place("calculator", "calculator-tool", 600);
  connect("chat", "agent");
  connect("model", "agent", "model");
  connect("calculator", "agent", "tool", "tools");
  return document;
}

/** An agent that answers once per item: each item is about twenty-four events, model call and streamed words included. */
export function longRunWorkflow(items: number): WorkflowDocument {
  const { document, place, connect } = sketch("Long run");
  place("start", "manual-trigger", 0, {
    input: { items: Array.from({ length: items }, (_, index) => `Item ${index}`) },
  });
  place("each", "for-each", 300, { items: "{{json.items}}", concurrency: 4 });
  place("agent", "ai-agent", 600, { userMessage: "{{json}}" });
  place("model", "demo-model", 600, { wordDelayMs: 0 });
  connect("start", "each");
  connect("each", "agent");
  connect("model", "agent", "model");
  return document;
}

/** Tasks of the page's main thread that took more than 50 ms, and the longest, while `work` went on. */
export async function longTasks(page: Page, work: () => Promise<void>): Promise<{ count: number; longestMs: number }> {
  await page.evaluate(() => {
    const durations: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) durations.push(entry.duration);
    });
    observer.observe({ type: "longtask" });
    Object.assign(window, { longTasks: { durations, observer } });
  });
  await work();
  // The observer hears of a task some time after its end.
  await page.waitForTimeout(300);
  const durations = await page.evaluate((): number[] => {
    const kept: unknown = Reflect.get(window, "longTasks");
    if (typeof kept !== "object" || kept === null) return [];
    const found: unknown = Reflect.get(kept, "durations");
    return Array.isArray(found) ? found.map(Number) : [];
  });
  return { count: durations.length, longestMs: Math.max(0, ...durations) };
}
