import { spawn } from "node:child_process";

/** Opens the address in the person's browser where there is one; does nothing elsewhere. */
export function openBrowser(url) {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI) return;
  if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY) return;
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  // Without such a program the printed address is enough.
  child.on("error", () => undefined);
  child.unref();
}
