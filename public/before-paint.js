// Runs before the first paint: one small file, since each one that a paint waits for costs a round trip.
const page = document.documentElement;

/** What this browser keeps for the site; null as well where storage is forbidden. */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

// Only headers keep a page out of another site's frame, and a static host may send none. Then the page stays blank: what
// cannot be seen cannot be clicked on somebody else's behalf.
if (window.top !== window.self) {
  page.style.setProperty("display", "none", "important");
  window.stop();
}

// So that a chosen theme does not flash; otherwise the system's holds. The app itself takes over from here.
const theme = kept("switchyard:theme");
if (theme === "light" || theme === "dark") page.dataset.theme = theme;

// Who is not signed in sees the sign-in page at once, unless the address or the studio asks for another one.
const config = document.getElementById("switchyard-config")?.textContent ?? "{}";
const { signUp = "open" } = JSON.parse(config);
const isPlain = location.hash === "" && location.pathname !== "/oauth/callback";
if (isPlain && signUp === "open" && kept("switchyard:session") === null) page.dataset.signingIn = "";
