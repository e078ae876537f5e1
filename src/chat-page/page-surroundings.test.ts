import { expect, test } from "vitest";
import { askParent, mayShow, pageSurroundings } from "./page-surroundings.ts";

const sites = ["https://shop.test"];

/** As much of a window as is looked at: who frames it, and what it hears. */
function frame(above: { origins?: string[]; referrer?: string }) {
  const events = new EventTarget();
  const parent = { postMessage: (data: unknown) => void said.push(data) };
  const said: unknown[] = [];
  const view = Object.assign(events, {
    parent,
    location: { ancestorOrigins: above.origins },
    document: { referrer: above.referrer ?? "" },
  }) as unknown as Window;
  const hear = (origin: string, data: unknown, source: unknown = parent) =>
    events.dispatchEvent(Object.assign(new Event("message"), { origin, data, source }));
  return { view, said, hear };
}

test("S76 the page shows itself in frames of listed sites alone, all the way up", () => {
  expect(mayShow(frame({ origins: ["https://shop.test"] }).view, sites)).toBe(true);
  expect(mayShow(frame({ origins: ["https://shop.test", "https://evil.test"] }).view, sites)).toBe(false);
  expect(mayShow(frame({ origins: ["https://evil.test"] }).view, sites)).toBe(false);
  expect(mayShow(frame({ origins: ["https://shop.test"] }).view, [])).toBe(false);
  expect(mayShow(frame({ referrer: "https://shop.test/page" }).view, sites)).toBe(true);
  expect(mayShow(frame({ referrer: "" }).view, sites)).toBe(false);
});

test("S75 who vouches for a visitor is the framing page of a listed site", async () => {
  const { view, said, hear } = frame({ origins: ["https://shop.test"] });
  const asked = askParent(view, sites);
  expect(said).toEqual([{ type: "switchyard-chat-ready" }]);
  const message = (identity: string) => ({ type: "switchyard-chat-identity", identity });
  hear("https://evil.test", message("evil"));
  hear("https://shop.test", message("another frame"), {});
  hear("https://shop.test", { identity: "of another form" });
  hear("https://shop.test", message("signed"));
  expect(await asked).toBe("signed");
});

test("what was typed before the page was loaded anew stands in the address", () => {
  const opened = (hash: string) => {
    const location = { hash, replace: (to: string) => void (view.location.hash = to), reload: () => undefined };
    const view = { document: { getElementById: () => null }, location };
    return { view, surroundings: pageSurroundings(view as unknown as Window) };
  };
  const { view, surroundings } = opened("");
  expect(surroundings.draft).toBeNull();
  surroundings.reload("Hi & bye #1");
  expect(opened(view.location.hash).surroundings.draft).toBe("Hi & bye #1");
  expect(opened("#draft=%E0%A4%A").surroundings.draft).toBe("");
});
