import type { AppHosts, ToolApp } from "../../engine/tool/tool-app.ts";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";

/** What an interface may reach now: what its run let it reach, as far as its node's settings still accept that. */
export function presentHosts({ uri, hosts }: Pick<ToolApp, "uri" | "hosts">, config: JsonObject | undefined): AppHosts {
  const accepted = config?.["showApps"] !== false && isJsonObject(config?.["appHosts"]) ? config["appHosts"] : {};
  const text = Object.hasOwn(accepted, uri) ? accepted[uri] : undefined;
  const lines = new Set(typeof text === "string" ? text.split("\n") : []);
  return {
    connect: hosts.connect.filter((origin) => lines.has(`connect ${origin}`)),
    resource: hosts.resource.filter((origin) => lines.has(`load ${origin}`)),
  };
}
