import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const systemPaths = [
  // What Playwright drives by itself: without windows to draw.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

function installed() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  return [chromium.executablePath(), ...systemPaths].find((path) => existsSync(path));
}

function attempt(command, args) {
  return (
    spawnSync(command, args, { stdio: "ignore", timeout: 300_000, shell: process.platform === "win32" }).status === 0
  );
}

/**
 * The path of a Chromium for the browser tests: CHROMIUM_PATH, Playwright's own, the system's; else it is installed,
 * by Playwright where that can be downloaded, from Debian's packages where not. Throws with what to do.
 */
export function findChromium() {
  const found = installed();
  if (found) return found;
  console.error("Installing Chromium for the browser tests …");
  if (
    !attempt("npx", ["playwright", "install", "chromium"]) &&
    process.getuid?.() === 0 &&
    existsSync("/usr/bin/apt-get")
  ) {
    attempt("apt-get", ["update", "-qq"]);
    ["chromium-headless-shell", "chromium"].some((name) =>
      attempt("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name]),
    );
  }
  const path = installed();
  if (path) return path;
  throw new Error("No Chromium found. Install Chrome or Chromium, or set CHROMIUM_PATH to its program, and run again.");
}
