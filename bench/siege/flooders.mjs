// A flood, in a process of its own: `flooders.mjs <url> <flood> [<keys and runs as JSON>]`. It says "ready" when it is under way, goes on
// until the parent says so or disconnects, and then tells how often each status came.
import { setMaxListeners } from "node:events";
import { register } from "tsx/esm/api";

register();
const { floods } = await import("./floods.ts");
const [, , url, name, given] = process.argv;
const over = new AbortController();
setMaxListeners(Infinity, over.signal);
process.once("disconnect", () => over.abort());
process.on("message", () => over.abort());
const statuses = await floods[name](url, JSON.parse(given ?? "{}"), over.signal, () => process.send?.("ready"));
process.send?.(statuses, () => process.exit(0));
