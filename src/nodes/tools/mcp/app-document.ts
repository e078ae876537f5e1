import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod/mini";
import { RunError } from "../../../engine/errors.ts";
import type { AppHosts } from "../../../engine/tool/tool-app.ts";
import { appHosts } from "./app-hosts.ts";
import { appMediaType } from "./app-link.ts";
import { textOfResource } from "./map-result.ts";

/** An interface as its server gives it, with the hosts that it asks for. */
export interface AppDocument {
  uri: string;
  html: string;
  /** Of the document, in hex. */
  sha256: string;
  asked: AppHosts;
  /** What it asks for and cannot have, since it is no address of a host. */
  unusable: readonly string[];
}

/** Characters of an interface's document: it stands in the run's log, so that a replay shows the same. */
const longestDocument = 2_000_000;

const read = z.looseObject({
  contents: z.array(
    z.looseObject({
      uri: z.string(),
      mimeType: z.optional(z.string()),
      text: z.optional(z.string()),
      blob: z.optional(z.string()),
      _meta: z.catch(z.optional(z.looseObject({ ui: z.optional(z.unknown()) })), undefined),
    }),
  ),
});

function refused(message: string): RunError {
  const hint = "The tool's result is there without it. Tell whoever runs the server.";
  return new RunError({ code: "tool_error", message, hint });
}

/** Reads an interface out of a `resources/read` result. Throws a RunError where there is none, or one that is too large. */
export function readAppDocument(result: unknown, uri: string): AppDocument {
  const parsed = read.safeParse(result);
  const content = parsed.data?.contents.find((one) => one.uri === uri);
  if (content?.mimeType?.replaceAll(" ", "").toLowerCase() !== appMediaType) {
    throw refused(`The MCP server has no interface at ${uri}.`);
  }
  const { _meta: meta } = content;
  const html = textOfResource({ ...content, mimeType: "text/html" });
  if (html === undefined) throw refused(`The interface ${uri} cannot be read.`);
  if (html.length > longestDocument) {
    const size = html.length.toLocaleString("en");
    throw refused(
      `The interface ${uri} has ${size} characters. At most ${longestDocument.toLocaleString("en")} are shown.`,
    );
  }
  return { uri, html, sha256: bytesToHex(sha256(utf8ToBytes(html))), ...appHosts(meta?.ui) };
}
