import { expect, type Locator, test } from "@playwright/test";
import { type ModuleServer, startModuleServer } from "./module-server.ts";

/*
 * The log by itself, as a module in a real browser: many rows whose heights are estimated badly, in frames of any size.
 */

const page = "/virtual-log-page.tsx";
const source = `
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { VirtualLog } from "/src/ui/data/virtual-log/virtual-log.tsx";
import "/src/ui/theme/site.css";

const words = (count) => "Some words of an answer. ".repeat(count);
const rows = Array.from({ length: 10_000 }, (_, index) => ({
  key: "row " + index,
  said: true,
  // So much too high that each row that is measured brings in but one more.
  estimate: () => 3_000,
  render: () => <p style={{ margin: 0 }}>{"Row " + index + ". " + words(index % 3)}</p>,
}));

function Frame() {
  const [size, setSize] = useState({ width: 1300, height: 250 });
  window.resizeLog = (width, height) => setSize({ width, height });
  return (
    <div style={{ ...size, display: "flex", flexDirection: "column" }}>
      <VirtualLog key={size.width > 600 ? "below" : "beside"} label="Rows" busy={false} rows={rows} newest="" />
    </div>
  );
}
const failed = (error) => { window.failed = String(error?.stack ?? error); };
createRoot(document.getElementById("log"), { onUncaughtError: failed, onCaughtError: failed }).render(<Frame />);
`;

let server: ModuleServer;

test.beforeAll(async () => {
  server = await startModuleServer("virtual-log", {
    entries: ["src/ui/data/virtual-log/virtual-log.tsx"],
    include: ["react", "react-dom/client", "react/jsx-dev-runtime"],
    plugins: [
      { name: "page", resolveId: (id) => (id === page ? id : null), load: (id) => (id === page ? source : null) },
    ],
  });
});

test.afterAll(() => server.close());

/** Mounted neighbours of which the second does not begin where the first ends. */
const gaps = (list: Locator) =>
  list.evaluate((element) => {
    const rows = [...element.querySelectorAll("[data-row]")].map((row) => row.getBoundingClientRect());
    return rows.slice(1).flatMap((row, index) => {
      const gap = Math.round(row.top - (rows[index]?.bottom ?? 0));
      return Math.abs(gap) > 1 ? [gap] : [];
    });
  });

const fromEnd = (list: Locator) =>
  list.evaluate(({ scrollHeight, scrollTop, clientHeight }) => Math.round(scrollHeight - scrollTop - clientHeight));

test("rows lie one under the other and the end stays in view in a frame that becomes wider, higher or narrower", async ({
  page: browserPage,
}) => {
  await browserPage.setViewportSize({ width: 1_900, height: 1_000 });
  await browserPage.goto(`${server.origin}/favicon.svg`);
  await browserPage.goto(`${server.origin}/before-paint.js`);
  await browserPage.setContent(`<div id="log"></div><script type="module" src="${server.origin}${page}"></script>`);
  const list = browserPage.getByRole("log");
  await expect(list).toContainText("Row 9999");
  for (const [width, height] of [
    [1_800, 250],
    [400, 900],
    [1_000, 900],
    [900, 300],
  ]) {
    await browserPage.evaluate(([w, h]) => Reflect.get(window, "resizeLog")(w, h), [width, height]);
    await expect.poll(() => list.evaluate((element) => element.clientWidth)).toBe(width);
    await expect.poll(() => gaps(list), { message: `${width} × ${height}` }).toEqual([]);
    await expect.poll(() => fromEnd(list)).toBeLessThan(2);
  }
  expect(await browserPage.evaluate(() => Reflect.get(window, "failed"))).toBeUndefined();
});
