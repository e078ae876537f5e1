import { expect, test } from "vitest";
import { isForStrangers } from "./chat-site.ts";

test("what comes from the last build in development: pages for strangers, their files, and the page of a saved run", () => {
  const built = [
    "/c/page",
    `/s/${"a".repeat(32)}`,
    "/chat-page/a.js",
    "/share-page/a.js",
    "/widget.js",
    "/share-file.html",
  ];
  for (const path of built) expect(isForStrangers(path), path).toBe(true);
  for (const path of ["/", "/index.html", "/s/short", "/assets/share-file.html"])
    expect(isForStrangers(path), path).toBe(false);
});
