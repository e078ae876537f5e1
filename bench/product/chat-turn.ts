import type { Page } from "@playwright/test";

/** One question and its answer, in milliseconds from Enter unless it says otherwise. */
export interface TurnTimes {
  /** Until the first request to the model left the page. */
  firstRequest: number;
  /** Until the last byte of the answer had come. */
  answered: number;
  /** From there until the input took the next message. */
  inputFree: number;
  /** Until the database had the run, all its events and the turn. */
  stored: number;
}

/** Names in the address of what a run asks for and writes. */
const model = "/functions/v1/llm-proxy";
const tables = "/rest/v1/";

/** Notes when Enter is pressed and when the button that sends takes the place of the one that stops. Once per page. */
export async function watchTurns(page: Page): Promise<void> {
  await page.evaluate(() => {
    performance.setResourceTimingBufferSize(10_000);
    const seen = { enter: 0, free: 0, busy: false };
    Object.assign(window, { turnSeen: seen });
    const form = document.querySelector('textarea[aria-label="Message"]')?.closest("form");
    if (!form) throw new Error("The page shows no chat.");
    window.addEventListener(
      "keydown",
      ({ key }) => {
        if (key === "Enter") Object.assign(seen, { enter: performance.now(), free: 0, busy: false });
      },
      { capture: true },
    );
    new MutationObserver(() => {
      const busy = form.querySelector('button[aria-label="Stop"]') !== null;
      if (seen.busy && !busy) seen.free = performance.now();
      seen.busy = busy;
    }).observe(form, { subtree: true, childList: true, attributes: true });
  });
}

/** Asks once, and waits until the page has asked the database for nothing more for `restMs`. */
export async function timeTurn(page: Page, message: string, restMs = 700): Promise<TurnTimes> {
  await page.getByRole("textbox", { name: "Message", exact: true }).fill(message);
  // Nobody types faster than this, and with the first character the page begins to get ready.
  await page.waitForTimeout(300);
  await page.evaluate(() => performance.clearResourceTimings());
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => Number(Reflect.get(Reflect.get(window, "turnSeen"), "free")) > 0);
  await page.getByRole("button", { name: "Test", exact: true }).waitFor();
  let requests = -1;
  for (;;) {
    const now = await page.evaluate(() => performance.getEntriesByType("resource").length);
    if (now === requests) break;
    requests = now;
    await page.waitForTimeout(restMs);
  }
  const times = await page.evaluate(
    ([modelPath, tablePath]) => {
      const { enter, free } = Reflect.get(window, "turnSeen") as { enter: number; free: number };
      const found = performance
        .getEntriesByType("resource")
        .filter((entry) => entry instanceof PerformanceResourceTiming);
      const calls = found.filter(({ name }) => name.includes(modelPath));
      const writes = found.filter(
        ({ name }) => name.includes(tablePath) && /studio_(runs|record_run|remember_turn)/.test(name),
      );
      const answered = Math.max(...calls.map(({ responseEnd }) => responseEnd));
      return {
        firstRequest: Math.min(...calls.map(({ startTime }) => startTime)) - enter,
        answered: answered - enter,
        inputFree: free - answered,
        stored: Math.max(answered, ...writes.map(({ responseEnd }) => responseEnd)) - enter,
      };
    },
    [model, tables] as const,
  );
  return times;
}

/** Reading one row of the conversations from the page: milliseconds. */
export function bareRead(page: Page): Promise<number> {
  return page.evaluate(async (path) => {
    const config = JSON.parse(document.querySelector("#switchyard-config")?.textContent ?? "{}") as {
      supabaseKey: string;
    };
    const session = JSON.parse(localStorage.getItem("switchyard:session") ?? "{}") as { access_token: string };
    const headers = { apikey: config.supabaseKey, authorization: `Bearer ${session.access_token}` };
    const started = performance.now();
    await (await fetch(`${path}studio_agent_memory?select=id&limit=1`, { headers })).text();
    return performance.now() - started;
  }, tables);
}

/** A loop of nothing but the model calls of such a turn, from the page by way of the same proxy: milliseconds. */
export function bareCalls(page: Page, credential: string, calls: number): Promise<number> {
  return page.evaluate(
    async ([id, count, path]) => {
      const config = JSON.parse(document.querySelector("#switchyard-config")?.textContent ?? "{}") as {
        supabaseKey: string;
      };
      const session = JSON.parse(localStorage.getItem("switchyard:session") ?? "{}") as { access_token: string };
      const messages: object[] = [{ role: "user", content: "Count." }];
      const started = performance.now();
      for (let call = 0; call <= count; call += 1) {
        const response = await fetch(`${path}/chat/completions`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            apikey: config.supabaseKey,
            authorization: `Bearer ${session.access_token}`,
            "x-switchyard-credential": id,
          },
          body: JSON.stringify({ model: `calls-${count}`, messages, stream: true }),
        });
        if (!response.ok) throw new Error(`The proxy answered ${response.status}: ${await response.text()}`);
        await response.text();
        messages.push({ role: "tool", tool_call_id: `call_${call}`, content: "4" });
      }
      return performance.now() - started;
    },
    [credential, calls, model] as const,
  );
}
