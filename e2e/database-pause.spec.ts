import { readFileSync } from "node:fs";
import { join } from "node:path";
import { enterAsGuest, expect, test } from "./fixtures.ts";

test("S61 a page says that the database restarts, and goes on when it is back", async ({ page, studio }) => {
  await enterAsGuest(page);
  // As the server answers while the database takes long to come back.
  const away = { status: 503, headers: { "x-switchyard-database": "not-started", "retry-after": "1" }, json: {} };
  await page.route("**/rest/v1/**", (route) => route.fulfill(away));
  await page.route("**/.well-known/switchyard", (route) => route.fulfill({ json: { database: "restarting" } }));
  await page.getByRole("link", { name: "Runs" }).click();
  const banner = page.getByText("The database is restarting…");
  await expect(banner).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const { pid } = JSON.parse(readFileSync(join(studio.dataDir, "database-process.json"), "utf8"));
  process.kill(pid, "SIGKILL");
  await expect(banner).toBeHidden({ timeout: 60_000 });
  await expect(page.getByRole("heading", { name: "No run yet" })).toBeVisible({ timeout: 60_000 });
});
