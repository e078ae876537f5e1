import { spawnSync } from "node:child_process";
import { root } from "./root.mjs";
import { specsByFolder } from "./specs-by-folder.mjs";

/** What is not committed, by path. Empty where there is no Git. */
export function changedFiles() {
  const list = (...args) =>
    spawnSync("git", args, { cwd: root, encoding: "utf8" })
      .stdout?.split("\n")
      .filter((path) => path !== "") ?? [];
  return [...list("diff", "--name-only", "--relative", "HEAD"), ...list("ls-files", "--others", "--exclude-standard")];
}

/** The browser tests that go through what has changed, and those that have changed themselves. */
export function specsOfChange(files) {
  const specs = files.flatMap((file) => {
    if (file.endsWith(".spec.ts")) return [file];
    if (/\.test\.tsx?$/.test(file)) return [];
    const reaching = Object.entries(specsByFolder).flatMap(([folder, names]) =>
      file.startsWith(`${folder}/`) ? names.map((name) => `e2e/${name}.spec.ts`) : [],
    );
    return reaching.length > 0 || !/^(src|supabase|worker)\//.test(file) ? reaching : ["e2e/main-job.spec.ts"];
  });
  return [...new Set(specs)].toSorted();
}
