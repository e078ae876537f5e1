import { usage } from "./usage/mcp-bridge.mjs";
import { CommandFailure } from "./headless/command-failure.ts";
import { flushed, printLine } from "./headless/print.ts";
import { parseBridgeArguments } from "./mcp-bridge/arguments.ts";
import { startBridge } from "./mcp-bridge/start-bridge.ts";
import { StartError } from "../supabase/local/start-error.ts";

/** `npm run mcp-bridge`; `usage` says how it is used. */
async function main(): Promise<number> {
  try {
    const asked = parseBridgeArguments(process.argv.slice(2));
    if (asked === null) {
      await printLine(usage.trimEnd());
      return 0;
    }
    const stopped = new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve());
    });
    const bridge = await startBridge(asked);
    await printLine(
      `The MCP server is reachable from this machine. In the studio, make a credential of type MCP server:

  Server URL  ${bridge.url}
  Headers     Authorization
              Bearer ${bridge.token}

Ctrl+C ends the bridge.`,
    );
    const why = await Promise.race([stopped.then(() => "stopped"), bridge.unused]);
    await bridge.close();
    if (why === "stopped") return 0;
    throw new CommandFailure(
      `${asked.command} ended by itself before any client came.`,
      "See what it wrote above; it has to be an MCP server that speaks stdio.",
    );
  } catch (error) {
    if (!(error instanceof CommandFailure) && !(error instanceof StartError)) throw error;
    await printLine(`${error.message}\n  ${error.hint}`, process.stderr);
    return error instanceof CommandFailure ? error.exitCode : 1;
  }
}

process.exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
process.exit();
