import type { Page } from "playwright-core";
import type { Film } from "./film.ts";

/** Adds to the film what a page shows while `action` is done, at the speed at which it is shown. */
export async function filmPage(page: Page, film: Film, action: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const frames: { png: Buffer; at: number }[] = [];
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    frames.push({ png: Buffer.from(data, "base64"), at: (metadata.timestamp ?? 0) * 1000 });
    void session.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  await session.send("Page.startScreencast", { format: "png", everyNthFrame: 2 });
  await action();
  await session.send("Page.stopScreencast");
  await session.detach();
  const end = Date.now();
  for (const [index, { png, at }] of frames.entries()) film.add(png, Math.max(1, (frames[index + 1]?.at ?? end) - at));
}
