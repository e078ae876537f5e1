import type { CDPSession, Page } from "@playwright/test";

/** What a page holds after a collection of garbage. */
export interface PageWeight {
  heapBytes: number;
  /** DOM elements, texts and other nodes, those no longer in the document included. */
  nodes: number;
  listeners: number;
}

/** Opens the way to a page's counters. */
export async function openScales(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  return session;
}

export async function weigh(session: CDPSession): Promise<PageWeight> {
  for (let turn = 0; turn < 3; turn += 1) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  return { heapBytes: usedSize, nodes, listeners: jsEventListeners };
}
