// The besiegers, in a process of their own: `attackers.mjs <url> <publishable key> <guests>`. They go on until the parent
// disconnects; then the process says how often each behaviour was tried.
import { register } from "tsx/esm/api";

register();
const { besiege } = await import("./besiege.ts");
const [, , url, key, guests] = process.argv;
const over = new AbortController();
process.once("disconnect", () => over.abort());
process.on("message", () => over.abort());
const onReady = () => process.send?.("ready");
const tried = await besiege({ url, key, guests: Number(guests), signal: over.signal, onReady });
process.send?.(tried, () => process.exit(0));
