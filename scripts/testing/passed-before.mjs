import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./root.mjs";

/** What every check depends on. */
const always = ["package-lock.json", "tsconfig.base.json"];

/** Whether a check has passed before on the same text of the same files and folders; else `note` it once it has. */
export function passedBefore(name, args, inputs) {
  const hash = createHash("sha256").update(JSON.stringify([process.version, args]));
  for (const file of [...always, ...inputs].flatMap(filesBelow))
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  const key = hash.digest("hex");
  const noted = join(root, "node_modules", ".cache", "switchyard", `passed-${name}`);
  return {
    isSame: existsSync(noted) && readFileSync(noted, "utf8") === key,
    note: () => {
      mkdirSync(dirname(noted), { recursive: true });
      writeFileSync(noted, key);
    },
  };
}

function filesBelow(path) {
  const entries = readdirSync(dirname(join(root, path)), { withFileTypes: true });
  const entry = entries.find(({ name }) => path === name || path.endsWith(`/${name}`));
  if (!entry) return [];
  if (entry.isFile()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .filter((inner) => inner.isFile())
    .map((inner) => join(inner.parentPath, inner.name).slice(root.length + 1))
    .toSorted();
}
