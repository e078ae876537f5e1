import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { credentialTypes } from "../credentials/credential-types.ts";
import { compatibleServers, compatibleServerAt } from "./compatible-servers.ts";
import { vendors } from "./index.ts";

const ids = Object.keys(vendors);

/**
 * Where a vendor may be named: its record, its wire format, the list of providers, the formats of other programs, and
 * programs that call the studio by a vendor's client.
 */
const own = new RegExp(
  [
    "^src/engine/(vendors|models)/",
    "^src/engine/credentials/credential-types\\.ts$",
    "^src/providers/",
    "^src/(import|export)/",
    "^supabase/functions/credentials/local-embedding-models\\.ts$",
    "^src/features/doors/api/snippets\\.ts$",
  ].join("|"),
);

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return /^(testing|recordings|migrations|node_modules)$/.test(entry.name) ? [] : sourceFiles(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The code of a file without its comments. */
function codeOf(path: string): string {
  return readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

describe("vendors", () => {
  it("are named by their records and their wire formats alone", () => {
    const names = [...ids, ...Object.keys(compatibleServers)].filter((name) => !["custom", "azure"].includes(name));
    const named = new RegExp(
      `["'\`](${names.join("|")})["'\`/]|\\b(${["anthropic", "openrouter", "groq", "deepseek", "mistral"].join("|")})\\b`,
    );
    const files = [...sourceFiles("src"), ...sourceFiles("supabase")].map((path) => path.replaceAll("\\", "/"));
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((path) => !own.test(path) && named.test(codeOf(path)))).toEqual([]);
  });

  it.each(ids)("%s has a credential type of the same name", (id) => {
    expect(Object.keys(credentialTypes)).toContain(id);
  });

  it("compatible servers are known by their address, however deep it goes", () => {
    expect(compatibleServerAt(new URL("https://openrouter.ai/api/v1/models"))?.title).toBe("OpenRouter");
    expect(compatibleServerAt(new URL("https://openrouter.ai.example.com/api/v1"))).toBeUndefined();
    expect(compatibleServerAt(new URL("http://localhost:9999/v1"))).toBeUndefined();
  });

  it("compatible servers have addresses that a credential takes", () => {
    for (const { title, baseUrl } of Object.values(compatibleServers)) {
      expect(title).not.toBe("");
      if (baseUrl === null) continue;
      expect(vendors["openai-compatible"].credentialFields.safeParse({ baseUrl }).success).toBe(true);
    }
  });
});
