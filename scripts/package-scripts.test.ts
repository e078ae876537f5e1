import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { studioVersion } from "../src/engine/studio-version.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { scripts, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  version: string;
};

test("every command of package.json names files and programs that are there", () => {
  for (const [name, command] of Object.entries(scripts)) {
    for (const part of command.split("&&").map((text) => text.trim().split(" "))) {
      const [program = "", file = ""] = part;
      if (["node", "tsx"].includes(program)) expect(existsSync(join(root, file)), `${name}: ${file}`).toBe(true);
      else expect(existsSync(join(root, "node_modules", ".bin", program)), `${name}: ${program}`).toBe(true);
    }
  }
});

test("servers and clients are told the version of package.json", () => {
  expect(studioVersion).toBe(version);
});

test("every npm command that the README names exists", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const named = [...readme.matchAll(/npm (?:run (?:--silent )?)?([a-z-]+)/g)].map(([, name]) => name ?? "");
  expect(named.length).toBeGreaterThan(5);
  for (const name of named.filter((each) => each !== "ci")) expect(scripts, name).toHaveProperty(name);
});
