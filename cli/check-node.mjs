// Runs on any Node, so it uses old syntax only.

/** Why this Node is too old, or null. Mirrors "engines" in package.json. */
export function unsupportedNode(version) {
  const parts = version.split(".").map(Number);
  const major = parts[0];
  const minor = parts[1];
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (isSupported) return null;
  return (
    "Switchyard needs Node 20.19 or newer, 22.12 or newer, or 24; this is Node " +
    version +
    ".\nInstall one from https://nodejs.org and start again."
  );
}
